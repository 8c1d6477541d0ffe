# Sections about `cltestcheck mutate`.
# shellcheck shell=sh disable=SC2154

# mutate ARGS…: a campaign of few runs, with its report in a.json
mutate() { run mutate --quiet --format json=a.json "$@"; }

statuses() { "$checker" "$1" --statuses | sort; }

# The kernel of `e2e_host run`: i is 0 to 7, all values are 0 before.
run_statuses="3:9 rel < killed
3:9 rel <= killed
3:9 rel >= killed
5:9 rel < killed
5:9 rel <= killed
5:9 rel >= survived"

write_loop() {
  cat >work.cl <<'END'
__kernel void work(__global int *out) {
  int i = get_global_id(0);
  for (int k = 0; k < 3; k++)
    out[i + (i >> 28)] += i;
}
END
}

section_mutate_arguments() {
  fresh
  cp "$host" program
  bad "mutate: no program" 1 "no program was given" mutate
  for runs in 0 x -1 1x ""; do
    bad "mutate --runs \"$runs\"" 1 "--runs" mutate --runs "$runs" -- ./program run x
  done
  for shard in 3/2 0/2 2 x/y 1/2x ""; do
    bad "mutate --shard \"$shard\"" 1 "--shard" mutate --shard "$shard" -- ./program run x
  done
  for lines in nonsense 0 5-3 3- a.cl: 1-2-3; do
    bad "mutate --lines \"$lines\"" 1 "--lines" mutate --lines "$lines" -- ./program run x
  done
  for operators in nonsense arith,nonsense "" "arith," -nonsense; do
    case $operators in
      "" | *,) bad "mutate --operators \"$operators\"" 1 "operator" mutate --operators "$operators" -- ./program run x ;;
      *) bad "mutate --operators \"$operators\"" 1 'no mutation operator "-*nonsense".*paper.*arith' mutate --operators "$operators" -- ./program run x ;;
    esac
  done
  bad "mutate --oracle" 1 "--oracle" mutate --oracle nonsense -- ./program run x
  bad "mutate --ignore" 1 "--ignore" mutate --oracle output --ignore '(' -- ./program run x
  bad "mutate --sample 0" 1 "--sample" mutate --sample 0 -- ./program run x
  bad "mutate --seed x" 1 "--seed" mutate --seed x -- ./program run x
  bad "mutate --max-time 0" 1 "--max-time" mutate --max-time 0 -- ./program run x
  bad "mutate --jobs 0" 1 "--jobs" mutate --jobs 0 -- ./program run x
  bad "mutate --since: no such revision" 1 "nosuchrev" mutate --since nosuchrev -- ./program run x
  bad "mutate: unknown benchmark" 1 "unknown benchmark" mutate no-such-benchmark
  bad "mutate --list without a file" 1 "--list" mutate --list
  bad "mutate --list of a missing file" 1 'missing.cl.*No such file' mutate --list missing.cl
  printf '__kernel void k(__global int *a) {\n  a[0] = ;\n}\n' >broken.cl
  bad "mutate --list of broken source" 1 'broken.cl:2' mutate --list broken.cl
  check "mutate --help" sh -c "'$tool' mutate --help | grep -q -- '--operators'"
}

