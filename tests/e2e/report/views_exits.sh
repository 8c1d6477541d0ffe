# Sections of views.sh about lists of runs, names that are not there, output that goes nowhere, strangers' text; sourced by it.
# shellcheck shell=sh disable=SC2154

section_list_of_runs() {
  fresh
  run coverage -q -- "$host" run x
  "$tool" coverage -q -- "$host" wait "$PWD/waiting" >out 2>err &
  process=$!
  n=0
  while [ ! -e waiting ] && [ $n -lt 100 ]; do sleep 0.1; n=$((n + 1)); done
  run list --runs
  same "list --runs: end and program" "exit 0 e2e_host run x
running e2e_host wait" sh -c "sed -n 's/^ *[12] [^ ]* coverage *1 *\(exit 0\|running\) *[^ ]* *[^ ]*\/\(e2e_host [a-z]*\( x\)*\).*/\1 \2/p' '$work/out'"
  check "list --runs: the program as it was started" grep -q " $host run x, " "$work/out"
  check "list --runs: the device has a heading" grep -q 'revision program, device$' "$work/out"
  run report
  check "a test case that runs has not failed" sh -c "grep -q '1 of them did not end' '$work/out' && ! grep -q failed '$work/out'"
  kill -KILL $process
  wait $process
  pkill -P $process 2>/dev/null
  run list --runs
  check "a run whose process is gone" grep -q ' no end ' "$work/out"
  if has_terminals; then
    script -qc "stty cols 80; '$tool' list --runs" /dev/null >typed </dev/null
    check "80 columns on a terminal" sh -c "! tr -d '\r' <typed | grep -q '.\{81\}'"
  fi
  for child in $(ps -o pid=,args= -A | awk -v here="$PWD/waiting" 'index($0, here) && !/awk/ { print $1 }'); do kill -KILL "$child"; done
}

section_no_such_kernel() {
  fresh
  run coverage -q -- "$host" run x
  run report --kernel work_y --format lcov=a.info
  expect "report --kernel of another name" 5 "leave no kernel; did you mean --kernel work_x?"
  check "no report is written then" test ! -e a.info
  run report --kernel 'conv*'
  expect "report --kernel of a glob that matches nothing" 5 "there are: work_x"
  run report --kernel 'work_*'
  expect "report --kernel of one that does" 0
}

# A divergence is what amplify finds alone.
section_divergence_of_amplify() {
  fresh
  run amplify --runs 1 --order first --targets 1 divergent-barrier
  expect "amplify: a divergence alone" 3 "barrier divergence"
}

section_full_device() {
  fresh
  run coverage -q -- "$host" run x
  printf 'kernel void k(global int *a) { a[0] = a[1] + 1; }\n' >k.cl
  for words in "list" "list --runs" "show k.cl" "help" "help mutate --all" "config" "devices" "--version" "--schema" "report" \
    "report --format json" "merge --db other.db cltestcheck.db" "mutate --list k.cl"; do
    # shellcheck disable=SC2086
    "$tool" $words >/dev/full 2>"$work/err" </dev/null
    status=$?
    : >"$work/out"
    expect "$words: a full device" 70 "could not be written: No space left on device"
  done
  run report --format html=/dev/full
  expect "--format html=/dev/full" 70 "could not be written: No space left on device"
  "$tool" --version | true
  ok "a reader that has seen enough"
}

# A report goes to standard error, as standard output is the program's: said where that is a file that stays empty.
section_empty_output() {
  fresh
  run coverage -- sh -c "exec '$host' run x >/dev/null"
  expect "a file for output, and the program is quiet" 0 "the report went to standard error.*--format text=FILE"
  run coverage -- "$host" run x
  check "the program has written to it" sh -c "! grep -q 'the report went' '$work/err'"
  run mutate --runs 1 -- "$host" run x
  expect "mutate: a file for output" 0 "the report went to standard error.*--format text=FILE"
  run mutate --runs 1 --format json=- -- "$host" run x
  check "mutate: a report is in it" sh -c "test -s '$work/out' && ! grep -q 'the report went' '$work/err'"
  "$tool" coverage -- sh -c "exec '$host' run x >/dev/null" 2>err | cat >piped
  check "a pipe" sh -c "! grep -q 'the report went' err"
}

