# Sections of run.sh about verdicts of earlier runs: which of them hold after a change; sourced by it.
# shellcheck shell=sh disable=SC2154

# A kernel with three mutants of arith and three of rel, all of which values from 0 up tell from the original.
put_kernel() { # NAME LIMIT
  printf '__kernel void %s(__global int *out) {\n  int i = get_global_id(0);\n  if (i > %s)\n' "$1" "$2"
  printf '    out[i] = out[i] + i;\n}\n'
}

# A program with test cases a and b, which launch kernel work of a.cl and b.cl on zeros; it counts how often it starts.
write_tests() {
  put_kernel work 3 >a.cl
  put_kernel work 4 >b.cl
  cat >tests <<END_OF_TESTS
#!/bin/sh
echo "\$1" >>starts
case \$1 in
  a) exec "$host" fill a.cl:work:0 ;;
  b) exec "$host" fill b.cl:work:0 ;;
  more) exec "$host" fill a.cl:work:9 ;;
esac
END_OF_TESTS
  chmod 755 tests
  write_suite a b
}

write_suite() {
  printf 'name: here\nprogram: ./tests\ntests:\n' >suite.yaml
  for test in "$@"; do
    printf '  - name: %s\n    args: ["%s"]\n' "$test" "$test" >>suite.yaml
  done
}

# reused NAME "REUSED of VERDICTS" ARGS…: what a campaign of two runs a mutant takes over
reused() {
  reused_name=$1
  reused_wanted=$2
  shift 2
  run mutate --quiet --runs 2 --jobs 1 --operators arith --format json=a.json "$@"
  same "$reused_name" "$reused_wanted, exit 0" echo \
    "$(value a.json mutation.reused) of $(value a.json mutation.verdicts), exit $status"
}

# The same with two test cases, and with a database that holds their first run.
again() {
  again_name=$1
  again_wanted=$2
  shift 2
  cp first.db again.db
  reused "$again_name" "$again_wanted" --db again.db "$@"
}

# What a mutant reveals is asked again: one start for each of the six that are killed. No test case notices one, so that none is asked
# about their form alone.
# The first run, of two test cases with three mutants each, and the same once more. Either starts the program twice as it
# is and once to be captured, for each test case: 6 in all. Without replays it starts twice more, to see what it reaches and whether
# the form that holds mutants works: 10.
section_incremental_again() { # test: cost=15
  fresh
  write_tests
  for engine in auto rerun; do
    : >starts
    reused "incremental, $engine: nothing is known at first" "0 of 6" --engine $engine --db $engine.db ./suite.yaml
    statuses a.json >first
    same "incremental, $engine: all mutants are killed" "6 killed" sh -c "sed 's/.* //' first | sort | uniq -c | sed 's/^ *//'"
    [ $engine = auto ] || check "incremental, $engine: mutants start the program" test "$(wc -l <starts)" -gt 22
    : >starts
    reused "incremental, $engine: the same again" "6 of 6" --engine $engine --db $engine.db ./suite.yaml
    starts=$(wc -l <starts)
    [ $engine = auto ] || same "incremental, $engine: the same again: the original, and whoever is asked" 16 echo "$starts"
    [ $engine = rerun ] || same "incremental, $engine: the same again: the original, and whoever is asked" 12 echo "$starts"
    statuses a.json >second
    check "incremental, $engine: the same again: the same verdicts" cmp first second
  done
  run mutate --runs 2 --jobs 1 --operators arith --db auto.db ./suite.yaml
  expect "incremental: the report says so" 0 "^Reused: 6 of 6 verdicts, as nothing that they depend on has changed$"
  reused "incremental: --no-cache" "0 of 6" --no-cache --db auto.db ./suite.yaml
  reused "incremental: after --no-cache" "6 of 6" --db auto.db ./suite.yaml
  mutate --runs 3 outliers-weak
  same "incremental: equivalent mutants of a first run" "0 1" echo "$(value a.json mutation.reused) $(value a.json mutation.equivalent)"
  statuses a.json >first
  mutate --runs 3 outliers-weak
  same "incremental: all but the equivalent mutant" "29 29 1" echo \
    "$(value a.json mutation.reused) $(value a.json mutation.verdicts) $(value a.json mutation.equivalent)"
  statuses a.json >second
  check "incremental: equivalent mutants: the same statuses" cmp first second
}