section_mutate_list() { # test: sanitized quick
  fresh
  cat >k.cl <<'END'
__kernel void k(__global float *a, int n) {
  int i = get_global_id(0);
  if (i < N + n)
    a[i] = a[i] * 2.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[0] = a[0] - i; // cltestcheck: no-mutate
}
END
  run mutate --list k.cl -- -DN=3
  expect "mutate --list" 0 "13 mutants"
  sed 's/^ *[0-9]*  //' "$work/out" | sort >list
  cat >wanted <<'END'
k.cl:3:13  arith    k: + -> *
k.cl:3:13  arith    k: + -> -
k.cl:3:13  arith    k: + -> /
k.cl:3:9  rel      k: < -> <=
k.cl:3:9  rel      k: < -> >
k.cl:3:9  rel      k: < -> >=
k.cl:4:17  arith    k: * -> +
k.cl:4:17  arith    k: * -> -
k.cl:4:17  arith    k: * -> /
k.cl:5:3  barrier  k: barrier(CLK_LOCAL_MEM_FENCE) deleted
k.cl:6:15  arith    k: - -> *  (suppressed)
k.cl:6:15  arith    k: - -> +  (suppressed)
k.cl:6:15  arith    k: - -> /  (suppressed)
END
  check "mutate --list: the mutants" diff list wanted
  same "mutate --list: numbers of their own" 13 sh -c "awk '{ print \$1 }' '$work/out' | sort -u | grep -c ."
  cp "$work/out" once
  mkdir elsewhere
  cp k.cl elsewhere/k.cl
  run mutate --list elsewhere/k.cl -- -DN=3
  check "mutate --list: the same numbers elsewhere" sh -c "sed 's|elsewhere/||' '$work/out' | cmp - once"
  run mutate --list --operators rel,barrier k.cl -- -DN=3
  expect "mutate --list --operators" 0 "4 mutants"
  run mutate --list --lines k.cl:4-5 k.cl -- -DN=3
  expect "mutate --list --lines" 0 "4 mutants"
  run mutate --list --kernel other k.cl -- -DN=3
  expect "mutate --list --kernel" 0 "0 mutants"
  run mutate --list --exclude k k.cl -- -DN=3
  expect "mutate --list --exclude" 0 "0 mutants"
  bad "mutate --list with wrong lines" 1 "lines wants" mutate --list --lines x k.cl
  run mutate --list --operators gpu k.cl -- -DN=3
  expect "mutate --list --operators gpu" 0 "mutants"
  for operator in index fence const; do
    check "mutate --list --operators gpu: $operator" grep -q "  $operator  *k: " "$work/out"
  done
  check "mutate --list --operators gpu: nothing else" sh -c "! grep -qE '  (rel|arith|barrier) ' '$work/out'"
  check "mutate --list touches nothing" test "$(ls -A | tr '\n' ' ')" = "elsewhere k.cl list once wanted "
  run mutate --list --sample 5 --seed 3 k.cl -- -DN=3
  expect "mutate --list --sample" 0 "8 mutants" # what is suppressed is not drawn: there are three
  for shard in 1 2 3; do
    "$tool" mutate --list --shard $shard/3 k.cl -- -DN=3 2>/dev/null | sed 's/^ *[0-9]*  //'
  done | sort >shards
  check "mutate --list --shard: all of them, once" cmp list shards
  run mutate --list k.cl nosuch.cl -- -DN=3
  expect "mutate --list: one of two files is not there" 1 "nosuch.cl"
}

# Every mutant of the planted benchmarks, as derived by hand.
section_mutate_suites() {
  fresh
  for suite in outliers-strong outliers-weak; do
    mutate --runs 3 $suite
    expect "mutate $suite" 0
    check "mutate $suite: every mutant, and the score" "$checker" a.json "$source/suites/$suite/expected-mutation.json" --mutants
    same "mutate $suite: all are run, but for one equivalent one" "30 29 1 0" sh -c "echo \
      \$($checker a.json --get mutants) \$($checker a.json --get mutation.total) \
      \$($checker a.json --get mutation.equivalent) \$($checker a.json --get mutation.pending)"
  done
  run report --fail-under mutation=69
  expect "report --fail-under mutation: not reached" 2 "mutation"
  run report --fail-under mutation=68
  expect "report --fail-under mutation: reached" 0
  run report
  check "survivors are shown as a diff" sh -c "grep -q '^ *7 -   if (row >= rows)' '$work/out' && grep -q '^ *7 +   if (row > rows)' '$work/out'"
}

