#!/bin/sh
# device.sh BUILD SOURCE SEEDS: kernel files of constructs/ and random kernels, printed back from their trees, compute on the
# device what the originals compute, with implicit conversions written as casts. All expressions of these and of the
# kernels of suites/ are typed.
build=$1
source=$2
seeds=$3
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
wrong() { # SENTENCE
  echo "FAILED: $1"
  failed=1
}

# --- constructs: all but the one whose results are the length of its file's name ---
cd "$source/tests/constructs" || exit 2
# shellcheck disable=SC2046 # the names hold no blanks
set -- $(ls ./*.cl | grep -v file_name)
"$build/constructs_host" "$@" >"$work/plain" 2>/dev/null &
CONSTRUCTS_PRINT=convert "$build/constructs_printed" "$@" >"$work/converted" 2>"$work/log"
wait
diff "$work/plain" "$work/converted" || wrong "printed back the kernel files compute something else"
if grep "not read\|are typed" "$work/log"; then
  wrong "not all is typed"
fi
launches=$(grep -c "^test" "$work/plain")
[ "$launches" -ge 80 ] || wrong "too few kernels were compared: $launches"

# --- random kernels ---
mkdir "$work/print" "$work/convert" || exit 2
list=$(seq 1 "$seeds")
for seed in $list; do
  "$build/property_show" "$seed" options >"$work/$seed.cl"
  options=$(sed -n 's:^/\* options\: \(.*\) \*/$:\1:p' "$work/$seed.cl")
  for mode in print convert; do
    # shellcheck disable=SC2086 # several options
    "$build/tree_text" $mode "$work/$seed.cl" $options >"$work/$mode/$seed.cl" || wrong "seed $seed is not read"
  done
  # shellcheck disable=SC2086
  "$build/tree_text" unknown "$work/$seed.cl" $options
done >"$work/unknown"
[ -s "$work/unknown" ] && { cat "$work/unknown"; wrong "random kernels are not all typed"; }
# shellcheck disable=SC2086
"$build/property_host" "$work/results" $list || wrong "the random kernels do not run"
for mode in print convert; do
  # shellcheck disable=SC2086
  PROPERTY_TEXTS="$work/$mode" "$build/property_host" "$work/results.$mode" $list || wrong "random kernels, $mode"
  cmp "$work/results" "$work/results.$mode" || wrong "printed back ($mode) random kernels compute something else"
done

# --- benchmarks ---
for file in "$source"/suites/*/*.cl; do
  "$build/tree_text" count "$file" -I "$source/suites/stencil" -D GROUP=64 -D TILE=16 -D BLOCK=64 -D FAR=99 -D UNSEEN=-1 \
    -D SOFTENING=0.1f -D WALL=9 || wrong "$file is not read"
done | awk '{ all += $1; typed += $2 } END { print all " expressions in suites/, typed: " typed; exit all != typed || all < 2000 }' ||
  wrong "the kernels of suites/ are not all typed"
echo "$launches launches of kernel files, $seeds random programs"
exit $failed
