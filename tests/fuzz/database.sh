#!/bin/sh
# database.sh BUILD SEED COUNT: fuzz_database on the database of a run.
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
"$1/cltestcheck" coverage -q --db "$work/run.db" -- "$1/constructs_host" \
  "$(dirname "$0")/../constructs/barrier_in_helper.cl" >/dev/null || exit 2
"$1/tests/fuzz_database" "$2" "$3" "$work/run.db"