section_links() {
  fresh
  run coverage -q -- "$host" run x
  mkdir there
  ln -s there/new.html link.html
  ln -s link.html again.html
  run report --format html=again.html
  expect "a report through links" 0
  check "its target is written" test -s there/new.html -a ! -L there/new.html
  check "the links stay" test -L link.html -a -L again.html
  run report --format json=again.html
  check "again, now that it is there" sh -c "test -L again.html && head -c 1 there/new.html | grep -q '{'"
  check "nothing else is left" test "$(ls there)" = new.html
}

# Escapes in the text of strangers do not reach a terminal, nor line ends a format of lines.
section_escapes() {
  fresh
  escape=$(printf '\033[31mred\nline')
  cp "$host" "./$escape"
  mkdir "$escape.d"
  printf 'kernel void work(global int *out) { out[get_global_id(0)] = 1; }\n' >"$escape.d/k.cl"
  run coverage -- "./$escape" file "$escape.d/k.cl"
  for words in "list --runs" "report" "report --format lcov" "report --format lcov1" "report --format cobertura" \
    "report --format github" "report --format markdown" "report --format junit" "report --kernel nosuch"; do
    # shellcheck disable=SC2086
    run $words
    cat "$work/out" "$work/err" >all
    check "$words: no escape" sh -c "! LC_ALL=C grep -q '$(printf '\033')' all"
  done
  run report --format lcov
  same "lcov: records are lines" 1 grep -c '^SF:' "$work/out"
  check "lcov: nothing but records" sh -c "! grep -v '^[A-Z]*:\|^end_of_record$' '$work/out'"
  run coverage -q --db "no/$escape.db" -- "$host" run x
  check "a sentence with a stranger's name" sh -c "! LC_ALL=C grep -q '$(printf '\033')' '$work/err'"
}

# The ready command line, in all commands that run programs.
section_denied() {
  fresh
  if ! "$host" gpu x | grep -q "no GPU"; then
    echo "skip a GPU is asked for: this machine has one"
    return
  fi
  for words in "coverage" "mutate --runs 1" "amplify" "verify" "capture file.cltc"; do
    # shellcheck disable=SC2086
    run $words -- "$host" gpu 'x y'
    expect "$words: a GPU is asked for and there is none" 5 "^    cltestcheck ${words%% *} --device 0.* -- $host gpu 'x y'$"
  done
  for word in device oracle; do
    check "short help of mutate: --$word" sh -c "'$tool' help mutate | grep -q -- '--$word'"
  done
}

section_list_format() {
  fresh
  printf 'kernel void k(global int *a) { a[0] = a[1] + 1; }\n' >k.cl
  run mutate --list --format json k.cl
  expect "mutate --list --format json" 0
  cp "$work/out" list.json
  same "mutate --list: JSON" "+ - 44" sh -c "for p in 0.original 0.replacement 0.column; do '$checker' list.json --get \$p; done | tr '\n' ' ' | sed 's/ \$//'"
  run mutate --list --format lcov k.cl
  expect "mutate --list --format lcov" 1 "prints text or"
  run list --format json
  expect "list --format json" 1 "format"
}

# The threshold that was missed is the last line, in red where there are colours.
section_last_line() {
  fresh
  run coverage --fail-under branch=90 -- "$host" run x
  same "coverage: the missed threshold is last" "cltestcheck: branch coverage is 75.0 % (3 of 4), below --fail-under branch=90" tail -n 1 "$work/err"
  run mutate --runs 1 --fail-under mutation=90 -- "$host" run x
  same "mutate: the missed threshold is last" "cltestcheck: mutation score is 83.3 % (5 of 6), below --fail-under mutation=90" tail -n 1 "$work/err"
  run report --fail-under line=99 --color always
  same "report: in red" "$(printf '\033[31m')cltestcheck: line coverage is 85.7 % (6 of 7), below --fail-under line=99$(printf '\033[0m')" tail -n 1 "$work/err"
}
