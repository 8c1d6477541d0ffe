#!/bin/sh
# test: cost=10
# Launch mutants of a program whose right verdicts are known by thought: launches.sh BUILD_DIR SOURCE_DIR
# By replays, by the program itself, and without debug information; at the host's line in each report.
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
source=$(cd "$2" && pwd)/tests/e2e/programs/launches_host.c
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD
failed=0

# Lines of the calls.
line() { grep -n "$1" "$source" | head -1 | cut -d: -f1; }
checked=$(line '/\* checked \*/')
unchecked=$(line '/\* unchecked \*/')
call() { awk -v head="$1(program *p) {" 'index($0, head) { inside = 1 }
  inside && /clEnqueueNDRangeKernel/ { print NR; exit }' "$source"; }
whole=$(call whole)
fixed=$(call fixed)
flat=$(call flat)

# mutate NAME PROGRAM OPTION…: the mutants in NAME, a line each: line|description|status|reason|revealed
mutate() {
  name=$1 program=$2
  shift 2
  "$build/cltestcheck" mutate --operators launch --no-cache --db "$name.db" --format json="$name.json" "$@" \
    -- "$program" >"$name.out" 2>&1 </dev/null
  status=$?
  sed -n 's/.*"line": \([0-9]*\), .*"description": "\([^"]*\)".*"status": "\([^"]*\)", "reason": "\([^"]*\)", "revealed": \([a-z]*\),.*/\1|\2|\3|\4|\5/p' \
    "$name.json" | sort >"$name"
  if [ "$status" != 0 ]; then
    echo "FAIL $name: status $status"
    cat "$name.out"
    failed=1
  fi
}

same() { # same NAME EXPECTED FOUND
  if diff "$2" "$3" >"$work/difference" && [ -s "$2" ]; then
    echo "ok $1"
  else
    echo "FAIL $1"
    cat "$work/difference"
    failed=1
  fi
}

# What is certain: 60 of 64 work-items do something, so that a group more does nothing and one less leaves elements out;
# nothing depends on how large groups are, or on `unused`; what `checked` makes is compared, the rest is not.
for place in "$checked true" "$unchecked false"; do
  set -- $place
  sed "s/^/$1|fill is launched with /; s/REVEALED/$2/" <<END
a work-group less in dimension 0|killed|output|REVEALED
a work-group more in dimension 0|survived||null
half the work-group size in dimension 0|survived||null
twice the work-group size in dimension 0|survived||null
the global offset + 1 in dimension 0|killed|output|REVEALED
argument 1 (n) + 1|survived||null
argument 1 (n) - 1|killed|output|REVEALED
argument 1 (n) 0|killed|output|REVEALED
argument 2 (unused) + 1|survived||null
argument 2 (unused) - 1|survived||null
argument 2 (unused) 0|survived||null
END
done >expected
# No guard: one more writes past the buffer. The kernel `fixed` is compiled for groups of 8.
cat >>expected <<END
$whole|whole is launched with a work-group less in dimension 0|killed|output|false
$whole|whole is launched with a work-group more in dimension 0|killed|out of bounds|false
$whole|whole is launched with half the work-group size in dimension 0|survived||null
$whole|whole is launched with twice the work-group size in dimension 0|survived||null
$whole|whole is launched with the global offset + 1 in dimension 0|killed|out of bounds|false
$whole|whole is launched with argument 1 (by) + 1|killed|output|false
$whole|whole is launched with argument 1 (by) - 1|killed|output|false
$whole|whole is launched with argument 1 (by) 0|killed|output|false
$fixed|fixed is launched with a work-group less in dimension 0|killed|output|false
$fixed|fixed is launched with a work-group more in dimension 0|killed|out of bounds|false
$fixed|fixed is launched with half the work-group size in dimension 0|invalid||null
$fixed|fixed is launched with twice the work-group size in dimension 0|invalid||null
$fixed|fixed is launched with the global offset + 1 in dimension 0|killed|out of bounds|false
$flat|flat is launched with dimensions 0 and 1 of the global size exchanged|killed|output|true
$flat|flat is launched with a work-group less in dimension 0|killed|output|true
$flat|flat is launched with a work-group less in dimension 1|killed|output|true
$flat|flat is launched with a work-group more in dimension 0|killed|output|true
$flat|flat is launched with a work-group more in dimension 1|killed|output|true
$flat|flat is launched with the global offset + 1 in dimension 0|killed|output|true
$flat|flat is launched with the global offset + 1 in dimension 1|killed|output|true
END
sort -o expected expected

mutate replayed "$build/launches_host" --runs 2 --format sarif=sarif --format junit=junit --format html=html \
  --format github=github --format stryker=stryker --format markdown=markdown
same "by replays" expected replayed

# A program does not tell who writes past a buffer.
sed 's/^\(.*work-group more.*\)|killed|out of bounds|false/\1|survived||null/; s/out of bounds/output/' expected | sort >rerun_expected
mutate rerun "$build/launches_host" --runs 2 --engine rerun
same "by the program" rerun_expected rerun

# The addresses of the calls, in the order of the lines.
strip -g -o bare "$build/launches_host"
mutate bare_found ./bare --runs 2
cut -d'|' -f2- expected | sort >bare_expected
cut -d'|' -f2- bare_found | sort >bare_cut
same "without debug information" bare_expected bare_cut
if [ "$(grep -o '"file": "bare+0x[0-9a-f]*"' bare_found.json | sort -u | wc -l)" != 5 ]; then
  echo "FAIL without debug information: not five addresses"
  failed=1
fi

shown() { # shown FILE PATTERN
  if grep -q "$2" "$1"; then
    echo "ok $1"
  else
    echo "FAIL $1: no $2"
    failed=1
  fi
}
shown sarif "\"startLine\": $unchecked"
shown junit "launches_host.c\" name=\"$unchecked:"
shown html "launches_host.c"
shown github "launches_host.c,line=$unchecked,"
shown stryker '"language": "c"'
shown markdown "launches&#95;host.c:$unchecked"
shown replayed.out "launches_host.c:$unchecked:"
exit $failed
