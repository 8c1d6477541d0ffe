# Sections of run.sh about `cltestcheck amplify`; sourced by it.
# shellcheck shell=sh disable=SC2154

amplify() { run amplify --quiet --format json=a.json "$@"; }

# figures: the verdicts of the last report, as "schedules consistent race deadlock occupancy_bound crash meant"
figures() {
  for name in schedules consistent race deadlock occupancy_bound crash meant; do
    printf '%s ' "$(value a.json amplification.$name)"
  done
}

# Kernels `work` over four groups of two work-items, twice, and then over one group: see e2e_host.
write_order_kernels() {
  # group 3 comes last by itself; then every other group may
  printf '__kernel void work(__global int *out) {\n  if (get_local_id(0) == 0)\n    out[0] = get_group_id(0) + 1;\n}\n' >last.cl
  printf '__kernel void work(__global int *out) {\n  out[get_global_id(0)] += get_group_id(0);\n}\n' >own.cl
  printf '__kernel void work(__global int *out) {\n  if (get_group_id(0) == 3)\n    while (atomic_add(&out[1], 0) < 2)\n      ;\n  if (get_global_id(0) < 2)\n    atomic_inc(&out[1]);\n}\n' >wait.cl
  printf '__kernel void work(__global int *out) {\n  if (get_local_id(0) == 0 && atomic_inc(&out[1]) %% 4 == 0 &&\n      get_group_id(0) == 3)\n    out[2] = 0;\n}\n' >seldom.cl
  { printf '// cltestcheck: order-dependent\n'; cat last.cl; } >meant.cl
}

section_amplify_arguments() { # test: sanitized quick
  fresh
  write_order_kernels
  bad "amplify: gate" 1 "ticket or hardware" amplify --gate software -- true
  bad "amplify: order" 1 "first, last, ascending, reverse and random" amplify --order first,sideways -- true
  bad "amplify: targets" 1 "all, the number" amplify --targets x -- true
  bad "amplify: no targets" 1 "all, the number" amplify --targets 0 -- true
  bad "amplify: runs" 1 "number from 1" amplify --runs 0 -- true
  bad "amplify: replay" 1 "a number that the report shows" amplify --replay x
  bad "amplify: mutant" 1 "number of a mutant" amplify --mutant x -- true
  bad "amplify: max-time" 1 "seconds above 0" amplify --max-time -1 -- true
  bad "amplify: nothing to run" 1 "" amplify
  bad "amplify: replay without database" 1 "" amplify --db none.db --replay 1
  run amplify --quiet --runs 1 -- "$host" groups own.cl
  expect "amplify: a program" 0
  run amplify --replay 4711
  expect "amplify: replay of a schedule that is not there" 1 "4711"
  run amplify --quiet --runs 1 --kernel 'gemm*' -- "$host" groups own.cl
  expect "amplify: no such kernel" 5 "leave no kernel.*there are: work"
  run amplify --quiet --runs 1 --targets 4,9 -- "$host" groups own.cl
  expect "amplify: target beyond the last group" 1 "no work-group 4.*has 4 (0 to 3)"
  run amplify --quiet --runs 1 --mutant 1 -- "$host" groups own.cl
  expect "amplify: no such mutant" 1 "no program has mutant 1"
  run amplify --quiet --runs 1 -- "$host" run x
  expect "amplify: one work-group only" 5 "no launch has several work-groups"
  run amplify --quiet --runs 1 -- "$host" none ""
  expect "amplify: no OpenCL" 5 "no OpenCL call"
  run amplify --quiet --runs 1 -- "$host" devices ""
  expect "amplify: no kernel" 5 "no kernel was built"
  run amplify --quiet --runs 1 -- "$host" fail 3
  expect "amplify: the program fails" 4 "fails without any gate: exit status 3"
  run amplify --quiet --runs 1 --timeout 0.001 -- "$host" groups own.cl
  expect "amplify: a time limit below one run" 4 "ran longer than 0.001 seconds without any gate; --timeout gives it more"
}

