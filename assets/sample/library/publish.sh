#!/bin/sh
# Publishes the site: builds it, then sends what has changed.
set -eu

target=${1:?usage: publish.sh FOLDER}
npm run build

for file in dist/*; do
    case $file in
    *.map) continue ;;
    esac
    printf 'sending %s\n' "$file"
    filedeck put "$file" "/web/$target"
done
