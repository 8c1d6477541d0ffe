#!/bin/bash
# test: cost=10
# A campaign with more mutants than its time: campaign.sh BUILD_DIR
#
# A kernel of 45 statements has 1,038 mutants. `mutate --max-time` ends in time, with verdicts of some of them, and says how
# many are not decided; those that are were drawn evenly over operators; --resume goes on. On a busy
# machine the time may be over before the first verdict: then it gets more. One line a check; exit 1 when one failed.
set -u
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD NO_COLOR
export POCL_CACHE_DIR=$work/cache
mkdir "$work/cache"
cd "$work" || exit 1
failed=0
tolerance=20 # seconds; the machine may be busy

check() {
  local name=$1
  shift
  if "$@" > check.out 2>&1; then
    echo "ok $name"
  else
    failed=$((failed + 1))
    echo "FAIL $name: $*"
    head -n 12 check.out err
  fi
}

# Every statement is reached by some of the 8 work-items: sum is never below 0. Per statement: rel 6, logic 1, arith 16; and 3 of `i + 100`.
{
  echo '__kernel void work(__global int *out) {'
  echo '  int i = get_global_id(0);'
  echo '  int sum = i + 100;'
  for ((n = 0; n < 45; n++)); do
    echo "  if (i < $((n % 7 + 1)) && sum > $((n % 5)))"
    echo "    sum = ((sum % 97) * $((n % 3 + 2)) + i) - $n + 400;"
  done
  echo '  out[i] = sum;'
  echo '}'
} > work.cl

# campaign SECONDS [OPTION…]: its exit status in $status, the seconds that it took in $taken
campaign() {
  local seconds=$1 from=$SECONDS
  shift
  timeout -k 5 $((seconds + 100)) "$build/cltestcheck" mutate --runs 3 --max-time "$seconds" --format json=a.json "$@" \
    -- "$build/e2e_host" file ./work.cl > out 2> err < /dev/null
  status=$?
  taken=$((SECONDS - from))
}

# mutants WHAT STATUS…: one line for each mutant of these statuses
mutants() {
  local what=$1
  shift
  grep '^    {"id": .*"status": ' a.json | grep -E "\"status\": \"(${*// /|})\"" | grep -o "\"$what\": [^,]*"
}
count() { mutants id "$@" | wc -l; }
ran="killed|survived|undecided"

for seconds in 6 8 11 15 20 27 36 50; do
  rm -f cltestcheck.db*
  campaign $seconds
  [ $status = 5 ] || break
  check "time that was too short: said, and in time" test $taken -le $((seconds + tolerance))
  check "time that was too short: the sentence" grep -q 'max-time was over before any mutant had a verdict' err
done
check "it ends with 0" test $status = 0
check "it ends in time: $taken of $seconds seconds" test $taken -le $((seconds + tolerance))
some=$(count $ran)
left=$(count pending)
all=$(grep -c '^    {"id": .*"status": ' a.json)
check "some mutants have verdicts" test "$some" -ge 1
check "some have none" test "$left" -ge 1
check "the sentence says how many" grep -q "max-time is over: $left of $all mutants are not decided" err
check "the report says so" grep -q "Partial: $left of $all mutants are not decided" err
# Operators have their share: of 23 mutants of a statement 6 are rel, 16 arith. The draw is even, so what is more than a few
# away is wrong; mutants that are equivalent have no verdict of runs.
rel=$(mutants operator $ran equivalent duplicate | grep -c '"rel"')
drawn=$(count $ran equivalent duplicate)
check "operators have their share: $rel of $drawn are rel" test $((rel * 23 - drawn * 6)) -ge $((-23 * 6)) -a $((rel * 23 - drawn * 6)) -le $((23 * 6))
check "the score has an interval" grep -q '"interval": \[' a.json

mutants id $ran | sort > before
campaign $((seconds + 1)) --resume
check "--resume: it ends in time" test $taken -le $((seconds + 1 + tolerance))
mutants id $ran equivalent duplicate | sort > after
check "--resume: no verdict is lost" sh -c 'test -z "$(comm -23 before after)"'
exit $((failed > 0))
