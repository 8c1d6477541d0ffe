# Programs that crash or fail: each command says what happened until then, and is of use all the same.
# shellcheck shell=sh disable=SC2154

# says NAME PATTERN…: each is on standard error, the lines joined
says() {
  says_name=$1
  shift
  tr -s ' \n' '  ' <"$work/err" >"$work/flat"
  for pattern in "$@"; do
    grep -q -- "$pattern" "$work/flat" || { fail "$says_name" "not said: $pattern" "$work/err"; return; }
  done
  ok "$says_name"
}

# Three launches of a kernel, two with four groups and the last with one of 8 work-items; after them the program dies.
write_dying() {
  printf '__kernel void work(__global int *out) {\n  int i = get_global_id(0);\n  if (i > 3)\n    out[i] = i;\n}\n' >own.cl
  printf '__kernel void work(__global int *out) {\n  if (get_local_id(0) == 0)\n    out[0] = out[0] * 2 + get_group_id(0);\n}\n' >racy.cl
  printf '"$1" groups "$2"\nkill -s "$3" $$\n' >dying.sh
}

section_crashes() { # test: quick cost=25
  fresh
  write_dying
  last='the last launch, number 3, was of kernel work (global size 8, work-group size 8) and had ended'
  for command in coverage races memory; do
    run $command -- sh dying.sh "$host" own.cl SEGV
    expect "crash: $command" 4 "was killed by signal 11 (Segmentation fault)"
    next='`cltestcheck memory -- sh dying.sh .*e2e_host own.cl SEGV` tells whether a kernel leaves its memory'
    [ $command = memory ] && next='`cltestcheck races -- sh dying.sh .*` tells whether work-items race'
    says "crash: $command: what happened, and what next" "$last" "$next" "work  *3 "
  done
  run verify --second-opinion=off -- sh dying.sh "$host" own.cl ABRT
  expect "crash: verify" 4 "itself was killed by signal 6 (Aborted)"
  says "crash: verify: what happened, and what next" "$last; what it launched before is verified. .cltestcheck memory -- sh" "1 of 1 kernel verified"
  run repair --second-opinion=off -- sh dying.sh "$host" own.cl ABRT
  expect "crash: repair" 4 "$last; what it launched before is verified"
  run capture dying.cltc -- sh dying.sh "$host" own.cl SEGV
  expect "crash: capture" 4 "$last; its capture was kept. .cltestcheck memory"
  run replay dying.cltc
  expect "crash: what was captured is replayed" 0
  OPENCL_LAYERS=$build/e2e_failing_layer.so E2E_FAILURE=crash
  export OPENCL_LAYERS E2E_FAILURE
  run capture launching.cltc -- "$host" groups own.cl
  unset OPENCL_LAYERS E2E_FAILURE
  expect "crash: in the first launch" 4 "was killed by signal 11 (Segmentation fault); the last launch, number 1"
  run replay launching.cltc
  expect "crash: the launch in which it was is in the capture" 0
  run verify --second-opinion=off launching.cltc
  expect "crash: and is verified" 0 "1 of 1 kernel verified"
  run coverage -- "$host" crash 9
  check "crash: who is killed has no fault to look for" sh -c "! grep -q 'tells whether' '$work/err'"
  run coverage --capture other.cltc -- sh dying.sh "$host" own.cl SEGV
  expect "crash: --capture does not keep from measuring" 4 "was killed by signal 11"
  check "crash: --capture keeps it" test -s other.cltc
  run coverage -- sh -c 'kill -s SEGV $$'
  expect "crash: before any launch" 4 "no kernel had been launched"
}

# A test that fails is looked at all the same: it may be the very fault that makes it fail.
section_failing() { # test: cost=25
  fresh
  write_dying
  printf '"$1" groups "$2"\nexit "$3"\n' >failing.sh
  run mutate --runs 2 --no-equivalence --format json=a.json -- sh dying.sh "$host" own.cl SEGV
  expect "failing: mutate a program that crashes" 4 "ends so in each of 3 runs: what it does until then is what others are compared with"
  says "failing: mutate says why, and what next" "killed by signal 11 (Segmentation fault); the last launch, number 3" "cltestcheck memory -- sh" \
    "1 test case fails without any mutant (exit status 4)" "or fails without a mutant, too"
  # i > 3: each other comparison writes other elements, so all three are propagated, and none is revealed
  same "failing: mutants are killed" 3 value a.json mutation.killed
  same "failing: mutants are not revealed" 0.0 value a.json mutation.revealed
  same "failing: the exit status in the report" 4 value a.json run.exit
  run mutate --runs 2 --no-equivalence --format json=a.json -- sh failing.sh "$host" own.cl 3
  expect "failing: mutate a test that fails" 4 "exit status 3"
  same "failing: its mutants are killed" 3 value a.json mutation.killed
  run amplify --runs 2 --targets 2, --order first --format json=a.json -- sh failing.sh "$host" racy.cl 3
  expect "failing: amplify a test that fails, and finds" 3 "fails without any gate: exit status 3"
  same "failing: the race of both launches with four groups is found" 2 value a.json amplification.race
  run amplify --runs 2 --targets 2, --order first --format json=a.json -- sh dying.sh "$host" own.cl SEGV
  expect "failing: amplify a program that crashes" 4 "ends so in each of 3 runs"
  same "failing: the schedules of both are consistent" 2 value a.json amplification.consistent
  printf 'n=$(cat count)\necho $((n + 1)) >count\nexit $((n + 1))\n' >other.sh
  echo 0 >count
  run mutate --runs 2 -- sh other.sh
  expect "failing: a program that fails otherwise each time" 4 "does not end alike in each run"
}
