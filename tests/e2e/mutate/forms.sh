# Part of run.sh: devices that cannot use the source which holds all mutants of a program, or not at once.
# shellcheck shell=sh

# PoCL 3.1 crashes on n-body's. In line 8 bodies are beyond a wall, where none ever is. In line 57 all masses are 1, so 0.5 / mass is
# 0.5 * mass; every other change shows, as the squared speeds are small and not 0; the last test case alone launches that kernel.
section_mutate_clones() { # test: cost=10
  fresh
  for engine in auto rerun; do
    mutate --runs 1 --engine $engine --no-cache --operators arith --lines 8 --lines 57 n-body
    expect "mutate: clones instead of a source that the device cannot use, --engine $engine" 0 "mutants are built as clones"
    same "mutate: clones: verdicts, --engine $engine" "57:26 arith (0.5f + mass) killed
57:26 arith (0.5f - mass) killed
57:31 arith / survived
57:38 arith + killed
57:38 arith - killed
57:38 arith / killed
8:20 arith  no-coverage" statuses a.json
    same "mutate: clones: run by the test case that launches the kernel, --engine $engine" "1 2" \
      sh -c "echo \$('$checker' a.json --get mutants.1.tests) \$('$checker' a.json --get mutants.1.tests.0.test)"
  done
  mutate --runs 1 --engine rerun -- "$host" few-clones x
  expect "mutate: clones of a kernel that the device refuses with all its mutants" 0 "built as clones.*refused its schema: kernel work_few"
  same "mutate: clones of a kernel that the device refuses with all its mutants: verdicts" "$(echo "$run_statuses" | sed p)" statuses a.json
  same "mutate: clones of a kernel that the device refuses with all its mutants: nothing is skipped" 0 value a.json skipped
}

# failing FAILURE TEXT ARGS…: mutate, where the device fails so (failing_layer.c), which sees it by the text: nothing may be kept of a build
failing() {
  OPENCL_LAYERS=$build/e2e_failing_layer.so
  E2E_FAILURE=$1
  E2E_TEXT=$2
  export OPENCL_LAYERS E2E_FAILURE E2E_TEXT
  shift 2
  mutate --runs 1 --no-cache --no-build-cache "$@"
  unset OPENCL_LAYERS E2E_FAILURE E2E_TEXT
}

replayed_mutants() { grep -c '"replayed": *[1-9]' "$1"; }

# Of `k < 3`: with <= the loop makes four turns instead of three, with the others none.
loop_statuses="3:21 rel <= killed
3:21 rel > killed
3:21 rel >= killed"

# Replays that end otherwise with the mutants' sources say nothing: the program decides.
section_mutate_not_replayed() {
  fresh
  write_loop
  sentence="every run starts the program again.*with the sources that hold the mutants: its replay ended with status"
  failing exit 'Mutants by cltestcheck' --operators rel --no-equivalence -- "$host" file ./work.cl
  expect "mutate: replays end early with the mutants' sources" 0 "$sentence 3"
  same "mutate: replays end early with the mutants' sources: verdicts" "$loop_statuses" statuses a.json
  same "mutate: replays end early with the mutants' sources: none decides" 0 replayed_mutants a.json
  failing exit 'Mutants by cltestcheck' --operators rel --engine replay --no-equivalence -- "$host" file ./work.cl
  expect "mutate --engine replay: replays end early with the mutants' sources" 1 "with the sources that hold the mutants"
  # a compiler that crashes on the source of all mutants is asked for clones first
  failing abort 'CLTC_M (cltc->m)' --operators rel --no-equivalence -- "$host" file ./work.cl
  expect "mutate: replays crash with the source of all mutants" 0 "built as clones"
  same "mutate: replays crash with the source of all mutants: verdicts" "$loop_statuses" statuses a.json
  same "mutate: replays crash with the source of all mutants: they decide" 3 replayed_mutants a.json
  failing abort 'Mutants by cltestcheck' --operators rel --no-equivalence -- "$host" file ./work.cl
  expect "mutate: replays crash with clones, too" 0 "$sentence 134"
  same "mutate: replays crash with clones, too: verdicts" "$loop_statuses" statuses a.json
  same "mutate: replays crash with clones, too: none decides" 0 replayed_mutants a.json
}

# The time limit is that of --timeout, or ten times what the original takes. Once over, it is six times that, for once.
section_mutate_slow_form() { # test: cost=5
  fresh
  write_loop
  printf 12 >times
  E2E_TIMES=$work/here/times
  export E2E_TIMES
  failing 'sleep 9' __cltc_m0 --timeout 2 --operators loop --no-equivalence -- "$host" file ./work.cl
  unset E2E_TIMES
  expect "mutate: clones that are slow at first" 0
  same "mutate: clones that are slow at first: both times" 0 sh -c 'wc -c <times'
  same "mutate: clones that are slow at first: verdicts" "3:3 loop loop skipped killed
3:3 loop n+1 iterations: k < 3 + 1 killed
3:3 loop n-1 iterations: k < 3 - 1 killed" statuses a.json
  check "mutate: clones that are slow at first: not a word" test ! -s "$work/err"
  failing 'sleep 300' __cltc_m0 --timeout 1 --operators loop --no-equivalence -- "$host" file ./work.cl
  expect "mutate: clones that stay slow" 0 "do not end within the time limit.*is invalid"
  same "mutate: clones that stay slow: verdicts" "3:3 loop loop skipped invalid
3:3 loop n+1 iterations: k < 3 + 1 invalid
3:3 loop n-1 iterations: k < 3 - 1 invalid" statuses a.json
}

