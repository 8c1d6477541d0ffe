#!/bin/sh
# `cltestcheck memory` on the command line: exit statuses, what is given to it, and what its reports say: memory.sh BUILD_DIR SOURCE_DIR
# What is an error and what is none stands in tests/cases/memory; the files here are from there.
# test: cost=15
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

# try STATUS TEXT COMMAND…: cltestcheck ends so, and each of the words in TEXT, divided by "|", is in what it prints.
try() {
  status=$1 text=$2
  shift 2
  "$build/cltestcheck" "$@" >out 2>&1 </dev/null
  got=$?
  verdict=ok
  [ $got = "$status" ] || verdict="FAIL (exit $got, not $status)"
  tr '\n' ' ' <out | tr -s ' ' >line
  rest=$text
  while [ -n "$rest" ]; do
    word=${rest%%|*}
    rest=${rest#"$word"}
    rest=${rest#|}
    grep -qF -- "$word" line || verdict="FAIL (no \"$word\")"
  done
  echo "$verdict $*" | sed "s|$cases/||g; s|$build/||g"
  case $verdict in
    FAIL*)
      sed 's/^/    /' out
      failed=1
      ;;
  esac
}

bad=$cases/bad/helper_fetch.cl good=$cases/good/vload3_at_end.cl
# An error: where, in which object, by whom, and the call that led there. Once more.
try 3 "Memory errors of run 1|:14:12: out of bounds in kernel laplace|reads grid[64], which has 64 elements of 4 bytes (launch 1, seen 8 times)|:22:17: called here|memory --replay 1" \
  memory --db run.db --format json=run.json --format sarif=run.sarif --format html=run.html -- "$host" "$bad"
for word in '"errors": 1, "out_of_bounds": 1' '"coverage": null' '"inlined": [{'; do
  grep -qF -- "$word" run.json || { echo "FAIL run.json has no $word" && failed=1; }
done
grep -q '"ruleId": *"out-of-bounds"' run.sarif || { echo "FAIL run.sarif has no result" && failed=1; }
try 3 "finding 1 is seen again" memory --db run.db --replay 1
try 0 "laplace|Memory errors" report --db run.db 1
printf 'suppressions:\n  - {rule: out-of-bounds, kernel: laplace, reason: "known"}\n' >known.yaml
try 0 "known" memory --config known.yaml --db known.db -- "$host" "$bad"
try 0 "laplace" memory --rules api-error,uninitialized-read --db rules.db -- "$host" "$bad"
try 3 "out of bounds" memory --rules out-of-bounds --db rules.db -- "$host" "$bad"
try 1 'knows out-of-bounds, null-pointer, memory-error, misaligned, read-only, write-only, mapped, uninitialized-read, copy-not-awaited, used-before-read, host-race, leak and api-error|"bounds"' \
  memory --rules out-of-bounds,bounds -- "$host" "$bad"
# None; and nothing that could be looked at.
try 0 "luma" memory --db good.db -- "$host" "$good"
try 5 "nothing was observed" memory --db none.db -- true
# Pointers of which nothing is known: the kernel and the line are named, once each.
cat >unknown.cl <<'CL'
// BUFFER: at long 1 zeros
// BUFFER: far int 64 zeros
// BUFFER: out int 64 zeros
// KERNEL: keep
// GLOBAL: 1
// LOCAL: 1
// ARG: at
// ARG: far
// KERNEL: use
// GLOBAL: 64
// LOCAL: 16
// ARG: at
// ARG: out
// READ: out
kernel void keep(global ulong *at, global int *far) { at[0] = (ulong)far; }
kernel void use(global const ulong *at, global int *out) {
  global const int *p = (global const int *)at[0];
  for (int k = 0; k < 2; k++)
    out[get_global_id(0)] += p[get_global_id(0)];
  if (p[3] != 0)
    out[get_global_id(0)] += p[7];
}
CL
try 0 "kernel use of unknown.cl, line 19: a pointer led to memory of which nothing is known|unknown.cl, line 20: a pointer" \
  memory --db good.db -- "$host" unknown.cl
[ "$(grep -c "of which nothing is known" out)" = 2 ] || { echo "FAIL once each" && failed=1; }
# A recording of a program is as good as the program.
try 0 "1 launch" capture run.cltc -- "$host" "$bad"
try 3 "reads grid[64]" memory --db recorded.db run.cltc
# A value that nobody wrote, though the recording ends otherwise with another one.
try 0 "1 launch" capture unset.cltc -- "$host" "$cases/bad/uninit_private_path.cl"
try 3 "value that nobody wrote in kernel encode" memory --db recorded.db unset.cltc
# So it is with kernels without a program: memory that nobody gave a value.
cat >un.cl <<'CL'
kernel void some(global const int *in, global int *stage) {
  stage[get_global_id(0)] = in[get_global_id(0)];
}
kernel void every(global const int *stage, global int *out) {
  out[get_global_id(0)] = stage[get_global_id(0)] * 2;
}
CL
for items in 32 64; do
  cat >un.yaml <<CL
name: un
kernels: un.cl
tests:
  - name: two steps
    buffers: {in: {type: int, elements: 64, ramp: {from: 5, step: 1}}, stage: {type: int, elements: 64}, out: {type: int, elements: 64}}
    launches:
      - {kernel: some, global: [$items], local: [16], args: {in: in, stage: stage}}
      - {kernel: every, global: [64], local: [16], args: {stage: stage, out: out}}
CL
  case $items in
    32)
      try 3 "un.cl:5:27: value that nobody wrote in kernel every: work-item 0 of work-group 2 reads stage[32]" \
        memory --db un.db --emit-cases kept un.yaml
      # What was found is kept, and found again.
      try 3 "value that nobody wrote in kernel every: work-item 0 of work-group 2 reads stage[32]" memory --db un.db kept/every/suite.yaml
      ;;
    *) try 0 "every 1 -" memory --db un.db un.yaml ;;
  esac
