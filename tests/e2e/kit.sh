# What the sections of run.sh share: $build, $source, $tool, $host, a folder to work in, and the checks. Sourced by run.sh.
# shellcheck shell=sh disable=SC2154

LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
source=$(cd "$2" && pwd) || exit 1
tool=$build/cltestcheck
host=$build/e2e_host
checker=$build/check_expected
work=$(mktemp -d) || exit 1
chmod 755 "$work"
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD NO_COLOR
passed=0
failed=0
skipped=0
mounted=

end() {
  [ -n "$mounted" ] && umount "$mounted"
  rm -rf "$work"
}
trap end EXIT

# --- checks -----------------------------------------------------------------------------------------------------------

ok() {
  passed=$((passed + 1))
  echo "ok $1"
}

# fail NAME SENTENCE [FILE…]: the files' first lines are shown
fail() {
  failed=$((failed + 1))
  echo "FAIL $1: $2"
  shift 2
  for shown in "$@"; do
    sed "s/^/    $(basename "$shown"): /" "$shown" | head -n 12
  done
}

skip() {
  skipped=$((skipped + 1))
  echo "skip $1: $2"
}

# check NAME COMMAND…: the command succeeds
check() {
  name=$1
  shift
  if "$@" >"$work/check.out" 2>&1; then
    ok "$name"
  else
    fail "$name" "$* gives $?" "$work/check.out"
  fi
}

# A fresh folder to work in, with output files beside it.
fresh() {
  cd "$work" || exit 1
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
    fail "$1" "exit status $status instead of $2" "$work/out" "$work/err"
  elif [ -n "$3" ] && ! grep -q -- "$3" "$work/err"; then
    fail "$1" "no \"$3\" on standard error" "$work/err"
  else
    ok "$1"
  fi
}

# sentence: whether standard error is one line that begins with our name, and standard output is empty
sentence() {
  [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" = 1 ] && grep -q '^cltestcheck: [^ ]' "$work/err"
}

# bad NAME STATUS PATTERN ARGS…: one sentence with PATTERN in it, and not a file more than before
bad() {
  bad_name=$1
  bad_status=$2
  bad_pattern=$3
  shift 3
  ls -A >"$work/before"
  run "$@"
  if ! sentence; then
    fail "$bad_name" "not one sentence on standard error" "$work/out" "$work/err"
  elif ! ls -A | cmp -s - "$work/before"; then
    ls -A >"$work/after"
    fail "$bad_name" "files were left behind" "$work/after"
  else
    expect "$bad_name" "$bad_status" "$bad_pattern"
  fi
}

# value FILE PATH: of a JSON report
value() { "$checker" "$1" --get "$2"; }

# same NAME WANTED COMMAND…: the command prints what is wanted
same() {
  same_name=$1
  same_wanted=$2
  shift 2
  same_seen=$("$@" 2>&1)
  if [ "$same_seen" = "$same_wanted" ]; then
    ok "$same_name"
  else
    fail "$same_name" "\"$same_seen\" instead of \"$same_wanted\""
  fi
}

# Waits until a file is there and not empty, at most 60 seconds.
wait_for() {
  waited=0
  while [ ! -s "$1" ] && [ $waited -lt 600 ]; do
    sleep 0.1
    waited=$((waited + 1))
  done
  [ -s "$1" ]
}

# Whether a process ends within 5 seconds.
gone() {
  waited=0
  while kill -0 "$1" 2>/dev/null && [ $waited -lt 50 ]; do
    sleep 0.1
    waited=$((waited + 1))
  done
  ! kill -0 "$1" 2>/dev/null
}

as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
can_be_nobody() { [ "$(id -u)" = 0 ] && as_nobody true >"$work/check.out" 2>&1; }

# Whether there are terminals to be had; a bare root may have none.
has_terminals() { script -qec true /dev/null >"$work/check.out" 2>&1 </dev/null; }
