#!/usr/bin/env bash
# How long the service takes to go back to the sample library: `benches/reset.sh FILEDECK`. Each of 200 resets follows an
# upload into a new folder, and the permanent deletion of a file of the sample. Times are those that a client sees.
set -euo pipefail
filedeck=$(realpath "${1:?usage: benches/reset.sh PATH-OF-FILEDECK}")
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$work"' EXIT
TIMEFORMAT='ready after %3R s'
time {
  "$filedeck" serve --listen 127.0.0.1:0 --ready-file "$work/ready.json" --test-api >/dev/null 2>"$work/log" &
  until [ -e "$work/ready.json" ]; do sleep 0.005; done
}
told() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$work/ready.json"; }
base=$(told baseUrl) test_api=$(told testApi)
printf 'header = "Authorization: Bearer %s"\nsilent\nshow-error\nfail-with-body\n' "$(told token)" >"$work/curlrc"
call() { curl --config "$work/curlrc" -o /dev/null "$@"; }
file=$(curl --config "$work/curlrc" "$base/files/v3/files/search?limit=1" | sed 's/.*"id":"\([0-9]*\)".*/\1/')
for _ in $(seq 200); do
  call -F file=@"$0" -F folderPath=/new -F 'options={"access":"PRIVATE"}' "$base/files/v3/files"
  call -X DELETE "$base/files/v3/files/$file/gdpr-delete"
  call -X POST -w '%{time_total}\n' "$test_api/reset"
done | sort -n | awk '{ all[NR] = 1000 * $1 } END {
  printf "%d resets: median %.1f ms, 95 of 100 within %.1f ms, longest %.1f ms\n", NR, all[int((NR + 1) / 2)], all[int(NR * 0.95)], all[NR]
}'
