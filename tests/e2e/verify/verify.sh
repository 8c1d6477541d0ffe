#!/bin/sh
# cltestcheck verify from its command line to its exit status, with a stand-in for the proof engine that keeps what it is asked
# and answers what the test wants: verify.sh BUILD_DIR
# test: sample quick cost=15
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
guarded=$(cd "$(dirname "$0")/../../../suites/vector-guarded" && pwd)/vector-guarded.cl || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT CLTESTCHECK_TEST_CASE LD_PRELOAD
failed=0

# The tool looks for its files beside itself.
mkdir "$work/tool" "$work/here" && cd "$work/here" || exit 1
cp "$build/cltestcheck" "$work/tool/"
for file in libcltestcheck-layer.so libcltestcheck-capture.so libcltestcheck-preload.so libcltestcheck-replace.so cltestcheck-replay suites; do
  ln -s "$build/$file" "$work/tool/$file"
done
tool=$work/tool/cltestcheck
cat >"$work/tool/cltestcheck-verify" <<X
#!/bin/sh
cat >"$work/request"
echo asked >>"$work/asked"
cat "$work/answers"
[ ! -e "$work/hangs" ] || { echo \$\$ >"$work/hangs"; sleep 100; }
[ ! -e "$work/dies" ] || kill -9 \$\$
exit 0
X
chmod +x "$work/tool/cltestcheck-verify"

