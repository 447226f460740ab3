#!/bin/sh
# Every figure, one benchmark after the other, beside curl, nginx and rclone where they are installed. Takes half an hour
# and 8 GB of disk; nothing else should run meanwhile.
set -eu
cd "$(dirname "$0")/.."
echo "$(uname -srm), $(getconf _NPROCESSORS_ONLN) cores, load $(cut -d ' ' -f 1-3 /proc/loadavg 2>/dev/null || echo unknown)"
cargo build --quiet --release --benches
for file in benches/*.rs; do
    name=$(basename "$file" .rs)
    echo "== $name"
    cargo bench --quiet --bench "$name"
done
echo "== commands"
benches/commands.sh
