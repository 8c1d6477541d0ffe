#!/bin/sh
# Test cases that GoogleTest and CTest list: listings.sh BUILD_DIR SOURCE_DIR SECTION
# GoogleTest is imitated by a script; with `googletest` a program is made with the real one, 77 where it is not installed.
# named_host.c says what its modes do: "once" and each test case of "outside" is one launch of `work`.
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) && source=$(cd "$2" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT CLTESTCHECK_TEST_CASE LD_PRELOAD
HOST=$build/named_host
export HOST
failed=0

value() { "$build/check_expected" report.json --get "$1" 2>/dev/null; }

# "NAME|COMMAND|LAUNCHES EXIT" of each test case
test_cases() {
  i=0
  while name=$(value test_cases.$i.name 2>/dev/null) && [ -n "$name" ]; do
    echo "$name|$(value test_cases.$i.command)|$(value test_cases.$i.launches) $(value test_cases.$i.exit)"
    i=$((i + 1))
  done
}

# run ARGS…: cltestcheck, with a fresh database and a JSON report
run() {
  verb=$1
  shift
  rm -f run.db report.json
  "$build/cltestcheck" "$verb" --db run.db --format json=report.json "$@" >out 2>err
  status=$?
}

# seen NAME STATUS WANTED: what the last run gave, and its test cases
seen() {
  test_cases >cases
  printf '%s\n' "$3" >wanted
  if [ $status = "$2" ] && cmp -s cases wanted; then
    echo "ok $1"
  else
    echo "FAIL $1: exit status $status"
    diff wanted cases
    cat err
    failed=1
  fi
}

# says NAME STATUS SENTENCE: the last run ends with this status and says this
says() {
  if [ $status = "$2" ] && grep -qF "$3" err; then
    echo "ok $1"
  else
    echo "FAIL $1: exit status $status"
    cat err
    failed=1
  fi
}

section_imitation() {
  cat >tests <<'END'
#!/bin/sh
only='*'
for word in "$@"; do
  case $word in
    --gtest_list_tests) list=1 ;;
    --gtest_filter=*) only=${word#*=} ;;
  esac
done
names="Plain.Once Plain.Nothing Plain.DISABLED_Never My/Typed/0.Size Inst/P.Mode/0 Inst/P.Mode/1"
if [ -n "$list" ]; then
  printf 'Running main() from main.cc\nPlain.\n  Once\n  Nothing\n  DISABLED_Never\n'
  [ "$only" = 'Plain.*' ] || {
    printf 'My/Typed/0.  # TypeParam = std::pair<int, int>\n  Size\n'
    printf 'Inst/P.\n  Mode/0  # GetParam() = "a. b."\n  Mode/1  # GetParam() = 4\n'
  }
  exit 0
fi
for name in $names; do
  case $name in
    $only) ;;
    *) continue ;;
  esac
  echo "$name" >>ran
  case $name in
    Plain.Once | Inst/P.Mode/1) "$HOST" once || exit 1 ;;
    Inst/P.Mode/0) exit 1 ;;
  esac
done
END
  chmod 755 tests
  run coverage -- ./tests
  says "gtest: a program of it as one test case" 4 "with --gtest each of its tests is one"
  run coverage -- ./tests --gtest_filter=Plain.Once
  says "gtest: one of its tests" 0 "nothing came"
  grep -q GoogleTest err && { echo "FAIL gtest: one of its tests: the hint"; failed=1; }
  rm -f ran
  run coverage --gtest -- ./tests --flag
  seen "gtest: each test is run alone" 4 "Plain.Once|./tests --flag --gtest_filter=Plain.Once|1 0
Plain.Nothing|./tests --flag --gtest_filter=Plain.Nothing|0 0
My/Typed/0.Size|./tests --flag --gtest_filter=My/Typed/0.Size|0 0
Inst/P.Mode/0|./tests --flag --gtest_filter=Inst/P.Mode/0|0 1
Inst/P.Mode/1|./tests --flag --gtest_filter=Inst/P.Mode/1|1 0"
  says "gtest: disabled tests are named" 4 "test Plain.DISABLED_Never is left out: it is disabled"
  run coverage --gtest -- ./tests '--gtest_filter=Plain.*'
  seen "gtest: a filter chooses" 0 "Plain.Once|./tests --gtest_filter=Plain.Once|1 0
