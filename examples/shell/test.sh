#!/bin/sh
# What a program does with the API would be tested here; these tests call it themselves.
set -eu
cd "$(dirname "$0")"
. ./filedeck.sh
start_filedeck
trap stop_filedeck EXIT

upload() {
  printf 42 | call /files/v3/files -F 'file=@-;filename=april.txt' -F folderPath=/reports -F "options=$1"
}

listed() {
  call '/files/v3/files/search?path=%2Freports'
}

# expect WORDS TEXT: the text holds the words.
expect() {
  case $2 in
  *"$1"*) ;;
  *) echo "not there: $1" "in: $2" && return 1 ;;
  esac
}

private='{"access": "PRIVATE"}'

an_upload_is_listed() {
  expect 201 "$(upload "$private")"
  expect '"name":"april"' "$(listed)"
}

the_upload_of_another_test_is_gone() {
  expect '"results":[]' "$(listed)"
}

a_busy_service_is_seen() {
  steer PUT faults '{"faults": ["status=503,times=1"]}' >/dev/null
  expect 503 "$(upload "$private")"
  expect 201 "$(upload "$private")"
  expect '"status":503' "$(steer GET requests)"
}

a_file_expires() {
  expect 201 "$(upload '{"access": "PRIVATE", "ttl": "P1D"}')"
  steer POST clock '{"by": "P1D"}' >/dev/null
  expect '"results":[]' "$(listed)"
}

a_typing_error_does_not_pass() {
  expect "did you mean 'overwrite'?" "$(upload '{"access": "PRIVATE", "overwite": true}')"
}

for test in an_upload_is_listed the_upload_of_another_test_is_gone a_busy_service_is_seen a_file_expires \
  a_typing_error_does_not_pass; do
  steer POST reset
  $test
  echo "ok $test"
done
