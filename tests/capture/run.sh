#!/bin/sh
# Runs the host programs of the capture layer without and with it: run.sh BUILD_DIR [TEST…]
# BUILD_DIR holds libcltestcheck-capture.so, show_capture, cltestcheck-replay and capture_NAME of every NAME.c here.
# Output and exit status must be the same, the capture what the program says it should be (expect.h), and what is
# replayed must read the same. Lines ` * run: [ARGUMENT] [VARIABLE=VALUE]… : REASON` of a program's first comment are runs
# of which only that much is expected: the capture is unsuitable for that reason. One line a run; exit 1 when one failed.
build=$(cd "$1" && pwd) || exit 1
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT CLTESTCHECK_WORKER LD_PRELOAD
unset CLTESTCHECK_CAPTURE_FILE CLTESTCHECK_CAPTURE_CAP CAPTURE_EXPECT
failed=0

fail() {
  echo "FAIL $name $words ($1)"
  [ -n "$2" ] && sed 's/^/    /' "$2" | cut -c1-300
  failed=1
}

# Runs the program without and with the layer; false if there was a difference.
both() {
  rm -f "$work"/raw* "$work"/packed "$work"/expect
  : >"$work/expect"
  env $variables "$build/capture_$name" $arguments >"$work/without" 2>"$work/without.err"
  without=$?
  env $variables OPENCL_LAYERS="$build/libcltestcheck-capture.so" CLTESTCHECK_CAPTURE_FILE="$work/raw" \
    CAPTURE_EXPECT="$work/expect" "$build/capture_$name" $arguments >"$work/with" 2>"$work/with.err"
  with=$?
  if [ "$with" != "$without" ]; then
    cat "$work/with.err" >>"$work/with"
    fail "exit status $with, $without without the layer" "$work/with"
    return 1
  fi
  if ! cmp -s "$work/without" "$work/with" || ! cmp -s "$work/without.err" "$work/with.err"; then
    diff "$work/without" "$work/with" >"$work/diff"
    diff "$work/without.err" "$work/with.err" >>"$work/diff"
    fail "output differs" "$work/diff"
    return 1
  fi
  "$build/show_capture" "$work/raw" "$work/packed" >"$work/shown" && return 0
  fail "no capture" "$work/shown"
  return 1
}

check_refused() {
  both || return
  if [ "$(sed -n 's/^unsuitable: //p' "$work/shown")" != "$1" ]; then
    fail "not: $1" "$work/shown"
  elif ! grep -q '^packed: the same' "$work/shown"; then
    fail "the packed one is another" "$work/shown"
  else
    echo "ok $name $words: $1"
  fi
}

check_recorded() {
  both || return
  sed -n '/^device known/q;p' "$work/shown" >"$work/commands"
  if ! diff "$work/expect" "$work/commands" >"$work/diff"; then
    fail "another capture" "$work/diff"
  elif ! grep -q '^packed: the same, smaller' "$work/shown" || grep -q '^unsuitable' "$work/shown"; then
    fail "unsuitable, or the packed one is another" "$work/shown"
  elif ! "$build/cltestcheck-replay" "$work/packed" >"$work/replayed" 2>&1; then
    fail "replayed, it reads something else" "$work/replayed"
  else
    echo "ok $name: $(wc -l <"$work/commands") commands, $(cat "$work/replayed")"
  fi
}

for source in "$here"/*.c; do
  name=$(basename "$source" .c)
  [ -x "$build/capture_$name" ] || continue
  if [ $# -gt 0 ]; then
    case " $* " in *" $name "*) ;; *) continue ;; esac
  fi
  sed -n '1,/\*\//s/^ \* run: *//p' "$source" | sed 's/ *\*\/$//' >"$work/runs"
  words= variables= arguments=
  [ -s "$work/runs" ] || check_recorded
  while read -r line; do
    words=${line%% : *} variables= arguments=
    for word in $words; do
      case $word in *=*) variables="$variables $word" ;; *) arguments="$arguments $word" ;; esac
    done
    check_refused "${line#* : }" </dev/null
  done <"$work/runs"
done
exit $failed
