#!/bin/bash
# test: cost=30
# Kills a campaign at random moments: kill.sh BUILD_DIR SOURCE_DIR [MOMENTS [SEED [TARGET…]]]
#
# At each moment one process gets SIGKILL, in turn one of TARGET (`all` by default): `tool`, cltestcheck itself;
# `worker`, which replays; `program`, the program under test. After the tool's death its database opens, --resume changes
# no verdict of it and ends like the run that nobody disturbed, no process goes on for long and no temporary folder
# stays. A killed worker or program says nothing of a mutant: the run ends as if it had not been killed. One line for each
# thing that went wrong, and figures; exit 1 when something did. 3 moments by default; 200 take about half an hour.
set -u
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
moments=${3:-$((${CLTC_FULL:-0} ? 30 : 3))}
seed=${4:-1}
[ "${CLTC_FULL:-0}" = 0 ] && operators=logic,bit || operators=arith,rel,logic,bit
shift $(($# < 4 ? $# : 4))
targets=("${@:-all}")
[ "${targets[*]}" != all ] || targets=(tool worker program)
tool=$build/cltestcheck
host=$build/e2e_host
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD NO_COLOR
export POCL_CACHE_DIR=$work/cache TMPDIR=$work/tmp
mkdir "$work/tmp" "$work/cache"
cd "$work" || exit 1
RANDOM=$seed
failed=0
killed=0
missed=0
mid=0
left=0
taken=() # microseconds, by engine

cat > work.cl << 'END'
int weigh(int v, int by) {
  return v * by - (v >> 1);
}

__kernel void work(__global int *out) {
  int i = get_global_id(0);
  __local int shared[8];
  shared[i] = i * 3 + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int k = 0; k < 4; k++) {
    if ((i & 1) == 0 && k < 3)
      sum += shared[(i + k) % 8];
    else
      sum -= k;
  }
  while (sum > 40)
    sum /= 2;
  out[i] = weigh(sum, i) ^ (i << 2);
}
END

# campaign DATABASE REPORT [OPTION…]: what runs it, in $command; half of the moments start the program for each run
campaign() {
  local database=$1 report=$2
  shift 2
  command=("$tool" mutate --quiet --runs 2 --jobs 2 --operators "$operators" --no-equivalence --engine "$engine"
    --db "$database" --format "json=$report" "$@" -- "$host" file ./work.cl)
}

# mutate DATABASE REPORT [OPTION…]: the campaign, to its end
mutate() {
  campaign "$@"
  "${command[@]}"
}

statuses() { "$build/check_expected" "$1" --statuses | sort; }

fail() {
  failed=$((failed + 1))
  echo "FAIL moment $moment, $engine, $target after $delay s: $*"
}

# descendants PID: ids of all that it has started and that still runs
descendants() {
  local child children=()
  { read -r -a children < "/proc/$1/task/$1/children"; } 2> /dev/null || true
  for child in "${children[@]}"; do
    echo "$child"
    descendants "$child"
  done
}

# find_target: a process of the kind that is wanted, in $victim; waits for one as long as the tool runs
find_target() {
  local child children=() name
  victim=
  while [ -z "$victim" ] && kill -0 "$pid" 2> /dev/null; do
    { read -r -a children < "/proc/$pid/task/$pid/children"; } 2> /dev/null || true
    for child in "${children[@]}"; do
      name=$({ tr '\0' '\n' < "/proc/$child/cmdline"; } 2> /dev/null | head -n 1)
      case $target:$name in
      worker:*/cltestcheck-replay | program:*/e2e_host) victim=$child ;;
      esac
    done
    [ -n "$victim" ] || sleep 0.01
  done
}

# still_there PID…: those that do not end within 5 seconds
still_there() {
  local i process alive
  for ((i = 0; i < 50; i++)); do
    alive=
    for process in "$@"; do
      grep -qs '^State:[[:space:]]*[^Z]' "/proc/$process/status" && alive="$alive $process"
    done
    [ -n "$alive" ] || return 0
    sleep 0.1
  done
  echo "$alive"
}

