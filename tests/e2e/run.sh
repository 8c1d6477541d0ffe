#!/bin/sh
# End-to-end tests of the command line: run.sh BUILD_DIR SOURCE_DIR [PART|SECTION…]
# BUILD_DIR holds cltestcheck, suites/ and the programs e2e_host and check_expected made of the files beside this script.
# One line a check; exit 1 when one failed. The functions named section_… are the sections;
# parts are several of them (see the end).
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
source=$(cd "$2" && pwd) || exit 1
shift 2
tool=$build/cltestcheck
host=$build/e2e_host
checker=$build/check_expected
work=$(mktemp -d) || exit 1
chmod 755 "$work"
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD NO_COLOR
passed=0
failed=0
mounted=

end() {
  [ -n "$mounted" ] && umount "$mounted"
  rm -rf "$work"
}
trap end EXIT

# --- checks -----------------------------------------------------------------------------------------------------------

ok() {
  passed=$((passed + 1))
  echo "ok $1"
}

# fail NAME SENTENCE [FILE…]: the files' first lines are shown
fail() {
  failed=$((failed + 1))
  echo "FAIL $1: $2"
  shift 2
  for shown in "$@"; do
    sed "s/^/    $(basename "$shown"): /" "$shown" | head -n 12
  done
}

skip() { echo "skip $1: $2"; }

# check NAME COMMAND…: the command succeeds
check() {
  name=$1
  shift
  if "$@" >"$work/check.out" 2>&1; then
    ok "$name"
  else
    fail "$name" "$* gives $?" "$work/check.out"
  fi
}

# A fresh folder to work in, with output files beside it.
fresh() {
  cd "$work" || exit 1
  rm -rf "$work/here"
  mkdir "$work/here"
  cd "$work/here" || exit 1
}

# run ARGS…: cltestcheck, with its output in $work/out and $work/err and its exit status in $status
run() {
  "$tool" "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
}

# expect NAME STATUS [PATTERN]: what the last `run` gave; PATTERN is looked for on standard error
expect() {
  if [ "$status" != "$2" ]; then
    fail "$1" "exit status $status instead of $2" "$work/out" "$work/err"
  elif [ -n "$3" ] && ! grep -q -- "$3" "$work/err"; then
    fail "$1" "no \"$3\" on standard error" "$work/err"
  else
    ok "$1"
  fi
}