Plain.Nothing|./tests --gtest_filter=Plain.Nothing|0 0"
  run coverage --gtest -- /bin/true
  says "gtest: no such program" 1 "lists no test; was it made with GoogleTest?"
  run coverage --gtest -- /bin/false
  says "gtest: a program that knows no such option" 4 "ends with exit status 1 and lists no tests: is it a GoogleTest program?"
  run mutate --quiet --runs 1 --operators rel --oracle exit --gtest -- ./tests '--gtest_filter=Plain.*'
  test "$(test_cases | cut -d'|' -f1 | tr '\n' ' ')" = "Plain.Once Plain.Nothing " ||
    { echo "FAIL gtest: mutate: $(test_cases)"; failed=1; }
}

section_ctest() {
  mkdir project
  cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(sample NONE)
enable_testing()
add_test(NAME cleanup COMMAND sh -c "rm here")
add_test(NAME needs COMMAND sh -c "test -f here && exec ${HOST} once")
add_test(NAME setup COMMAND sh -c "touch here")
set_tests_properties(setup PROPERTIES FIXTURES_SETUP F)
set_tests_properties(cleanup PROPERTIES FIXTURES_CLEANUP F)
set_tests_properties(needs PROPERTIES FIXTURES_REQUIRED F)
add_test(NAME fails COMMAND sh -c "exit 3")
set_tests_properties(fails PROPERTIES WILL_FAIL TRUE)
add_test(NAME skips COMMAND sh -c "exit 77")
set_tests_properties(skips PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME disabled COMMAND ${HOST} once)
set_tests_properties(disabled PROPERTIES DISABLED TRUE)
add_test(NAME environment COMMAND sh -c "[ \"$A\" = 'x y' ] && [ $B = q:z ] && [ $PWD = / ] && exec ${HOST} once")
set_tests_properties(environment PROPERTIES ENVIRONMENT "A=x y;B=z" WORKING_DIRECTORY /
                     ENVIRONMENT_MODIFICATION "B=path_list_prepend:q")
add_test(NAME missing COMMAND /nosuch/program)
add_test(NAME slow COMMAND sleep 9)
set_tests_properties(slow PROPERTIES TIMEOUT 1)
END
  cmake -S project -B b "-DHOST=$HOST" >/dev/null || exit 1
  run coverage --ctest b -- -E slow
  says "ctest: disabled tests are named" 0 "test disabled is left out: it is disabled"
  says "ctest: what is not built is named" 0 "test missing is left out: its program is not there"
  test_cases | sed 's/|.*|/ /' >cases
  cat >wanted <<'END'
setup 0 0
needs 1 0
cleanup 0 0
fails 0 0
skips 0 0
environment 1 0
END
  cmp wanted cases && echo "ok ctest: fixtures, environment, what passes" || { cat err cases; failed=1; }
  sh -c "$(value test_cases.5.command)" || { echo "FAIL ctest: the command of a report cannot be run"; failed=1; }
  run coverage --quiet --ctest b -- -R '^slow$'
  says "ctest: time limit" 4 "slow ran longer than 1 seconds"
  run coverage --ctest nosuch
  says "ctest: no such folder" 1 "is it the build folder of a CMake project?"
  run coverage --ctest b --gtest -- x
  says "one listing at a time" 1 "give one of them"
}

section_googletest() {
  command -v g++ >/dev/null && echo '#include <gtest/gtest.h>' | g++ -E -x c++ - >/dev/null 2>&1 || {
    echo "skip: GoogleTest or a C++ compiler is not here: apt install g++ libgtest-dev"
    exit 77
  }
  g++ -O0 -Wall -Wextra -Werror -I "$source/include" "$source/tests/e2e/programs/googletest.cc" -o tests -lgtest -pthread || exit 1
  run coverage --gtest -- ./tests
  seen "GoogleTest: each test is run alone" 0 "Plain.Once|./tests --gtest_filter=Plain.Once|1 0
Plain.Nothing|./tests --gtest_filter=Plain.Nothing|0 0
My/Typed/0.Size|./tests --gtest_filter=My/Typed/0.Size|0 0
My/Typed/1.Size|./tests --gtest_filter=My/Typed/1.Size|0 0
Inst/P.Mode/0|./tests --gtest_filter=Inst/P.Mode/0|1 0"
  NAMES=1 run coverage -- ./tests
  # what makes OpenCL calls is heard first; the process of the tests makes none and speaks at its end
  seen "GoogleTest: a listener names tests" 0 "Plain.Once|./tests --gtest_filter=Plain.Once|1 0
Inst/P.Mode/0|./tests --gtest_filter=Inst/P.Mode/0|1 0
Plain.Nothing|./tests --gtest_filter=Plain.Nothing|0 0
My/Typed/0.Size|./tests --gtest_filter=My/Typed/0.Size|0 0
My/Typed/1.Size|./tests --gtest_filter=My/Typed/1.Size|0 0"
}

"section_$3"
exit $failed