# What an edit, another test case or another option leaves of the first run's six verdicts.
section_incremental_changes() { # test: cost=50
  fresh
  write_tests
  reused "incremental: first run" "0 of 6" --db first.db ./suite.yaml
  statuses a.json >first
  again "incremental: more operators" "6 of 12" --operators arith,rel ./suite.yaml
  write_suite a b more
  again "incremental: one more test case" "6 of 9" ./suite.yaml
  write_suite a b
  again "incremental: fewer runs" "6 of 6" --runs 1 ./suite.yaml
  same "incremental: fewer runs: three replays are the least" 3 value a.json mutants.0.tests.0.runs
  again "incremental: more runs" "0 of 6" --runs 4 ./suite.yaml
  again "incremental: another time limit" "0 of 6" --timeout 11 ./suite.yaml
  again "incremental: another oracle: the data are the same" "6 of 6" --oracle data ./suite.yaml
  POCL_TEST=1
  export POCL_TEST
  again "incremental: another environment of the driver" "0 of 6" ./suite.yaml
  unset POCL_TEST
  sed 's/4/2/' b.cl >changed && mv changed b.cl
  again "incremental: another kernel file edited" "3 of 6" ./suite.yaml
  put_kernel work 4 | sed '1s/^/\/\/ first\n\n/; s/= out/=  out/' >b.cl
  again "incremental: comments, lines and spaces" "6 of 6" ./suite.yaml
  statuses a.json | sed 's/^6:22/4:21/' | sort >second
  check "incremental: comments, lines and spaces: each verdict at its place" diff first second
  put_kernel work 4 | sed 's/out\[i\] + i/i + out[i]/' >b.cl
  again "incremental: an edit that changes no result" "3 of 6" ./suite.yaml
  put_kernel work 4 | sed '1s/^/typedef int number;\n/' >b.cl
  again "incremental: an edit outside of functions" "3 of 6" ./suite.yaml
  put_kernel work 4 >b.cl
  sed 's/b.cl:work:0/b.cl:work:5/' tests >changed && cat changed >tests
  again "incremental: other values from the host" "3 of 6" ./suite.yaml
  sed 's/b.cl:work:5/b.cl:work:0:-DX/' tests >changed && cat changed >tests
  again "incremental: a macro that no kernel uses" "6 of 6" ./suite.yaml
  sed 's/-DX/-cl-opt-disable/' tests >changed && cat changed >tests
  again "incremental: other build options" "3 of 6" ./suite.yaml
}

# A mutant of a loop ends when it has made too many turns: how many does not depend on other test cases. On zeros the
# loop makes no turn and its k++ is not reached, on nines each work-item makes nine.
section_incremental_loops() {
  fresh
  write_tests
  sed 's/out\[i\] + i/out[i] + i; for (int k = 0; k < out[0]; k++) out[i] |= 8/' a.cl >changed && mv changed a.cl
  write_suite a
  reused "incremental: a loop" "0 of 3" --db first.db ./suite.yaml
  write_suite a more
  again "incremental: another test case makes more turns" "3 of 7" ./suite.yaml
}

# One program, one test case, two kernels.
section_incremental_kernels() { # test: cost=10
  fresh
  { put_kernel one 3; put_kernel two 3; } >apart.cl
  cp apart.cl together.cl
  for way in apart together; do
    reused "incremental, $way: first run" "0 of 6" --db $way.db -- "$host" $way ./$way.cl
  done
  { put_kernel one 12345 | sed 's/12345/2/'; put_kernel two 3; } >apart.cl
  cp apart.cl together.cl
  cp apart.db first.db
  again "incremental: kernels with memory of their own, one edited" "0 of 6" -- "$host" apart ./apart.cl
  { put_kernel one 3; put_kernel two 3; echo '__kernel void three(__global int *out) { out[0] = 1 + 2; }'; } >apart.cl
  again "incremental: a kernel that is not launched is added" "6 of 6" -- "$host" apart ./apart.cl
  { echo 'int helper(int v) { return v; }'; put_kernel one 3 | sed 's/+ i/+ helper(i)/'; put_kernel two 3; } >apart.cl
  again "incremental: a function that one kernel calls" "0 of 6" -- "$host" apart ./apart.cl
  cp together.db first.db
  again "incremental: kernels with the same memory, one edited" "0 of 6" -- "$host" together ./together.cl
}

# Verdicts of replays and those of runs of the program.
section_incremental_engines() { # test: cost=15
  fresh
  put_kernel work 3 >a.cl
  cp "$host" program
  reused "incremental, engines: replays" "0 of 3" --engine replay --db first.db -- ./program fill a.cl:work:0
  again "incremental, engines: replays, then auto" "3 of 3" --engine auto -- ./program fill a.cl:work:0
  again "incremental, engines: replays, then the program" "0 of 3" --engine rerun -- ./program fill a.cl:work:0
  again "incremental, engines: replays are verified" "0 of 3" --verify-engine 100 -- ./program fill a.cl:work:0
  reused "incremental, engines: and are not verified twice" "3 of 3" --db again.db --verify-engine 100 -- ./program fill a.cl:work:0
  echo >>program
  again "incremental, engines: replays of another executable" "3 of 3" -- ./program fill a.cl:work:0
  cp "$host" program
  reused "incremental, engines: the program" "0 of 3" --engine rerun --db rerun.db -- ./program fill a.cl:work:0
  cp rerun.db first.db
  again "incremental, engines: the program, then auto" "0 of 3" -- ./program fill a.cl:work:0
  again "incremental, engines: the program, then replays" "0 of 3" --engine replay -- ./program fill a.cl:work:0
  again "incremental, engines: fewer runs of the program" "3 of 3" --engine rerun --runs 1 -- ./program fill a.cl:work:0
  same "incremental, engines: fewer runs of the program: so many count" 1 value a.json mutants.0.tests.0.runs
  again "incremental, engines: the program with another command" "0 of 3" --engine rerun -- ./program fill ./a.cl:work:0
  echo >>program
  again "incremental, engines: another executable" "0 of 3" --engine rerun -- ./program fill a.cl:work:0
  for times in first second; do
    run mutate --quiet --runs 2 --db noise.db --format json=a.json -- "$host" noise x
    same "incremental: what varies is not reused, $times run" "0 of 6" echo \
      "$(value a.json mutation.reused) of $(value a.json mutation.verdicts)"
  done
}

