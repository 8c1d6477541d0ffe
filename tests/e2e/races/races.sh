#!/bin/sh
# The options of `cltestcheck races`, its exit status, and what it says where it cannot check: races.sh BUILD_DIR
# Kernels with planted races are in tests/detectors/races; those here are for the command line.
# test: quick
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD
failed=0

cat >two.cl <<'CL'
kernel void two(global int *a, global int *b, global int *c) {
  const int i = get_global_id(0);
  a[i / 2] = i;
  b[i / 2] = i;
  c[i] = a[i / 2] + b[i / 2];
}
kernel void own(global int *a) { a[get_global_id(0)] += 1; }
kernel void same(global int *a) { a[0] = 5; }
kernel void publish(global volatile int *a, global int *out) {
  const int i = get_global_id(0);
  if (i == 0) {
    out[0] = 7;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(a, 1);
  }
  if (i == 64 && atomic_add(a, 0) == 1) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    out[1] = out[0];
  }
}
CL
two="two.cl two 256 16 buffer:1024 buffer:1024 buffer:1024"
publish="two.cl publish 128 128 buffer:4 buffer:8" # one group: its work-items run one after another on PoCL

# try STATUS TEXT OPTIONS… -- PROGRAM…: the run ends so; each of the words in TEXT, divided by "|", is in what it prints.
try() {
  status=$1 text=$2
  shift 2
  "$build/cltestcheck" races --no-config --all --db run.db "$@" >out 2>&1 </dev/null
  got=$?
  verdict=ok
  [ $got = "$status" ] || verdict="FAIL (exit $got, not $status)"
  tr '\n' ' ' <out | tr -s ' ' >line
  rest=$text
  while [ -n "$rest" ]; do
    word=${rest%%|*}
    case $rest in *\|*) rest=${rest#*|} ;; *) rest= ;; esac
    case $word in
    !*) ! grep -qF -e "${word#!}" line || verdict="FAIL (says \"${word#!}\")" ;;
    *) grep -qF -e "$word" line || verdict="FAIL (does not say \"$word\")" ;;
    esac
  done
  echo "$verdict: $*"
  case $verdict in FAIL*) cat out; failed=1 ;; esac
}

host=$build/races_launcher
# shellcheck disable=SC2086 # words of command lines
{
  try 3 'data race in kernel two|reads a[0] (line 5)|writes it (line 3)|(launch 1, seen' -- $host $two
  try 0 '!data race|!Findings' -- $host two.cl own 256 16 buffer:1024
  # same value: a finding, and no failure unless that is asked for
  try 0 'benign race in kernel same|writes the same value' -- $host two.cl same 64 16 buffer:4
  try 2 'benign race in kernel same|the same value (--fail-on benign)' --fail-on benign -- $host two.cl same 64 16 buffer:4
  try 0 'benign race in kernel same|!data race' -- $host two.cl same 65536 16 buffer:4
  # … and from launch to launch
  try 0 'benign race in kernel same|!data race' -- $host two.cl same 64 16 buffer:4 + same 64 16 buffer:4
  # a flag that is set after the data orders, but not with --strict
  try 0 '!data race' -- $host $publish
  try 3 'writes out[0] (line 12)|reads it (line 18)' --strict -- $host $publish
  # a finding once more: in its test case, in another one, and what is none
  try 3 'again: cltestcheck races --replay' -- $host $two
  id=$(sed -n 's/.*--replay \([0-9]*\).*/\1/p' out | head -n 1)
  try 3 "finding $id is seen again" --replay "$id"
  try 0 "finding $id is not seen this time" --replay "$id" -- $host two.cl own 64 16 buffer:1024 + two 1 1 buffer:1024 buffer:1024 buffer:1024
  printf 'name: mine\nprogram: %s\ntests:\n  - {name: both, args: [%s]}\n' "$host" "$(echo "$two" | sed "s/ /, /g; s/'//g")" >mine.yaml
  try 3 'again: cltestcheck races --replay' mine.yaml
  id=$(sed -n 's/.*--replay \([0-9]*\).*/\1/p' out | head -n 1)
  try 3 "finding $id is seen again" --replay "$id"
  try 1 'holds no finding 9999' --replay 9999
  try 1 'wants a number' --replay two
  # one kernel of several; a reason
  try 0 '!data race' --kernel own -- $host $two + own 256 16 buffer:1024
  # the program's own status comes first, and its output is there once
  try 4 'launcher: not understood: buffers' -- $host two.cl own 64 16 buffers:4
  # memory for cells: room for one of the three buffers, and all are looked at in three runs
  export CLTESTCHECK_CELLS_CAP=9000
  try 3 'run 2 of 3|run 3 of 3|a[0]|b[0]' -- $host $two
  export CLTESTCHECK_CELLS_CAP=900
  try 0 'a memory object of 1024 bytes was not checked' -- $host $two
  unset CLTESTCHECK_CELLS_CAP
  # wrong words
  try 1 '"two.cl" is a kernel file' two.cl
  try 1 'is no benchmark, suite or capture' ./out
  try 1 'knows benign, api-error and buffer-overrun' --fail-on some -- $host $two
  try 1 'xyz' --xyz -- $host $two
  try 1 'nothing.db.such' nothing.db.such
  try 5 'nothing was observed' -- true
}

# Barriers of sub-groups order accesses of a group, and are not followed.
cat >sub.cl <<'CL'
kernel void sub(global int *out, local int *part) {
  part[get_local_id(0)] = 1;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[get_local_id(0) ^ 1];
}
CL
if "$build/cltestcheck" show --races sub.cl -- -cl-std=CL3.0 | grep -q '^#define CLTC_SUB_GROUPS' &&
  ! "$build/cltestcheck" show --races two.cl | grep -q '^#define CLTC_SUB_GROUPS'; then
  echo "ok: barriers of sub-groups"
else
  echo "FAIL: barriers of sub-groups"
  failed=1
fi

# What the program prints and how it ends is its own, although it runs twice. What was found comes before its failure.
printf '#!/bin/sh\ncat\n"%s" two.cl two 64 16 buffer:1024 buffer:1024 buffer:1024\necho said\nexit 7\n' "$host" >program
chmod +x program
echo typed | "$build/cltestcheck" races --no-config --quiet --db run.db -- ./program >out 2>errors
if [ "$?" != 3 ] || [ "$(cat out)" != "typed
said" ]; then
  echo "FAIL: the program's own output"
  cat out errors
  failed=1
else
  echo "ok: the program's own output"
fi

# A program that ends otherwise in its second run: what it did not reach is not checked, and that is said.
printf '#!/bin/sh\n[ ! -e ran ] || exit 9\n: >ran\nexec "%s" two.cl own 64 16 buffer:1024\n' "$host" >program
try 0 'program ended with status 9 while its accesses were checked, and with 0 before|!data race' -- ./program
exit $failed
