#!/bin/sh
# generate.sh BUILD FILE.cl[:KERNEL]…: kernels of tests/cases/generate/ (without a name, all of a file), each against the
# reference of its file. Those whose names begin with `faulty` must differ from it, the others must not.
set -u
build=$1
shift
folder=$(dirname "$(readlink -f "$0")")/generate
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
kernels_of() {
  case $1 in
    *:*) echo "$1" ;;
    *) sed -n "s/.*kernel void \([a-z_]*\).*/$1:\1/p" "$folder/$1" | grep -v ':reference' ;;
  esac
}
failed=0
for pair in $(for what in "$@"; do kernels_of "$what"; done); do
  file=${pair%:*} kernel=${pair#*:} wanted=0 words='no difference in'
  case $kernel in faulty*) wanted=3 words='difference: ' ;; esac
  assume=$(sed -n '1s/.*--assume "\(.*\)".*/\1/p' "$folder/$file")
  "$build/cltestcheck" generate --db "$work/db" --max-time "${SECONDS_EACH:-60}" --against reference --kernel "$kernel" \
    ${assume:+--assume "$assume"} "$folder/$file" >"$work/out" 2>&1
  code=$?
  if [ $code -eq $wanted ] && grep -q "^  $words" "$work/out"; then
    echo "ok   $pair"
  else
    echo "FAIL $pair: exit status $code, not $wanted"
    sed 's/^/    /' "$work/out"
    failed=$((failed + 1))
  fi
done
[ $failed -eq 0 ]
