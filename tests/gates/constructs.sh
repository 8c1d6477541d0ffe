#!/bin/sh
# constructs.sh BUILD FOLDER: the kernel files of the folder with the gate, bare under the reverse order and with coverage
# and watch words under a random one, must give what they give without it.
build=$1
folder=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$folder" || exit 2

gated() { # NAME OPTIONS ORDER
  CONSTRUCTS_BUILD=$2 CONSTRUCTS_ORDER=$3 "$build/constructs_gated" ./*.cl >"$work/$1" 2>"$work/$1.log"
}
gated bare -DCLTC_BARE reverse &
gated covered -DCLTC_WATCH random &
"$build/constructs_host" ./*.cl >"$work/plain" 2>/dev/null
wait

failed=0
for mode in bare covered; do
  if ! diff "$work/plain" "$work/$mode"; then
    echo "FAILED: the gate ($mode) changes results"
    failed=1
  fi
  if grep "not gated" "$work/$mode.log" | grep -v "jumps into a loop"; then
    echo "FAILED: these files should be gated ($mode)"
    failed=1
  fi
done
if [ "$(grep -c "^test" "$work/plain")" -lt 80 ] || [ "$(grep -c "not gated" "$work/bare.log")" -gt 12 ]; then
  echo "FAILED: too few kernels were compared"
  failed=1
fi
echo "$(grep -c "^test" "$work/plain") launches, $(grep -c "not gated" "$work/bare.log") programs without a gate"
exit $failed
