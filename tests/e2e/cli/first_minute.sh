#!/bin/sh
# What a new user meets in the first minute: no wrong word where nothing was measured.
#   first_minute.sh BUILD
set -u
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export POCL_CACHE_DIR="${POCL_CACHE_DIR:-$work/cache}"
mkdir -p "$POCL_CACHE_DIR" "$work/none" "$work/crashing"
cd "$work" || exit 1
failures=0

# run ARGS…: cltestcheck; its exit status, and what it says on one line, without line breaks.
run() {
  status=0
  "$build/cltestcheck" "$@" >out 2>err || status=$?
  said=$(cat out err | tr -s ' \n' ' ')
}
# expect WHAT STATUS TEXT: how it ended and what it has said.
expect() {
  case $said in *"$3"*) found=yes ;; *) found=no ;; esac
  [ "$status-$found" = "$2-yes" ] && return
  echo "FAILED: $1: exit status $status instead of $2, or it does not say \"$3\":"
  cat out err
  failures=$((failures + 1))
}
silent() {
  case $said in *"$2"*) ;; *) return ;; esac
  echo "FAILED: $1: it says \"$2\":"
  cat out err
  failures=$((failures + 1))
}

# --- a kernel that is not there: one rule, 5 with the names that there are ---
program=$build/suites/reduction/reduction
for command in coverage races verify "mutate --runs 1 --operators barrier" "amplify --runs 1 --order reverse"; do
  # shellcheck disable=SC2086 # words
  run $command --quiet --kernel 'nosuch*' -- "$program"
  expect "$command: a kernel that is not there" 5 "there are: reduce, finish"
done
run report --kernel finsh
expect "report: a kernel that is not there" 5 "did you mean --kernel finish? There are: reduce, finish"
run show --annotate --kernel nosuch
expect "show: a kernel that is not there" 5 "there are: reduce, finish"
run coverage --quiet --kernel nosuch --kernel 'red*' -- "$program"
expect "coverage: one glob of two matches nothing" 0 "warning: --kernel nosuch matches no kernel; there are: reduce, finish"
silent "coverage: the glob that matches" "--kernel red*"
# Of files: nothing is run.
printf 'kernel void one(global int *a) {\n  a[get_global_id(0)] = 1;\n}\n' >one.cl
for command in verify repair; do
  run $command --quiet --kernel two one.cl
  expect "$command: a kernel that is not in the file" 5 "there are: one"
  run $command --quiet --kernel two --kernel 'o*' one.cl
  expect "$command: one glob of two matches nothing" 0 "warning: --kernel two matches no kernel; there are: one"
done
run coverage --quiet --kernel reduce --kernel finish -- "$program"
expect "coverage: all globs match" 0 ""
silent "coverage: all globs match" "warning"

# --- what to run next, and what can be asked for ---
run amplify --runs 1 --order reverse -- "$build/suites/global-barrier/global-barrier" 4 1 launches
expect "amplify: nothing is found" 0 "\`cltestcheck races\` looks at every access"
run amplify --runs 1 --order reverse --kernel last_places -- "$build/suites/last-writer/last-writer"
expect "amplify: something is found" 3 "race"
silent "amplify: something is found" "\`cltestcheck races\` looks at every access"
run help report
for format in text json html markdown lcov lcov1 cobertura sarif junit github stryker; do
  expect "help report: the format $format" 0 " $format"
done
run list --runs
expect "list --runs: the program as it was started" 0 " $program"

# --- no device, and a driver that crashes ---
OCL_ICD_VENDORS=$work/none
export OCL_ICD_VENDORS
run coverage -- "$program"
expect "no device" 4 "nothing was observed: no OpenCL device was found"
silent "no device" "made no OpenCL call"
printf '#include <stdlib.h>\n__attribute__((constructor)) static void crash(void) { abort(); }\n' >crash.c
cc -shared -fPIC -o crash.so crash.c
echo "$work/crash.so" >crashing/crash.icd
OCL_ICD_VENDORS=$work/crashing
run doctor
expect "doctor: a driver that crashes" 1 "tries one driver alone"
silent "doctor: a driver that crashes" "pocl-opencl-icd"
unset OCL_ICD_VENDORS
run coverage -- true
expect "no call at all" 5 "the program made no OpenCL call"

[ $failures = 0 ] && echo "the first minute: no wrong word"
exit $failures
