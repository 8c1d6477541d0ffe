#!/bin/sh
# generate.sh BUILD [FILE.cl:KERNEL…]: kernels of tests/cases/generate/, each against the reference of its file (default:
# all). Those whose names begin with `faulty` must differ from it, the others must not.
set -u
build=$1
shift
folder=$(dirname "$(readlink -f "$0")")/generate
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
[ $# -gt 0 ] || set -- $(cd "$folder" && grep -o 'void [a-z_]*' ./*.cl | sed 's|^\./||; s/:void /:/' | grep -v ':reference')
failed=0
for pair in "$@"; do
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
