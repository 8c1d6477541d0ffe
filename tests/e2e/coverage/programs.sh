# Sections about programs of all kinds: those that end badly, processes, output, devices; the expected figures of the benchmarks.
# shellcheck shell=sh disable=SC2154

section_programs() { # test: sanitized
  fresh
  for mode in none devices; do
    run coverage -- "$host" $mode ""
    expect "nothing observed: $mode" 5 "nothing was observed"
  done
  "$host" save saved.bin >"$work/out"
  run coverage -- "$host" binary saved.bin
  expect "nothing observed: binary only" 5 "nothing was observed"
  run coverage --format json=report.json -- "$host" fail 6
  expect "failing program" 4 "exit status 6"
  same "failing program: its coverage is kept" 1 value report.json kernels.0.launches
  run coverage -- "$host" crash 11
  expect "crashing program" 4 "signal 11"
  run report --format json=crash.json
  expect "crashing program: report afterwards" 0
  same "crashing program: its coverage is kept" work_crash value crash.json kernels.0.name
  run coverage -- "$host" crash 9
  expect "killed program" 4 "signal 9"
  run report --format json=killed.json
  same "killed program: its coverage is kept" 1 value killed.json kernels.0.launches
  run coverage scan -- "$host" fail 3
  expect "one of several fails" 4 "exit status 3"
}

# When a process dies with instrumented code in hand, the program runs some times more without; see
# runner/session/program_run.c. Crashes that only instrumented code brings, or that come now and then: losses.sh.
section_device_crash() {
  fresh
  run coverage --db other.db -- "$host" die-in-launch ""
  expect "crash that is the program's own" 4 "ends alike with it untouched"
  run report --db other.db --format json=report.json
  check "crash that is the program's own: nothing listed" grep -q '"skipped": *\[\]' report.json
}

section_compile_errors() {
  fresh
  "$host" broken "" 2>"$work/plain.err" | sed 's/tempfile_[A-Za-z0-9]*/tempfile/' >"$work/plain"
  run coverage -- "$host" broken ""
  expect "kernel that does not compile" 4 "compile"
  sed 's/tempfile_[A-Za-z0-9]*/tempfile/' "$work/out" >"$work/covered"
  check "the device compiler's own log" cmp "$work/plain" "$work/covered"
  check "the user's own line numbers" grep -q ':3:12: .*missing_name' "$work/covered"
}

section_time_limit() {
  fresh
  run coverage --timeout 4 -- "$host" wait child
  expect "time limit" 4 "longer than 4 seconds"
  if wait_for child; then
    check "time limit: the process group is ended" gone "$(cat child)"
  else
    fail "time limit: the process group is ended" "the program wrote no process id"
  fi
  run report --format json=report.json
  same "time limit: its coverage is kept" work_wait value report.json kernels.0.name
}

section_interrupt() {
  fresh
  "$host" foreground "$tool" coverage --format json=report.json -- "$host" wait child \
    >"$work/out" 2>"$work/err" </dev/null &
  pid=$!
  wait_for child
  kill -INT $pid
  wait $pid
  status=$?
  expect "Ctrl-C" 130 "interrupted"
  check "Ctrl-C: the process group is ended" gone "$(cat child)"
  run report --format json=later.json
  expect "Ctrl-C: report afterwards" 0
  same "Ctrl-C: its coverage is kept" work_wait value later.json kernels.0.name
  same "Ctrl-C: one run" 1 sh -c "'$tool' list --runs | grep -c coverage"
}

section_benchmarks() { # test: cost=60
  fresh
  for expected in "$source"/suites/*/expected.json; do
    name=$(basename "$(dirname "$expected")")
    wanted=0
    [ "$name" = divergent-barrier ] && wanted=3
    run coverage --quiet --format json=$name.json "$name"
    expect "benchmark $name" $wanted
    check "benchmark $name: totals" "$checker" $name.json "$expected"
  done
  run report --all --format json=all.json
  expect "report on all runs" 0
  rm outliers-weak.json # its kernel is that of outliers-strong
  same "report on all runs: every kernel" \
    "$(for f in [b-z]*.json; do value "$f" kernels; done | awk '{ n += $1 } END { print n }')" value all.json kernels
  run list --runs
  same "list --runs" "$(ls "$source"/suites/*/expected.json | wc -l)" grep -c ' coverage ' "$work/out"
}

