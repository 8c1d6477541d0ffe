#!/bin/sh
# What is said of work-items that part before a barrier: barriers.sh BUILD_DIR
# Which work-items part is read from each kernel; the same must be found whether their evidence goes to slots of theirs or,
# where those do not fit into memory, straight into flags. One line a check; exit 1 when one failed.
# test: quick
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD CLTESTCHECK_SLOTS_CAP
failed=0

# holds NAME EXIT BARRIERS MESSAGE [BARRIER DECISION]: kernel.cl, from standard input, ends so, covers these barriers and has
# this finding ("": none), with a barrier and a decision at these lines and columns.
holds() {
  cat >kernel.cl
  COLUMNS=400 "$build/cltestcheck" coverage --db run.db --format json=run.json -- "$build/constructs_host" kernel.cl >text 2>&1
  status=$?
  at="\"file\": \"kernel.cl\", \"line\""
  places="[{\"role\": \"barrier\", $at: ${5%:*}, \"column\": ${5#*:}}, {\"role\": \"decision\", $at: ${6%:*}, \"column\": ${6#*:}}]"
  tr -s ' \n' '  ' <text >line
  covered=$(sed -n 's/^barrier *\([0-9]*\) *\([0-9]*\) .*/\1 of \2/p' text)
  if [ $status != "$2" ] || [ "$covered" != "$3" ] || { [ -n "$4" ] && ! grep -qF -- "$4" line; } ||
    { [ -z "$4" ] && grep -q "barrier divergence" line; } ||
    { [ $# -gt 4 ] && ! grep -qF -- "\"places\": $places" run.json; }; then
    echo "FAIL $1: exit $status, barriers $covered"
    sed 's/^/    /' text
    failed=1
  else
    echo "ok $1"
  fi
  rm -f run.db
}

# Groups of 3 x 2 x 2; the work-item at 5, 3, 0 is in the last of the 2 x 2 groups.
holds "one work-item of a group in three dimensions returns" 3 "1 of 1" \
  "1 of the 12 work-items of a work-group decide differently at the if at line 3 (launch 0, work-group 3)" 4:3 3:3 <<'CL'
__kernel void test(__global int *out) {
  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x == 5 && y == 3 && z < 1) return;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[0] = 1;
}
// range: 6x4x2 3x2x2
CL

# 8 to 15 is group 1, of which 13, 14 and 15 return; the first group executes both barriers.
holds "some return before a loop that all others execute alike" 3 "2 of 2" \
  "3 of the 8 work-items of a work-group decide differently at the if at line 2 (launch 0, work-group 1)" <<'CL'
__kernel void test(__global int *out) {
  if (get_global_id(0) > 12) return;
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint s = 4; s > 0; s >>= 1) {
    out[get_global_id(0)] = s;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
// range: 16 8
CL

holds "the first work-item is the one that parts" 3 "1 of 1" \
  "1 of the 8 work-items of a work-group decide differently at the if at line 2 (launch 0, work-group 1)" <<'CL'
__kernel void test(__global int *out) {
  if (get_global_id(0) != 8) {
    out[get_global_id(0)] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
// range: 16 8
CL

# Group 1: four decide so and four so; none of its barriers is executed by all.
holds "a barrier on either side of a branch" 3 "0 of 2" \
  "4 of the 8 work-items of a work-group decide differently at the if at line 2 (launch 0, work-group 0)" <<'CL'
__kernel void test(__global int *out) {
  if (get_local_id(0) & 1) {
    barrier(CLK_GLOBAL_MEM_FENCE);
  } else {
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  out[get_global_id(0)] = 1;
}
// range: 8 8
CL

# How often the loop turns is set on the way that they take: the barrier is executed three times or five.
holds "one barrier, another number of times" 3 "0 of 1" \
  "the barrier at line 5 is not reached alike by all work-items" <<'CL'
__kernel void test(__global int *out) {
  int turns = 3;
  if (get_local_id(0) == 6) turns = 5;
  for (int i = 0; i < turns; i++) {
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  out[get_global_id(0)] = turns;
}
// range: 8 8
CL

holds "whole groups return" 0 "1 of 2" "" <<'CL'
__kernel void test(__global int *out) {
  out[get_global_id(0)] = 1;
  if (get_global_id(0) / 4 == 1) return;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_global_id(0) < 100) return;
  barrier(CLK_GLOBAL_MEM_FENCE);
}
// range: 12 4
CL

# 3,000 groups of 16. One byte or two for each work-item is more than the cap; the last group is among those looked at.
CLTESTCHECK_SLOTS_CAP=8192
export CLTESTCHECK_SLOTS_CAP
holds "no room for slots: a work-item of the last group parts" 3 "1 of 1" \
  "1 of the 16 work-items of a work-group decide differently at the if at line 2 (launch 0, work-group 2999)" <<'CL'
__kernel void test(__global int *out) {
  if (get_global_id(0) == 47990) return;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_local_id(0)] = 1;
}
// range: 48000 16
CL
holds "no room for slots: none parts" 0 "1 of 1" "" <<'CL'
__kernel void test(__global int *out) {
  if (get_global_id(0) >= 48000) return;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_local_id(0)] = 1;
}
// range: 48000 16
CL
exit $failed