section_mutate_programs() { # test: cost=10
  fresh
  mutate --runs 2 --fail-under mutation=83 -- "$host" run x
  expect "mutate: a program" 0
  same "mutate: the statuses" "$run_statuses" statuses a.json
  check "mutate: nothing of the program on the terminal" test ! -s "$work/out" -a ! -s "$work/err"
  mutate --runs 1 --fail-under mutation=84 -- "$host" run x
  expect "mutate --fail-under" 2 "mutation"
  run mutate --runs 1 -- "$host" run x
  check "mutate: the report goes to standard error" sh -c "test ! -s '$work/out' && grep -q '^total  *83.3 %' '$work/err'"
  check "mutate: nothing of the program on the terminal, without --quiet" sh -c "! grep -q '^0 0 0 0\|done:' '$work/err'"
  mutate --runs 1 -- "$host" none ""
  expect "mutate: a program without OpenCL" 5 "nothing was mutated"
  same "mutate: a program without OpenCL: one sentence" 1 sh -c "wc -l <'$work/err'"
  echo '__kernel void work(__global int *out) { *out = *out; }' >still.cl
  mutate --runs 1 -- "$host" file ./still.cl
  expect "mutate: a kernel without a place to mutate" 5 "nothing was mutated"
  # what reading a source asks the device is asked in the first run, or where that was not expected in one more
  for if in '#if' '#/**/if'; do
    printf '%s\n' "$if defined(cl_khr_fp64)" '#define MORE 2' '#else' '#define MORE 1' '#endif' \
      '__kernel void work(__global int *out) {' '  out[get_global_id(0)] = 3 + MORE;' '}' >asks.cl
    mutate --runs 2 --operators arith -- "$host" file ./asks.cl
    expect "mutate: a source that asks the device ($if)" 0
    check "mutate: a source that asks the device ($if): it has mutants" grep -q '"status": "killed"' a.json
  done
  mutate --runs 1 -- "$host" broken ""
  expect "mutate: a program that fails before any kernel" 4 "e2e_host fails without any mutant: exit status 7"
  check "mutate: a program that fails before any kernel: its last words" grep -q missing_name "$work/err"
  mutate --runs 1 -- "$host" crash 11
  expect "mutate: a program that crashes" 4 "signal 11"
  mutate --runs 1 --operators image -- "$host" run x
  expect "mutate: no mutant left" 0 "no mutant is left by --operators"
  mutate --runs 2 -- "$host" noise x # the kernel writes four of eight values, the others stay what they were
  expect "mutate: output that differs every time" 0 "argument 0 of kernel work_x.*differs from run to run.*(50 % of its bytes"
  same "mutate: output that differs every time: one sentence" 1 sh -c "wc -l <'$work/err'"
  same "mutate: output that differs every time: the rest tells" "$run_statuses" statuses a.json
  mutate --runs 2 -- sh -c "'$host' run x; '$host' run x"
  same "mutate: several processes" "$run_statuses" statuses a.json
}

# The other program of the test case takes part all the same.
section_mutate_uninstrumented() {
  fresh
  mutate --runs 1 --engine rerun -- "$host" few x
  expect "mutate: the device runs a kernel only as it was written" 0
  same "mutate: the device runs a kernel only as it was written: the other's mutants" "$run_statuses" statuses a.json
  same "mutate: the device runs a kernel only as it was written: its program is skipped" 1 value a.json skipped
  check "mutate: the device runs a kernel only as it was written: the reason" sh -c "
    '$checker' a.json --get skipped.0.reason | grep -q 'kernel work_few: .* ran uninstrumented'"
}

# A program linked from two sources: equivalent and duplicate mutants are found as in any other.
section_mutate_linked() {
  fresh
  printf 'int helper(int v);\n__kernel void work(__global int *out) {\n  out[get_global_id(0)] = helper(3);\n}\n' >work.cl
  printf 'int helper(int v);\nint helper(int v) {\n  return (v * 1) * 1;\n}\n' >helper.cl
  mutate --runs 1 --operators arith -- "$host" linked .
  expect "mutate: a program linked from two sources" 0
  same "mutate: a program linked from two sources: verdicts" "3:13 arith + killed
3:13 arith - killed
3:13 arith / equivalent
3:18 arith + duplicate
3:18 arith - duplicate
3:18 arith / equivalent" statuses a.json
}

