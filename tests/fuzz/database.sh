#!/bin/sh
# database.sh BUILD SEED SECONDS: fuzz_database on the database of a run, besides its own.
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
ASAN_OPTIONS=detect_leaks=0 "$1/cltestcheck" coverage -q --db "$work/run.db" -- "$1/constructs_host" \
  "$(dirname "$0")/../constructs/barrier_in_helper.cl" >/dev/null || exit 2
"$1/tests/fuzz_database" "$2" "$3" "$work/run.db"
