#!/bin/sh
# Commands of programs that race, or touch what the host has mapped, as `memory` and `check` report them, with the lines of both calls; and
# twins that do neither: commands.sh BUILD_DIR SOURCE_DIR
# test: cost=40
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD
failed=0
line='(queues_host.c:[0-9]*)'

# run COMMAND STATUS PATTERN MODE…: of the report, with its lines joined.
run() {
  command=$1 status=$2 pattern=$3
  shift 3
  "$build/cltestcheck" "$command" --db run.db -- "$build/queues_host" "$@" >out 2>&1 </dev/null
  got=$?
  if [ $got = "$status" ] && tr '\n' ' ' <out | tr -s ' ' | grep -q -- "$pattern" &&
    { [ "$status" = 3 ] || ! grep -q 'race between\|mapped memory' out; }; then
    echo "ok $command $*"
  else
    echo "FAIL $command $*: exit $got, or no \"$pattern\""
    sed 's/^/    /' out
    failed=1
  fi
}

both() {
  run memory 3 "$2" "$1"
  run memory 0 "" "$1" ordered
}

both out-of-order "race between commands in kernel fill: launch 1 of kernel fill $line and launch 1 of kernel twice $line may run"
both read-meanwhile "launch 1 of kernel fill $line and call 1 of clEnqueueReadBuffer $line may run at the same time"
both transfers "race between commands: call 1 of clEnqueueWriteBuffer $line and call 1 of clEnqueueFillBuffer $line may run"
both sub-buffers "launch 1 of kernel part $line and launch 2 of kernel part $line may run at the same time"
both user-event "launch 1 of kernel fill $line and launch 1 of kernel twice $line may run at the same time"
both still-mapped "access to mapped memory in kernel fill: call 1 of clEnqueueMapBuffer $line and launch 1 of kernel fill $line: the first has mapped"
both part-of-mapped "call 1 of clEnqueueMapBuffer $line and launch 1 of kernel part $line: the first has mapped for writing what the second writes"
both whole-of-mapped "call 1 of clEnqueueMapBuffer $line and launch 1 of kernel fill $line: the first has mapped for writing"
both mapped-to-read "call 1 of clEnqueueMapBuffer $line and launch 1 of kernel twice $line: the first has mapped for reading what the second writes"
both beside-mapped "call 1 of clEnqueueMapBuffer $line and launch 1 of kernel part $line: the first has mapped for writing"
both image-mapped "call 1 of clEnqueueMapImage $line and launch 1 of kernel paint $line: the first has mapped for reading what the second writes"
for mode in both-read both-atomic waited plain callback thread rows; do
  run memory 0 "" $mode
done
run check 3 "race between commands in kernel fill: launch 1 of kernel fill $line and launch 1 of kernel twice $line" out-of-order
run check 0 "" out-of-order ordered
exit $failed
