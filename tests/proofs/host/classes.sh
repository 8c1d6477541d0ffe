#!/bin/sh
# classes.sh BUILD SOURCE: the classes of facts that host code shows, each a host program and a kernel of classes/. Without the host
# code the kernel may have a race; with it there is none, for every run; and with -DRACY the host program makes launches that
# have one. Each fact that a proof rests on is named.
LC_ALL=C.UTF-8
export LC_ALL
tool=$1/cltestcheck
cd "$2/tests/proofs/host/classes" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# run KERNEL OPTIONS…: the kernel's verdict, and what was said
run() {
  "$tool" verify --db "$work/db" --no-cache --no-bounds --no-confirm --timeout 60 --format json="$work/json" "$@" \
    >"$work/out" 2>&1 </dev/null
  verdict=$(sed -n 's/.*"verdict": "\([a-z-]*\)".*/\1/p' "$work/json" | head -n 1)
}

# expect NAME VERDICTS [WORDS]
expect() {
  case " $2 " in
  *" $verdict "*)
    if [ -z "${3:-}" ] || tr '\n' ' ' <"$work/out" | tr -s ' ' | grep -qF -- "$3"; then
      echo "ok $1"
      return
    fi
    ;;
  esac
  echo "FAIL $1: $verdict, not $2, or without: ${3:-}"
  cat "$work/out"
  failed=1
}

# class NAME FACT: one that the proof uses
class() {
  run "$1.cl"
  expect "$1: kernel alone" "race possible-race"
  run --host "$1.c" "$1.cl"
  expect "$1: with its host code" verified "$2"
  expect "$1: for every run" verified "for every run of $1.c"
  run --host "$1.c" --host-options -DRACY "$1.cl"
  expect "$1: with the racy host code" "race possible-race"
}

class asserts "rows == cols"
class one_group "get_global_size(0) == get_local_size(0)"
class relation "get_global_size(0) == width"
class size_of_argument "get_global_size(0) == n"
class loop_bound "(loop_bound.c:11)"
class allocation "row_size"

# what is done under a lock is a possible race, however many locks there are
run --host lock.c lock.cl
expect "lock" possible-race "count == 1"
run --host lock.c --host-options -DRACY lock.cl
expect "locks" "race possible-race" "count == 4"

# in Python
if python3 -c '' >"$work/out" 2>&1; then
  run --host ring.py size_of_argument.cl
  expect "python" verified "n == 64"
  expect "python: for every run" verified "for every run of ring.py"
  run --host ring_racy.py size_of_argument.cl
  expect "python: racy" "race possible-race"
  "$tool" verify --db "$work/db" --host ring.py --host lock.c size_of_argument.cl >"$work/out" 2>&1 && failed=1
  grep -qF "lock.c is no Python" "$work/out" && echo "ok python and C" || { echo "FAIL python and C"; cat "$work/out"; failed=1; }
  echo 'def (' >"$work/wrong.py"
  "$tool" verify --db "$work/db" --host "$work/wrong.py" size_of_argument.cl >"$work/out" 2>&1 && failed=1
  grep -qF "wrong.py cannot be read" "$work/out" && echo "ok no Python" || { echo "FAIL no Python"; cat "$work/out"; failed=1; }
fi
exit $failed
