#!/bin/sh
# Captures benchmarks whose commands are counted by hand, packs and replays the captures: suites.sh BUILD_DIR
# Also in a stack with the other layer, above and below it. One line a run; exit 1 when one failed.
build=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT CLTESTCHECK_WORKER LD_PRELOAD
unset CLTESTCHECK_CAPTURE_FILE CLTESTCHECK_CAPTURE_CAP CAPTURE_EXPECT
capture=$build/libcltestcheck-capture.so
other=$build/libcltestcheck-layer.so
failed=0

fail() {
  echo "FAIL $command ($1)"
  [ -n "$2" ] && sed 's/^/    /' "$2" | cut -c1-300
  failed=1
}

count() { grep -cE "^($1) " "$work/shown"; }

# check LAYERS PROGRAM ARGUMENTS… -- LAUNCHES READS WRITES
check() {
  layers=$1
  shift
  command=
  while [ "$1" != -- ]; do
    command="$command $1"
    shift
  done
  rm -f "$work"/raw* "$work"/packed
  $command >"$work/without" 2>&1
  without=$?
  OPENCL_LAYERS=$layers CLTESTCHECK_CAPTURE_FILE=$work/raw $command >"$work/with" 2>&1
  with=$?
  if [ $with != $without ] || ! cmp -s "$work/without" "$work/with"; then
    fail "another output or exit status" "$work/with"
  elif ! "$build/show_capture" "$work/raw" "$work/packed" >"$work/shown"; then
    fail "no capture" "$work/shown"
  elif ! grep -q '^packed: the same, smaller' "$work/shown"; then
    fail "the packed one is another" "$work/shown"
  elif [ "$(count launch) $(count 'read|read-image') $(count 'write|write-image')" != "$2 $3 $4" ]; then
    fail "$(count launch) launches, $(count 'read|read-image') reads, $(count 'write|write-image') writes" ""
  elif ! "$build/cltestcheck-replay" "$work/packed" >"$work/replayed" 2>&1; then
    fail "replayed, it reads something else" "$work/replayed"
  else
    echo "ok $(basename "${command%% -*}"): $(cat "$work/replayed")"
  fi
}

suites=$build/suites
# two launches a step, one more where row 0 is kept warm; two buffers, written when they are made
check "$capture" "$suites/stencil/stencil" 16 16 3 insulated -- 6 1 2
check "$capture" "$suites/stencil/stencil" 12 9 2 periodic -- 4 1 2
check "$capture" "$suites/stencil/stencil" 8 8 5 heated -- 15 1 2
# `prepare`, a level a launch and a read and write of the flag with each, the depths; four buffers. In a ring of 16 the
# last node is 8 away, in the star 2, and one launch more finds none. The way back is a launch, a buffer and a read.
check "$capture" "$suites/bfs/bfs" 16 ring -- 10 10 13
check "$capture" "$suites/bfs/bfs" 20 star 13 -- 5 5 8
check "$capture" "$suites/bfs/bfs" 10 lone -- 2 2 5
# images have their contents when they are made
check "$capture" "$suites/image-filter/image-filter" 16 16 smooth 1 -- 1 1 0
check "$capture" "$suites/image-filter/image-filter" 16 16 threshold -- 1 1 0
check "$capture" "$suites/histogram/histogram" 500 words counts -- 1 1 2
check "$capture" "$suites/histogram/histogram" 20 words shares -- 2 1 2
check "$capture:$other" "$suites/histogram/histogram" 20 words shares -- 2 1 2
check "$other:$capture" "$suites/histogram/histogram" 20 words shares -- 2 1 2
# four threads, 200 writes and reads each
check "$capture" "$build/capture_waiting" threads -- 0 800 800
exit $failed
