#!/bin/sh
# constructs.sh BUILD FOLDER: the kernel files of the folder with the gate, bare under the reverse order, must give what
# they give without it; so must those with barriers or odd loops with coverage and watch words, under a random order. Of both
# every other one, all with CLTC_FULL=1.
build=$1
folder=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$folder" || exit 2

gated() { # NAME OPTIONS ORDER FILE…
  name=$1
  CONSTRUCTS_BUILD=$2 CONSTRUCTS_ORDER=$3
  export CONSTRUCTS_BUILD CONSTRUCTS_ORDER
  shift 3
  "$build/constructs_host" "$@" >"$work/$name.plain" 2>/dev/null
  "$build/constructs_gated" "$@" >"$work/$name" 2>"$work/$name.log"
}
some() { awk -v full="${CLTC_FULL:-0}" -v which="$1" 'full == 1 || NR % 2 == which'; }
# shellcheck disable=SC2046 # the names hold no blanks
gated bare -DCLTC_BARE reverse $(ls ./*.cl | some 0) &
# shellcheck disable=SC2046
gated covered -DCLTC_WATCH random $(grep -l "barrier\|for (;;)\|do {" ./*.cl | some 1) &
wait

failed=0
for mode in bare covered; do
  if ! diff "$work/$mode.plain" "$work/$mode"; then
    echo "FAILED: the gate ($mode) changes results"
    failed=1
  fi
  if grep "not gated" "$work/$mode.log" | grep -v "jumps into a loop"; then
    echo "FAILED: these files should be gated ($mode)"
    failed=1
  fi
done
if [ "$(grep -c "^test" "$work/bare.plain")" -lt $((${CLTC_FULL:-0} ? 80 : 40)) ] || [ "$(grep -c "not gated" "$work/bare.log")" -gt 12 ]; then
  echo "FAILED: too few kernels were compared"
  failed=1
fi
echo "$(grep -c "^test" "$work/bare.plain") launches, $(grep -c "not gated" "$work/bare.log") programs without a gate"
exit $failed
