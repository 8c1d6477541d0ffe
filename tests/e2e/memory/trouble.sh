#!/bin/sh
# Programs with an error of memory, and trouble besides (trouble_host.c): `cltestcheck memory` tells of the error, and disturbs
# nothing: trouble.sh BUILD_DIR SOURCE_DIR
# test: cost=25
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD
failed=0

# is NAME CONDITION…
is() {
  name=$1
  shift
  if "$@"; then
    echo "ok $name"
  else
    echo "FAIL $name"
    sed 's/^/    /' out
    failed=1
  fi
}

# says TEXT: it is in what was printed, whatever the lines
says() { tr '\n' ' ' <out | tr -s ' ' | grep -qF -- "$1"; }

# memory STATUS COMMAND MODE…: ends so, and the program's sum is shown once
memory() {
  status=$1 command=$2
  shift 2
  "$build/cltestcheck" $command --db run.db -- "$build/trouble_host" "$@" >out 2>&1 </dev/null
  got=$?
  is "$command $*: status" [ $got = "$status" ]
  [ "$1" = sleep ] || is "$command $*: output once" [ "$(grep -c '^sum: ' out)" = "$("$build/trouble_host" "$@" | grep -c '^sum: ')" ]
}

# What a device cannot tell of an image.
memory 3 memory two
is "two: the error" says "3:14: out of bounds in kernel put: work-item 4 of work-group 6 writes a[100]"
is "two: nothing is left out" sh -c '! grep -q "Not instrumented" out'
memory 0 memory two_right
memory 0 races two_right
memory 3 memory beyond
is "beyond: the pixel" says "2:3: out of bounds in kernel im: work-item 15 of work-group 3 writes pixel (64, 0) of im"
memory 0 memory beyond_right
# A kernel that the device dies of goes without; the others do not, nor in a later run.
OPENCL_LAYERS=$build/e2e_failing_layer.so E2E_FAILURE=ours E2E_TEXT=im
export OPENCL_LAYERS E2E_FAILURE E2E_TEXT
rm -f run.db
for round in 1 2; do
  "$build/cltestcheck" memory --db run.db -- "$build/trouble_host" two >out 2>&1 </dev/null
  is "a kernel that the device dies of, run $round: status" [ $? = 3 ]
  is "a kernel that the device dies of, run $round: it is named" says "kernel im of source-"
  is "a kernel that the device dies of, run $round: the error of the other" says "writes a[100], which has 100 elements"
done
is "a kernel that the device dies of: output once" [ "$(grep -c '^sum: ' out)" = 2 ]
unset OPENCL_LAYERS E2E_FAILURE E2E_TEXT
# A sentinel that is in no memory of the kernel's.
for loop in "0 6:10" "1 8:18" "2 1:45" "3 12:10" "4 14:47"; do
  number=${loop% *}
  "$build/cltestcheck" memory --db run.db -- "$build/trouble_host" sentinel "$number" >out 2>&1 </dev/null
  is "sentinel $number: status" [ $? = 3 ]
  is "sentinel $number: the error" says "${loop#* }: out of bounds in kernel find: work-item 0 of work-group 0 reads a[256]"
  is "sentinel $number: loops were left" says "was made to leave its loops"
done
memory 0 memory sentinel_right 0
memory 0 memory sentinel_right 4
is "sentinel_right: nothing was left" sh -c '! grep -q "leave its loops" out'
# An error, and then the program hangs.
memory 3 "memory --timeout 12" sleep
is "sleep: the error" says "writes a[100], which has 100 elements"
memory 0 memory sleep_right 1
# What and where is not much more than whether.
memory 0 memory scale_right 300
memory 3 memory scale 300
is "scale: the error" says "which has 64 elements of 4 bytes (launch 1, seen 64 times)" # the group that was first is told
exit $failed
