#!/bin/sh
# The pytest plugin: pytest_plugin.sh BUILD_DIR SOURCE_DIR. 77 where pytest or PyOpenCL is not here.
# kernels_sample.py says what its tests do; of kernel `work` the first way covers 5 lines, the second 6, both 7.
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) && source=$(cd "$2" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT CLTESTCHECK_TEST_CASE LD_PRELOAD PYTHONPATH
for python in /usr/bin/python3 python3; do
  "$python" -c 'import pyopencl, pytest' 2>/dev/null && break
  python=
done
[ -n "$python" ] || {
  echo "skip: no Python here has PyOpenCL and pytest: apt install python3-pyopencl python3-pytest"
  exit 77
}
PYTEST_ADDOPTS="-p no:cacheprovider -p pytest_cltestcheck"
PYTHONPATH=$build/pytest
PYTHONDONTWRITEBYTECODE=1
PYOPENCL_NO_CACHE=1
CLTESTCHECK=$build/cltestcheck
export PYTEST_ADDOPTS PYTHONPATH PYTHONDONTWRITEBYTECODE PYOPENCL_NO_CACHE CLTESTCHECK
mkdir "$work/suite"
cp "$source/tests/e2e/programs/kernels_sample.py" "$work/suite"
cd "$work" || exit 1
sample=suite/kernels_sample.py
failed=0

value() { "$build/check_expected" report.json --get "$1" 2>/dev/null; }

fail() {
  echo "FAIL $1: $2"
  head -n 30 out err
  failed=1
}

# "NAME LAUNCHES LINES BRANCHES EXIT" of each test case, its name without the file's
test_cases() {
  i=0
  while name=$(value test_cases.$i.name 2>/dev/null) && [ -n "$name" ]; do
    echo "${name#*::} $(value test_cases.$i.launches) $(value test_cases.$i.lines) $(value test_cases.$i.branches)" \
      "$(value test_cases.$i.exit)"
    i=$((i + 1))
  done
}

# run ARGS…: pytest with the plugin, a fresh database and a JSON report
run() {
  rm -f run.db report.json
  "$python" -m pytest "$@" --cltestcheck-args='--db run.db' --cltestcheck-report json=report.json >out 2>err </dev/null
  status=$?
}

# expect NAME STATUS [PATTERN]: of the last run; PATTERN is in what it printed
expect() {
  if [ $status != "$2" ]; then
    fail "$1" "exit status $status instead of $2"
  elif [ -n "$3" ] && ! cat out err | grep -q -- "$3"; then
    fail "$1" "no \"$3\""
  else
    echo "ok $1"
  fi
}

# seen NAME WANTED: the test cases, in any order
seen() {
  test_cases | sort >cases
  printf '%s\n' "$2" | sort >wanted
  cmp -s cases wanted && echo "ok $1" || fail "$1" "$(diff wanted cases)"
}

all="test_no_opencl 0 0 0 0
test_limits[8] 1 5 1 0
test_limits[0] 1 6 1 0
test_limits[4] 1 7 2 0
TestClass::test_fixture 1 6 1 0
TestClass::test_expected_to_fail 1 5 1 0
TestClass::test_skipped 0 0 0 0
test_that_fails 0 0 0 0
test_not_waited_for 1 5 1 0
test_it_checks_nothing 1 6 1 0
test_process 1 5 1 0"
run --cltestcheck $sample
expect "coverage: exit status and summary" 0 "8 passed, 2 skipped, 1 xfailed"
expect "coverage: what was kept" 0 "11 tests in run.db"
seen "coverage: per test" "$all"
[ "$(value coverage.line.covered) $(value kernels.0.launches)" = "7 8" ] || fail "coverage: total" "differs"
[ "$(value test_cases.1.command)" = "$python -m pytest '$sample::test_limits[8]'" ] ||
  fail "coverage: command" "$(value test_cases.1.command)"
if "$python" -c 'import xdist' 2>/dev/null; then
  run --cltestcheck -n 2 $sample
  expect "xdist: exit status" 0 "8 passed, 2 skipped, 1 xfailed"
  seen "xdist: per test" "$all"
fi

KERNELS_FAIL=1 run --cltestcheck -x -k 'limits or fails' $sample
expect "a failing test: pytest's status" 1 "1 failed, 3 passed"
seen "a failing test: kept" "test_limits[8] 1 5 1 0
test_limits[0] 1 6 1 0
test_limits[4] 1 7 2 0
test_that_fails 1 7 2 1"
run --cltestcheck -k 'limits and 8' --cltestcheck-fail-under branch=80 $sample
expect "below a threshold" 2 "branch coverage is 50.0 %"
run --cltestcheck -k no_opencl $sample
expect "no OpenCL" 0 "made no OpenCL call"
run --cltestcheck -k nosuch $sample
expect "no test" 5
run -q --cltestcheck --collect-only $sample
expect "only listed" 0 "11 tests collected"
[ ! -e run.db ] || fail "only listed" "something was run"
run -q $sample
expect "without an option" 0 "8 passed"
[ ! -e run.db ] || fail "without an option" "something was kept"

# A folder with settings of its own, from inside it; a test that runs pytest is one test.
mkdir -p project/tests
printf '[pytest]\naddopts = --cltestcheck\n' >project/pytest.ini
cat >project/tests/test_nested.py <<END
import subprocess, sys
def test_nested():
    assert subprocess.run([sys.executable, "-m", "pytest", "-q", "-k", "limits and 0", "$work/$sample"]).returncode == 0
END
cd project/tests || exit 1
"$python" -m pytest --cltestcheck-report json="$work/report.json" >"$work/out" 2>"$work/err"
status=$?
cd "$work" || exit 1
expect "addopts: exit status" 0 "1 passed"
seen "addopts: nested" "test_nested 1 6 1 0"
[ "$(value test_cases.0.command)" = "$python -m pytest test_nested.py::test_nested" ] ||
  fail "addopts: command" "$(value test_cases.0.command)"

# Mutants: killed by those tests that see them. i < limit: `<=` shows at limit 4 alone; -i is only run without the first way.
rm -f run.db
"$python" -m pytest -q --cltestcheck-mutate -k limits $sample --cltestcheck-args='--db run.db --runs 1 --operators rel,arith' \
  --cltestcheck-report json=report.json >out 2>err
status=$?
expect "mutate: exit status" 0
[ "$(value mutation.killed) $(value mutation.survived)" = "4 0" ] || fail "mutate: score" "differs"
[ "$(test_cases | cut -d' ' -f1 | tr '\n' ' ')" = "test_limits[8] test_limits[0] test_limits[4] " ] ||
  fail "mutate: test cases" "$(test_cases)"

# By the tool itself, whatever Python has: a folder alone is one for python3 -m pytest.
unset PYTEST_ADDOPTS PYTHONPATH
rm -f run.db report.json
"$build/cltestcheck" coverage --quiet --db run.db --format json=report.json --pytest -- "$python" -m pytest -q -p no:cacheprovider \
  $sample -k 'limits and 0' >out 2>err
status=$?
expect "the tool: exit status" 0
seen "the tool: per test" "test_limits[0] 1 6 1 0"
"$build/cltestcheck" mutate --pytest -- "$python" -m pytest nosuch >out 2>err
status=$?
expect "the tool: no such folder" 4 "pytest could not list its tests"

# SIGINT: what the tests up to then have shown is kept.
cat >slow.py <<'END'
import sys, time
sys.path.insert(0, "suite")
from kernels_sample import device
def test_first(device):
    device.launch(8)
    device.read()
def test_second(device):
    device.launch(0)
    device.read()
    open("started", "w").write("x")
    time.sleep(20)
END
rm -f run.db report.json
env --default-signal=INT "$build/cltestcheck" coverage --quiet --exit-as-program --db run.db --format json=report.json --pytest -- "$python" -m pytest -q \
  -p no:cacheprovider slow.py >out 2>err &
tool=$!
waited=0
while [ ! -s started ] && [ $waited -lt 300 ]; do
  sleep 0.1
  waited=$((waited + 1))
done
kill -INT $tool
wait $tool
status=$?
expect "interrupted: pytest's status" 2
[ "$(test_cases | head -n 1)" = "test_first 1 5 1 0" ] || fail "interrupted: kept" "$(test_cases)"
exit $failed
