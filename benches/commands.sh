#!/bin/sh
# The commands beside curl and rclone, in one run on this machine: a large file up and down, a thousand small ones up, an
# unchanged folder synced, the start of a command; and a thousand small files copied to another service beside put. Gives the
# best of a few turns, which take place alternately, and the ratio. Takes ten minutes and 8 GB of disk; nothing else should run
# meanwhile. Needs curl and rclone, and root for a WebDAV folder that is written through to the disk as the service's own is
# (chattr +S). All small files go eight at once.
set -eu
cd "$(dirname "$0")/.."
turns=${1:-3}
cargo build --quiet --release
filedeck=$(realpath "${CARGO_TARGET_DIR:-target}/release/filedeck")
for tool in curl rclone; do
    command -v "$tool" >/dev/null || { echo "$tool is not installed: nothing is measured"; exit 0; }
done
dir=$(mktemp -d)
servers=
trap 'kill $servers 2>/dev/null || true; wait; rm -rf "$dir"' EXIT
export FILEDECK_CONFIG_DIR="$dir/config" FILEDECK_STATE_DIR="$dir/state" FILEDECK_DATA_DIR="$dir/data"
export RCLONE_CONFIG="$dir/rclone.conf" FILEDECK_SERVICE_TOKEN=bench FILEDECK_TOKEN=bench
cd "$dir"
mkdir -p dav/plain dav/through down config state

echo "$(uname -srm), $(getconf _NPROCESSORS_ONLN) cores, $("$filedeck" --version), $(rclone version | head -1), $(curl --version | cut -d ' ' -f 1-2 | head -1)"

"$filedeck" serve --data-dir "$dir/store" --listen 127.0.0.1:18787 >serve.log 2>&1 &
servers="$servers $!"
rclone serve webdav ./dav --addr 127.0.0.1:18788 >webdav.log 2>&1 &
servers="$servers $!"
export FILEDECK_BASE_URL=http://127.0.0.1:18787
printf '[dav]\ntype = webdav\nurl = http://127.0.0.1:18788\nvendor = other\n' >rclone.conf
tries=0
until "$filedeck" ls / >/dev/null 2>&1 && rclone lsf dav: >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 50 ] || { cat serve.log webdav.log; exit 1; }
    sleep 0.2
done

# Milliseconds that a command takes.
took() {
    start=$(date +%s%N)
    "$@" >/dev/null
    echo $((($(date +%s%N) - start) / 1000000))
}

# compare WHAT: runs one and other in turn, each after its preparation, and prints the best of both.
compare() {
    what=$1 best_one= best_other=
    for turn in $(seq "$turns"); do
        prepare_one "$turn"; ms=$(took one "$turn")
        [ -z "$best_one" ] || [ "$ms" -lt "$best_one" ] && best_one=$ms
        prepare_other "$turn"; ms=$(took other "$turn")
        [ -z "$best_other" ] || [ "$ms" -lt "$best_other" ] && best_other=$ms
    done
    awk -v what="$what" -v one="$best_one" -v other="$best_other" -v name="$name" 'BEGIN {
        printf "%-44s filedeck %6d ms  %s %6d ms  %.2f times as long\n", what, one, name, other, one / other
    }'
}
prepare_one() { :; }
prepare_other() { :; }

name=curl
head -c 1073741824 /dev/urandom >large.bin
options='{"access":"PRIVATE","duplicateValidationStrategy":"NONE"}'
api=$FILEDECK_BASE_URL/files/v3/files
one() { "$filedeck" put --quiet --again large.bin "/one-$1/"; }
other() {
    curl -sSf -H "Authorization: Bearer bench" -F "options=$options" -F "folderPath=/other-$1" -F "file=@large.bin" "$api"
}
compare "1 GiB up"

id=$("$filedeck" stat --json /one-1/large.bin | sed 's/.*"id":"\([0-9]*\)".*/\1/')
prepare_one() { rm -f down/*; }
prepare_other() { rm -f down/*; }
one() { "$filedeck" get --quiet /one-1/large.bin -o down; }
other() { curl -sSf -H "Authorization: Bearer bench" -o down/large.bin "$api/$id/download"; }
compare "1 GiB down"
name="curl, md5sum, sync"
other() {
    curl -sSf -H "Authorization: Bearer bench" -o down/large.bin "$api/$id/download"
    md5sum down/large.bin
    sync down/large.bin
}
compare "1 GiB down, its MD5, and on the disk"
rm -f down/* large.bin

name=rclone
mkdir small
for number in $(seq 1000); do head -c 16384 /dev/urandom >"small/$number.bin"; done
prepare_one() { :; }
prepare_other() { :; }
one() { "$filedeck" put --quiet --jobs 8 small "/small-$1/"; }
other() { rclone copy --transfers 8 --checkers 8 small "dav:plain/small-$1"; }
compare "1,000 files of 16 KiB up, rclone unsynced"
if chattr +S +D dav/through 2>/dev/null; then
    one() { "$filedeck" put --quiet --jobs 8 small "/again-$1/"; }
    other() { rclone copy --transfers 8 --checkers 8 small "dav:through/small-$1"; }
    compare "1,000 files of 16 KiB up, both synced"
fi

"$filedeck" serve --data-dir "$dir/second" --listen 127.0.0.1:18789 >second.log 2>&1 &
servers="$servers $!"
printf bench >config/token
chmod 600 config/token
printf '[accounts.%s]\nbase_url = "http://127.0.0.1:%s"\ntoken_file = "token"\n' one 18787 two 18789 >config/config.toml
tries=0
until "$filedeck" ls --account two / >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 50 ] || { cat second.log; exit 1; }
    sleep 0.2
done
name=put
one() { "$filedeck" copy --quiet --jobs 8 @one:/small-1/small "@two:/copy-$1/"; }
other() { "$filedeck" put --account two --quiet --jobs 8 small "/put-$1/"; }
compare "1,000 files of 16 KiB copied between services"
name=rclone

mkdir many
for folder in $(seq 100); do
    mkdir "many/$folder"
    for number in $(seq 100); do echo "$folder $number" >"many/$folder/$number.txt"; done
done
"$filedeck" sync --quiet --jobs 8 many /many
rclone sync --transfers 8 --checkers 8 many dav:plain/many
one() { "$filedeck" sync --quiet many /many; }
other() { rclone sync --checkers 8 --size-only many dav:plain/many; }
compare "10,000 unchanged files synced"

one() { "$filedeck" ls /small-1/small/1.bin; }
other() { rclone lsf dav:plain/small-1/1.bin; }
compare "start, and one file listed"
one() { "$filedeck" --version; }
other() { rclone version; }
compare "start alone"