section_processes() {
  fresh
  run coverage --quiet --format json=a.json -- "$host" children 6
  expect "child processes" 0
  same "child processes: all kernels" 6 value a.json kernels
  run coverage --quiet --format json=b.json -- sh -c "'$host' run one & '$host' run two & '$host' run three & wait"
  expect "several programs at once" 0
  same "several programs at once: all kernels" 3 value b.json kernels
  same "several programs at once: one test case" 1 sh -c "'$tool' list --runs | awk '\$1 == 2 { print \$4 }'"
  printf '#!/bin/sh\ncd / && exec "%s" run "$1"\n' "$host" >script
  chmod 755 script
  run coverage --quiet --format json=c.json -- ./script scripted
  expect "through a shell script" 0
  same "through a shell script: its kernel" work_scripted value c.json kernels.0.name
  "$tool" coverage --quiet --db both.db -- "$host" children 3 >"$work/out" 2>"$work/first" &
  first=$!
  "$tool" coverage --quiet --db both.db -- "$host" children 4 >"$work/out2" 2>"$work/second" &
  second=$!
  wait $first
  first_status=$?
  wait $second
  second_status=$?
  same "two writers of one database" "0 0" echo "$first_status $second_status"
  run report --db both.db 1 2 --format json=both.json
  same "two writers of one database: two runs" 2 sh -c "'$tool' list --runs --db both.db | grep -c coverage"
  same "two writers of one database: all kernels" 4 value both.json kernels
}

section_output() {
  fresh
  "$host" run x >"$work/plain.out" 2>"$work/plain.err"
  run coverage --quiet -- "$host" run x
  check "standard output as without cltestcheck" cmp "$work/out" "$work/plain.out"
  check "standard error as without cltestcheck" cmp "$work/err" "$work/plain.err"
  run coverage -- "$host" run x
  check "standard output is the program's alone" cmp "$work/out" "$work/plain.out"
  check "standard error begins with the program's" sh -c "head -c \$(wc -c <'$work/plain.err') '$work/err' | cmp - '$work/plain.err'"
  echo "typed text" | "$tool" coverage --quiet -- sh -c "cat; '$host' run x" >"$work/out" 2>"$work/err"
  check "standard input reaches the program" grep -q '^typed text$' "$work/out"
  run coverage --quiet -- sh -c "printf '%s|' \"\$@\"; '$host' run x" name "a b" "" "*" '$HOME'
  check "arguments reach the program as they are" grep -q '^a b||\*|\$HOME|' "$work/out"
}

section_devices() {
  fresh
  if "$host" gpu x | grep -q "no GPU"; then
    run coverage -- "$host" gpu x
    expect "a GPU is asked for and there is none" 5 "--device"
    run coverage --quiet --device 0 --format json=a.json -- "$host" gpu x
    expect "--device 0 for a program that wants a GPU" 0
    same "--device 0: its kernel ran" work_x value a.json kernels.0.name
  else
    skip "a GPU is asked for and there is none" "this machine has a GPU"
  fi
  part=$("$tool" devices | sed -n 's/^ 0  \([^ ]*\).*/\1/p')
  run coverage --quiet --device "$part" -- "$host" run x
  expect "--device by a part of its name" 0
  run coverage -- env -u OPENCL_LAYERS "$host" run x
  expect "a loader that knows no layers" 5 "--preload"
  run coverage --quiet --preload --format json=b.json -- env -u OPENCL_LAYERS "$host" run x
  expect "--preload" 0
  same "--preload: kernels" work_x value b.json kernels.0.name
  run coverage --quiet --preload --format json=c.json -- "$host" run x
  same "--preload beside the layer counts once" 1 value c.json kernels.0.launches
}
