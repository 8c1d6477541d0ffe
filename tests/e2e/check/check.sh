#!/bin/sh
# `cltestcheck check`: one report in its order, one exit status: check.sh BUILD_DIR SOURCE_DIR
# test: quick cost=12
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
cases=$(cd "$2/tests/cases/memory" && pwd) || exit 1
host=$build/memory_host
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD
failed=0

fail() {
  echo "FAIL $1"
  sed 's/^/    /' out
  failed=1
}

# try NAME STATUS WORD… -- COMMAND…: cltestcheck ends so and prints the words in this order; runs of white space are one.
try() {
  name=$1 status=$2
  shift 2
  : >words
  while [ "$1" != -- ]; do
    printf '%s\n' "$1" >>words
    shift
  done
  shift
  "$build/cltestcheck" "$@" >program 2>out </dev/null
  got=$?
  [ $got = "$status" ] || { fail "$name: exit $got, not $status" && return; }
  tr '\n' ' ' <out | tr -s ' ' >line
  while IFS= read -r word; do
    rest=$(awk -v word="$word" '{ at = index($0, word); if (at) print substr($0, at + length(word)); else exit 1 }' line) ||
      { fail "$name: no \"$word\" there" && return; }
    printf '%s\n' "$rest" >line
  done <words
  echo "ok $name"
}

# kept NAME FILE…: these are what --emit-cases has written, in this order
kept() {
  name=$1
  shift
  found=$(cd kept 2>/dev/null && echo * | tr '\n' ' ' | sed 's/ $//')
  [ "$found" = "$*" ] && echo "ok $name" || { echo "FAIL $name: $found" && failed=1; }
  rm -rf kept
}

# A kernel that leaves its buffer and races, launched once as it must not be, and with a branch that is never taken.
cat >all.cl <<'CL'
// SLOPPY
// BUFFER: out int 64 zeros
// KERNEL: shift
// GLOBAL: 64
// LOCAL: 48
// ARG: out
// READ: out
// KERNEL: shift
// GLOBAL: 64
// LOCAL: 16
// ARG: out
// READ: out
// WHY: each work-item reads what the next one writes, and the last one leaves the buffer; 48 does not divide 64.
kernel void shift(global int *out) {
  int i = get_global_id(0);
  if (i > 1000)
    out[0] = 1;
  out[i] = out[i + 1] + 1;
}
CL
try "everything, in its order" 3 "Not what it seems: the device refused to launch kernel shift" "Findings" \
  "all.cl:18:" "out of bounds in kernel shift" "data race in kernel shift" "Memory errors of run 2" "Data races of run 1" \
  "if: never true" "kept/shift/suite.yaml has the launches of kernel shift" -- \
  check --db all.db --format json=all.json --emit-cases kept -- "$host" all.cl
kept "what both runs find in a kernel is one case" shift
[ "$(grep -c done program)" = 1 ] || fail "the program's output is shown once"
grep -q '"runs": \[1, 2\]' all.json || fail "the report is on both runs"
# A program that is killed; what is found is why.
try "a crash comes first" 3 "Killed: as it is, the program is killed by signal 11" "null pointer in kernel affine" "Memory errors" -- \
  check --db null.db -- "$host" "$cases/bad/null_bias.cl"
# Nothing wrong; a threshold; no OpenCL; not enough time.
try "nothing" 0 "Memory errors of run 2" "Data races of run 1" -- check --db good.db --emit-cases kept -- "$host" "$cases/good/vload3_at_end.cl"
kept "nothing is kept without a finding" ''
! grep -q Findings out || fail "nothing is found"
try "a threshold" 2 "below" -- check --db good.db --fail-under loop=100 -- "$host" "$cases/good/float3_positions.cl"
try "no program" 1 "such as: cltestcheck check -- ./my_tests" -- check --db none.db
try "no OpenCL" 5 "nothing was observed" -- check --db none.db -- true
try "--max-time" 5 "--max-time is over" -- check --db none.db --max-time 1 -- sleep 5
exit $failed
