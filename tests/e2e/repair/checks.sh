# What the tests of repair share: read by them, with BUILD_DIR as $1. Expected values of programs are worked out in awk.
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT CLTESTCHECK_TEST_CASE LD_PRELOAD
tool=$build/cltestcheck
failed=0

bad() {
  echo "FAIL $1: $2"
  cat err diff 2>/dev/null | sed 's/^/    /'
  failed=1
}

# repaired NAME OPTIONS VALUE DIFF: the kernel of standard input is repaired; VALUE is out[i] in awk, in_(k) being what the
# program gives, sum(g) the sum of that for a group, g the group and t the work-item in it; DIFF are the lines that the patch changes, without blanks at their ends.
repaired() {
  [ -n "$file" ] || file=kernel.cl
  cat >"$file"
  cp "$file" before
  rm -f cltestcheck.db
  # shellcheck disable=SC2086 # options are words
  "$tool" repair --local 64 --groups 2 $2 "$file" >diff 2>err </dev/null
  status=$?
  cmp -s "$file" before || { bad "$1" "the file was changed"; return; }
  [ $status = 0 ] || { bad "$1" "status $status"; return; }
  grep '^[-+]' diff | grep -v '^---\|^+++' | tr -d '\r' | sed 's/ *$//' >changed
  printf '%s\n' "$4" >wanted
  cmp -s changed wanted || { bad "$1" "another patch"; return; }
  patch -s --binary -p1 <diff || { bad "$1" "it cannot be applied"; return; }
  [ "${CLTC_FULL:-0}" = 0 ] || rm -f cltestcheck.db # the proof that repair made is kept there
  "$tool" verify --no-confirm --no-bounds --fail-on possible --local 64 --groups 2 "$file" >proof 2>&1 </dev/null ||
    { bad "$1" "it is not proved"; cat proof; return; }
  "$build/repair_host" "$file" >values || { bad "$1" "it does not run"; return; }
  awk 'function in_(k) { return 7 * k % 101 }
    function sum(g,  k, s) { for (k = 0; k < 64; k++) { s += in_(64 * g + k) } return s }
    function odd(g,  k, s) { for (k = 0; k < 64; k++) { s += in_(64 * g + k) % 2 } return s }
    function most(g,  k, s) { for (k = 0; k < 64; k++) { if (in_(64 * g + k) > s) { s = in_(64 * g + k) } } return s }
    BEGIN { for (i = 0; i < 128; i++) { g = int(i / 64); t = i % 64; print ('"$3"') } }' >expected
  cmp -s values expected && echo "ok $1" || bad "$1" "it computes something else"
  file=
}

# remains NAME STATUS WORDS [OPTIONS]: the kernel of standard input is not repaired, and nothing is changed.
remains() {
  cat >kernel.cl
  cp kernel.cl before
  # shellcheck disable=SC2086 # options are words
  "$tool" repair --local 64 --groups 2 ${4:-} kernel.cl >diff 2>err </dev/null
  status=$?
  if [ $status != "$2" ]; then
    bad "$1" "status $status"
  elif [ -s diff ]; then
    bad "$1" "there is a patch"
  elif ! cmp -s kernel.cl before; then
    bad "$1" "the file was changed"
  elif ! tr -s '\n ' '  ' <err | grep -qF -- "$3"; then
    bad "$1" "without: $3"
  else
    echo "ok $1"
  fi
}
file=

