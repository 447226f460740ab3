# Functions for tests in a shell with curl: start_filedeck, stop_filedeck, call, steer. For `. ./filedeck.sh`.

# Starts the service on a free port. It ends with this shell, whatever ends that.
start_filedeck() {
  filedeck_dir=$(mktemp -d)
  "${FILEDECK:-filedeck}" serve --listen 127.0.0.1:0 --ready-file "$filedeck_dir/ready.json" \
    --exit-with-parent --test-api --strict >/dev/null &
  filedeck_pid=$!
  until [ -e "$filedeck_dir/ready.json" ]; do
    kill -0 "$filedeck_pid" || return 1
    sleep 0.02
  done
  base_url=$(told baseUrl) test_api=$(told testApi)
  # The token stays out of the list of processes.
  printf 'header = "Authorization: Bearer %s"\n' "$(told token)" >"$filedeck_dir/curlrc"
}

told() {
  sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$filedeck_dir/ready.json"
}

stop_filedeck() {
  kill "$filedeck_pid" 2>/dev/null && wait "$filedeck_pid"
  rm -rf "$filedeck_dir"
}

# call PATH [CURL OPTIONS]: the body of the answer, and the status on a line of its own after it.
call() {
  path=$1
  shift
  curl -sS --config "$filedeck_dir/curlrc" -w '\n%{http_code}\n' "$@" "$base_url$path"
}

# steer METHOD WORD [JSON]: a call of the test API.
steer() {
  curl -sS --fail-with-body --config "$filedeck_dir/curlrc" -X "$1" \
    ${3:+-H 'content-type: application/json' --data "$3"} "$test_api/$2"
}