section_amplify_verdicts() { # test: cost=40
  fresh
  write_order_kernels
  amplify --runs 2 --targets all --order first,last,ascending,reverse,random -- "$host" groups own.cl
  expect "amplify: no interaction" 0
  same "amplify: no interaction: verdicts" "22 22 0 0 0 0 0 " figures
  same "amplify: no interaction: the launch of one group" "one work-group" value a.json launches_skipped.0.reason
  # of each launch: which group writes last; the second launch writes over what the first one wrote, and the third, of
  # one group, over both, so that nothing can be seen of either
  amplify --runs 2 --targets all -- "$host" groups last.cl
  expect "amplify: written over" 0
  sed 's/out\[0\] = get_group_id(0) + 1/out[0] = out[0] * 4 + get_group_id(0)/' last.cl >digits.cl
  amplify --runs 2 --targets all --order first,last,reverse -- "$host" groups digits.cl
  expect "amplify: order of groups" 3
  amplify --runs 2 --targets 0, --order last -- "$host" groups digits.cl
  same "amplify: group 0 last" "2 0 2 0 0 0 0 " figures
  same "amplify: group 0 last: runs" xx value a.json schedules.0.outcomes
  same "amplify: group 0 last: argument" out value a.json schedules.0.explanation.argument
  same "amplify: group 0 last: element" 0 value a.json schedules.0.explanation.first
  same "amplify: group 0 last: line" 3 value a.json schedules.0.explanation.line
  same "amplify: group 0 last: finding" data-race value a.json findings.0.rule
  amplify --runs 2 --targets 0, --order first -- "$host" groups wait.cl
  expect "amplify: whom group 3 waits for goes first" 0
  amplify --runs 2 --targets 3, --order first --timeout 1 -- "$host" groups wait.cl
  expect "amplify: deadlock" 3
  same "amplify: deadlock: runs" DD value a.json schedules.0.outcomes
  same "amplify: deadlock: the group" "group 3 (in the loop on line 3)" value a.json schedules.0.explanation.unfinished
  same "amplify: deadlock: finding" deadlock value a.json findings.0.rule
  # one run as it is, one that is captured, one with the gate open, a replay hangs; from then on the program fails
  printf 'n=$(cat count)\necho $((n + 1)) >count\n[ "$n" -ge 3 ] && exit 3\nexec "$@"\n' >lost.sh
  echo 0 >count
  amplify --runs 1 --targets 3, --order first --timeout 1 -- sh lost.sh "$host" groups wait.cl
  expect "amplify: a device that is lost" 4 "fails without any gate, too: the device is lost"
  sed 's/out\[0\] = get_group_id(0) + 1/out[0] = out[0] * 4 + get_group_id(0)/' meant.cl >dmeant.cl
  amplify --runs 1 --targets 0, --order last -- "$host" groups dmeant.cl
  expect "amplify: meant order dependence" 0
  same "amplify: meant order dependence: counted apart" 2 value a.json amplification.meant
  amplify --runs 1 --coverage --targets 3, --order first -- "$host" groups seldom.cl
  expect "amplify --coverage" 0
  same "amplify --coverage: only when group 3 comes first" 2 value a.json schedules.0.reached.0.line
  amplify --runs 2 --gate hardware --targets 0,3 --order first -- "$host" groups own.cl
  expect "amplify --gate hardware" 0
  same "amplify --gate hardware: group 0 starts first anyway" consistent value a.json schedules.0.verdict
}