fresh() { rm -rf "$work/here"/* "$work/asked" "$work/hangs" "$work/dies"; : >"$work/answers"; cp "$work/two.cl" .; }
run() { "$tool" "$@" >"$work/out" 2>"$work/err" </dev/null; status=$?; }

# expect NAME STATUS [WORDS]: of the last run; the words are somewhere in what it said.
expect() {
  if [ "$status" = "$2" ] && { [ -z "${3:-}" ] || cat "$work/out" "$work/err" | tr '\n' ' ' | tr -s ' ' | grep -qF -- "$3"; }; then
    echo "ok $1"
  else
    echo "FAIL $1: status $status, not $2, or without: ${3:-}"
    cat "$work/out" "$work/err"
    failed=1
  fi
}
check() {
  name=$1
  shift
  if "$@" >/dev/null 2>&1; then echo "ok $name"; else
    echo "FAIL $name"
    failed=1
  fi
}
# shellcheck disable=SC2317 # check calls it
asked() { grep -qF -- "$1" "$work/request"; }
answer() { printf '%s\n' "$1" >>"$work/answers"; }

cat >"$work/two.cl" <<'X'
kernel void racy(global int *a, int n) {
  a[get_global_id(0) / 2] = n + (int)get_global_id(0);
}
kernel void fine(global int *a) {
  a[get_global_id(0)] = 1;
}
X

proof='{"kernel":"fine","file":"two.cl","line":4,"verdict":"verified","reason":"","preconditions":["0 < 1"],"findings":[]}'
place() {
  printf '{"role":"%s","access":"write","file":"two.cl","line":%s,"column":3,"inlined":[],"local":[%s,0,0],"group":[0,0,0]}' "$1" "$2" "$3"
}
# counterexample VERDICT RULE DEFINITE LINE
counterexample() {
  printf '{"kernel":"racy","file":"two.cl","line":1,"verdict":"%s","reason":"","findings":[{"rule":"%s","definite":%s,' "$1" "$2" "$3"
  printf '"places":[%s,%s],' "$(place first "$4" 0)" "$(place second "$4" 1)"
  printf '"array":"a","space":"global","element":0,"element_size":4,"bytes":4,"local_size":[2,1,1],"groups":[1,1,1],'
  printf '"offset":[0,0,0],"arguments":{"n":7},"contents":{"a":[[3,9]]},"depends_on":[],"path":[]}]}\n'
}
race=$(counterexample race data-race true 2)
possible=$(counterexample possible-race data-race false 2)

# --- files, options, exit status ---
fresh
answer "$proof"
answer "$race"
run verify --no-confirm --local 64 --groups '*' --assume 'n > 0' --alias --no-benign --no-bounds --barriers --explain --warp-sync 32 \
  --warp-resync --timeout 5 --query-timeout 2 --memory 256 --jobs 3 two.cl -- -DX=1 '-DY="a b"'
expect "a race" 3 "writes a[0] (line 2)"
for part in '"kernel":"racy"' '"kernel":"fine"' '"local":[64,1,1]' '"groups":[null,1,1]' '"assume":["n > 0"]' '"alias":true' '"benign":false' \
  '"bounds":false' '"barriers":true' '"explain":true' '"warp":32' '"warp_resync":true' '"timeout":5.0' '"query_timeout":2.0' \
  '"memory":268435456' '"jobs":3' '"file":"two.cl"' "\"directory\":\"$PWD\"" '"options":"-DX=1 \"-DY=\\\"a b\\\"\" -I ."'; do
  check "asked: $part" asked "$part"
done
run report --format json=-
check "the report has the proof" grep -q '"verified"' "$work/out"

fresh
answer "$proof"
answer "$possible"
run verify --no-confirm two.cl
expect "a possible race" 0 "possible"
run verify --no-confirm --no-cache --fail-on possible two.cl
expect "--fail-on possible" 2
run verify --no-confirm --kernel fine two.cl
expect "--kernel: one is proved" 0
check "--kernel: one is taken over" sh -c "grep -q '1 of 1 kernels are as an earlier run' '$work/err'"
run verify --no-confirm --no-cache --fail-under verified=60 two.cl
expect "--fail-under" 2 "verified"
run verify --no-confirm --no-cache --fail-under verified=50 two.cl
expect "--fail-under that is reached" 0
run verify --kernel nothing two.cl
expect "no kernel" 5 "--kernel and --exclude leave no kernel"

# --- proofs that are known ---
fresh
answer "$proof"
answer "$race"
run verify --no-confirm two.cl
run verify --no-confirm two.cl
expect "again: taken over" 3 "2 of 2 kernels are as an earlier run"
check "again: nothing is asked" sh -c "[ \$(wc -l <'$work/asked') = 1 ]"
run verify --no-confirm --no-cache two.cl
check "--no-cache asks" sh -c "[ \$(wc -l <'$work/asked') = 2 ]"
run verify --no-confirm two.cl -- -DX
check "other options are asked about" sh -c "[ \$(wc -l <'$work/asked') = 3 ]"
sed -i 's/= 1;/= 2;/' two.cl
run verify --no-confirm two.cl
check "another text is asked about" sh -c "[ \$(wc -l <'$work/asked') = 4 ]"

# --- suppressed ---
fresh
answer "$race"
answer "$proof"
printf 'suppressions:\n  - rule: data-race\n    reason: known\n' >cltestcheck.yaml
run verify --no-confirm two.cl
expect "a suppressed race" 0

# --- an engine that fails ---
fresh
answer "$proof"
touch "$work/dies"
run verify two.cl
expect "the engine dies" 0 "ended with status 137 and without an answer"
check "what it had said is kept" grep -q 'fine *verified' "$work/err"
fresh
answer "no JSON"
run verify two.cl
expect "a damaged answer" 70 "an answer that cannot be read"
fresh
answer '{"error":"two.cl:2:1: error: unknown type name x","code":1}'
run verify two.cl
expect "a source that does not compile" 1 "two.cl:2:1: error: unknown type name x"
fresh
answer "$proof"
touch "$work/hangs"
"$tool" verify two.cl >"$work/out" 2>"$work/err" </dev/null &
process=$!
n=0
while [ ! -s "$work/hangs" ] && [ $n -lt 100 ]; do sleep 0.1; n=$((n + 1)); done
kill -INT $process
wait $process
status=$?
expect "interrupted" 130 "what was decided so far is kept"
check "interrupted: what was decided" grep -q 'fine *verified' "$work/err"
check "interrupted: the engine is gone" sh -c "! kill -0 \$(cat '$work/hangs')"
rm "$work/hangs"

# --- words ---
for words in "" "nothing.cl" "two.cl suites" "--local 0 two.cl" "--local 1,2,3,4 two.cl" "--groups 3x two.cl" "--warp-sync 0 two.cl" \
  "--fail-on all two.cl" "--memory 1 two.cl" "--query-timeout -1 two.cl" "--local 4 bfs" "--alias -- true" "no-such-benchmark"; do
  # shellcheck disable=SC2086
  run verify $words
  expect "verify $words" 1 "cltestcheck: "
done

fresh
answer "$race"
answer "$proof"
run verify --assume 'm > 0' two.cl
expect "an assumption about nothing" 1 "no kernel has an argument m"
run verify --assume 'n > 0' two.cl
expect "an assumption about one of the kernels" 3 "1 of 2 kernels verified, 1 race"
answer '{"kernel":"fine","file":"two.cl","line":4,"verdict":"unsupported","reason":"the assumption `a ==`: an operand is missing","wrong_assumption":true,"findings":[]}'
sed -i '2d' "$work/answers"
run verify --no-cache --kernel fine --assume 'a ==' two.cl
expect "an assumption that is no expression" 1 'cltestcheck: the assumption `a ==`: an operand is missing'
fresh
answer "$race"
answer "$proof"
run verify two.cl -- ./program
expect "a program after kernel files" 1 '"./program" is none'
run verify two.cl -- -D X=1 -I . -DY
expect "options with values of their own" 3
echo text >notes.txt
run verify notes.txt
expect "another file" 1 '"notes.txt" is no kernel file'

[ "${CLTC_SANITIZED:-0}" = 0 ] || exit $failed # the rest is like this, and goes through the same code

# --- programs ---
fresh
run verify --no-confirm spmv
expect "a benchmark" 0 "multiply"
for part in '"arguments":{"rows":60}' '"local":[32,1,1],"groups":[2,1,1]' \
  '"column":{"bytes":720,"memory":1,"offset":0,"contents":["within:0:59"]}' '"x":{"bytes":240,"memory":3,"offset":0,"contents":[]}'; do
  check "observed: $part" asked "$part"
done
"$tool" capture -q spmv.cltc -- "$build/suites/spmv/spmv" random >/dev/null 2>&1
if [ -e spmv.cltc ]; then
  run verify --no-confirm --kernel multiply spmv.cltc
  expect "a capture" 0 "multiply"
fi
run verify -- false
expect "a program that fails at once" 4 "failed with exit status 1 before it did anything"
run verify -- true
expect "a program without OpenCL" 5

# --- host code ---
fresh
cat >host.cl <<'X'
kernel void fill(global int *a, int n, int step) {
  if (get_global_id(0) < n) {
    a[get_global_id(0) * step] = (int)get_global_id(0);
  }
}
X
# host STEP: a host program
host() {
  cat <<X
#include <CL/cl.h>
#include <stdlib.h>
cl_command_queue q; cl_program p; cl_context c;
int main(int argc, char **argv) {
  const int n = atoi(argv[1]), step = $1;
  size_t local[1] = {64}, global[1] = {(n + 63) / 64 * 64};
  cl_mem a = clCreateBuffer(c, CL_MEM_READ_WRITE, n * sizeof(int), NULL, NULL);
  cl_kernel k = clCreateKernel(p, "fill", NULL);
  clSetKernelArg(k, 0, sizeof a, &a);
  clSetKernelArg(k, 1, sizeof n, &n);
  clSetKernelArg(k, 2, sizeof step, &step);
  return clEnqueueNDRangeKernel(q, k, 1, NULL, global, local, 0, NULL, NULL);
}
X
}
host 1 >main.c
answer '{"kernel":"fill","file":"host.cl","line":1,"verdict":"verified","reason":"","preconditions":["get_work_dim() == 1","step == 1"],"findings":[]}'
run verify --host main.c host.cl
expect "host code" 0 "fill verified for every run of main.c"
expect "host code: a fact that is used" 0 "fill: step == 1 (main.c:11)"
expect "host code: sizes are always used" 0 "fill: get_local_size(0) == 64 (main.c:12)"
check "host code: others are not told" sh -c "! grep -q 'n > 0' '$work/err'"
for part in '"local":[64,1,1],"groups":[null,1,1]' '"step == 1"' '"get_global_size(0) == ((n + 63) / 64) * 64"' '"elements(a) == (ulong)n"' \
  '"alias":false'; do
  check "host code: asked: $part" asked "$part"
done
run report --format json=-
check "host code: JSON" grep -q '"host": "main.c"' "$work/out"
fresh
host 1 >main.c
host 'given()' | sed 's/^int main/int given(void);\n&/' >open.c
printf 'kernel void fill(global int *a, int n, int step) {\n  a[get_global_id(0) * step] = n;\n}\n' >host.cl
fill=$(echo "$race" | sed 's/"kernel":"[a-z]*"/"kernel":"fill"/; s/two.cl/host.cl/g')
answer "$fill"
run verify --no-cache --host main.c host.cl
expect "host code: what buffers hold is not shown" 0 "fill possible-race"
echo "$fill" | sed 's/"contents":{[^}]*}/"contents":{}/' >"$work/answers"
run verify --no-cache --host main.c host.cl
expect "host code: a race" 3 "fill race"
run verify --no-cache --host open.c host.cl
expect "host code that is not followed: a race is possible" 0 "fill possible-race"
expect "host code that is not followed: why" 0 "what the host code at open.c:6 does not show"
run verify --host main.c --local 64 host.cl
expect "sizes beside host code" 1 "--local and --host exclude each other"
run verify --host none.c host.cl
expect "no host file" 1 '"none.c" cannot be read'
run verify --host-options -DN=1 host.cl
expect "options without host code" 1 "--host-options are for the files of --host"
echo 'int main(void) { return 0; }' >empty.c
run verify --host empty.c host.cl
expect "host code without launches" 1 "no launch of a kernel was found"
fresh
answer "$(printf '{"kernel":"axpy","file":"a.cl","line":1,"verdict":"verified","reason":"","preconditions":[],"findings":[]}')"
cat >axpy.c <<'X'
#include <CL/cl.h>
#include <stdlib.h>
cl_command_queue q; cl_program p;
int main(int argc, char **argv) {
  const int n = -1;
  size_t global[1] = {(size_t)atoi(argv[1])};
  cl_kernel k = clCreateKernel(p, "axpy", NULL);
  clSetKernelArg(k, 0, sizeof n, &n);
  return clEnqueueNDRangeKernel(q, k, 1, NULL, global, NULL, 0, NULL, NULL);
}
X
run verify --host axpy.c --kernel axpy vector-guarded
expect "a launch that contradicts host code" 70 "contradicts what was read in axpy.c (n == -1, axpy.c:8)"

# --- amplify takes proofs for what they are worth ---
# verified KERNEL PRECONDITIONS ATOMICS: an answer
verified() {
  printf '{"kernel":"%s","file":"vector-guarded.cl","line":3,"verdict":"verified","reason":"","preconditions":[%s],' "$1" "$2"
  printf '%s"launches":{"given":2,"proved":2},"findings":[]}' "$3"
}
ordered() { run amplify --runs 1 --targets 1 "$@" vector-guarded; }
fresh
answer "$(verified axpy '' '"one_result":true,')"
answer "$(verified limit '' '"one_result":false,')"
run verify --quiet "$guarded"
ordered
expect "a proof about all launches" 0 "2 launches: proved: one result (proof 1) (kernel axpy)"
expect "a kernel with atomics is run" 0 "limit 1 8 2 4 4"
ordered --no-trust-proofs
expect "--no-trust-proofs" 0 "axpy 2"
check "--no-trust-proofs: nothing is left out" sh -c "! grep -q proved '$work/err'"
fresh
answer "$(verified axpy '"n == get_global_size(0)"' '"one_result":true,')"
run verify --quiet --kernel axpy "$guarded"
ordered
check "a proof that rests on something else" sh -c "! grep -q 'proved:' '$work/err'"
fresh
answer "$(verified axpy '' '')"
run verify --quiet --kernel axpy "$guarded"
ordered
check "an engine that says nothing of atomics" sh -c "! grep -q 'proved:' '$work/err'"
fresh
answer "$(verified axpy '' '"one_result":true,')"
run verify --quiet --kernel axpy --local 64 "$guarded"
ordered
check "a proof about one size of work-groups" sh -c "! grep -q 'proved:' '$work/err'"
fresh
answer "$(verified axpy '' '"one_result":true,"assumptions":["no overflow"],')"
run verify --quiet --kernel axpy "$guarded"
ordered
check "a proof with an assumption" sh -c "! grep -q 'proved:' '$work/err'"
fresh
answer "$(verified axpy '"n > 7"' '"one_result":true,')"
answer "$(verified limit '"n > 7"' '"one_result":true,')"
run verify --quiet vector-guarded
ordered
expect "a proof about the launches of a program" 0 "1 launch: proved: one result (proof 2) (kernel limit)"
check "not of a size of work-groups that the driver chose" grep -q '^axpy  *2 .* 8  *8 ' "$work/err"
ordered --mutant 1
check "a mutant is not what was proved" sh -c "! grep -q 'proved:' '$work/err'"

# --- counterexamples ---
fresh
answer "$proof"
answer "$race"
run verify --no-confirm --emit-cases kept two.cl
expect "--emit-cases" 3 "kept/two-racy-data-race-1/suite.yaml has the launch of a counterexample"

# --- with the engine itself, where this build has it ---
rm "$work/tool/cltestcheck-verify"
if [ -x "$build/cltestcheck-verify" ] && clang-19 --version >/dev/null 2>&1; then
  ln -s "$build/cltestcheck-verify" "$work/tool/"
  fresh
  run verify --local 64 two.cl
  expect "the engine itself: a race" 3 "1 of 2 kernels verified, 1 race"
  run verify --local 1 --groups 1 two.cl
  expect "the engine itself: one work-item has no race" 0 "2 of 2 kernels verified"
  printf 'kernel void k(global int *a) { a[0] = unknown; }\n' >wrong.cl
  run verify wrong.cl two.cl
  expect "the engine itself: one file does not compile" 1 "1 of 2 kernels verified, 1 race"
  run verify two.cl -- -cl-std=CLC++
  expect "the engine itself: C++ for OpenCL" 1 "two.cl is C++ for OpenCL (-cl-std=CLC++)"
  printf '#pragma clang __debug crash\nkernel void k(global int *a) { a[0] = 1; }\n' >crash.cl
  run verify crash.cl
  expect "the engine itself: clang crashes" 1 "crash.cl: clang 19 crashes while it compiles this"
  check "a crash is told in one line" test "$(wc -l <"$work/err")" -eq 1
  rm "$work/tool/cltestcheck-verify"
fi

# --- what is missing ---
run verify two.cl
expect "no engine" 1 "apt-get install libz3-dev llvm-19-dev"
run doctor
expect "doctor without an engine" 0 "no proof engine"
exit $failed
