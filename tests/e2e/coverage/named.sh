#!/bin/sh
# Test cases that a program names itself (cltestcheck.h): named.sh BUILD_DIR. Evidence belongs to the test case in which
# a launch was enqueued, on queues that keep an order and on others, in processes that a test case starts, and when the
# launch runs in the next test case.
# Of the 7 lines of the kernel in named_host.c the first way covers 5 (1 to 4 and 7), the second 6 (1 to 3 and 5 to 7).
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT CLTESTCHECK_TEST_CASE LD_PRELOAD
failed=0

value() { "$build/check_expected" report.json --get "$1"; }

# "NAME: launches lines branches exit" of each test case
test_cases() {
  i=0
  while name=$(value test_cases.$i.name 2>/dev/null) && [ -n "$name" ]; do
    echo "$name: $(value test_cases.$i.launches) $(value test_cases.$i.lines) $(value test_cases.$i.branches)" \
      "$(value test_cases.$i.exit)"
    i=$((i + 1))
  done
}

# seen MODE STATUS TOTAL WANTED: what the mode's test cases show, its exit status, and branches covered in all
seen() {
  "$build/cltestcheck" coverage --quiet --db "$1.db" --format json=report.json -- "$build/named_host" "$1" 2>err
  status=$?
  test_cases >out
  printf '%s\n' "$4" >wanted
  total=$(value coverage.branch.covered)
  if [ $status = "$2" ] && [ "$total" = "$3" ] && cmp -s out wanted; then
    echo "ok $1"
  else
    echo "FAIL $1: exit status $status, $total branches"
    diff wanted out
    cat err
    failed=1
  fi
}

several="before all: 0 0 0 0
all: 1 5 1 0
none: 1 6 1 0
half: 2 7 2 1
nothing: 0 0 0 0"
seen in-order 4 2 "$several"
seen out-of-order 4 2 "$several"
seen outside 0 2 "named_host: 1 5 1 0
none: 1 6 1 0"
seen late 0 2 "first: 1 5 1 0
second: 1 6 1 0"
seen child 0 2 "starts a process: 1 5 1 0
none: 1 6 1 0"
seen once 0 1 "named_host: 1 5 1 0"

# Without cltestcheck the program is as it always was.
"$build/named_host" in-order || { echo "FAIL plain"; failed=1; }

# The command that a test case names is in reports; a program that ends in a test case is one of its failures.
"$build/cltestcheck" coverage --quiet --db a.db --format json=report.json -- "$build/named_host" in-order
[ "$(value test_cases.2.command)" = "./named none" ] || { echo "FAIL command"; failed=1; }
"$build/cltestcheck" coverage --quiet --db b.db --format json=report.json -- "$build/named_host" crash 2>err
status=$?
if [ "$status $(value test_cases.0.exit) $(value test_cases.1.name) $(value test_cases.1.exit)" != "4 0 crashes 134" ]; then
  echo "FAIL crash: $status, $(test_cases)"
  failed=1
fi
exit $failed
