#!/bin/sh
# test: cost=50
# cltestcheck repair of programs and captures, with the proof engine: repair_programs.sh BUILD_DIR
# One line a check; exit 1 when one failed.
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT CLTESTCHECK_TEST_CASE LD_PRELOAD REPAIR_HEAD
tool=$build/cltestcheck
host=$build/repair_host
failed=0

# check NAME STATUS WORDS…: the last repair ended with the status and says all the words on standard error.
check() {
  name=$1
  [ "$status" = "$2" ] || { echo "FAIL $name: status $status"; cat err diff; failed=1; return; }
  shift 2
  for words; do
    tr -s '\n ' '  ' <err | grep -qF -- "$words" || { echo "FAIL $name: without: $words"; cat err diff; failed=1; return; }
  done
  echo "ok $name"
}
repair() {
  "$tool" repair "$@" >diff 2>err </dev/null
  status=$?
}
# patched NAME WANTED: the patch applies, and out[0] of the program with it is WANTED.
patched() {
  cp kernel.cl before
  patch -s -p1 <diff >log 2>&1 && [ "$("$host" kernel.cl | head -n 1)" = "$2" ] && echo "ok $1" || {
    echo "FAIL $1: it does not apply, or another result"
    cat log diff
    failed=1
  }
  mv before kernel.cl
}

# out[i] = in[63 - i] in the first group, where in[63] = 7 * 63 % 101 = 37
cat >kernel.cl <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  a[t] = in[get_global_id(0)];
  out[get_global_id(0)] = a[63 - t];
}
CL
repair -- "$host" kernel.cl
check "a program" 0 "kernel.cl: kernel test is repaired" "with the change" "coverage of these launches: no barrier divergence" \
  "races in these launches: none" \
  "amplify of these launches: no order of work-groups makes a difference"
patched "its patch" 37
[ "$(grep -c '^[-+]' diff)" = 3 ] && echo "ok standard output is the patch alone" || {
  echo "FAIL standard output is the patch alone"
  failed=1
}
"$tool" capture test.cltc -- "$host" kernel.cl >log 2>&1
repair test.cltc
check "a capture" 0 "kernel.cl: kernel test is repaired" "with the change"
patched "its patch" 37
repair --in-place test.cltc
check "a capture, in place" 0 "kernel.cl is changed"
[ ! -s diff ] && [ "$("$host" kernel.cl | head -n 1)" = 37 ] && echo "ok it is" || { echo "FAIL it is"; failed=1; }
repair -- "$host" kernel.cl
check "nothing to repair" 0 "nothing to repair: 1 kernel is verified"

# One barrier in the loop, or two around it: how often the loop turns decides. 0 to 63 stand in b, and n is 5.
loop_of() {
  cat <<CL
kernel void test(global const int *in, global int *out, int n) {
  local int a[64], b[64];
  const int t = get_local_id(0);
  int s = 0;
  a[t] = in[get_global_id(0)];
  for (int i = 0; i < $1; i++) {
    b[t] = t;
    s += a[63 - t];
  }
  out[get_global_id(0)] = s + b[63 - t] - (63 - t);
}
CL
}
for bound in "n - 4" n; do
  [ "$bound" = n ] && [ "${CLTC_FULL:-0}" = 0 ] && continue
  loop_of "$bound" >kernel.cl
  repair -- "$host" kernel.cl
  check "a loop to $bound" 0 "kernel test is repaired"
  grep '^+  ' diff >added
  [ "$bound" = n ] && wanted=2 indent='' || { wanted=1; indent='  '; }
  [ "$(grep -c . added)" = $wanted ] && [ "$(grep -c "^+  ${indent}barrier" added)" = $wanted ] &&
    echo "ok $wanted in a loop to $bound" || { echo "FAIL $wanted in a loop to $bound"; cat diff; failed=1; }
done

# What is launched says what is proved: with 64 work-items a group the shift of n = 5 stays in the group.
cat >kernel.cl <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  a[t] = in[get_global_id(0)];
  if (n != 5) {
    out[get_global_id(0)] = a[63 - t];
  }
}
CL
repair -- "$host" kernel.cl
check "nothing is wrong with what is launched" 0 "nothing to repair"