# sentence: whether standard error is one line that begins with our name, and standard output is empty
sentence() {
  [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" = 1 ] && grep -q '^cltestcheck: [^ ]' "$work/err"
}

# bad NAME STATUS PATTERN ARGS…: one sentence with PATTERN in it, and not a file more than before
bad() {
  bad_name=$1
  bad_status=$2
  bad_pattern=$3
  shift 3
  ls -A >"$work/before"
  run "$@"
  if ! sentence; then
    fail "$bad_name" "not one sentence on standard error" "$work/out" "$work/err"
  elif ! ls -A | cmp -s - "$work/before"; then
    ls -A >"$work/after"
    fail "$bad_name" "files were left behind" "$work/after"
  else
    expect "$bad_name" "$bad_status" "$bad_pattern"
  fi
}

# value FILE PATH: of a JSON report
value() { "$checker" "$1" --get "$2"; }

# same NAME WANTED COMMAND…: the command prints what is wanted
same() {
  same_name=$1
  same_wanted=$2
  shift 2
  same_seen=$("$@" 2>&1)
  if [ "$same_seen" = "$same_wanted" ]; then
    ok "$same_name"
  else
    fail "$same_name" "\"$same_seen\" instead of \"$same_wanted\""
  fi
}

# Waits until a file is there and not empty, at most 60 seconds.
wait_for() {
  waited=0
  while [ ! -s "$1" ] && [ $waited -lt 600 ]; do
    sleep 0.1
    waited=$((waited + 1))
  done
  [ -s "$1" ]
}

# Whether a process ends within 5 seconds.
gone() {
  waited=0
  while kill -0 "$1" 2>/dev/null && [ $waited -lt 50 ]; do
    sleep 0.1
    waited=$((waited + 1))
  done
  ! kill -0 "$1" 2>/dev/null
}

as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
can_be_nobody() { [ "$(id -u)" = 0 ] && as_nobody "$tool" --version >"$work/check.out" 2>&1; }

# --- bad input --------------------------------------------------------------------------------------------------------

section_arguments() {
  fresh
  bad "no program" 1 "no program was given" coverage
  bad "nothing behind --" 1 "no program was given" coverage --
  bad "program not found in PATH" 1 "not found" coverage -- no-such-program
  bad "program path not found" 1 "not found" coverage -- ./no-such-program
  echo text >plain-file
  bad "program not executable" 1 "not an executable" coverage -- ./plain-file
  bad "program is a folder" 1 "not an executable" coverage -- ../here
  cp "$host" program
  bad "program without --" 1 "behind --" coverage ./program
  bad "program without -- or ./" 1 "behind --" coverage program
  bad "program of this folder without ./" 1 "\./" coverage -- program
  bad "unknown benchmark" 1 "unknown benchmark" coverage no-such-benchmark
  bad "a folder beside the benchmarks is not suggested" 1 "shows what there is" coverage CMakeFiles
  bad "one known and one unknown benchmark" 1 "unknown benchmark" coverage scan no-such-benchmark
  bad "unknown command" 1 "unknown command" covrage
  bad "unknown long option" 1 "unknown option" coverage --no-such-option -- ./program
  bad "unknown short option" 1 "unknown option" coverage -Z -- ./program
  bad "option of another command" 1 "unknown option" report --timeout 5
  bad "value for an option without one" 1 "takes no value" coverage --quiet=maybe -- ./program
  for option in --db --device --platform --suites --timeout --kernel --exclude --fail-under --format --color; do
    bad "$option at the end" 1 "wants a value" coverage scan $option
    bad "$option before --" 1 "wants a value" coverage $option -- ./program
  done
  bad "an option for a value" 1 "--ctest FOLDER. Behind it comes the option --db; if that is the value, write --ctest=--db" \
    coverage --ctest --db c.db -- build
  bad "a short option for a value" 1 "--db FILE. Behind it comes the option -q" coverage --db -q -- ./program
  bad "unknown command in help" 1 "unknown command" help no-such-command
  bad "list with a word" 1 "." list nonsense
  bad "devices with a word" 1 "no arguments" devices nonsense
  bad "merge of nothing" 1 "wants databases" merge
  bad "show of nothing" 1 "wants one kernel file" show
  bad "show of two files" 1 "wants one kernel file" show plain-file program
}

section_values() {
  fresh
  cp "$host" program
  for seconds in 0 -1 abc 1x nan inf 1e99 ""; do
    bad "--timeout \"$seconds\"" 1 "--timeout" coverage --timeout "$seconds" -- ./program run x
  done
  for threshold in branch branch= branch=101 branch=-1 branch=nan branch=x nonsense=5 =5 ""; do
    bad "--fail-under \"$threshold\"" 1 "--fail-under" coverage --fail-under "$threshold" -- ./program run x
  done
  for format in xml text= json= "" =file "json "; do
    bad "--format \"$format\"" 1 "--format" coverage --format "$format" -- ./program run x
  done
  for colour in yes "" ALWAYS; do
    bad "--color \"$colour\"" 1 "--color" coverage --color "$colour" -- ./program run x
  done
  bad "--db \"\"" 1 "." coverage --db "" -- ./program run x
  bad "device number" 1 "no device matches" coverage --device 99 -- ./program run x
  bad "device name" 1 "no device matches" coverage --device no-such-device -- ./program run x
  bad "platform" 1 "no device matches" coverage --platform no-such-platform -- ./program run x
  bad "missing suites folder" 1 "." list --suites missing
}

section_suites() {
  fresh
  printf 'name: x\nprogram: y\ntests: 3\n' >list.yaml
  bad "a suite without a list" 1 'list.yaml:3:8: this suite file is broken: a list is wanted' coverage list.yaml
  echo text >text.yaml
  bad "a suite that is text" 1 'text.yaml:1:1: this suite file is broken: keys are wanted' coverage text.yaml
  bad "missing suite file" 1 "missing.yaml" coverage missing.yaml
  printf 'name: a\nprogram: x\n  tests: [\n' >broken.yaml
  bad "suite file: syntax" 1 'broken.yaml:[1-9][0-9]*:[1-9]' coverage broken.yaml
  printf 'name: a\nprogram: x\nspeed: 3\ntests:\n  - name: b\n' >key.yaml
  bad "suite file: unknown key" 1 'key.yaml:3:[1-9].*speed' coverage key.yaml
  printf 'name: a\ntests:\n  - name: b\n' >missing-key.yaml
  bad "suite file: missing key" 1 'missing-key.yaml:[1-9][0-9]*:[1-9].*program' coverage missing-key.yaml
  printf 'name: a\nprogram: x\ntests: 3\n' >type.yaml
  bad "suite file: wrong type" 1 'type.yaml:3:[1-9].*' coverage type.yaml
  printf 'name: a\nprogram: [x]\ntests:\n  - name: b\n' >list.yaml
  bad "suite file: a list for a text" 1 'list.yaml:2:[1-9].*' coverage list.yaml
  : >empty.yaml
  bad "suite file: empty" 1 'empty.yaml' coverage empty.yaml
  printf 'name: a\nprogram: x\ntests: []\n' >none.yaml
  bad "suite file: no tests" 1 'none.yaml:3:[1-9]' coverage none.yaml
  printf 'name: a\nprogram: ./gone\ntests:\n  - name: b\n' >program.yaml
  bad "suite file: program not found" 1 'gone.*not found' coverage program.yaml
  mkdir folder.yaml
  bad "suite file: a folder" 1 'folder.yaml' coverage folder.yaml
}

section_show() {
  fresh
  bad "show of a missing file" 1 'missing.cl.*No such file' show missing.cl
  printf '#include "gone.h"\n__kernel void k(__global int *a) { a[0] = 1; }\n' >header.cl
  bad "show with a missing header" 1 'header.cl:1.*gone.h' show header.cl
  printf '__kernel void k(__global int *a) {\n  a[0] = ;\n}\n' >broken.cl
  bad "show of broken source" 1 'broken.cl:2' show broken.cl
  printf '__kernel void k(__global int *a) { if (a[0] > N) a[0] = 1; }\n' >fine.cl
  run show fine.cl -- -DN=3
  expect "show" 0
  check "show prints source" grep -q '__kernel void k(' "$work/out"
  check "show touches nothing" test "$(ls -A | wc -l)" = 3
  mkdir sub
  printf '#define N 5\n' >sub/n.h
  printf '#include <n.h>\n__kernel void k(__global int *a) { if (a[0] > N) a[0] = 1; }\n' >sub/with.cl
  run show sub/with.cl -- -I sub
  expect "show with -I" 0
  # chains: syntax trees as deep as these are long
  chain '+' 5000 >plus.cl
  run show plus.cl
  expect "show of a sum of 5000" 0
  chain '&&' 900 >and.cl
  run show and.cl
  expect "show of a decision of 900 conditions" 0
  chain '&&' 8000 >and.cl
  bad "show of a decision of 8000 conditions" 1 'and.cl:2: a decision of 8000 conditions' show and.cl
  bad "mutants of a decision of 8000 conditions" 1 'and.cl:2: a decision of 8000 conditions' mutate --list and.cl
  chain '=' 60000 >assign.cl
  bad "show of a source that libclang cannot take" 1 'the front end (libclang)' show assign.cl
}

# chain OPERATOR COUNT: a kernel with that many operands
chain() {
  printf '__kernel void k(__global int *a) {\n  a[0] = '
  awk -v count="$2" -v operator="$1" 'BEGIN { for (i = 1; i < count; i++) printf "a[%d] %s ", i, operator; print "a[0];\n}" }'
}

# --- programs that end badly ------------------------------------------------------------------------------------------

section_programs() {
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
# runner/session/crash.c. Crashes that only instrumented code brings, or that come now and then: losses.sh.
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

# --- databases --------------------------------------------------------------------------------------------------------

section_databases() {
  fresh
  bad "report without a database" 1 "cltestcheck.db" report
  bad "list --runs without a database" 1 "cltestcheck.db" list --runs
  bad "database in a missing folder" 1 "missing" coverage --db missing/x.db -- "$host" run x
  bad "database that is a folder" 1 "here" coverage --db ../here -- "$host" run x
  echo "this is a text that is long enough to be looked at as a database, and is none" >text.db
  cp text.db text.copy
  bad "not a database" 1 "text.db" coverage --db text.db -- "$host" run x
  bad "report on what is no database" 1 "text.db" report --db text.db
  check "not a database: left as it was" cmp text.db text.copy
  run coverage -- "$host" run x
  expect "a database is made" 0
  bad "unknown run" 1 "77" report 77
  for word in abc 1x 0 -- -5 99999999999999999999 ""; do
    [ "$word" = -- ] || bad "run \"$word\"" 1 "." report "$word"
  done
  bad "merge of a missing database" 1 "missing.db" merge missing.db
  bad "merge of no database" 1 "text.db" merge text.db
  cp cltestcheck.db newer.db
  printf '\000\000\377\000' | dd of=newer.db bs=1 seek=60 conv=notrunc 2>"$work/dd"
  cp newer.db newer.copy
  bad "database of a newer version" 1 "newer" coverage --db newer.db -- "$host" run x
  bad "report on a database of a newer version" 1 "newer" report --db newer.db
  check "newer database: left as it was" cmp newer.db newer.copy
  section_database_rights
}

section_database_rights() {
  if ! can_be_nobody; then
    skip "read-only database" "this needs root, setpriv and programs that everyone may read"
    return
  fi
  chmod 755 .
  chmod 644 cltestcheck.db
  real=$tool
  tool=$work/as-nobody
  printf '#!/bin/sh\nexec setpriv --reuid 65534 --regid 65534 --clear-groups "%s" "$@"\n' "$real" >"$tool"
  chmod 755 "$tool"
  bad "read-only database" 1 "cltestcheck.db" coverage -- "$host" run x
  bad "folder that may not be written" 1 "other.db" coverage --db other.db -- "$host" run x
  chmod 600 cltestcheck.db
  bad "database that may not be read" 1 "cltestcheck.db" report
  bad "database that may not be read or written" 1 "cltestcheck.db" coverage -- "$host" run x
  tool=$real
}

# full KIBIBYTES: a small file system, of 1 MiB, where so much is taken
full() {
  rm -rf small/*
  head -c "$(($1 * 1024))" /dev/zero >small/taken
}

# refuses NAME PATTERN ARGS…: no room for a file in small/: exit status 70, one sentence, and nothing is left there
refuses() {
  refuses_name=$1
  refuses_pattern=$2
  shift 2
  run "$@"
  expect "full disk: $refuses_name" 70 "$refuses_pattern"
  same "full disk: $refuses_name: one sentence" 1 grep -c '^cltestcheck: ' "$work/err"
  same "full disk: $refuses_name: nothing is left" taken ls -A small
}

section_disk_full() {
  fresh
  mkdir small
  if ! mount -t tmpfs -o size=1m tmpfs small 2>"$work/check.out"; then
    skip "full disk" "a small file system cannot be mounted here"
    return
  fi
  mounted=$work/here/small
  full 1024
  refuses "coverage" "disk is full.*small/x.db" coverage --quiet --db small/x.db -- "$host" run x
  refuses "mutate" "disk is full.*small/x.db" mutate --quiet --runs 1 --db small/x.db -- "$host" run x
  run coverage --quiet --db full.db -- "$host" run x
  expect "full disk: a database elsewhere" 0
  refuses "merge" "disk is full.*small/x.db" merge --db small/x.db full.db
  refuses "a JSON report" "small/a.json.*No space left" report --db full.db --format json=small/a.json
  refuses "a text report" "small/a.txt.*No space left" report --db full.db --format text=small/a.txt
  refuses "an lcov report" "small/a.info.*No space left" report --db full.db --format lcov=small/a.info
  refuses "a capture" "small/a.cltc.*No space left" capture --quiet small/a.cltc -- "$host" run x
  section_disk_full_on_the_way
  umount small && mounted=
}

# There is room for the beginning.
section_disk_full_on_the_way() {
  full 0
  for name in one two; do
    run coverage --quiet --db small/x.db -- "$host" run $name
  done
  room=$(df --output=avail -k small | tail -n 1)
  head -c $(((room - 8) * 1024)) /dev/zero >small/taken
  run coverage --quiet --db small/x.db -- "$host" children 8
  expect "full disk: some runs were stored" 70 "disk is full.*small/x.db"
  same "full disk: some runs were stored: one sentence" 1 grep -c '^cltestcheck: ' "$work/err"
  rm small/taken
  run report --db small/x.db --all --format json=a.json
  expect "full disk: the database opens when there is room" 0
  same "full disk: all runs before are in it" "work_one work_two" \
    sh -c "echo \$('$checker' a.json --get kernels.0.name) \$('$checker' a.json --get kernels.1.name)"
  full 1021
  refuses "the middle of a report" "small/a.json.*No space left" report --db full.db --all --format json=small/a.json \
    --show-missed
  full 1024
  TMPDIR=$PWD/small "$tool" mutate --quiet --runs 1 --no-equivalence --db other.db --format json=a.json -- "$host" run x \
    >"$work/out" 2>"$work/err" </dev/null
  status=$?
  expect "full disk: for the captures of mutate: it runs the program" 0 "every run starts the program again"
  same "full disk: for the captures of mutate: verdicts" "$run_statuses" statuses a.json
  same "full disk: for the captures of mutate: nothing is left" taken ls -A small
}

# --- reports ----------------------------------------------------------------------------------------------------------

section_benchmarks() {
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

section_reports() {
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
  section_report_files
  section_hint
}

# What the tool says to run next works when it is run, whatever the options were.
section_hint() {
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

section_report_files() {
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

section_merge() {
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

# --- mutants ----------------------------------------------------------------------------------------------------------

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

section_mutate_list() {
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

section_mutate_programs() {
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
section_mutate_endings() {
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

section_mutate_parts() {
  fresh
  write_loop
  run mutate --quiet --runs 1 --format json=whole.json -- "$host" file ./work.cl
  for draw in "1 one" "1 again" "2 other"; do
    run mutate --quiet --runs 1 --sample 5 --seed ${draw% *} --format json=${draw#* }.json -- "$host" file ./work.cl
    statuses ${draw#* }.json | sed 's/ [a-z-]*$//' >${draw#* }
  done
  same "mutate --sample 5" 5 value one.json mutants
  check "mutate --sample: the same again" cmp one again
  check "mutate --sample: another with another seed" sh -c "! cmp -s one other"
  for shard in 1 2; do
    run mutate --quiet --runs 1 --shard $shard/2 --db $shard.db --format json=$shard.json -- "$host" file ./work.cl
    expect "mutate --shard $shard/2" 0
  done
  same "mutate --shard: halves" "7 7" sh -c "echo \$($checker 1.json --get mutants) \$($checker 2.json --get mutants)"
  run merge --db both.db 1.db 2.db
  expect "merge of shards" 0
  run report --db both.db --all --format json=both.json
  # which of two duplicates is run depends on the part: what counts is that both together are the whole
  for report in whole both; do statuses $report.json | sed 's/duplicate/killed/' >$report; done
  check "merge of shards: the whole" diff both whole
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
section_mutate_resume() {
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
  run $slow --format json=b.json --resume -- "$host" slow processes
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
}

# --- programs of all kinds --------------------------------------------------------------------------------------------

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

section_installed() {
  fresh
  if ! command -v cmake >"$work/check.out"; then
    skip "installed tree" "cmake is not in PATH"
    return
  fi
  DESTDIR="$work/here/stage" cmake --install "$build" --prefix "/opt/cl test check" >"$work/out" 2>"$work/err"
  status=$?
  expect "cmake --install" 0
  built=$tool
  tool="$work/here/stage/opt/cl test check/bin/cltestcheck"
  mkdir elsewhere
  cd elsewhere || exit 1
  run coverage --quiet --format json=a.json vector-guarded
  expect "installed: a benchmark" 0
  check "installed: its totals" "$checker" a.json "$source/suites/vector-guarded/expected.json"
  run coverage --quiet --preload -- env -u OPENCL_LAYERS "$host" run x
  expect "installed: --preload" 0
  check "installed: man pages" test -s "$work/here/stage/opt/cl test check/share/man/man1/cltestcheck-coverage.1"
  check "installed: completion" test -s "$work/here/stage/opt/cl test check/share/bash-completion/completions/cltestcheck"
  ln -s "$tool" "$work/here/elsewhere/link"
  tool=$work/here/elsewhere/link
  run coverage --quiet vector-guarded
  expect "installed: through a symbolic link" 0
  tool=$built
}

# shellcheck source-path=SCRIPTDIR
. "$source/tests/e2e/amplify.sh"
# shellcheck source-path=SCRIPTDIR
. "$source/tests/e2e/replay.sh"
# shellcheck source-path=SCRIPTDIR
. "$source/tests/e2e/forms.sh"
# shellcheck source-path=SCRIPTDIR
. "$source/tests/e2e/incremental.sh"
# shellcheck source-path=SCRIPTDIR
. "$source/tests/e2e/slurm.sh"
# shellcheck source-path=SCRIPTDIR
. "$source/tests/e2e/races_inputs.sh"
# shellcheck source-path=SCRIPTDIR
. "$source/tests/e2e/config.sh"
# shellcheck source-path=SCRIPTDIR
. "$source/tests/e2e/diff.sh"

# The parts that CTest runs beside each other: sections_NAME for part NAME.
sections_coverage="arguments values suites show programs device_crash compile_errors time_limit interrupt databases disk_full
  benchmarks processes output devices installed"
sections_results="reports thresholds merge help config config_thresholds suppressions doctor completion terminal package recipes
  diff ci exit"
sections_mutate="mutate_arguments mutate_list mutate_suites mutate_programs mutate_uninstrumented mutate_linked mutate_endings
  mutate_oracles mutate_parts mutate_resume mutate_since mutate_clones mutate_not_replayed mutate_slow_form
  mutate_refused_launch mutate_equal_code"
sections_amplify="amplify_arguments amplify_verdicts amplify_order amplify_accesses amplify_replay amplify_replay_words amplify_mutant amplify_flaky amplify_seeded
  amplify_doubt amplify_blame amplify_image amplify_divergence amplify_endings amplify_random amplify_suites"
sections_races="races_inputs"
sections_replay="replay_arguments replay_capture replay_included replay_alone replay_mutate replay_outside replay_bounds replay_original_outside
  replay_unwritten unwritten_by_mutants replay_amplify several_devices verified_schedules capture_beside"
sections_incremental="incremental_again incremental_changes incremental_loops incremental_kernels incremental_engines
  incremental_revealed incremental_outside incremental_parts incremental_since slurm"

[ $# -gt 0 ] || set -- coverage results mutate amplify races replay incremental
for part in "$@"; do
  eval "sections=\${sections_$part:-$part}"
  for section in $sections; do
    "section_$section"
  done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