# A test that gets an assertion does the same on the device: what data show is known, what it notices is asked again.
section_incremental_revealed() {
  fresh
  printf '__kernel void work(__global int *out) {\n  int i = get_global_id(0);\n  if (i > 3)\n    out[i] = i;\n}\n' >work.cl
  reused "incremental, revealed: no check" "0 of 3" --operators rel -- "$host" file ./work.cl
  same "incremental, revealed: no check reveals nothing" 0.0 value a.json mutation.revealed
  reused "incremental, revealed: with a check" "3 of 3" --operators rel -- "$host" verify ./work.cl
  # `<` and `<=` leave the last value out, `>=` does not
  same "incremental, revealed: with a check" "100.0 66.7" echo "$(value a.json mutation.score) $(value a.json mutation.revealed)"
  reused "incremental, revealed: once more" "3 of 3" --operators rel -- "$host" verify ./work.cl
  same "incremental, revealed: once more" 66.7 value a.json mutation.revealed
}

# Of the mutants of i + 4, i - 4 and i * 4 lead out of the memory. What lies there is no affair of the program's: its verdicts hold, too.
section_incremental_outside() {
  fresh
  printf '__kernel void work(__global int *out) {\n  int i = get_global_id(0);\n  if (i < 4)\n' >a.cl
  printf '    out[i] = out[i] + out[i + 4];\n}\n' >>a.cl
  cp "$host" program
  reused "incremental, outside: first run" "0 of 6" --runs 5 --db first.db -- ./program fill a.cl:work:0
  again "incremental, outside: the same again" "6 of 6" --runs 5 -- ./program fill a.cl:work:0
  echo >>program
  again "incremental, outside: another executable" "6 of 6" --runs 5 -- ./program fill a.cl:work:0
}

# Parts of a campaign, one after another or side by side.
section_incremental_parts() { # test: cost=10
  fresh
  write_tests
  for shard in 1 2; do
    reused "incremental: shard $shard of 2" "0 of 3" --shard $shard/2 --db $shard.db ./suite.yaml
  done
  run merge --db first.db 1.db 2.db
  expect "incremental: merge of shards" 0
  again "incremental: the whole after its shards" "6 of 6" ./suite.yaml
  cut_off "incremental: --max-time" --runs 2 --jobs 1 --operators arith,rel --engine rerun --no-equivalence --max-time 0.5 \
    --db resume.db --format json=a.json ./suite.yaml
  # without the suite's file: the run knows it
  run mutate --quiet --runs 2 --jobs 1 --operators arith,rel --engine rerun --no-equivalence --resume --db resume.db \
    --format json=a.json
  expect "incremental: --resume" 0
  same "incremental: --resume: nothing is of an earlier run" "0 of 12" echo \
    "$(value a.json mutation.reused) of $(value a.json mutation.verdicts)"
  cp resume.db first.db
  again "incremental: after --resume" "12 of 12" --operators arith,rel --engine rerun ./suite.yaml
}

section_incremental_since() {
  fresh
  if ! command -v git >"$work/check.out"; then
    skip "incremental: --since" "git is not installed"
    return
  fi
  { put_kernel one 3; put_kernel two 3; } >work.cl
  git init --quiet . && git add work.cl &&
    git -c user.name=test -c user.email=test@localhost commit --quiet --message first
  reused "incremental: before an edit" "0 of 12" --operators arith,rel --db since.db -- "$host" apart ./work.cl
  { put_kernel one 3; put_kernel two 2; } >work.cl
  reused "incremental: --since: the changed line runs" "0 of 3" --operators arith,rel --since HEAD --db since.db -- \
    "$host" apart ./work.cl
  reused "incremental: without --since: and all others that the test case launches" "3 of 12" --operators arith,rel --db since.db -- \
    "$host" apart ./work.cl
  reused "incremental: without --since: all is known" "12 of 12" --operators arith,rel --db since.db -- \
    "$host" apart ./work.cl
}
