#!/bin/sh
# Cases of `mutate`, `coverage` and `amplify` whose right words are known by thought, and were once wrong: dynamic.sh BUILD PART
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
part=$2
cases=$(cd "$(dirname "$0")/dynamic" && pwd) || exit 1
host=$build/dynamic_host
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD
failed=0
words=

fail() {
  echo "FAIL $*"
  failed=1
}

# mutate WAY FILE OPTION…, with more words for the program in $words: the mutants in "mutants", a line each: LINE ORIGINAL -> REPLACEMENT: STATUS, REASON, REVEALED
mutate() {
  way=$1 file=$2
  shift 2
  "$build/cltestcheck" mutate --runs 1 --format json=report.json "$@" -- "$host" "$way" "$cases/$file" $words >out 2>&1 </dev/null ||
    fail "$way $file $*: status $?: $(cat out)"
  sed -n 's/.*"line": \([0-9]*\), .*"original": "\([^"]*\)", "replacement": "\([^"]*\)".*"status": "\([^"]*\)", "reason": "\([^"]*\)", "revealed": \([a-z]*\),.*/\1 \2 -> \3: \4, \5, \6/p' \
    report.json | sort >mutants
  shown="$way $file $*"
}

# are N WORDS: so many mutants, all with these words
are() {
  if [ "$(wc -l <mutants)" = "$1" ] && [ "$(grep -c ": $2\$" mutants)" = "$1" ]; then
    echo "ok $shown: $1 $2"
  else
    fail "$shown: not $1 $2: $(cat mutants out)"
  fi
}

# is MUTANT WORDS
is() {
  if grep -qxF "$1: $2" mutants; then
    echo "ok $shown: $1: $2"
  else
    fail "$shown: not $1: $2: $(cat mutants)"
  fi
}

says() { grep -q -- "$1" out || fail "$shown: does not say $1: $(cat out)"; }
says_not() { ! grep -q -- "$1" out || fail "$shown: says $1: $(cat out)"; }

# What a program sees without a call that reads, it sees in replays, too: each of the six mutants of the line changes
# some element, and the program looks at all.
sight() {
  for way in map-for-writing own-part $*; do
    mutate $way line.cl --operators arith --no-cache --engine replay
    are 6 'killed, output, true'
  done
  mutate own-marker line.cl --operators arith --no-cache
  are 6 'killed, output, true'
  says 'cannot be replayed.*own memory (CL_MEM_USE_HOST_PTR)'
  mutate map-to-fill line.cl --operators arith --no-cache
  are 6 'survived, , null'
  says_not 'cannot be replayed'
}

# The same by starts of the program, and in more ways.
sight_more() {
  sight map-copy own-finish own-event own-block
  for way in map-for-writing map-copy own-finish own-event own-block own-part; do
    mutate $way line.cl --operators arith --no-cache --engine rerun
    are 6 'killed, output, true'
  done
}

# same WAY FILE: replays and starts of the program say the same of each mutant, and of whether the program notices. Why one
# is killed may differ: a replay ends at the first read that does, and the program goes on.
same() {
  mutate "$1" "$2" --operators paper,const --no-cache --engine replay
  sed 's/: \([a-z-]*\), [^,]*, /: \1, /' mutants >replayed
  mutate "$1" "$2" --operators paper,const --no-cache --engine rerun
  sed 's/: \([a-z-]*\), [^,]*, /: \1, /' mutants >rerun
  if [ -s rerun ] && cmp -s replayed rerun; then
    echo "ok $1 $2: both engines say the same of $(wc -l <rerun) mutants"
  else
    fail "$1 $2: the engines differ: $(diff replayed rerun)"
  fi
}

# Thirty-three programs: ten ways to look at three kernels, and three kernels that are built twice.
engines() {
  for file in line.cl other_line.cl third_line.cl; do
    for way in read map-for-writing map-copy map-part read-part read-rectangle own-finish own-event own-part own-copy; do
      same $way $file
    done
  done
  for file in two_builds.cl reached_build.cl one_build.cl; do
    same two-builds $file
  done
}

# What a kernel prints counts where standard output does.
prints() {
  mutate print-only prints.cl --operators arith --no-cache --oracle output
  are 6 'killed, output, true'
  says 'cannot be replayed: its kernels print'
  mutate print-only prints.cl --operators arith --no-cache
  are 6 'survived, , null'
  says 'cannot be replayed: it reads nothing back'
}

# A text that is built with S=1 and with S=2.
builds() {
  # n is 0 with S=1: `>=` subtracts it there, `<=` too, and not where n is 5. In each build alone two of the three are one.
  mutate two-builds two_builds.cl --operators rel --no-cache
  is '4 > -> <' 'killed, output, false'
  is '4 > -> <=' 'killed, output, false'
  is '4 > -> >=' 'survived, , null'
  # Where S is 2 `>=` is the same, and where S is 1 it is not; there nothing comes to the place.
  mutate two-builds reached_build.cl --operators rel --no-cache --kernel k
  is '4 > -> >=' 'survived, , null'
  is '4 > -> <' 'killed, output, false'
  is '4 > -> <=' 'killed, output, false'
  # What is built with S=2 is not launched: the same places are executed all the same.
  mutate one-of-two one_build.cl --operators arith,rel --no-cache
  is '3 * -> /' 'equivalent, , null'
  is '3 * -> +' 'killed, output, false'
  is '4 > -> <' 'equivalent, , null'
  is '4 > -> <=' 'killed, output, false'
  is '4 > -> >=' 'duplicate, , null'
}

