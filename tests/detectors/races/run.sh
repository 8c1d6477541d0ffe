#!/bin/sh
# Planted races and their twins: run.sh BUILD_DIR SOURCE_DIR [FILE.cl…]
# Each kernel file is run twice under `cltestcheck races`: its kernels with a race in one program, exit 3, and its kernels
# without one in another, exit 0. What is expected is in cases.txt. One line a kernel; exit 1 when one failed.
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
here=$(cd "$2/tests/detectors/races" && pwd) || exit 1
shift 2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD
failed=0

# launches FILE KIND: the launches of its rows of that kind, with "+" between them
launches() {
  awk -F '|' -v file="$1" -v kind="$2" '
    /^file / { split($0, word, " "); here = word[2] == file }
    here && NF == 4 {
      gsub(/ /, "", $1)
      if (($2 ~ /race|divergence/) == (kind == "found")) { printf "%s%s %s", between, $1, $4; between = " + " }
    }' "$here/cases.txt"
}

# one FILE KIND EXIT: a run, compared with the table
one() {
  words=$(launches "$1" "$2")
  [ -n "$words" ] || return
  options=$(sed -n "s/^file $1 *//p" "$here/cases.txt")
  rm -f run.db report.json
  # shellcheck disable=SC2086 # words are words of the command line
  "$build/cltestcheck" races --db run.db --format json=report.json -- \
    "$build/races_launcher" -o "$options" "$here/$1" $words >text 2>&1
  status=$?
  if [ $status != "$3" ]; then
    echo "FAIL $1: exit $status instead of $3 for kernels that are $2"
    tail -n 12 text | sed 's/^/    /'
    failed=1
  fi
  if ! "$build/races_findings" report.json >findings; then
    failed=1
    return
  fi
  awk -v file="$1" -v kind="$2" -f "$here/judge.awk" "$here/$1" findings "$here/cases.txt" >lines
  cat lines
  ! grep -q '^FAIL' lines || failed=1
}

[ $# -gt 0 ] || set -- $(sed -n 's/^file \([^ ]*\).*/\1/p' "$here/cases.txt")
for file in "$@"; do
  one "$file" found 3
  one "$file" clean 0
done
exit $failed
