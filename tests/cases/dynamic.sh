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

fail() {
  echo "FAIL $*"
  failed=1
}

# mutate WAY FILE OPTION…: the mutants in "mutants", a line each: LINE ORIGINAL -> REPLACEMENT: STATUS, REASON, REVEALED
mutate() {
  way=$1 file=$2
  shift 2
  "$build/cltestcheck" mutate --runs 1 --format json=report.json "$@" -- "$host" "$way" "$cases/$file" >out 2>&1 </dev/null ||
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

case $part in
sight | sight_more | prints | builds | golden | lock | deadlock) $part ;;
*) fail "there is no part $part" ;;
esac
exit $failed
