#!/bin/sh
# End-to-end tests of what reports are about: names of files, which runs belong together, what is not measured, broken
# databases, exits. views.sh BUILD_DIR SOURCE_DIR [SECTION…]: the functions named section_… are the sections.
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
shift 2
tool=$build/cltestcheck
host=$build/e2e_host
checker=$build/check_expected
work=$(mktemp -d) || exit 1
unset OPENCL_LAYERS LD_PRELOAD NO_COLOR GITHUB_BASE_REF
failed=0
trap 'rm -rf "$work"' EXIT

ok() { echo "ok $1"; }

# fail NAME SENTENCE: with what the last `run` wrote
fail() {
  failed=$((failed + 1))
  echo "FAIL $1: $2"
  head -n 12 "$work/out" "$work/err" | cut -c 1-160 | sed 's/^/    /'
}

# check NAME COMMAND…: the command succeeds
check() {
  check_name=$1
  shift
  if "$@"; then ok "$check_name"; else fail "$check_name" "$* fails"; fi
}

# same NAME WANTED COMMAND…: the command prints what is wanted
same() {
  same_name=$1
  same_wanted=$2
  shift 2
  same_got=$("$@")
  if [ "$same_got" = "$same_wanted" ]; then ok "$same_name"; else fail "$same_name" "\"$same_got\" instead of \"$same_wanted\""; fi
}

fresh() {
  rm -rf "$work/here"
  mkdir "$work/here"
  cd "$work/here" || exit 1
}

# run ARGS…: cltestcheck, with its output in $work/out and $work/err and its exit status in $status
run() {
  "$tool" "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
}

# expect NAME STATUS [PATTERN]: what the last `run` gave; PATTERN is looked for on standard error
expect() {
  if [ "$status" != "$2" ]; then
    fail "$1" "exit status $status instead of $2"
  elif [ -n "$3" ] && ! grep -q -- "$3" "$work/err"; then
    fail "$1" "no \"$3\" on standard error"
  else
    ok "$1"
  fi
}

for part in paths default exits annotate; do . "$(dirname "$0")/views_$part.sh"; done

if [ $# = 0 ]; then
  set -- $(sed -n 's/^\(section_[a-z_]*\)() {$/\1/p' "$(dirname "$0")"/views*.sh | sed 's/section_//')
fi
for section in "$@"; do
  "section_$section"
done
[ "$failed" = 0 ]
