#!/bin/sh
# test: cost=30
# A second opinion: launches that contradict a proof. The proof engine is a stand-in that calls every kernel verified:
# opinion.sh BUILD_DIR SOURCE_DIR
LC_ALL=C.UTF-8
export LC_ALL
# shellcheck source=tests/e2e/verify/expect.sh
. "$(dirname "$0")/expect.sh"
build=$(cd "$1" && pwd) && source=$(cd "$2" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT CLTESTCHECK_TEST_CASE LD_PRELOAD
unset CLTESTCHECK_SECOND_OPINION
failed=0
mkdir "$work/tool" "$work/here" && cd "$work/here" || exit 1
TMPDIR=$work/here
export TMPDIR
cp "$build/cltestcheck" "$work/tool/"
for file in libcltestcheck-layer.so libcltestcheck-capture.so libcltestcheck-preload.so cltestcheck-replay; do
  ln -s "$build/$file" "$work/tool/$file"
done
tool=$work/tool/cltestcheck
cat >"$work/tool/cltestcheck-verify" <<X
#!/bin/sh
cat >/dev/null
cat "$work/answers"
X
chmod +x "$work/tool/cltestcheck-verify"

# says KERNEL PRECONDITIONS: what the engine answers, after a time that leaves a second opinion enough on a busy machine, too
says() {
  printf '{"kernel":"%s","file":"k.cl","line":1,"verdict":"verified","reason":"","seconds":30,"preconditions":[%s],"findings":[]}\n' \
    "$1" "$2"
}

cat >k.cl <<'X'
kernel void racy(global int *a, int n) {
  a[get_global_id(0) + n] = get_global_id(0);
  if (get_global_id(0) == 0) {
    a[n + 2] = 77;
  }
}
kernel void parted(global int *a, int n) {
  if (get_local_id(0) < n) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = n;
}
kernel void same(global int *a, int n) {
  a[n] = 5;
}
kernel void shifted(global int *a, int n) {
  a[get_global_id(0) * n] = get_global_id(0);
}
X
cat >>k.cl <<'X'
kernel void nobody(global int *a, int n) {
  int turns = 0;
  for (int k = 0; k <= (int)get_local_id(0); k++) {
    if (n > 100) {
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    turns++;
  }
  a[get_global_id(0)] = turns;
}
kernel void wraps(global int *a, int n) {
  a[get_global_id(0) * n] = get_global_id(0);
}
X
says racy '' >"$work/answers"
says parted '' >>"$work/answers"
expect "a race and divergence contradict" 70 "kernel racy is not verified: a run contradicts the proof" \
  "writes a[" "kernel parted is not verified" "is not reached alike" "2 unknown" \
  -- verify --emit-cases sent --second-opinion=2 --kernel racy --kernel parted k.cl
expect "what is sent shows it" 3 "data race in kernel racy" -- races sent/contradiction-racy/suite.yaml
expect "it was not taken over" 70 "kernel racy is not verified" -- verify --second-opinion=1 --kernel racy k.cl

says same '' >"$work/answers"
expect "the same value is no race" 0 "launches of 1 verified kernel, with accesses and barriers watched, do not contradict" \
  -- verify --second-opinion=3 --kernel same k.cl
expect "what agreed is not asked again" 0 "!second opinion: " "as an earlier run" \
  "second opinion of an earlier run: 3 launches of 1 verified kernel contradicted no proof" -- verify --kernel same k.cl
expect "unless it is to be a race" 70 "kernel same is not verified" -- verify --second-opinion=3 --no-benign --kernel same k.cl

says shifted '"n > 0", "get_global_offset(0) == 0"' >"$work/answers"
expect "launches satisfy the preconditions" 0 "do not contradict its proof" -- verify --second-opinion=6 --kernel shifted k.cl
says shifted '"n >= 0"' >"$work/answers"
expect "and come to their edges" 70 "kernel shifted is not verified" -- verify --no-cache --kernel shifted k.cl
says nobody '"n < 50"' >"$work/answers"
expect "turns that differ miss no barrier that nobody comes to" 0 "do not contradict its proof" \
  -- verify --no-cache --second-opinion=2 --kernel nobody k.cl
says wraps '' | sed 's/"findings"/"assumptions":[{"kind":"overflow","text":"no signed overflow at k.cl:32:3"}],&/' >"$work/answers"
expect "nor is what the proof takes not to overflow" 0 "a run in which it may goes wrong: work-item" \
  -- verify --no-cache --second-opinion=3 --kernel wraps k.cl
# bounds: of arrays, and of buffers whose elements a precondition speaks of; of others nothing is claimed
cat >>k.cl <<'X'
kernel void beyond(global int *a, int n) {
  local int t[8];
  t[get_local_id(0)] = n;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_id(0)];
}
kernel void short_of(global int *a, global int *b, int n) {
  a[get_global_id(0)] = b[get_global_id(0) + 1];
}
X
# the write and the read are both outside, in every launch: either may be named
says beyond '"get_local_size(0) == 16"' >"$work/answers"
expect "an access past the end of an array contradicts" 70 "kernel beyond is not verified: a run contradicts the proof" \
  "work-item 8 of work-group 0" " t[8], which has 8 elements" -- verify --no-cache --second-opinion=1 --kernel beyond k.cl
says beyond '"get_local_size(0) <= 8"' >"$work/answers"
expect "one inside does not" 0 "do not contradict" -- verify --no-cache --second-opinion=2 --kernel beyond k.cl
says beyond '"get_local_size(0) == 16"' | sed 's/"findings"/"assumptions":[{"kind":"inside","text":"accesses stay inside their buffers and arrays; not shown of a write of t at k.cl:47:3"}],&/' >"$work/answers"
expect "nor where that was not shown" 0 "do not contradict" -- verify --no-cache --second-opinion=1 --kernel beyond k.cl
says beyond '"get_local_size(0) == 16"' >"$work/answers"
expect "nor with --no-bounds" 0 "do not contradict" -- verify --no-cache --no-bounds --second-opinion=1 --kernel beyond k.cl
says short_of '"elements(a) >= get_global_size(0)", "elements(b) >= get_global_size(0)", "get_global_offset(0) == 0"' >"$work/answers"
expect "a buffer with as many elements as are asked for" 70 "kernel short_of is not verified" "reads b[" \
  -- verify --no-cache --second-opinion=6 --kernel short_of k.cl
says short_of '"elements(a) >= get_global_size(0)", "elements(b) >= get_global_size(0) + 1", "get_global_offset(0) == 0"' >"$work/answers"
expect "one more is enough" 0 "do not contradict" -- verify --no-cache --second-opinion=6 --kernel short_of k.cl

# the run that looks for races shows it, but for memory that only the form of `memory` watches
cat >bounds.cl <<'X'
kernel void own(global int *a, int n) {
  int t[4];
  for (int k = 0; k < n; k++) {
    t[k] = k;
  }
  a[get_global_id(0)] = t[0];
}
kernel void table(global int *a, constant int *c, int n) {
  a[get_global_id(0)] = c[n];
}
kernel void called(global int *a, int n);
static int last(global int *of, int n) { return of[n]; }
kernel void called(global int *a, int n) {
  a[get_global_id(0)] = get_global_id(0) == 0 ? last(a, n) : 0;
}
X
says short_of '"elements(a) >= get_global_size(0)", "elements(b) >= get_global_size(0) + 1", "get_global_offset(0) == 0"' >"$work/answers"
sed -n '/void short_of/,$p' k.cl >one.cl
expect "which is one replay" 0 "do not contradict" "replays: 1;" -- verify --verbose --no-cache --second-opinion=4 one.cl
says own '"n <= 5", "n > 0"' >"$work/answers"
expect "private memory" 70 "kernel own is not verified" "t[4], which has 4 elements" -- verify --no-cache --kernel own bounds.cl
says own '"n <= 4", "n > 0"' >"$work/answers"
expect "inside" 0 "do not contradict" "replays: 2;" -- verify --verbose --no-cache --second-opinion=4 --kernel own bounds.cl
says table '"elements(c) >= n", "n >= 0", "elements(a) >= get_global_size(0)", "get_global_offset(0) == 0"' >"$work/answers"
expect "constant memory" 70 "kernel table is not verified" "reads c[" -- verify --no-cache --kernel table bounds.cl
says called '"elements(a) >= n", "n > get_global_size(0)", "n < 100", "get_global_offset(0) == 0"' >"$work/answers"
expect "through a pointer of a function" 70 "kernel called is not verified" "reads a[" -- verify --no-cache --kernel called bounds.cl

# numbers of both signs, none by which it divides is 0, and sizes in dimensions of which only the preconditions speak
cat >>k.cl <<'X'
kernel void signs(global int *slot, int at, int n) {
  const int r = at % n;
  const uint u = (uint)at % (uint)n;
  slot[r == (int)u ? (int)get_global_id(0) : 0] = get_global_id(0);
}
kernel void wide(global int *a) {
  a[get_global_id(0)] = get_local_id(1);
}
X
says signs '"get_global_offset(0) == 0", "get_work_dim() == 1"' >"$work/answers"
expect "numbers of both signs contradict" 70 "kernel signs is not verified" "slot[0]" -- verify --no-cache --kernel signs k.cl
says wide '"get_local_size(1) == 2", "get_num_groups(1) == 1", "get_local_size(0) == 4"' >"$work/answers"
expect "sizes in a second dimension" 70 "kernel wide is not verified" -- verify --no-cache --second-opinion=2 --kernel wide k.cl

# what the device's own order of work-items hides: each gets the same number in both rounds, unless they take turns
cat >>k.cl <<'X'
kernel void rounds(global int *slot, local int *used, int reset) {
  for (int k = 0; k < 2; k++) {
    if (get_local_id(0) == 0 && (k == 0 || reset == 0)) {
      used[0] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    slot[atomic_inc(used)] = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
kernel void sized(global int *a) {
  a[get_group_id(0) * get_local_size(0) + get_local_id(0)] = get_global_id(0);
}
kernel void spent(global const int *load, global int *rest, local int *t, int rounds) {
  const int l = get_local_id(0);
  int left = load[get_global_id(0)];
  while (rounds-- > 0) {
    t[l] = left;
    barrier(CLK_LOCAL_MEM_FENCE);
    left -= 3;
    if (left <= 0) {
      rest[get_global_id(0)] = t[l];
      return;
    }
  }
  rest[get_global_id(0)] = left;
}
kernel void lost(global const int *in, global int *out, local int *a, local int *b) {
  event_t both = async_work_group_copy(a, in, 4, 0);
  both = async_work_group_copy(b, in + 4, 4, 0);
  wait_group_events(1, &both);
  out[get_global_id(0)] = a[get_local_id(0) & 3] + b[get_local_id(0) & 3];
}
X
cat >k2.cl <<'X'
kernel void results(global int *e, global float *m, float x) {
  m[get_global_id(0)] = frexp(x, e);
}
kernel void newer(local atomic_int *best, global int *seen) {
  int was = 0;
  atomic_compare_exchange_strong(best, &was, (int)get_local_id(0));
  seen[get_global_id(0)] = ((volatile local int *)best)[0];
}
X
says rounds '"reset == 0", "get_num_groups(0) == 1"' >"$work/answers"
expect "counters that are set again" 70 "kernel rounds is not verified: a run contradicts the proof: where work-items take turns" \
  -- verify --no-cache --second-opinion=3 --emit-cases turns --kernel rounds k.cl
expect "the changed kernel is what is sent" 3 "data race in kernel rounds" -- races turns/contradiction-rounds/suite.yaml
says rounds '"reset == 1", "get_num_groups(0) == 1"' >"$work/answers"
expect "one that goes on counting" 0 "do not contradict its proof" -- verify --no-cache --second-opinion=3 --kernel rounds k.cl
says sized '' >"$work/answers"
expect "a last group that is smaller" 70 "with a last work-group that is smaller than the others" \
  -- verify --no-cache --second-opinion=2 --kernel sized k.cl -- -cl-std=CL2.0
says sized '{"kind":"even","text":"all work-groups have the same size"}' >"$work/answers"
expect "not where the proof is of one size" 0 "do not contradict its proof" \
  -- verify --no-cache --second-opinion=2 --kernel sized k.cl -- -cl-std=CL2.0
says newer '' >"$work/answers"
expect "what a device has in OpenCL C 3.0 alone" 70 "kernel newer is not verified" -- verify --no-cache --second-opinion=2 --kernel newer k2.cl -- -cl-std=CL2.0
says results '' >"$work/answers"
expect "results of functions may be the same" 0 "do not contradict its proof" -- verify --no-cache --second-opinion=2 --kernel results k2.cl -- -cl-std=CL3.0
says spent '' >"$work/answers"
expect "barriers that work-items leave, on a device that goes on in step" 70 "work-items of a group do not come to the same barriers" \
  -- verify --no-cache --emit-cases spent --kernel spent k.cl
expect "the changed kernel is sent" 3 "barriers_come_to[0]" -- races spent/contradiction-spent/suite.yaml
says spent '"rounds <= 1"' >"$work/answers"
expect "nobody comes there twice" 0 "do not contradict its proof" -- verify --no-cache --second-opinion=8 --kernel spent k.cl
says lost '' >"$work/answers"
expect "a copy that nobody waits for" 70 "no wait_group_events stands between them" \
  -- verify --no-cache --second-opinion=1 --kernel lost k.cl

says shifted '{"kind":"other","text":"one of the launches that were seen"}' >"$work/answers"
expect "what cannot be drawn is said" 0 "no second opinion of kernel shifted: one of the launches" \
  -- verify --no-cache --kernel shifted k.cl

# launches beside those of a program have memory as there: one buffer for two arguments, null
cat >seen.cl <<'X'
kernel void back(global const int *from, global int *to, int n) {
  to[get_global_id(0)] = from[n - 1 - get_global_id(0)];
}
kernel void one_or_all(global int *a, global const int *chosen) {
  a[chosen == 0 ? get_global_id(0) : 0] = get_global_id(0);
}
X
fits='"n == get_global_size(0)", "get_global_offset(0) == 0"'
says back "$fits"',{"kind":"as-seen","text":"from and to lie in one memory, 0 bytes apart"}' >"$work/answers"
expect "one buffer for two arguments" 70 "kernel back is not verified: a run contradicts the proof" \
  -- verify --no-cache --second-opinion=4 -- "$build/cases_host" seen.cl back b0:256 b0 i64 @64:16
says back "$fits" >"$work/answers"
expect "two buffers" 0 "do not contradict its proof" \
  -- verify --no-cache --second-opinion=4 -- "$build/cases_host" seen.cl back b0:256 b1:256 i64 @64:16
says one_or_all '{"kind":"as-seen","text":"chosen is null"},"get_global_offset(0) == 0"' >"$work/answers"
expect "null" 0 "do not contradict its proof" \
  -- verify --no-cache --second-opinion=4 -- "$build/cases_host" seen.cl one_or_all b0:256 n @64:16
says one_or_all '"get_global_offset(0) == 0"' >"$work/answers"
expect "no null" 70 "kernel one_or_all is not verified" \
  -- verify --no-cache --second-opinion=4 -- "$build/cases_host" seen.cl one_or_all b0:256 b1:256 @64:16

says shifted '"get_local_size(0) == 2048"' >"$work/answers"
expect "larger than it launches" 0 "no second opinion of kernel shifted: the launches that satisfy the preconditions have more than" \
  -- verify --no-cache --kernel shifted k.cl
says shifted '"n > 5", "n < 5"' >"$work/answers"
expect "nothing fits" 0 "no second opinion of kernel shifted: no launch was found that satisfies the preconditions" \
  -- verify --no-cache --kernel shifted k.cl

# launches that host code makes, and no others
cp "$source"/tests/cases/host/kernel_name_plain_* .
says spread '"stride == 4"' >"$work/answers"
expect "as the host code launches it" 0 "4 launches of 1 verified kernel" "do not contradict its proof" \
  -- verify --no-cache --second-opinion=4 --host kernel_name_plain_clean.cpp kernel_name_plain_clean.cl
says spread '"stride == 0"' >"$work/answers"
expect "which is wrong" 70 "writes data[0]" \
  -- verify --no-cache --second-opinion=4 --host kernel_name_plain_stride_zero.cpp kernel_name_plain_stride_zero.cl
cp "$source"/tests/cases/host/bounds_* .
says difference '' >"$work/answers"
expect "whose numbers are converted" 70 "kernel difference is not verified: a run contradicts the proof" "reads in[" \
  -- verify --no-cache --second-opinion=6 --host bounds_read_one_behind.c bounds_read_one_behind.cl
sed -e '/^int main/i static void wide(cl_kernel kernel, int stride) {\n  cl_mem data = clCreateBuffer(context, CL_MEM_READ_WRITE, 65536, nullptr, nullptr);\n  const size_t global = 8192, local = 2048;\n  clSetKernelArg(kernel, 0, sizeof data, \&data);\n  clSetKernelArg(kernel, 1, sizeof stride, \&stride);\n  clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, \&global, \&local, 0, nullptr, nullptr);\n}\n' \
  -e '/return 0/i \  wide(clCreateKernel(program, "spread", nullptr), 2);' kernel_name_plain_clean.cpp >two_ways.cpp
says spread '"stride > 0"' >"$work/answers"
expect "a way of which nothing can be drawn" 0 "2 launches of 1 verified kernel" \
  "not all of the second opinion of kernel spread: in 1 of the 2 ways in which it is launched: the launches that satisfy" \
  -- verify --no-cache --second-opinion=4 --host two_ways.cpp kernel_name_plain_clean.cl
says racy '' >"$work/answers"
expect "off" 0 "!second opinion" -- verify --no-cache --second-opinion=off --kernel racy k.cl
expect "a wrong number" 1 "a number of launches up to 1000, or off" -- verify --second-opinion=many k.cl

# race LINE LINE: what the engine says of two places of racy
race() {
  place='{"role":"%s","access":"write","file":"k.cl","line":%s,"column":3,"inlined":[],"local":[%s,0,0],"group":[0,0,0]}'
  printf '{"kernel":"racy","file":"k.cl","line":1,"verdict":"race","reason":"","findings":[{"rule":"data-race","definite":true,"places":['
  # shellcheck disable=SC2059 # the format is the one above
  printf "$place,$place" first "$1" 2 second "$2" 0
  printf '],"array":"a","space":"global","element":2,"element_size":4,"bytes":4,"local_size":[4,1,1],"groups":[1,1,1],'
  printf '"offset":[0,0,0],"arguments":{"n":0},"contents":{},"depends_on":[],"path":[]}]}\n'
}
race 2 4 >"$work/answers"
expect "a run shows a counterexample" 3 "confirmed on the device: a run of this launch with its accesses watched shows it" \
  -- verify --no-cache --kernel racy k.cl
race 2 2 >"$work/answers"
expect "or something else, and it stays certain" 3 "not confirmed" "shows something else: work-item 0 of" \
  -- verify --no-cache --kernel racy k.cl
says racy '' >"$work/answers"

cat >sum.cl <<'X'
kernel void shift(global float *out, global const float *in, local float *t) {
  t[get_local_id(0)] = in[get_global_id(0)];
  if (get_local_id(0) > 0) {
    out[get_global_id(0)] = t[get_local_id(0) - 1];
  }
}
X
if [ -e "$build/cltestcheck-verify" ]; then
  tool=$build/cltestcheck
  printf 'kernel void past(global int *a, int n) {\n  local int t[8];\n  t[get_local_id(0) + 9] = n;\n  a[get_global_id(0)] = t[0];\n}\n' >past.cl
  expect "an access past the end is confirmed" 3 "confirmed on the device: a run of this launch with its accesses watched shows it" \
    -- verify past.cl
  expect "a patch is held against runs, too" 0 "second opinion: 3 launches of 1 verified kernel" "barrier(" \
    -- repair --second-opinion=3 sum.cl
  expect "launches beside those of a program" 0 "verified for the launch seen" "second opinion: 2 launches of 1 verified kernel" \
    -- verify --second-opinion=2 -- "$build/suites/vector-guarded/vector-guarded"
  expect "what is assumed is held against launches" 1 "--assume 'n < 5' does not hold for launch 1 of kernel axpy" \
    -- verify --second-opinion=off --assume 'n < 5' -- "$build/suites/vector-guarded/vector-guarded"
  expect "and may hold for them" 0 "!does not hold" "!cannot be held" \
    -- verify --second-opinion=off --assume 'elements(x) >= n' --assume 'n > 5' -- "$build/suites/vector-guarded/vector-guarded"
  expect "or is not understood" 1 "--assume 'n >' cannot be held against the launches" \
    -- verify --second-opinion=off --assume 'n >' -- "$build/suites/vector-guarded/vector-guarded"
  tool=$work/tool/cltestcheck
fi

CLTESTCHECK_SECOND_OPINION=off
export CLTESTCHECK_SECOND_OPINION
expect "off by the environment" 0 "!second opinion" -- verify --no-cache --kernel racy k.cl
unset CLTESTCHECK_SECOND_OPINION
OCL_ICD_VENDORS=$work/none
export OCL_ICD_VENDORS
mkdir "$work/none"
expect "without a device one line" 0 "no proof is held against runs (a second opinion): " -- verify --no-cache --kernel racy k.cl

exit $failed
