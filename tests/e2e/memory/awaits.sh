#!/bin/sh
# Memory of reads that do not block: `cltestcheck memory` tells of it where a call uses it, or the program ends, and nobody has waited;
# not where somebody has, in whatever way: awaits.sh BUILD_DIR SOURCE_DIR
# test: cost=12
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
program=$(cd "$2" && pwd)/tests/e2e/programs/awaits_host.c
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD
failed=0 rule=used-before-read
used=$(grep -n 'used here' "$program" | cut -d: -f1)
map=$(grep -n 'read here' "$program" | head -n 1 | cut -d: -f1)
read=$(grep -n 'read here' "$program" | tail -n 1 | cut -d: -f1)

# memory MODE STATUS [TEXT]
memory() {
  mode=$1 status=$2 text=$3

  "$build/cltestcheck" memory --rules "$rule" --db run.db --format json=run.json -- "$build/awaits_host" "$mode" \
    >out 2>&1 </dev/null
  got=$?
  found=$(grep -o "\"rule\": \"$rule\"" run.json | wc -l)
  if [ $got = "$status" ] && [ "$found" = $((status / 3)) ] && tr '\n' ' ' <out | tr -s ' ' | grep -qF -- "$text"; then
    echo "ok $mode"
  else
    echo "FAIL $mode: exit $got, $found found, or no \"$text\""
    sed 's/^/    /' out
    failed=1
  fi
}

fills="clEnqueueReadBuffer (awaits_host.c:$read) reads without blocking, or that it maps, and the program has not waited for that"
memory argument 3 "use of memory before it is read: clSetKernelArg (awaits_host.c:$used) uses memory into which $fills"
memory buffer 3 ") uses memory into which $fills"
memory write 3 ") uses memory into which $fills"
memory other 3 ") uses memory into which $fills"
memory end 3 "the program has ended without waiting for clEnqueueReadBuffer (awaits_host.c:$read), which does not block"
memory end_map 3 "the program has ended without waiting for clEnqueueMapBuffer (awaits_host.c:$map), which does not block"

for mode in earlier early_marker early_polled early_other_queue early_loose; do
  memory $mode 3 "the program has ended without waiting for clEnqueueReadBuffer"
done
for mode in event polled finish blocking callback marker other_queue late in_order elsewhere later many reused loose_barrier \
  loose_marker; do
  memory $mode 0 ""
done

# What the host changes or frees while a command takes it.
rule=host-race
taken=$(grep -n 'taken here' "$program" | cut -d: -f1)
known=$(grep -n 'known here' "$program" | tail -n 1 | cut -d: -f1)
takes="takes 256 bytes of the program's memory without blocking, and the host has changed or freed them before"
for mode in written_changed written_freed; do
  memory $mode 3 "race with the host: clEnqueueWriteBuffer (awaits_host.c:$taken) $takes clFinish (awaits_host.c:$known)"
done
# Arguments of one kernel object, set and used by two threads.
set=$(grep -n 'set here' "$program" | cut -d: -f1)
memory args_race 3 "were under way at the same time in two threads: which arguments a launch takes is left open"
tr '\n' ' ' <out | tr -s ' ' | grep -q "clSetKernelArg [a-z ]*(awaits_host.c:$set)" || { echo "FAIL args_race: no line $set" && failed=1; }
memory args_task 3 "of kernel add"
memory args_memory 3 "of kernel add"
memory args_locked 0 ""
memory args_own 0 ""
memory written_stack 3 "race with the host: clEnqueueWriteBuffer (awaits_host.c:$taken) $takes clFinish"
memory written_rect 3 "race with the host: clEnqueueWriteBufferRect"
memory written_layers 3 "race with the host: clEnqueueWriteImage"
memory written_large 3 "takes 33554432 bytes"
for mode in written_gap_rect written_same written_waited written_back written_callback written_later; do
  memory $mode 0 ""
done
exit $failed
