#!/bin/sh
# `cltestcheck check`: one report in its order, one exit status: check.sh BUILD_DIR SOURCE_DIR
# test: quick cost=30
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
  check --db all.db --format json=all.json --format text=all.txt --emit-cases kept -- "$host" all.cl
kept "what both runs find in a kernel is one case" shift
[ "$(grep -c done program)" = 1 ] || fail "the program's output is shown once"
grep -q '"runs": \[1, 2\]' all.json || fail "the report is on both runs"
# A program that is killed; what is found is why.
try "a crash comes first" 3 "Killed: as it is, the program is killed by signal 11" "null pointer in kernel affine" "Memory errors" -- \
  check --db null.db -- "$host" "$cases/bad/null_bias.cl"
# Many of one kernel are a table, in order of lines; a statement and an object is one, and so is what two looks have seen.
cat >many.cl <<'CL'
// BUFFER: in int 64 zeros
// BUFFER: out int 64 zeros
// KERNEL: many
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// READ: out
kernel void many(global int *in, global int *out) {
  int i = get_global_id(0);
  out[i + 5] = 7;
  int s = in[i + 1] + in[i + 2] + in[i + 3];
  s += in[i + 4];
  s += in[i - 1];
  in[i] = s;
}
CL
try "many findings are a table" 3 "Kernel many has" "many.cl:11 out of bounds write out[64] 1 5" "many.cl:12 out of bounds read in[64] 1 6" \
  "many.cl:13 out of bounds read in[64] 1 4" "many.cl:14 out of bounds read in[-1] 1 1" "data race" "Memory errors" "many 1 4" \
  "Not looked for" "cltestcheck amplify" -- check --db many.db -- "$host" many.cl
! grep -q "write past the end\|many.cl:11:3: access" out || fail "what memory says is not said of guard zones, nor in full"
sed 's/…/./g' out | awk 'length > 80 && !/suppressions/' | grep -q . && fail "lines are longer than 80 columns"
try "--all" 3 "many.cl:11:3: out of bounds in kernel many" "many.cl:12:11: out of bounds" "seen 6 times" "many.cl:14:8: out of bounds" \
  "reads in[-1]" -- memory --all --db many.db -- "$host" many.cl
try "and later" 0 "many.cl:14:8: out of bounds" -- report --verbose --db many.db
"$build/cltestcheck" list --runs --db many.db | tr -s ' ' | grep -q "check races 1 " || fail "runs of check are called so"
"$build/cltestcheck" list --runs --db all.db >out && grep -q 'check memory' out || fail "both of them"
# A call that is refused in each of two runs is refused once.
grep -q 'clEnqueueNDRangeKernel of shift, 1 time' all.txt || fail "the refused launch counts once"
# Races were not seen to the end: the word, and no table of zeros.
cat >far.cl <<'CL'
// BUFFER: out int 64 zeros
// BUFFER: far int 16 zeros
// KERNEL: far_away
// GLOBAL: 64
// LOCAL: 16
// ARG: out
// ARG: far
// READ: out
kernel void far_away(global int *out, global int *far) {
  const int l = get_local_id(0);
  out[l] = l;
  far[l * 100000000L] = out[get_local_size(0) - 1 - l];
}
CL
try "a crash hides races" 3 "Memory errors" "Data races of run 1: none was seen in 1 launch of 1 kernel; what was not looked at is listed below" \
  "as it is without that: whether its work-items race is not known" -- check --db crash.db -- "$host" far.cl
! grep -q 'tells whether' out || fail "no advice to run what was run"
# Reports that cannot be written: nothing is run.
for report in /nowhere/report.json .; do
  rm -f ran
  try "a report that cannot be written" 1 "the report" "cannot be written" -- check --db none.db --format "json=$report" -- touch ran
  [ ! -e ran ] || fail "the program was run in vain"
done
# Nothing wrong; a threshold; no OpenCL; not enough time.
try "nothing" 0 "Memory errors of run 2" "Data races of run 1" -- check --db good.db --emit-cases kept -- "$host" "$cases/good/vload3_at_end.cl"
kept "nothing is kept without a finding" ''
! grep -q Findings out || fail "nothing is found"
# Where nothing is wrong the program is started three times, also where memory begins without a value: replays tell of that.
cat >turned.cl <<'CL'
// BUFFER: in int 64 ramp
// BUFFER: out int 80 none
// KERNEL: turn
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// READ: out 0 64
kernel void turn(global const int *in, global int *out) {
  local int part[16];
  const int l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[15 - l];
}
CL
sed 's/80 none/80 zeros/; s/part\[15/part[14/; s/local int part\[16\]/local int part[17]/; s/part\[14 - l\]/part[l + 1]/' turned.cl >unset.cl
sed 's/ramp/zeros/; s/out 0 64$/out zeros/; s/turn/kept/' turned.cl >tail.cl
cat >image.cl <<'CL'
// IMAGE: never 16 4 r_f32 none
// BUFFER: out float 64 zeros
// KERNEL: copy
// GLOBAL: 64
// LOCAL: 16
// ARG: never
// ARG: out
// READ: out
kernel void copy(read_only image2d_t never, global float *out) {
  out[get_global_id(0)] =
    read_imagef(never, (int2)(get_global_id(0) & 15, get_global_id(0) / 16)).x * 2.0f;
}
CL
try "three starts" 0 "starts of programs: 3; replays: 4;" -- check --verbose --db turned.db -- "$host" turned.cl
! grep -q Findings out || fail "nothing is found"
cat >twice.cl <<'CL'
// BUFFER: in int 64 ramp
// BUFFER: out int 64 none
// KERNEL: twice
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// READ: out
kernel void twice(global const int *in, global int *out) {
  out[get_global_id(0)] = 2 * in[get_global_id(0)];
}
CL
try "two replays where the host alone may read what nobody wrote" 0 "starts of programs: 3; replays: 2;" -- check --verbose --db twice.db -- "$host" twice.cl
export CLTESTCHECK_CAPTURE_CAP=300
try "a capture that has no room" 0 "cannot be replayed" "starts of programs: 7; replays: 0;" -- check --verbose --db turned.db -- "$host" turned.cl
unset CLTESTCHECK_CAPTURE_CAP
try "a value that nobody wrote" 3 "value that nobody wrote in kernel turn" -- check --db unset.db -- "$host" unset.cl
try "what the host alone reads" 3 "the host reads bytes of argument 2 of kernel kept" -- check --db tail.db -- "$host" tail.cl
try "an image" 3 "image.cl:11:5: value that nobody wrote in kernel copy" -- check --db image.db -- "$host" image.cl
try "queues" 0 "starts of programs: 3;" -- check --verbose --db queues.db -- "$build/queues_host" two-queues ordered
try "mapped" 0 "cannot be replayed: it writes to mapped memory" -- check --verbose --db mapped.db -- "$host" "$cases/good/mapped.cl"
try "a threshold" 2 "below" -- check --db good.db --fail-under loop=100 -- "$host" "$cases/good/float3_positions.cl"
try "no program" 1 "such as: cltestcheck check -- ./my_tests" -- check --db none.db
try "no OpenCL" 5 "nothing was observed" -- check --db none.db -- true
try "--max-time" 5 "--max-time is over" -- check --db none.db --max-time 1 -- sleep 5
exit $failed
