#!/bin/sh
# capture.sh BUILD SEED SECONDS: fuzz_capture on captures of programs that do every call, and of kernels' runs.
build=$(cd "$1" && pwd) || exit 2
here=$(cd "$(dirname "$0")" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
suites=$build/suites
n=0
for program in capture_calls capture_images capture_maps capture_programs "$suites/stencil/stencil 16 16 3 insulated" \
  "$suites/bfs/bfs 20 star 13" "$suites/image-filter/image-filter 16 16 smooth 1" \
  "$suites/histogram/histogram 20 words shares" "$build/constructs_host $here/../constructs/barrier_in_helper.cl"; do
  n=$((n + 1))
  OPENCL_LAYERS=$build/libcltestcheck-capture.so CLTESTCHECK_CAPTURE_FILE=$work/$n.capture PATH=$build:$PATH \
    $program >out 2>&1
done
seed=$2 seconds=$3
set --
for file in *.capture; do
  [ "$(wc -c <"$file")" -lt 200000 ] && set -- "$@" "$work/$file"
done
[ $# -gt 3 ] || { echo "only $# captures"; exit 2; }
echo "$# captures"
"$build/tests/fuzz/fuzz_capture" "$seed" "$seconds" "$@"