# The proof is about 64 launches, n being 5 to 68. In the last one all work-items store to out[0].
cat >kernel.cl <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  a[t] = in[get_global_id(0)];
  out[n < 69 ? get_global_id(0) : 0] = a[63 - t];
}
CL
REPAIR_LAUNCHES=65
export REPAIR_LAUNCHES
repair -- "$host" kernel.cl
unset REPAIR_LAUNCHES
check "a race where nothing is proved" 3 "kernel.cl: kernel test is not repaired" \
  "races in these launches: work-items race with the change" "kernel.cl: the patch is not offered"
[ ! -s diff ] && echo "ok there is no patch" || { echo "FAIL there is no patch"; failed=1; }

# No file has this text.
cat >kernel.cl <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  a[get_local_id(0)] = in[get_global_id(0)];
  out[get_global_id(0)] = a[63 - get_local_id(0)];
}
CL
cp kernel.cl before
REPAIR_HEAD='/* made */ '
export REPAIR_HEAD
repair --in-place -- "$host" kernel.cl
unset REPAIR_HEAD
check "a text that is in no file" 0 "test.cl: the program's source is in no file"
grep -q '^--- a/test.cl' diff && cmp -s kernel.cl before && echo "ok the patch is for a text of that name" || {
  echo "FAIL the patch is for a text of that name"
  failed=1
}

# One file, built in several ways; in a single work-group, as a race has many orders to try.
cat >kernel.cl <<'CL'
#ifndef FROM
#define FROM 63 - t
#endif
#ifndef TO
#define TO get_global_id(0)
#endif
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  a[t] = in[get_global_id(0)];
  out[TO] = a[FROM];
}
CL
REPAIR_GROUPS=1
export REPAIR_GROUPS
repair -- "$host" kernel.cl -DFROM=t -DFROM=63-t -DTO=n
unset REPAIR_GROUPS
check "several builds" 3 "built with -DFROM=t, it is verified with the change, too" \
  "built with -DTO=n, it is verified neither with the change nor without" \
  "races in these launches: work-items race, and a build of this source is not verified"
[ "$(grep -c '^+++' diff)" = 1 ] && echo "ok one patch" || { echo "FAIL one patch"; failed=1; }

for format in text json markdown html; do
  "$tool" report --format $format >report 2>&1 && grep -qF 'barrier(CLK_LOCAL_MEM_FENCE);' report && grep -qF 'is repaired' report &&
    echo "ok the report in $format" || { echo "FAIL the report in $format"; cat report; failed=1; }
done

repair --local 64 -- "$host" kernel.cl
check "--local is for files" 1 "--local is for kernel files"
repair nothing.cltc
check "no such capture" 1 "nothing.cltc"
repair
check "no input" 1 "repair wants kernel files, or a program after --"
# --tests, which was --check: the program in the command builds kernel.cl, and gets the changed source
cat >kernel.cl <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  a[t] = in[get_global_id(0)];
  out[get_global_id(0)] = a[63 - t];
}
CL
cp kernel.cl original.cl
export host
repair --local 64 --tests '[ "$("$host" kernel.cl | head -n 1)" = 37 ]' kernel.cl
check "a command that succeeds" 0 "kernel.cl: the command of --tests succeeds with the change"
patched "its patch" 37
repair --local 64 --check '"$host" kernel.cl; [ -z "$CLTESTCHECK_REPLACE" ]' kernel.cl
check "a command that fails" 3 "the command of --tests ends with 1 with the change, and succeeds without it"
[ ! -s diff ] && echo "ok its patch is not offered" || { echo "FAIL its patch is not offered"; failed=1; }
repair --local 64 --check '"$host" kernel.cl; false' kernel.cl
check "a command that always fails" 0 "the command of --tests ends with 1 with the change, and fails without it, too"
repair --local 64 --check true kernel.cl
check "a command that builds nothing" 3 "builds this source nowhere"
cmp -s kernel.cl original.cl && echo "ok no file is changed" || { echo "FAIL no file is changed"; failed=1; }
repair --local 64 --check ' ' kernel.cl
check "no command" 1 "--tests wants a command"
exit $failed