# A program seeded with the time: its runs may all be in one second, and yet the order of groups is not why it differs.
section_amplify_seeded() {
  fresh
  printf '__kernel void work(__global int *out) {\n  out[get_global_id(0)] += 1;\n}\n' >a.cl
  amplify --runs 2 --targets 0, --order first,reverse -- "$host" seeded a.cl
  expect "amplify: a program seeded with the time" 4 "the order of the groups is not why"
  printf '[ "${MALLOC_PERTURB_:-0}" = 0 ] || kill -ABRT $$\nexec "$@"\n' >hurt.sh
  amplify --runs 2 --targets 0, --order first,reverse -- sh hurt.sh "$host" seeded a.cl
  expect "amplify: one that aborts where unwritten memory is not zero" 4 "the order of the groups is not why"
  run mutate --runs 2 --operators assign --no-equivalence --format json=a.json -- "$host" seeded a.cl
  expect "mutate: a program seeded with the time" 0 "differs from run to run without any mutant"
  same "mutate: a program seeded with the time: what it reads kills nothing" 0 value a.json mutation.killed
}

# The device's memory varies once kernels are gated, whatever the order, but not in the first runs: no race.
section_amplify_doubt() { # test: cost=5
  fresh
  write_order_kernels
  sed 's/out\[0\] = get_group_id(0) + 1/out[0] = out[0] * 4 + get_group_id(0)/' last.cl >digits.cl
  for engine in rerun auto; do
    : >times
    OPENCL_LAYERS=$build/e2e_failing_layer.so E2E_FAILURE=vary E2E_TEXT=32 E2E_TIMES=$work/here/times
    export OPENCL_LAYERS E2E_FAILURE E2E_TEXT E2E_TIMES
    amplify --no-build-cache --runs 3 --engine $engine --targets 0, --order first,reverse -- "$host" groups own.cl
    unset OPENCL_LAYERS E2E_FAILURE E2E_TEXT E2E_TIMES
    expect "amplify: results that vary whatever the order, --engine $engine" 4 "the order of the groups is not why"
    same "amplify: results that vary whatever the order, --engine $engine: verdicts" "4 4 0 0 0 0 0 " figures
  done
  amplify --runs 3 --targets 0, --order last -- "$host" groups digits.cl
  expect "amplify: a race that the reference does not show stays one" 3
}

section_amplify_replay() {
  fresh
  write_order_kernels
  sed 's/out\[0\] = get_group_id(0) + 1/out[0] = out[0] * 4 + get_group_id(0)/' last.cl >digits.cl
  amplify --runs 2 --targets 0,2 --order first,last -- "$host" groups digits.cl
  expect "amplify: to be replayed" 3
  wanted=$(value a.json schedules.2.target)
  run amplify --quiet --format json=b.json --runs 3 --replay "$(value a.json schedules.2.id)"
  expect "amplify --replay" 3
  same "amplify --replay: one schedule" 1 value b.json amplification.schedules
  same "amplify --replay: the order" last value b.json schedules.0.order
  same "amplify --replay: the group" "$wanted" value b.json schedules.0.target
  same "amplify --replay: the runs" xxx value b.json schedules.0.outcomes
  run amplify --quiet --format json=b.json --runs 1 --replay "$(value a.json schedules.2.id)" -- "$host" groups own.cl
  expect "amplify --replay of another program" 0
  run report --format text
  check "report of amplify" grep -q 'schedule' "$work/out"
  run merge --db all.db cltestcheck.db cltestcheck.db
  expect "merge of amplify" 0
  run report --db all.db --format json=c.json --all
  check "merge of amplify: the same schedules" test "$(value c.json amplification.schedules)" -ge 4
}

# The recorded command line is not handed to a shell.
section_amplify_replay_words() {
  fresh
  write_order_kernels
  sed 's/out\[0\] = get_group_id(0) + 1/out[0] = out[0] * 4 + get_group_id(0)/' last.cl >digits.cl
  cp "$host" "it's \"a\" \$(host)"
  cp digits.cl "b'\"\$HOME .cl"
  amplify --runs 2 --targets 0, --order last -- "./it's \"a\" \$(host)" groups "b'\"\$HOME .cl"
  expect "amplify: words that a shell would take apart" 3
  run amplify --quiet --format json=b.json --runs 3 --replay "$(value a.json schedules.0.id)"
  expect "amplify --replay: words that a shell would take apart" 3
}

