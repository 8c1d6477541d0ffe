#!/bin/sh
# Programs whose host has threads: threads.sh BUILD_DIR SOURCE_DIR PART (verdicts, reruns, race, others, first, python)
# The same verdicts as for the same work in one thread, nothing called unstable, and a race between threads that is.
# What each program of threads_host.c does is said there.
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
tool=$build/cltestcheck
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT CLTESTCHECK_TEST_CASE LD_PRELOAD
cd "$work" || exit 1
failed=0

fail() {
  echo "FAIL $1"
  cat "$2"
  failed=1
}

# mutate NAME OPTIONS -- PROGRAM: what was said goes to NAME.said, the report without its first line, sorted, to NAME.
mutate() {
  name=$1
  shift
  "$tool" mutate --db "$name.db" --no-cache --oracle data --operators rel --format "text=$name.out" "$@" >/dev/null \
    2>"$name.said" </dev/null || fail "mutate $*" "$name.said"
  sed 1d "$name.out" | sort >"$name" # programs come in any order
}

# Nothing of NAME may be called unstable, and the mutants that it has killed are COUNT.
steady() {
  if grep -q 'differs from run to run\|no evidence\|how often' "$1.said"; then
    fail "$1: a program with threads is called unstable" "$1.said"
  elif ! grep -q "^total  *100.0 %  *$2 " "$1"; then
    fail "$1: not all $2 mutants are killed" "$1"
  else
    echo "ok $1"
  fi
}

# Threads and one thread have the same verdicts.
same() {
  if cmp -s threads serial; then
    echo "ok verdicts"
  else
    diff serial threads >differences
    fail "other verdicts than of the same work in one thread" differences
  fi
}

# Each way of the host, one after the other, with 3 threads: 3 mutants of a kernel that all have, 3 of each of two that
# have one name. Replays, and runs of the program.
section_verdicts() { # test: cost=10
  mutate threads --runs 3 -- "$build/threads_host" all 3 1
  mutate serial --runs 3 -- "$build/threads_host" all 3 1 serial
  steady threads 9
  steady serial 9
  same
  if grep -q 'cannot be replayed' threads.said; then
    fail "a program with threads is not replayed" threads.said
  fi
}

section_reruns() {
  mutate rerun --runs 3 --engine rerun --kernel t0 -- "$build/threads_host" all 3 1
  steady rerun 3
}

# A race between threads is told where a run shows it, which few do not; what it leaves alone is evidence.
section_race() {
  for try in 1 2 3 4; do
    mutate "race$try" --runs 3 -- "$build/threads_host" race 2 12
    grep -q 'argument 0 of kernel .* after one of its launches differs from run to run' "race$try.said" && echo "ok race" && return
  done
  fail "a race between threads is not told" race4.said
}

section_others() {
  "$tool" amplify --db amplify.db --runs 2 -- "$build/threads_host" queues 4 1 >amplify 2>&1 </dev/null
  status=$?
  if [ $status != 0 ] || grep -q 'differs from run to run\|shows other results\|cannot be replayed' amplify ||
    ! grep -q '16 consistent, 0 race' amplify; then
    fail "amplify: status $status" amplify
  else
    echo "ok amplify"
  fi
  "$tool" races --db races.db -- "$build/threads_host" queues 4 1 >races 2>&1 </dev/null
  status=$?
  if [ $status != 0 ]; then
    fail "races: status $status" races
  else
    echo "ok races"
  fi
  "$tool" races --db racy.db -- "$build/threads_host" racy 4 1 >races 2>&1 </dev/null
  status=$?
  if [ $status != 3 ] || ! grep -q '^shift  *4  *1 ' races; then
    fail "races of a kernel: status $status" races
  else
    echo "ok races of a kernel"
  fi
}

# A program of many kernels waits for its first verdict no longer than until each of them is built once to tell what it
# executes: thirteen as they are, thirteen to tell that, and few more for the one mutant. Where the driver keeps no kernels as
# files nobody can count them.
section_first() { # test: cost=15
  export POCL_CACHE_DIR="$work/kernels"
  mkdir kernels
  "$build/threads_host" queues 2 13 >plain 2>&1 || fail "the program alone" plain
  own=$(find kernels -name '*.so' | wc -l)
  mutate first --runs 3 --sample 1 --no-equivalence -- "$build/threads_host" queues 2 13
  all=$(find kernels -name '*.so' | wc -l)
  if ! grep -q '^total  *100.0 %  *1 ' first; then
    fail "one mutant is not killed" first
  elif [ "$own" = 0 ]; then
    echo "skip: the driver keeps no kernels"
    exit 77
  elif [ "$own" -ge 13 ] && [ "$all" -le $((2 * own + 5)) ]; then
    echo "ok first: $own kernels as they are, $all in all"
  else
    fail "$own kernels as they are, $all in all" first
  fi
}

# The same through PyOpenCL: 3 mutants of each of two kernels.
section_python() {
  script=$here/../programs/threads.py
  for python in /usr/bin/python3 python3; do
    "$python" -c 'import pyopencl, numpy' 2>/dev/null && break
    python=
  done
  if [ -z "$python" ]; then
    echo "skip: no Python here has PyOpenCL: apt install python3-pyopencl"
    exit 77
  fi
  mutate threads --runs 3 -- "$python" "$script" 4 8
  mutate serial --runs 3 -- "$python" "$script" 1 8
  steady threads 6
  steady serial 6
  same
}

"section_$3"
exit $failed
