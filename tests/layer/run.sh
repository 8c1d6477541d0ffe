#!/bin/sh
# Runs the layer's host programs without and with the layer: run.sh BUILD_DIR [TEST…]
# BUILD_DIR holds libcltestcheck-layer.so, libcltestcheck-preload.so, layer_fake_server and layer_NAME of every NAME.c.
# One line a test; exit 1 when one failed.
build=$(cd "$1" && pwd) || exit 1
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD LAYER_EXPECT
unset CLTESTCHECK_GUARD_ZONES CLTESTCHECK_OBSERVE CLTESTCHECK_WATCH CLTESTCHECK_FILL
failed=0

# lines of the program's first comment: field NAME
field() { sed -n "1,/\*\//s/^[ /]*\* *$1: \(.*\)/\1/p" "$source" | sed 's/ *\*\/$//'; }

fail() {
  echo "FAIL $name ($1)"
  [ -n "$2" ] && sed 's/^/    /' "$2"
  failed=1
}

# run WAY LAYER PRELOAD
check() {
  rm -f "$work/watch"
  env $environment FAKE_PRELOAD="$3" CLTESTCHECK_WATCH="$work/watch" "$build/layer_fake_server" "$2" "$work/log" "$build/layer_$name" $arguments \
    >"$work/with" 2>"$work/with.err"
  status=$?
  if [ "$status" != "$plain" ]; then
    fail "$1: exit status $status, $plain without the layer" "$work/with"
  elif ! cmp -s "$work/without" "$work/with" || ! cmp -s "$work/without.err" "$work/with.err"; then
    diff "$work/without" "$work/with" >"$work/diff"
    diff "$work/without.err" "$work/with.err" >>"$work/diff"
    fail "$1: output differs" "$work/diff"
  elif ! sort "$work/log" | diff "$work/expect" - >"$work/diff"; then
    fail "$1: evidence differs" "$work/diff"
  else
    echo "ok $name ($1)"
  fi
}

for source in "$here"/*.c; do
  name=$(basename "$source" .c)
  [ "$name" = fake_server ] && continue
  if [ $# -gt 0 ]; then
    case " $* " in *" $name "*) ;; *) continue ;; esac
  fi
  environment=$(field env)
  arguments=$(field arguments)
  # what the program does by itself: with the preload library of no layer, it is the same; it may add expectations
  : >"$work/more"
  env $environment LAYER_EXPECT="$work/more" "$build/layer_$name" $arguments $(field plain) \
    >"$work/without" 2>"$work/without.err"
  plain=$?
  { field expect; cat "$work/more"; } | sort >"$work/expect"
  if [ -n "$(field layer)" ]; then # the program loads it itself
    environment="$environment CLTC_LAYER=$build/libcltestcheck-layer.so"
    check entry - ""
    continue
  fi
  check layer "$build/libcltestcheck-layer.so" ""
  check preload - "$build/libcltestcheck-preload.so"
  check both "$build/libcltestcheck-layer.so" "$build/libcltestcheck-preload.so"
done
exit $failed