section_amplify_endings() {
  fresh
  write_order_kernels
  sed 's/out\[0\] = get_group_id(0) + 1/out[0] = out[0] * 4 + get_group_id(0)/' last.cl >digits.cl
  amplify --runs 100000 --targets all --max-time $((5 * ${CLTC_SLOW:-1})) -- "$host" groups own.cl
  expect "amplify --max-time" 0 "max-time is over"
  check "amplify --max-time: some runs" test "$(value a.json amplification.runs)" -ge 1
  check "amplify --max-time: not all" test "$(value a.json schedules.0.runs)" -lt 100000
  "$host" foreground "$tool" amplify --quiet --runs 100000 --format json=b.json -- "$host" groups digits.cl \
    >"$work/amplify.out" 2>"$work/amplify.err" &
  pid=$!
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    sleep 2
    run report --format json=c.json
    [ "$status" = 0 ] && [ "$(value c.json amplification.differs)" -ge 1 ] 2>/dev/null && break
  done
  kill -INT $pid
  wait $pid
  status=$?
  mv "$work/amplify.err" "$work/err"
  expect "amplify: interrupted" 130 "interrupted; what was found so far is kept"
  # Accesses are checked at the end, so that what differs is not said to be a race before.
  check "amplify: interrupted: verdicts" test "$(value b.json amplification.differs)" -ge 1
}

# Kernels without interaction between groups, by the generator of the property tests: every schedule gives the same bits.
section_amplify_random() { # test: cost=50
  fresh
  seeds=8
  [ "${CLTC_FULL:-0}" = 0 ] || seeds=30
  # shellcheck disable=SC2046
  amplify --runs 1 --targets 3 --order first,last,ascending,reverse,random -- "$build/property_host" random.out $(seq 1 "$seeds")
  expect "amplify: random kernels" 0
  check "amplify: random kernels: many schedules" test "$(value a.json amplification.schedules)" -gt $((3 * seeds))
  same "amplify: random kernels: all consistent" "$(value a.json amplification.schedules)" \
    value a.json amplification.consistent
}

# Every planted defect is found, under the orders that expected-amplification.json says, and nothing else.
# suites OPTIONS NAME…
suites() { # OPTIONS ORDERS NAMES…
  options=$1 orders=$2
  shift 2
  for name in "$@"; do
    # a planted race may fail the program without any gate, which ends the run with 4: once more then
    for attempt in 1 2 3; do
      # shellcheck disable=SC2086
      amplify --seed 2 $options --order $orders "$name"
      [ "$status" = 4 ] || break
    done
    check "amplify $name: what is found" "$checker" a.json "$source/suites/$name/expected-amplification.json" --amplification
  done
}

# Those that wait: deadlocks cost their time limit, so there fewer schedules have to do.
section_amplify_suites_waiting() { # test: cost=100
  fresh
  all=first,last,ascending,reverse,random few=reverse one=ascending some=first,reverse runs=1 targets=3
  [ "${CLTC_FULL:-0}" = 0 ] || few=$all one=$all some=$all runs=2 targets=all
  suites "--runs 1 --targets 2 --timeout $(((${CLTC_SLOW:-1} + 1) / 2))" $few flag-wait
  suites "--runs 1 --targets 2 --timeout $(((${CLTC_SLOW:-1} + 1) / 2))" $one global-barrier
  suites "--runs $runs --targets $targets" $some group-wait
}

