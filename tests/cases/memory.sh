#!/bin/sh
# Kernels that do something wrong with memory, and their twins that do not: memory.sh BUILD HOST [FILE…]
# HOST does what the head of a file says (memory_host.c). A line with an error ends with "// ERROR: RULE"; "// EXPECT: RULE" in the
# head says so of an error of the host, with the call that the device refused. Each file is run under `cltestcheck memory`: findings are those lines and no others; what
# has none gives what it gives without. One line a file; exit 1 on a wrong word.
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
host=$2
shift 2
here=$(cd "$(dirname "$0")/memory" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD
failed=0

# one FILE
one() {
  {
    sed -n 's/^\/\/ EXPECT: //p' "$here/$1"
    grep -n '// ERROR: ' "$here/$1" | sed 's/^\([0-9]*\):.*ERROR: \([a-z-]*\).*/\2 \1/'
  } | sort -u >"$work/expected"
  status=0
  [ ! -s "$work/expected" ] || status=3
  rm -f "$work"/run.db "$work"/report.json
  "$build/cltestcheck" memory --db "$work/run.db" --format "json=$work/report.json" -- "$host" "$here/$1" \
    >"$work/output" 2>"$work/text"
  seen=$?
  grep -oE '"rule": "[a-z-]*", "kernel": [^,]*, "file": [^,]*, "line": [0-9a-z]*, "message": "[^:]*' "$work/report.json" |
    sed 's/"rule": "\([a-z-]*\)".*"line": \([0-9][0-9]*\).*/\1 \2/; s/"message".* to launch .*/clEnqueueNDRangeKernel/
      s/"message".* refused \(cl[A-Za-z]*\).*/\1/; s/, "message".*//; s/"rule": "\([a-z-]*\)".*"line": null,*/\1/' | sort -u >"$work/found"
  wrong=
  cmp -s "$work/expected" "$work/found" || wrong="findings: $(diff "$work/expected" "$work/found" | grep '^[<>]' | tr '\n' ' ')"
  [ $seen = $status ] || wrong="$wrong exit $seen instead of $status"
  if [ $status = 0 ]; then
    "$host" "$here/$1" >"$work/alone" 2>&1
    cmp -s "$work/alone" "$work/output" || wrong="$wrong other output than without"
  fi
  ! grep -q '"skipped": \[{' "$work/report.json" || wrong="$wrong something was skipped"
  if [ -n "$wrong" ]; then
    echo "FAIL $1:$wrong"
    tail -n 5 "$work/text" | sed 's/^/    /'
    failed=1
  else
    echo "ok $1: $(wc -l <"$work/expected") errors"
  fi
}

[ $# -gt 0 ] || set -- $(cd "$here" && ls bad/*.cl good/*.cl)
for file in "$@"; do
  one "$file"
done
exit $failed