# sockets PID…: the folders of the sockets that they were given
sockets() {
  local process
  for process in "$@"; do
    { tr '\0' '\n' < "/proc/$process/environ"; } 2> /dev/null | sed -n 's/^CLTESTCHECK_SOCKET=\(.*\)\/socket$/\1/p'
  done | sort -u
}

# The tool is killed, and what it leaves behind looked at.
kill_tool() {
  local children folders folder
  # shellcheck disable=SC2046
  children=$(descendants "$pid")
  # shellcheck disable=SC2086
  folders=$(sockets $children)
  kill -9 "$pid" 2> /dev/null
  wait "$pid" 2> /dev/null
  # shellcheck disable=SC2086
  alive=$(still_there $children)
  if [ -n "$alive" ]; then
    fail "processes go on: $alive"
    # shellcheck disable=SC2086
    kill -9 $alive
  fi
  after_death
  for folder in $folders "$work"/tmp/*; do
    [ ! -e "$folder" ] || left=$((left + 1))
  done
  # shellcheck disable=SC2086
  rm -rf $folders "$work"/tmp/*
}

# Goes on with what the tool left, and compares.
after_death() {
  local status=0
  : > before
  if [ -s here.db ] && "$tool" report --db here.db --format json=before.json > out 2>&1; then
    statuses before.json | grep -v ' pending$' > before
    mid=$((mid + ($(wc -l < before) > 0)))
  elif [ -s here.db ] && ! grep -q 'holds no results\|holds no run\|no run' out; then
    fail "the database: $(tail -n 1 out)"
  fi
  mutate here.db after.json --resume > out 2>&1 || status=$?
  if [ $status = 1 ] && grep -q 'no unfinished run' out; then # it had not begun, or was through
    if cmp -s before "$engine.wanted"; then
      return
    fi
    status=0
    mutate here.db after.json > out 2>&1 || status=$?
  fi
  [ $status = 0 ] || fail "--resume ends with $status: $(tail -n 1 out)"
  statuses after.json > after
  [ -z "$(comm -23 before after)" ] || fail "a verdict was changed: $(comm -23 before after | head -n 1)"
  cmp -s after "$engine.wanted" || fail "$(diff after "$engine.wanted" | sed -n 2p) instead of what is below it"
}

# A worker or a program is killed, and the tool goes on.
kill_other() {
  local status=0
  find_target
  if [ -n "$victim" ] && kill -9 "$victim" 2> /dev/null; then
    killed=$((killed + 1))
  else
    missed=$((missed + 1))
  fi
  wait "$pid" || status=$?
  [ $status = 0 ] || fail "the tool ends with $status: $(tail -n 1 log)"
  statuses here.json > after
  cmp -s after "$engine.wanted" || fail "$(diff after "$engine.wanted" | grep '^[<>]' | head -n 4 | tr '\n' ' ')"
}

for engine in auto rerun; do
  mutate warm.db warm.json > log 2>&1 && rm warm.db
  from=${EPOCHREALTIME/./}
  mutate undisturbed.db "$engine.json" > log 2>&1 || { echo "FAIL undisturbed: $(tail -n 1 log)"; exit 1; }
  taken+=($((${EPOCHREALTIME/./} - from)))
  rm -f undisturbed.db
  statuses "$engine.json" > "$engine.wanted"
done
for ((moment = 1; moment <= moments; moment++)); do
  target=${targets[moment % ${#targets[@]}]}
  half=$((moment / ${#targets[@]} % 2))
  [ "$target" != worker ] || half=0
  engine=$([ $half = 0 ] && echo auto || echo rerun)
  delay=$(awk -v r="$RANDOM" -v t="${taken[half]}" 'BEGIN { printf "%.3f", r / 32768 * t / 1e6 }')
  rm -f here.db* here.json before* after*
  campaign here.db here.json
  "${command[@]}" > log 2>&1 &
  pid=$!
  sleep "$delay"
  if [ "$target" = tool ]; then
    kill_tool
  else
    kill_other
  fi
done
echo "$moments moments: $killed workers and programs killed, $missed too late; $mid databases with verdicts;" \
  "$left temporary folders left; $failed failed"
[ $failed = 0 ] && [ $left = 0 ]