# endings REPORT: line, replacement, status and reason of each mutant
endings() {
  sed -n 's/.*"line": \([0-9]*\),.*"replacement": "\([^"]*\)".*"status": "\([^"]*\)", "reason": "\([^"]*\)".*/\1 \2 \3 \4/p' "$1" | sort
}

# A loop that the compiler knows to be endless spends any number of iterations at once: no run of it takes time. &= leaves 1 for ever.
# The smallest number less one is the largest in clones, too, and so not less than it was: that is what it is with one more.
section_mutate_clones_end() {
  fresh
  cat >work.cl <<'END'
__kernel void work(__global int *out) {
  int s = 0;
  for (uint k = 1; k != 0; k ^= 1)
    s = s + 2;
  int least = out[get_global_id(0)] - 2147483647 - 1, x = least;
  x++;
  out[get_global_id(0)] = s + (x < least);
}
END
  failing abort 'CLTC_M (cltc->m)' --timeout 2 --operators assign,arith --lines 3 --lines 6 --no-equivalence -- "$host" file ./work.cl
  expect "mutate: clones that end, or not" 0 "built as clones"
  same "mutate: clones that end, or not: verdicts" "3 &= killed timeout
6 -- survived " endings a.json
}

# Work-items times turns times runs decide about clones, and no clock: 300 * 5,001 * 20 is less than 2^25, and 300 * 7,001 * 20 more.
# PoCL has a folder for each kernel that it builds.
section_mutate_clones_counted() {
  fresh
  cat >work.cl <<'END'
__kernel void work(__global const int *in, __global int *out, int n) {
  int i = get_global_id(0), s = 0;
  for (int k = 0; k < n; k++) s ^= in[k];
  out[i] = i > 3 ? s : 1;
}
END
  for turns in 25000 30000; do
    printf 'name: s\nkernels: work.cl\ntests:\n  - name: t\n    buffers: {x: {type: int, elements: 30000, fill: 1}, y: {type: int, elements: 300}}\n' >suite.yaml
    printf '    launches: [{kernel: work, global: 300, args: [x, y, %s]}]\n' $turns >>suite.yaml
    export POCL_CACHE_DIR="$work/here/$turns"
    run mutate --quiet --operators rel --lines 4 --runs 20 --no-equivalence --db $turns.db --format json=a.json ./suite.yaml
    unset POCL_CACHE_DIR
    expect "mutate: clones by counts, $turns turns" 0
    same "mutate: clones by counts, $turns turns: verdicts" "4:14 rel < killed
4:14 rel <= killed
4:14 rel >= killed" statuses a.json
    find $turns -type d -name '*__cltc_m[0-9]*' >clones
    check "mutate: clones by counts, $turns turns: whether there are any" test $turns = 30000 -a -s clones -o $turns = 25000 -a ! -s clones
  done
}

# A mutant leaves -5 where the original leaves 5, and the device refuses the next launch of the kernel then, which is done without the
# mutant: it has run, and what the host reads is its doing.
section_mutate_refused_launch() {
  fresh
  printf '__kernel void work(__global int *out) {\n  out[get_global_id(0)] += 5;\n}\n' >work.cl
  check "the device refuses a launch" sh -c "! OPENCL_LAYERS=$build/e2e_failing_layer.so E2E_FAILURE=refuse E2E_TEXT=5 '$host' groups ./work.cl"
  for engine in rerun auto; do
    failing refuse -5 --runs 3 --engine $engine --operators assign --no-equivalence -- "$host" groups ./work.cl
    expect "mutate: a launch that is refused after the mutant has run, --engine $engine" 0
    same "mutate: a launch that is refused after the mutant has run, --engine $engine: verdicts" "2:25 assign *= killed
2:25 assign -= killed
2:25 assign /= killed" statuses a.json
  done
}

# x * 1 is x / 1, and the mutants of x % 1 that are * and / are the same.
section_mutate_equal_code() {
  fresh
  printf '__kernel void work(__global int *out) {\n  int x = out[get_global_id(0)] + 3;\n  out[get_global_id(0)] = x * 1 ^ x %% 1 << 8;\n}\n' >work.cl
  mutate --runs 1 --no-cache --operators arith --lines 3 -- "$host" file ./work.cl
  same "mutate: equal code: equivalent" 1 value a.json mutation.equivalent
  same "mutate: equal code: duplicates" 1 value a.json mutation.duplicate
}
