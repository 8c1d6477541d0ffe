#!/bin/sh
# observe.sh BUILD SOURCE: the planted host programs, run with many arguments on a stub of OpenCL. No launch may contradict
# the facts that are found in their code.
build=$1
programs=$2/tests/proofs/host/programs
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
runs=0
for file in "$programs"/*.c "$programs"/*.cpp; do
  name=$(basename "$file")
  case $name in
    damaged.c | library.c) continue ;; # they do not link
    *.cpp) compile=c++ ;;
    *) compile=cc ;;
  esac
  command -v $compile >/dev/null || continue
  "$build/host_check" "$file" >"$work/check.c" || { echo "FAILED: $name: not read"; failed=1; continue; }
  cc -w -c -I "$2/tests/proofs/host" -o "$work/check.o" "$work/check.c" &&
    cc -w -c -o "$work/stub.o" "$2/tests/proofs/host/stub.c" &&
    $compile -w -o "$work/program" "$file" "$work/check.o" "$work/stub.o" -lm -lpthread ||
    { echo "FAILED: $name does not compile"; failed=1; continue; }
  for arguments in "" 1 2 7 16 64 100 1000 -5 "8 8" "7 3" "64 64 4" "3 5 7" "40 -3" "40 100" "12 12 5 9 2 1" "1 2 3 4 5 6" \
    "33 1 1" "0 0" "2 -1 4"; do
    # shellcheck disable=SC2086 # they are words
    timeout 20 "$work/program" $arguments >"$work/out" 2>&1
    code=$?
    runs=$((runs + 1))
    if [ $code -eq 9 ]; then
      echo "FAILED: $name $arguments: $(cat "$work/out")"
      failed=1
    fi
  done
done
echo "$runs runs"
exit $failed
