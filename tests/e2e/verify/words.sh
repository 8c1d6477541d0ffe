#!/bin/sh
# test: cost=10
# Words of findings and refusals, each with one that is told otherwise: words.sh BUILD_DIR
LC_ALL=C.UTF-8
export LC_ALL
# shellcheck source=tests/e2e/verify/expect.sh
. "$(dirname "$0")/expect.sh"
build=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD
tool=$build/cltestcheck
host=$build/cases_host
failed=0

# --- elements and arguments ---
cat >kinds.cl <<'X'
typedef struct { int id; float w; char tag; } item;
kernel void member(global item *a) {
  a[get_global_id(0) / 2 + 3].w = get_global_id(0);
}
kernel void vector(global float *a) {
  vstore4((float4)(get_global_id(0)), 2 + get_global_id(0) / 2, a);
}
kernel void number(global int *a, float alpha, double2 pair, int n) {
  a[get_global_id(0) / 2 + 5] = n + get_global_id(0);
}
X
expect "a member of a structure" 3 "writes a[3] (byte 4 of it)" "!a[10]" -- verify --no-confirm --local 64 --kernel member kinds.cl
expect "a vector among numbers" 3 "writes a[8] (" -- verify --no-confirm --local 64 --kernel vector kinds.cl
expect "numbers, and elements of the type" 3 "writes a[5] (" "alpha: 0;" "pair: (0, 0);" -- verify --no-confirm --local 64 --kernel number kinds.cl

# --- what coverage says against a race ---
cat >two.cl <<'X'
kernel void two(global int *a, int n) {
  const int i = get_global_id(0);
  if (n > 0) {
    a[i / 2] = i;
  } else {
    a[i] = i;
  }
}
X
printf '#!/bin/sh\n[ ! -e ran ] || exec "%s" two.cl two b0:4096 i1 @64:16\n: >ran\nexec "%s" two.cl two b0:4096 i0 @64:16\n' \
  "$host" "$host" >changes
chmod +x changes
expect "a race where nobody was before" 4 "the race of kernel two in line 4 is not certain" -- races -- ./changes
expect "a race that coverage bears out" 3 "data race in kernel two" "!is not certain" -- races -- "$host" two.cl two b0:4096 i1 @64:16

# --- files of the same text ---
mkdir one other
cp two.cl one/first.cl
mv two.cl other/second.cl
expect "the file that the program was given" 3 "other/second.cl:4:" "!first.cl" -- races -- "$host" other/second.cl two b0:4096 i1 @64:16
expect "and the other one" 3 "one/first.cl:4:" "!second.cl" -- races -- "$host" one/first.cl two b0:4096 i1 @64:16

# --- a suppression hides what it names ---
cat >faults.cl <<'X'
kernel void faults(global int *a, global int *b) {
  a[0] = get_global_id(0);
  b[get_global_id(0) / 2] = get_global_id(0);
}
kernel void fault(global int *a) {
  a[0] = get_global_id(0);
}
X
cat >named.yaml <<'X'
suppressions:
  - rule: race
    line: "a[0] = get_global_id(0);"
    reason: meant
X
expect "one of two races is suppressed" 3 "suppressed" "writes b[0]" "!writes a[0]" \
  -- verify --no-confirm --config named.yaml --local 32 --groups 4 --kernel faults faults.cl
expect "the only race is suppressed" 0 "suppressed" "!writes a[0]" \
  -- verify --no-confirm --config named.yaml --local 32 --groups 4 --kernel fault faults.cl

# --- pipes in place of files ---
mkfifo pipe.cl pipe.c pipe.yaml pipe.cltc
cp one/first.cl kernel.cl
expect "a pipe as a kernel file" 1 '"pipe.cl" is a pipe, and a file is wanted' -- verify pipe.cl
expect "a pipe as host code" 1 '"pipe.c" is a pipe, and a file is wanted' -- verify --host pipe.c kernel.cl
expect "a pipe as a suite" 1 "is a pipe, and a file is wanted" -- coverage ./pipe.yaml
expect "a pipe as a capture" 1 "is a pipe, and a file is wanted" -- replay pipe.cltc
expect "a pipe as a configuration" 1 "is a pipe, and a file is wanted" -- verify --config pipe.yaml kernel.cl
expect "a file" 3 "race" "!is a pipe" -- verify --no-confirm --local 64 kernel.cl

# --- launches that are put in order, or cannot be ---
cat >turn.cl <<'X'
kernel void turn(global int *a) {
  local int t[64];
  const int l = get_local_id(0), i = get_global_id(0);
  t[l] = a[i];
  a[i] = t[l ^ 1];
}
X
expect "one work-group" 0 "is repaired" "none has several work-groups" -- repair -- "$host" turn.cl turn b0:4096 @64:64
expect "four work-groups" 0 "is repaired" "!none has several work-groups" -- repair -- "$host" turn.cl turn b0:4096 @256:64
exit $failed
