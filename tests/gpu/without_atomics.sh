#!/bin/sh
# races on a device without 64-bit atomic functions: nothing is checked, which is said and is no success; with them it is.
#   without_atomics.sh BUILD
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export POCL_CACHE_DIR="${POCL_CACHE_DIR:-$work/cache}"
mkdir -p "$POCL_CACHE_DIR"
fail() {
  echo "FAILED: $*: exit status $status"
  cat "$work/said"
  exit 1
}
# races LAYER: last-writer, which races, on a device as the layer shows it. Loaders put the first layer next to the driver.
races() {
  status=0
  # shellcheck disable=SC2016 # expanded in the child
  "$build/cltestcheck" races --db "$work/a.db" -- sh -c 'OPENCL_LAYERS=$0$OPENCL_LAYERS exec "$1"' "$1" \
    "$build/suites/last-writer/last-writer" > "$work/said" 2>&1 || status=$?
}
reason="the device does not have cl_khr_int64_base_atomics, which the check of accesses needs"
races "$build/without_atomics.so:"
[ $status = 5 ] || fail "without: not 5"
grep -q "^cltestcheck: no access was checked for races: $reason$" "$work/said" || fail "without: the reason"
tr -s ' \n' ' ' < "$work/said" | grep -q "Not instrumented [^ ]*last-writer.cl: $reason" || fail "without: the kernel file is not named"
races ""
[ $status = 3 ] || fail "with: not 3"
! grep -q cl_khr_int64 "$work/said" || fail "with: the reason"
echo "without 64-bit atomics nothing is checked, and that is said"
