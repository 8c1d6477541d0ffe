# Sections about reports of a run: formats, what is recommended next, thresholds, merging.
# shellcheck shell=sh disable=SC2154

section_reports() { # test: sanitized quick
  fresh
  run coverage --format json=a.json --format lcov=a.info --format text=a.txt --format json=- scan reduction
  expect "several benchmarks, several reports" 0
  check "=- is standard output" sh -c "sed -n '/^{/,\$p' '$work/out' | cmp - a.json"
  same "several benchmarks: kernels" 4 value a.json kernels
  check "text to a file" grep -q '^total ' a.txt
  check "no half report left" test -z "$(ls | grep part)"
  if command -v genhtml >"$work/check.out"; then
    case $(genhtml --version) in
      *\ 1.*) run report --format lcov1=a.info ;; # version 2 knows ends of functions
    esac
    check "genhtml reads the lcov file" sh -c "cd '$source' && genhtml --quiet --branch-coverage '$work/here/a.info' -o '$work/here/html'"
    functions=$(grep -c '^FN:' a.info)
    check "genhtml: functions" grep -q "headerCovTableEntry.>$functions</td>" html/index.html
    check "genhtml: a page a kernel file" sh -c "find html -name 'scan.cl.gcov.html' | grep -q ."
  else
    skip "genhtml reads the lcov file" "genhtml is not installed"
  fi
  run coverage --quiet --format json=b.json -- "$host" run b
  run report --format json=-
  check "report is on the newest run" cmp "$work/out" b.json
  run report --format json=-  1
  same "report on one run" 1 value "$work/out" run.id
  same "report on one run: kernels" 4 value "$work/out" kernels
  run report --format json=- 1 2
  same "report on two runs" 5 value "$work/out" kernels
  run report --all --format json=-
  same "report on all runs" 5 value "$work/out" kernels
  run report --all --kernel 'work_*' --format json=-
  same "--kernel" work_b value "$work/out" kernels.0.name
  same "--kernel leaves out the others" 1 value "$work/out" kernels
  run report --all --exclude 'work_*' --exclude reduce --format json=-
  same "--exclude" 3 value "$work/out" kernels
  run report --color always
  check "--color always" grep -q "$(printf '\033')" "$work/out"
  run report
  check "no colour in a file" sh -c "! grep -q '$(printf '\033')' '$work/out'"
  check "no line over 80 columns" sh -c "test \$(wc -L <'$work/out') -le 80"
  run report --format lcov
  check "lcov to standard output" grep -q '^SF:' "$work/out"
  check "lcov is complete" sh -c "tail -n 1 '$work/out' | grep -q '^end_of_record\$'"
  also_report_files
  also_hint
}

# What the tool says to run next works when it is run, whatever the options were.
also_hint() {
  run coverage --db other.db -- "$host" run x
  hint=$(tr '\n' ' ' <"$work/err" | LC_ALL=C sed -n 's/.*Run `cltestcheck \([^`]*\)`.*/\1/p')
  if [ -n "$hint" ]; then
    run $hint
    expect "the command that is recommended works" 0
    check "the command that is recommended is about this run" grep -q work_x "$work/out"
  else
    fail "the command that is recommended works" "none is recommended" "$work/err"
  fi
}

also_report_files() {
  bad "report in a missing folder" 1 "missing/a.json" report --format json=missing/a.json
  bad "report in a folder that is missing" 1 "no-folder" report --format json=../here/no-folder/
  "$tool" report >/dev/full 2>"$work/err"
  status=$?
  : >"$work/out"
  expect "standard output is full" 70 "could not be written"
  mkfifo fifo
  timeout 20 cat fifo >piped &
  reader=$!
  timeout 20 "$tool" report --format json=fifo 2>"$work/err"
  check "report to a named pipe: it stays one" test -p fifo
  wait $reader
  check "report to a named pipe: its reader gets the report" cmp piped b.json
  echo old >target
  ln -s target link
  run report --format json=link
  check "report to a symbolic link: it stays one" test -L link
  check "report to a symbolic link: its target is written" cmp target b.json
}

section_thresholds() {
  fresh
  run coverage --quiet --fail-under branch=75 --fail-under line=85.7% -- "$host" run x
  expect "--fail-under reached" 0
  run coverage --quiet --fail-under branch=75.1 -- "$host" run x
  expect "--fail-under not reached" 2 "branch coverage is 75.0 % (3 of 4)"
  run coverage --quiet --fail-under kernel=100 --fail-under if=80 --format json=a.json -- "$host" run x
  expect "one of two thresholds" 2 "if=80"
  same "the exit status in the report" 2 value a.json run.exit
  run coverage --quiet --fail-under barrier=100 -- "$host" run x
  expect "a threshold for what is not there" 0
  run report --fail-under branch=76
  expect "report --fail-under" 2 "branch=76"
  run report --fail-under branch=75
  expect "report --fail-under reached" 0
  run coverage --quiet --db found.db --fail-under barrier=90 divergent-barrier
  expect "findings before thresholds" 3 "barrier=90"
  run report --db found.db --fail-under barrier=90
  expect "report --fail-under beside findings" 2 "barrier=90"
  run report --db found.db --kernel smoth
  expect "a kernel that is not there" 5 "leave no kernel; did you mean --kernel smooth?"
}

section_merge() { # test: sanitized
  fresh
  run coverage --quiet --db a.db -- "$host" run a
  run coverage --quiet --db b.db -- "$host" run b
  bad "merge: a database that is not there" 1 'no results database c.db' merge --db all.db a.db c.db
  check "merge: nothing is made then" test ! -e all.db
  run merge --db all.db a.db b.db
  expect "merge" 0
  run report --db all.db --all --format json=once.json
  same "merge: kernels" 2 value once.json kernels
  run merge --db all.db a.db b.db a.db
  expect "merge again" 0
  run report --db all.db --all --format json=twice.json
  check "merging twice changes nothing" cmp once.json twice.json
  same "merging twice adds no run" 2 sh -c "'$tool' list --runs --db all.db | grep -c coverage"
}
