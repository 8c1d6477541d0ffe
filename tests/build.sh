#!/bin/sh
# The build as README prints it, with make instead of ninja: build.sh SOURCE_DIR TARGET…
# Make, unlike ninja, finds no rule for a file that another folder makes.
source=$(cd "$1" && pwd) || exit 1
shift
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cmake -S "$source" -B . -G 'Unix Makefiles' >log 2>&1 && make -j2 "$@" >>log 2>&1 && exit 0
tail -n 20 log
exit 1