# Expected values are in a file that no command names, and then they are not. The data stay known, the answer does not.
golden() {
  seq 3 5 78 >golden.txt
  mutate golden line.cl --operators arith --db golden.db
  are 6 'killed, output, true'
  rm golden.txt
  mutate golden line.cl --operators arith --db golden.db
  are 6 'killed, output, false'
  says 'Reused: 6 of 6'
}

# A divisor that another operator makes zero is a crash, in both engines.
divisors() {
  for engine in replay rerun; do
    mutate read divisors.cl --operators const,arith,index --no-cache --no-equivalence --engine $engine
    is '3 1 -> 0' 'killed, crash, true'
    is '3 1 -> 2' 'killed, output, false'
    is '4 1 -> 0' 'killed, crash, true'
    is '4 1 -> -1' 'survived, , null'
    is '4 + -> *' 'killed, crash, true'
    is '4 get_local_id(1) -> (get_local_id(1) - 1)' 'killed, crash, true'
  done
}

# 32,768 turns of 2 end at once, with the same output; 65536 * 2^15 wraps around and is below zero: no turn more. Whatever
# operators there are beside it.
turns() {
  words='-DX 65536'
  for operators in assign assign,rel; do
    mutate read halves.cl --operators $operators --no-cache "$@"
    is '3 /= -> -=' 'survived, , null'
    is '3 /= -> *=' 'killed, output, false'
  done
}

# `do … while (0 && i)` is no loop, and has no conditions: those of the other `do` and the `if` are four, with two outcomes each.
done_once() {
  "$build/cltestcheck" coverage --format json=report.json -- "$host" read "$cases/done_once.cl" >out 2>&1 </dev/null
  found=$(sed -n 's/^  "coverage": .*"condition": {"covered": [0-9]*, "total": \([0-9]*\)}.*/\1/p' report.json)
  if [ "$found" = 8 ]; then
    echo "ok done_once.cl: 8 outcomes of conditions"
  else
    fail "done_once.cl: $found outcomes of conditions: $(cat out)"
  fi
}

# amplify FILE OPTION…: the JSON in report.json
amplify() {
  file=$1
  shift
  "$build/cltestcheck" amplify --format json=report.json "$@" -- "$host" groups "$cases/$file" >out 2>&1 </dev/null
  status=$?
  shown="$file $*"
}

# A lock is no race, whether there was time to see that or not.
lock() {
  amplify lock.cl --max-time 20
  [ $status != 5 ] || amplify lock.cl --max-time 90 # a busy machine had no time for a schedule
  if [ $status = 0 ] && grep -q '"race": 0,' report.json && ! grep -q '"verdict": "race"' report.json; then
    echo "ok $shown: no race, exit status 0"
  else
    fail "$shown: exit status $status: $(cat out)"
  fi
}

# A schedule that hangs twice is a deadlock, and so is another one of its launch that has hung once.
deadlock() {
  amplify flags.cl --timeout 5 --runs 5 --order reverse,random
  hangs=$(sed -n 's/.*"outcomes": "\(D*\)".*/\1/p' report.json | tr -d '\n')
  if [ $status = 3 ] && [ "$hangs" = DDD ]; then
    echo "ok $shown: three hangs of two schedules"
  else
    fail "$shown: exit status $status, hangs $hangs: $(cat out)"
  fi
  says 'never ended'
}

# order KERNEL…: what only the order of work-groups decides is said, in each word that it decides, and nothing of what it does
# not. Where the device varies by itself, the first reference holds another order than the last one.
order() {
  cp "$cases/order.cl" .
  sed "s/{k: .*/{k: [$(echo "$*" | sed 's/ /, /g')]}/" "$cases/order.yaml" >order.yaml
  "$build/cltestcheck" amplify --runs 3 --format json=report.json order.yaml >out 2>&1 </dev/null
  python3 - <<'P' || fail "order.yaml: $(cat out)"
import json, sys
wrong, seen = [], {}
for s in json.load(open("report.json"))["schedules"]:
    seen.setdefault(s["kernel"], set()).add(s["verdict"])
for kernel, verdicts in sorted(seen.items()):
    what = {"order": "order-dependent", "race": "race", "same": "consistent"}[kernel.split("_")[0]]
    right = what in verdicts and verdicts <= {what, "consistent"}
    print("ok" if right else "wrong", kernel, sorted(verdicts))
    wrong += [] if right else [kernel]
sys.exit(1 if wrong or not seen else 0)
P
}

order_more() { order order_two order_last order_first order_float race_one race_many same_sum same_own; }

# made: what one macro or header makes several times is covered each by itself. Four of nine kernels are launched; `help_int` is
# called, `help_float` is not. Executed lines are those that use a macro for these, and all of the header's.
made() {
  "$build/cltestcheck" coverage --format text --format lcov=report.info "$cases/made.yaml" >out 2>&1 </dev/null
  shown=made.yaml
  says '^kernel  *4  *9 '
  says '^function  *5  *11 '
  says '^line  *10  *14 '
  sed -n 's/^FNDA:0,//p' report.info | sort | tr '\n' ' ' >never
  [ "$(cat never)" = "help_float minus_float minus_int part_float plus_float second " ] || fail "made.yaml: never entered: $(cat never)"
  [ "$(grep -c '^DA:.*,0$' report.info)" = 4 ] || fail "made.yaml: lines not executed: $(grep '^DA:' report.info)"
}

case $part in
made) made ;;
order) order order_one order_many race_two same_slots ;;
order_more) order_more ;;
sight | sight_more | engines | prints | builds | golden | lock | deadlock | divisors | turns | done_once) $part ;;
*) fail "there is no part $part" ;;
esac
exit $failed