done
# A launch that was refused, and went unnoticed: the first line, also of other commands, where it fails on request.
sed 's/^\/\/ READ: out/&\n\/\/ KERNEL: number\n\/\/ GLOBAL: 50\n\/\/ LOCAL: 10\n\/\/ ARG: out/' "$cases/bad/api_local_size.cl" >refused.cl
try 3 "Not what it seems: the device refused to launch kernel number: CL_INVALID_WORK_GROUP_SIZE" \
  memory --db refused.db -- "$host" refused.cl
try 0 "Not what it seems" coverage --db refused.db -- "$host" refused.cl
try 2 "Not what it seems|--fail-on api-error" coverage --fail-on api-error --db refused.db -- "$host" refused.cl
try 0 "" coverage --fail-on api-error --db refused.db -- "$host" "$cases/good/refused.cl"
# A program that tries a smaller work-group then: no error, and what was refused is listed once.
sed '/^\/\/ KERNEL/,$d' "$cases/good/refused_calls.cl" >smaller.cl
for items in 24 16; do
  printf '// KERNEL: add\n// GLOBAL: 64\n// LOCAL: %s\n// ARG: out\n// ARG: in\n// ARG: int 1\n' $items
done >>smaller.cl
{ echo '// READ: out' && sed -n '/^kernel/,$p' "$cases/good/refused_calls.cl"; } >>smaller.cl
try 0 "Refused by the device" memory --rules api-error,out-of-bounds --db refused.db -- "$host" smaller.cl
[ "$(grep -c CL_INVALID_WORK_GROUP_SIZE out)" = 1 ] || { echo "FAIL listed once: $(cat out)" && failed=1; }
# So it is where kernels run as they were written; not where what is read is no result of the launch.
sed 's/global int \*out)/global const int *in, global int *out)/; s/^\/\/ ARG: out/&\n\/\/ ARG: other/
  s/^\/\/ BUFFER: out.*/&\n\/\/ BUFFER: other int 50 zeros/; s/(int)i/in[i] + (int)i/' refused.cl >input.cl
for command in "mutate --runs 1 --sample 1" "verify --no-confirm" "amplify --runs 1 --targets 0,"; do
  # shellcheck disable=SC2086 # words
  try 2 "Not what it seems|clEnqueueReadBuffer took memory" \
    $command --fail-on api-error --db refused.db -- "$host" refused.cl
  # shellcheck disable=SC2086
  try 0 "" $command --fail-on api-error --db refused.db -- "$host" input.cl
done
try 0 "not what it seems: the device refused to launch kernel number" repair --db refused.db -- "$host" refused.cl
# A write past the end of a buffer: seen by other commands, too, which fail for it on request alone; not where there is none.
over=$cases/bad/second_launch.cl
said="past the end of its argument 1, a buffer of 256 bytes: bytes 256 to 284 have changed; \`cltestcheck memory\` says"
try 0 "write past the end of a buffer in kernel add_block|$said|(launch 2, seen 1 time)" \
  coverage --db over.db --format json=over.json -- "$host" "$over"
grep -qF '"rule": "buffer-overrun"' over.json || { echo "FAIL over.json has no finding" && failed=1; }
try 2 "$said|--fail-on buffer-overrun" races --fail-on api-error,buffer-overrun --db over.db -- "$host" "$over"
try 2 "$said" amplify --runs 1 --targets 0, --fail-on buffer-overrun --db over.db -- "$host" "$over"
try 2 "$said" mutate --runs 1 --sample 1 --fail-on buffer-overrun --db over.db -- "$host" "$over"
# … also where what it writes there is what lies behind another buffer.
try 2 "kernel copied wrote past|kernel doubled wrote past|kernel nothing_of_it wrote past" \
  coverage --fail-on buffer-overrun --db over.db -- "$host" "$cases/bad/guard_copy.cl"
try 0 "" coverage --fail-on buffer-overrun --db over.db -- "$host" "$cases/good/pointers.cl"
try 1 "--fail-on knows api-error and buffer-overrun" coverage --fail-on overrun -- "$host" "$over"
# A launch that cannot leave its memory runs as it was written: nothing of ours runs on the device. One that can is checked.
sed 's/ 96 / 6144 /; s/ 32 none/ 2048 none/; s/GLOBAL: 32/GLOBAL: 2048/' "$good" >large.cl
sed 's/ 6144 / 6143 /' large.cl >larger.cl
timed='OPENCL_LAYERS=$layer:$OPENCL_LAYERS; export OPENCL_LAYERS; exec "$0" "$1"'
layer=$build/bench/libbench-timing.so
export layer
for words in "0 large.cl luma" "3 larger.cl element"; do
  # shellcheck disable=SC2086 # words
  set -- $words
  BENCH_TIMING_FILE=$work/$2.times try "$1" "$3" memory --rules out-of-bounds --db large.db -- sh -c "$timed" "$host" "$2"
done
# What is new and what is gone.
try 2 "Newly found: 1|Out of bounds in kernel luma" diff --fail-on-worse --db large.db 1 2
try 0 "No longer found: 1|Out of bounds in kernel luma" diff --fail-on-worse --db large.db 2 1
grep -q luma large.cl.times || { echo "FAIL the kernel did not run" && failed=1; }
! grep -q cltc_ large.cl.times || { echo "FAIL a launch was checked that needs no checks" && failed=1; }
grep -q cltc_ larger.cl.times || { echo "FAIL no launch was checked" && failed=1; }
exit $failed