# Endless loops, writes far outside, divisions by zero: each is a kill, and the next mutant is as if nothing had been.
section_mutate_endings() { # test: quick
  fresh
  write_loop
  mutate --runs 2 --no-equivalence --operators arith,bit -- "$host" file ./work.cl
  expect "mutate: mutants that hang and crash" 0
  same "mutate: mutants that hang and crash: verdicts" "3:27 arith -- killed
4:11 arith * killed
4:11 arith - survived
4:11 arith / killed
4:16 bit << killed" statuses a.json
  for wanted in --:timeout /:crash '<<:out of bounds' '*:output'; do
    same "mutate: the reason of ${wanted%:*}" "${wanted#*:}" sh -c "for i in 0 1 2 3 4; do
      [ \"\$('$checker' a.json --get mutants.\$i.replacement)\" = '${wanted%:*}' ] && '$checker' a.json --get mutants.\$i.reason; done"
  done
  mutate --runs 1 --lines 1-2 --lines 4 --operators -arith,assign -- "$host" file ./work.cl
  same "mutate --lines, --operators" "4:24 assign *= killed
4:24 assign -= killed
4:24 assign /= killed" statuses a.json
  mutate --runs 1 --lines other.cl:4 -- "$host" file ./work.cl
  expect "mutate --lines of another file" 0 "no mutant is left"
  sed 's|k++)|k++) // cltestcheck: no-mutate|' work.cl >marked && mv marked work.cl
  mutate --runs 1 --operators rel,assign -- "$host" file ./work.cl
  same "no-mutate: counted" 3 value a.json mutation.suppressed
  same "no-mutate: respected" "3:21 rel <= suppressed
3:21 rel > suppressed
3:21 rel >= suppressed
4:24 assign *= killed
4:24 assign -= killed
4:24 assign /= killed" statuses a.json
}

section_mutate_oracles() {
  fresh
  printf '__kernel void work(__global int *out) {\n  int i = get_global_id(0);\n  if (i > 3)\n    out[i] = i;\n  if (i > 99)\n    out[i] = 1;\n}\n' >work.cl
  mutate --runs 2 --oracle output --ignore '^time:' -- "$host" timed ./work.cl
  expect "mutate --oracle output" 0
  same "mutate --oracle output" "$run_statuses" statuses a.json
  same "mutate --oracle output: what is printed reveals all that data show" 83.3 value a.json mutation.revealed
  mutate --runs 2 --oracle output -- "$host" timed ./work.cl
  expect "mutate --oracle output: a line that differs every time" 0 "standard output.*--ignore.*differs"
  same "mutate --oracle output: it cannot tell, data do" "5 0" echo "$(value a.json mutation.killed) $(count_revealed true)"
  # fails when the last of eight values is not 7, which `>=` in line 3 does not change
  mutate --runs 1 -- "$host" verify ./work.cl
  same "mutate: what kills is the data" "$run_statuses" statuses a.json
  same "mutate: what the program's check reveals" "4 1" echo "$(count_revealed true) $(count_revealed false)"
  same "mutate: both scores" "83.3 66.7" echo "$(value a.json mutation.score) $(value a.json mutation.revealed)"
  run report --fail-under revealed=66
  expect "report --fail-under revealed" 0
  check "report: what is not revealed" grep -q "Killed, but not revealed" "$work/out"
  run report --fail-under revealed=67
  expect "report --fail-under revealed: missed" 2 "revealed score is 66.7 % (4 of 6)"
  mutate --runs 1 --oracle data -- "$host" verify ./work.cl
  same "mutate --oracle data: statuses" "$run_statuses" statuses a.json
  check "mutate --oracle data: it was not asked" grep -q '"revealed": null' a.json
}

# count_revealed true or false: how many of the six mutants of a.json are revealed, or are not
count_revealed() {
  for index in 0 1 2 3 4 5; do
    value a.json "mutants.$index.revealed" 2>/dev/null
  done | grep -c "^$1\$"
}

section_mutate_parts() { # test: cost=10
  fresh
  write_loop
  run mutate --quiet --runs 1 --format json=whole.json -- "$host" file ./work.cl
  for draw in "1 one" "1 again" "2 other"; do
    run mutate --runs 1 --sample 5 --seed ${draw% *} --format text --format json=${draw#* }.json -- "$host" file ./work.cl
    statuses ${draw#* }.json | sed 's/ [a-z-]*$//' >${draw#* }
  done
  same "mutate --sample 5" 5 value one.json mutants
  check "mutate --sample 5: a sample" grep -q "these mutants are a sample" "$work/err"
  check "mutate --sample: the same again" cmp one again
  check "mutate --sample: another with another seed" sh -c "! cmp -s one other"
  run mutate --runs 1 --sample 100 -- "$host" file ./work.cl
  check "mutate --sample 100: all of them" sh -c "grep -q '^total' '$work/err' && ! grep -q Partial '$work/err'"
  for shard in 1 2; do
    run mutate --quiet --runs 1 --shard $shard/2 --db $shard.db --format json=$shard.json -- "$host" file ./work.cl
    expect "mutate --shard $shard/2" 0
  done
  same "mutate --shard: halves" "7 7" sh -c "echo \$($checker 1.json --get mutants) \$($checker 2.json --get mutants)"
  run merge --db both.db 1.db 2.db
  expect "merge of shards" 0
  run report --db both.db --all --format json=both.json
  same "merge of shards: the whole" "$(statuses whole.json)" statuses both.json
}

# Waits until a file has so many lines, at most 60 seconds.
wait_for_lines() {
  waited=0
  while [ "$(wc -l <"$1" 2>/dev/null || echo 0)" -lt "$2" ] && [ $waited -lt 600 ]; do
    sleep 0.1
    waited=$((waited + 1))
  done
}

all_gone() {
  for leftover in $(cat "$1"); do
    gone "$leftover" || return 1
  done
}

# cut_off NAME OPTION… -- PROGRAM…: a campaign that --max-time ends. On a busy machine no mutant may have run by then (5).
cut_off() {
  name=$1
  shift
  run mutate --quiet "$@"
  [ $status != 5 ] || status=0
  expect "$name" 0 "--max-time"
}

# A run of the program takes 0.2 seconds at least. Nine come before the first mutant, which has three, and one that tells
# whether the program notices it.
section_mutate_resume() { # test: cost=20
  fresh
  slow="mutate --quiet --engine rerun --runs 1 --jobs 1 --no-equivalence --no-cache"
  : >processes
  for seconds in 2.5 5 10 20; do # a slow machine knows of no mutant after the first of them
    rm -f cltestcheck.db*
    cut_off "mutate --max-time" ${slow#mutate --quiet} --format json=a.json --max-time $seconds -- "$host" slow processes
    [ "$("$checker" a.json --get mutation.pending)" -gt 0 ] 2>/dev/null && break
  done
  same "mutate --max-time: some are left" yes sh -c "[ \$($checker a.json --get mutation.pending) -gt 0 ] && echo yes"
  cp cltestcheck.db early.db
  run merge --db all.db early.db
  expect "merge of a campaign that is not complete" 0
  bad "mutate --resume with other options" 1 "--resume" $slow --oracle data --resume -- "$host" slow processes
  run $slow --format json=a.json --resume -- "$host" slow processes
  expect "mutate --resume" 0
  same "mutate --resume: as without a break" "$run_statuses" statuses a.json
  check "mutate leaves no processes" all_gone processes
  run merge --db all.db cltestcheck.db
  same "merge of a campaign that went on" "cltestcheck.db: 1 run new or brought up to date" cat "$work/out"
  run merge --db all.db early.db cltestcheck.db
  same "merge of a campaign that went on: once more, and as it was" 2 grep -c ' 0 runs ' "$work/out"
  run report --db all.db --format json=merged.json
  check "merge of a campaign that went on: the report" cmp a.json merged.json
  bad "mutate --resume of what is complete" 1 "--resume" $slow --resume -- "$host" slow processes
  bad "mutate --resume without a program, of what is complete" 1 "has no unfinished run" $slow --resume

  : >processes
  "$host" foreground "$tool" $slow --format json=b.json -- "$host" slow processes >"$work/out" 2>"$work/err" </dev/null &
  pid=$!
  wait_for_lines processes 16
  kill -INT $pid
  wait $pid
  status=$?
  expect "mutate: Ctrl-C" 130 "interrupted"
  check "mutate: Ctrl-C leaves no processes" all_gone processes
  run report --format json=b.json
  same "mutate: Ctrl-C keeps verdicts" yes sh -c "[ \$($checker b.json --get mutation.killed) -gt 0 ] &&
    [ \$($checker b.json --get mutation.pending) -gt 0 ] && echo yes"
  run $slow --format json=b.json --resume # the run knows its program
  expect "mutate: Ctrl-C, --resume" 0
  same "mutate: Ctrl-C, --resume: as without a break" "$run_statuses" statuses b.json

  write_loop
  again="--engine rerun --runs 300 --no-equivalence --no-cache --format json=a.json"
  cut_off "mutate --max-time, before the kernel changes" $again --max-time 4 -- "$host" file ./work.cl
  sed 's/k < 3/k < 4/' work.cl >changed && mv changed work.cl
  bad "mutate --resume: another kernel" 1 "kernels have changed" mutate --quiet $again --resume -- "$host" file ./work.cl
}

section_mutate_since() {
  fresh
  if ! command -v git >"$work/check.out"; then
    skip "mutate --since" "git is not installed"
    return
  fi
  write_loop
  git init --quiet . && git add work.cl &&
    git -c user.name=test -c user.email=test@localhost commit --quiet --message first
  bad "mutate --since: unknown revision" 1 "nosuchrev" mutate --since nosuchrev -- "$host" file ./work.cl
  mutate --runs 1 --since HEAD -- "$host" file ./work.cl
  expect "mutate --since: nothing changed" 0 "no mutant is left"
  sed 's/+= i/+= i + 1/' work.cl >changed && mv changed work.cl
  mutate --runs 1 --operators assign,rel --since HEAD -- "$host" file ./work.cl
  expect "mutate --since" 0
  same "mutate --since: the changed line only" "4:24" sh -c "'$checker' a.json --statuses | sed 's/ .*//' | sort -u"
  cp work.cl new.cl
  mutate --runs 1 --operators assign,rel --since HEAD -- "$host" file ./new.cl
  same "mutate --since: all lines of a file that git does not know" "3:21
4:24" sh -c "'$checker' a.json --statuses | sed 's/ .*//' | sort -u"
}
