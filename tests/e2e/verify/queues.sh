#!/bin/sh
# test: cost=10
# Commands of programs that race, and twins that do not, as `verify` reports them: queues.sh BUILD_DIR
# What each program of queues_host.c does is said there. A stand-in for the proof engine answers nothing.
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
line=$(grep -n 'CHECK(clEnqueueNDRangeKernel' "$(dirname "$0")/../programs/queues_host.c") || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT CLTESTCHECK_TEST_CASE LD_PRELOAD
failed=0

# The tool looks for its files beside itself.
mkdir "$work/tool" "$work/here" && cd "$work/here" || exit 1
cp "$build/cltestcheck" "$work/tool/"
for file in libcltestcheck-layer.so libcltestcheck-capture.so libcltestcheck-preload.so cltestcheck-replay suites; do
  ln -s "$build/$file" "$work/tool/$file"
done
printf '#!/bin/sh\ncat >/dev/null\n' >"$work/tool/cltestcheck-verify"
chmod +x "$work/tool/cltestcheck-verify"

# Runs a program; `found` are its findings, a line each: definite, rule, kernel, the two commands, the accesses.
run() {
  rm -f ./*.db "$work/json" "$work/sarif" "$work/page" "$work/junit"
  "$work/tool/cltestcheck" verify --db here.db --format json="$work/json" --format sarif="$work/sarif" \
    --format html="$work/page" --format junit="$work/junit" -- "$build/queues_host" "$@" >"$work/out" 2>&1 </dev/null
  status=$?
  "$build/show_findings" "$work/json" >"$work/found"
}

fail() {
  echo "FAIL $*"
  cat "$work/found" "$work/out"
  failed=1
}

# racy NAME STATUS LINES: of the program; its twin has no finding.
racy() {
  run "$1"
  if [ "$status" != "$2" ]; then
    fail "$1: status $status, not $2"
  elif [ "$(cat "$work/found")" != "$3" ]; then
    fail "$1: not: $3"
  else
    echo "ok $1"
  fi
  run "$1" ordered
  clean "$1 ordered"
}

clean() {
  if [ "$status" != 0 ] || [ -s "$work/found" ]; then
    fail "$1: status $status, not 0, or findings"
  else
    echo "ok $1"
  fi
}

buffer="memory object 1 (a buffer of 4096 bytes)"
fill="launch 1 of kernel fill"
racy out-of-order 3 "definite|host-race|fill|$fill and launch 1 of kernel twice|first write 1 second read 5|$buffer"
racy two-queues 3 "definite|host-race|fill|$fill and launch 2 of kernel fill|first write 1 second write 1|$buffer"
racy read-meanwhile 3 "definite|host-race|fill|$fill and call 1 of clEnqueueReadBuffer|first write 1|$buffer"
racy blocking-read 3 "definite|host-race|fill|$fill and call 1 of clEnqueueReadBuffer|first write 1|$buffer, bytes 0 to 63"
racy next-input 3 "definite|host-race|twice|launch 1 of kernel twice and call 1 of clEnqueueWriteBuffer|first read 5|$buffer, bytes 256 to 1279"
racy mapping 3 "definite|host-race|fill|$fill and call 1 of clEnqueueMapBuffer|first write 1|$buffer"
racy marker 3 "definite|host-race|fill|$fill and launch 1 of kernel twice|first write 1 second read 5|$buffer"
racy sub-buffers 3 "definite|host-race|part|launch 1 of kernel part and launch 2 of kernel part|first write 10 second write 10|$buffer, bytes 1024 to 2047"
racy third-command 3 "definite|host-race|fill|call 1 of clEnqueueCopyBuffer and $fill|second write 1|$buffer"
racy user-event 3 "definite|host-race|fill|$fill and launch 1 of kernel twice|first write 1 second read 5|$buffer"
racy halves 3 "definite|host-race|part|launch 1 of kernel part and launch 2 of kernel part|first write 10 second write 10|$buffer, bytes 1024 to 2047"
racy still-mapped 3 "definite|mapped|fill|call 1 of clEnqueueMapBuffer and $fill|second write 1|$buffer, bytes 0 to 127"
racy held-mapped 3 "definite|mapped|fill|call 1 of clEnqueueMapBuffer and $fill|second write 1|$buffer, bytes 0 to 127"
racy transfers 3 "definite|host-race||call 1 of clEnqueueWriteBuffer and call 1 of clEnqueueFillBuffer||$buffer, bytes 512 to 1023"
racy scattered 0 "possible|host-race|scatter|launch 1 of kernel scatter and launch 2 of kernel scatter|first write 15 second write 15|$buffer"
for name in both-read both-atomic waited plain callback thread rows; do
  run "$name"
  clean "$name"
done

# The other reports say the same.
run out-of-order
words="launch 1 of kernel twice (queues_host.c:${line%%:*}) may run at the same time"
tr '\n' ' ' <"$work/out" | tr -s ' ' | grep -qF "$words" || fail "text: $words"
tr '\n' ' ' <"$work/out" | tr -s ' ' | grep -qF "second command: launch 1 of kernel twice (clEnqueueNDRangeKernel, in queue 1, which is out of order)" ||
  fail "text: queue"
grep -q '"ruleId": *"host-race"' "$work/sarif" || fail "SARIF"
grep -qF "$words" "$work/page" || fail "page"
grep -q '<failure' "$work/junit" || fail "JUnit"
"$work/tool/cltestcheck" report --db here.db 2>&1 | grep -q 'race between commands' || fail "report of the database"
run scattered
grep -q '<failure' "$work/junit" && fail "JUnit: what is possible failed"
"$work/tool/cltestcheck" verify --fail-on possible --db here.db -- "$build/queues_host" scattered >/dev/null 2>&1 </dev/null
[ $? = 2 ] || fail "--fail-on possible"
printf 'suppressions:\n  - rule: host-race\n    reason: meant\n' >cltestcheck.yaml
run out-of-order
[ "$status" = 0 ] || fail "suppressed: status $status"
exit $failed