section_amplify_suites() { # test: cost=50
  fresh
  orders=first,reverse
  [ "${CLTC_FULL:-0}" = 0 ] || orders=$orders,ascending,random,last
  for expected in "$source"/suites/*/expected-amplification.json; do
    name=$(basename "$(dirname "$expected")")
    case $name in
      flag-wait | global-barrier | group-wait) ;;
      graph-patterns) suites '--runs 1 --targets 5,22,35' $orders $name ;;
      *) suites '--runs 1' $orders "$name" ;;
    esac
  done
}

# What kernel one gives depends on the order, and varies where two groups run at the same time. Kernel two has memory of
# its own and is not blamed for that.
section_amplify_blame() {
  fresh
  cat >two.cl <<'END'
__kernel void one(volatile __global int *out) {
  if (get_local_id(0) == 0) {
    for (int i = 0; i < 200000; i++)
      out[1] += 1;
    out[0] = out[0] * 31 + get_group_id(0);
  }
}
__kernel void two(__global int *out) {
  out[get_global_id(0)] += get_group_id(0);
}
END
  amplify --runs 3 --targets 20,40 --order first,reverse -- "$host" mixed two.cl
  expect "amplify: a kernel that varies beside one that does not" 3
  for i in 0 1 2 3 4 5; do
    kernel=$(value a.json schedules.$i.kernel)
    order=$(value a.json schedules.$i.order)
    wanted=race
    [ "$kernel" = one ] || wanted=consistent
    same "amplify: a kernel that varies beside one that does not: $kernel, $order $i" $wanted \
      value a.json schedules.$i.verdict
  done
}

# What depends on the order without a race: atomic functions, whose order is left open. Every group writes to the slot that
# a counter hands it; floats are added up by atomic_cmpxchg, and 1e8 + 3 is 1e8.
write_atomic_kernels() {
  cat >slots.cl <<'END'
__kernel void work(__global int *out) {
  if (get_local_id(0) == 0)
    out[1 + atomic_inc(&out[0]) % 4] = get_group_id(0) + 1;
}
END
  { printf '// cltestcheck: order-dependent\n'; cat slots.cl; } >mslots.cl
  cat >floats.cl <<'END'
__kernel void work(volatile __global uint *out) {
  const float values[4] = {0.25f, 1e8f, 3.0f, -1e8f};
  if (get_local_id(0) == 0) {
    uint seen = atomic_or(&out[0], 0u), next;
    do {
      next = seen;
      seen = atomic_cmpxchg(&out[0], next, as_uint(as_float(next) + values[get_group_id(0)]));
    } while (seen != next);
  }
}
END
  # in the order in which they get the lock
  cat >locked.cl <<'END'
__kernel void work(volatile __global int *out) {
  if (get_local_id(0) == 0) {
    while (atomic_cmpxchg(&out[1], 0, 1) != 0)
      ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    out[0] = out[0] * 4 + get_group_id(0);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&out[1], 0);
  }
}
END
  # whoever comes before group 0 takes what that has not made
  cat >taken.cl <<'END'
__kernel void work(volatile __global int *out) {
  if (get_local_id(0) == 0 && get_group_id(0) == 0) {
    out[0] = out[0] + 5;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&out[1], 1);
  }
  if (get_local_id(0) == 0 && get_group_id(0) == 3) {
    for (int i = 0; i < 1000 && atomic_add(&out[1], 0) == 0; i++)
      ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    out[2] = out[0];
  }
}
END
  # out[0] races; what shows is out[4], out[5], …, which nothing races for
  cat >other.cl <<'END'
__kernel void work(__global int *out) {
  if (get_local_id(0) == 0) {
    int at = out[0];
    out[0] = at + 1;
    atomic_xchg(&out[4 + get_group_id(0)], at);
  }
}
END
}

section_amplify_order() { # test: cost=35
  fresh
  write_atomic_kernels
  for atomic in slots locked floats; do
    amplify --runs 2 --targets 0, --order last,ascending -- "$host" groups $atomic.cl
    expect "amplify: $atomic depend on the order and do not race" 0
    check "amplify: $atomic: a result has changed" test -z "$(grep 'no order of work-groups changed' "$work/err")"
    same "amplify: $atomic: no race" 0 value a.json amplification.race
    check "amplify: $atomic: order-dependent" test "$(value a.json amplification.order_dependent)" -ge 1
    same "amplify: $atomic: no finding" 0 value a.json findings
  done
  run report --format text
  check "amplify: order-dependent: in the report" grep -q 'ORDER-DEPENDENT in kernel work (floats.cl:1)' "$work/out"
  amplify --runs 2 --targets 3, --order first,ascending -- "$host" groups taken.cl
  expect "amplify: a race in another order than that of the device" 3
  amplify --fail-on order-dependent --runs 2 --targets 0, --order last,ascending -- "$host" groups slots.cl
  expect "amplify --fail-on order-dependent" 2 "depends on the order of work-groups (--fail-on"
  bad "amplify --fail-on another word" 1 "knows order-dependent, api-error" amplify --fail-on race -- true
  printf 'suppressions:\n  - rule: order-dependent\n    kernel: work\n    reason: the list is sorted later\n' >some.yaml
  amplify --config some.yaml --fail-on order-dependent --runs 2 --targets 0, --order last,ascending -- "$host" groups slots.cl
  expect "amplify: order-dependent, suppressed" 0
  same "amplify: order-dependent, suppressed: counted apart" 1 value a.json amplification.suppressed
  CLTESTCHECK_CELLS_CAP=24
  export CLTESTCHECK_CELLS_CAP
  amplify --runs 2 --targets 0, --order last,ascending -- "$host" groups slots.cl
  unset CLTESTCHECK_CELLS_CAP
  expect "amplify: no memory for checks" 3
  check "amplify: no memory for checks: that is said" grep -q 'whether accesses of it race is not known: kernel work: a memory object' a.json
  amplify --fail-on order-dependent --runs 2 --targets 0, --order last,ascending -- "$host" groups mslots.cl
  expect "amplify: order-dependent, and meant" 0
  same "amplify: order-dependent, and meant: counted apart" 4 value a.json amplification.meant
}

# Both accesses of a race, also where something else shows it; and where no schedule does, though results vary.
section_amplify_accesses() {
  fresh
  write_atomic_kernels
  amplify --runs 2 --targets 0, --order last,ascending -- "$host" groups other.cl
  expect "amplify: a race on another element than the one that shows it" 3
  same "amplify: one access" "4 write 0" accesses 0
  same "amplify: the other access" "3 read 1" accesses 1
  case $(value a.json findings.0.message) in
    *"out[4] is 4 with ascending order"*"race: work-item 0 of work-group 0 writes out[0] (other.cl:4), and work-item 0 of work-group 1 reads it (other.cl:3);"*)
      ok "amplify: both in the explanation" ;;
    *) fail "amplify: both in the explanation" "they are not there" a.json ;;
  esac
  printf '__kernel void work(volatile __global int *out) {\n  if (get_local_id(0) == 0)\n    out[0] += 1;\n}\n' >lost.cl
  : >times
  OPENCL_LAYERS=$build/e2e_failing_layer.so E2E_FAILURE=vary E2E_TEXT=32 E2E_TIMES=$work/here/times
  export OPENCL_LAYERS E2E_FAILURE E2E_TEXT E2E_TIMES
  amplify --no-build-cache --runs 2 --targets 0, --order first -- "$host" groups lost.cl
  unset OPENCL_LAYERS E2E_FAILURE E2E_TEXT E2E_TIMES
  expect "amplify: results vary, and accesses race" 3
  same "amplify: results vary: the rule" data-race value a.json findings.0.rule
  # any two groups do: which ones were seen is chance
  same "amplify: results vary: one access" "3 write" sides 0
  same "amplify: results vary: the other access" "3 write" sides 1
  check "amplify: results vary: of two groups" test "$(accesses 0)" != "$(accesses 1)"
}

# the explanation of the first schedule but for the race that it names
without_race() { value a.json schedules.0.explanation.text | sed 's/; race: .*//'; }

# sides N: line and kind of an access of the first finding
sides() { accesses "$1" | cut -d ' ' -f 1,2; }

# accesses N: line, kind and work-group of an access of the first finding
accesses() {
  for key in line access group.0; do
    value a.json findings.0.places.$1.$key
  done | paste -s -d ' '
}

section_amplify_image() {
  fresh
  cat >picture.cl <<'END'
__kernel void work(__write_only image2d_t out) {
  write_imageui(out, (int2)(2, 1), (uint4)(get_group_id(0), 7, 8, 9));
  write_imageui(out, (int2)(get_group_id(0), 2), (uint4)(1, 2, 3, 4));
}
END
  amplify --runs 2 --targets 0, --order last,ascending -- "$host" picture picture.cl
  expect "amplify: an image" 3
  same "amplify: an image: which pixel" \
    "pixel (2, 1) of out is (3, 7, 8, 9) with ascending order, ticket gate, and (0, 7, 8, 9) with group 0 last, ticket gate; written at lines 2, 3" \
    without_race
  same "amplify: an image: the race is at one call" "2 write 0" accesses 0
  same "amplify: an image: of two groups" "2 write 1" accesses 1
}

# A divergence alone is a finding, too; and one work-group has no other order.
section_amplify_divergence() {
  fresh
  printf '__kernel void work(__global int *out) {\n  int i = get_global_id(0);\n  if (i < 7) {\n    out[i] += 1;\n    barrier(CLK_GLOBAL_MEM_FENCE);\n    out[i] += 1;\n  }\n}\n' >apart.cl
  amplify --runs 2 --targets 0, --order reverse -- "$host" groups apart.cl
  expect "amplify: divergence and no race" 3
  same "amplify: divergence and no race: the finding" barrier-divergence value a.json findings.0.rule
  amplify --runs 2 -- "$host" file apart.cl
  expect "amplify: divergence in a launch of one group" 3
}

# A mutant stays in the kernels all the time; what it changes by itself is no finding.
section_amplify_mutant() { # test: cost=5
  fresh
  write_order_kernels
  "$tool" mutate --list --operators arith last.cl >list 2>/dev/null
  mutant=$(sed -n 's/^ *\([0-9]*\)  last.cl:3.*+ -> -.*/\1/p' list)
  amplify --runs 1 --targets 0, --order first --mutant "$mutant" -- "$host" groups last.cl
  expect "amplify --mutant: other results with the gate open" 0 "and the mutant in place"
  same "amplify --mutant: consistent" 2 value a.json amplification.consistent
  printf '__kernel void work(__global int *out) {\n  if (get_local_id(0) == 0 && get_group_id(0) > 8)\n    out[0] = out[0] * 4 + get_group_id(0);\n}\n' >never.cl
  mutant=$("$tool" mutate --list --operators rel never.cl 2>/dev/null | sed -n 's/^ *\([0-9]*\)  never.cl:2.*> -> <:*$/\1/p')
  amplify --runs 1 --targets 0, --order last -- "$host" groups never.cl
  expect "amplify: without the mutant" 0
  amplify --runs 1 --targets 0, --order last --mutant "$mutant" -- "$host" groups never.cl
  expect "amplify --mutant: the order shows" 3
}

# A program that fails now and then, without any gate, is looked at all the same.
section_amplify_flaky() {
  fresh
  write_order_kernels
  printf 'n=$(cat count)\necho $((n + 1)) >count\n[ "$n" = 1 ] && exit 3\nexec "$@"\n' >flaky.sh
  echo 0 >count
  amplify --runs 2 --targets 0, --order first -- sh flaky.sh "$host" groups own.cl
  expect "amplify: a program that fails in one run" 0 "fails in some runs without any gate (exit status 3)"
  echo 1 >count
  amplify --runs 2 --targets 0, --order first -- sh flaky.sh "$host" groups own.cl
  expect "amplify: a program that fails at first and not again" 0 "does so now and then (1 of 2 runs so far)"
  printf 'exit 3\n' >fails.sh
  amplify --runs 2 --targets 0, --order first -- sh fails.sh
  expect "amplify: a program that fails each time" 4 "fails without any gate: exit status 3"
}
