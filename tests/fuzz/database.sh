#!/bin/sh
# database.sh BUILD SEED SECONDS: fuzz_database on the database of a run, besides its own.
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
kernels=$(dirname "$0")/../constructs
ASAN_OPTIONS=detect_leaks=0 "$1/cltestcheck" coverage -q --db "$work/run.db" -- "$1/constructs_host" \
  "$kernels/barrier_in_helper.cl" "$kernels/barrier_divergent.cl" >/dev/null
[ $? = 3 ] || exit 2 # a barrier diverges: a finding with places
"$1/tests/fuzz/fuzz_database" "$2" "$3" "$work/run.db"
