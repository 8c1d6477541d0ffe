#!/bin/bash
# test: cost=30
# mutate --oracle races: oracle.sh BUILD_DIR
#
# Planted kernels whose barriers, flags and atomic functions a CPU device runs without, and nobody sees it in the data. What
# must come of each mutant was worked out by hand. One line a check; exit 1 when one failed.
set -u
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD NO_COLOR
export POCL_CACHE_DIR=$work/cache
mkdir "$work/cache"
cd "$work" || exit 1
failed=0

# same WHAT WANTED GOT
same() {
  if [ "$2" = "$3" ]; then
    echo "ok $1"
  else
    failed=$((failed + 1))
    echo "FAIL $1"
    diff <(echo "$2") <(echo "$3") | sed 's/^/    /'
  fi
}

# mutate NAME ORACLE ARGUMENTS…: a campaign; NAME.json, NAME.err
mutate() {
  local name=$1 oracle=$2
  shift 2
  "$build/cltestcheck" mutate --db "$name.db" --operators barrier,fence,atomic,rel --no-equivalence --verbose \
    --oracle "$oracle" --format "json=$name.json" --format "text=$name.txt" -- "$build/races_launcher" "$@" \
    > out 2> "$name.err" || { failed=$((failed + 1)) && echo "FAIL $name: exit $?" && tail -n 5 "$name.err"; }
}

# verdicts NAME: operator, place, replacement, status, reason
verdicts() {
  sed -n 's/^    {"id": .*"operator": "\([^"]*\)".*"line": \([0-9]*\),.*"replacement": "\([^"]*\)".*"status": "\([^"]*\)", "reason": "\([^"]*\)".*/\1 \2 \3: \4 \5/p' \
    "$1.json" | sed 's/  */ /g; s/ $//' | LC_ALL=C sort
}

# Line 5: without it work-items read what others write; they run in order, so each finds what it looks for. Line 9 orders
# nothing: `two` is a work-item's own. Line 13: the zeros could be written after a count. Line 15: without it the first
# work-items read counts too early, even in order. Each barrier for the other memory still makes them wait on this device.
cat > work.cl << 'END'
__kernel void work(__global int *out) {
  __local int one[4], two[4], bins[2];
  int i = get_local_id(0);
  one[i] = i * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = i ? one[i - 1] : 0;
  if (i < 100)
    two[i] = sum + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum += two[i];
  if (i < 2)
    bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[i & 1]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = sum + bins[i & 1];
}
END
launch=(./work.cl work 8 4 buffer:32)
mutate data data "${launch[@]}"
mutate races data,races "${launch[@]}"
by_data=$(verdicts data | grep -v '^rel')
by_races=$(verdicts races | grep -v '^rel')
same "data alone" "atomic 14 (*(&bins[i & 1]))++: survived
barrier 13 : survived
barrier 15 : killed output
barrier 5 : survived
barrier 9 : survived
fence 13 CLK_GLOBAL_MEM_FENCE: survived
fence 15 CLK_GLOBAL_MEM_FENCE: survived
fence 5 CLK_GLOBAL_MEM_FENCE: survived
fence 9 CLK_GLOBAL_MEM_FENCE: survived" "$by_data"
same "with races" "atomic 14 (*(&bins[i & 1]))++: killed race
barrier 13 : killed race
barrier 15 : killed output
barrier 5 : killed race
barrier 9 : survived
fence 13 CLK_GLOBAL_MEM_FENCE: killed race
fence 15 CLK_GLOBAL_MEM_FENCE: killed race
fence 5 CLK_GLOBAL_MEM_FENCE: killed race
fence 9 CLK_GLOBAL_MEM_FENCE: survived" "$by_races"
same "the text says how many" "Races: 6 of the" "$(grep -o 'Races: [0-9]* of the' races.txt)"
same "no program is asked about them" 0 "$(grep '"reason": "race"' races.json | grep -vc '"revealed": null')"

# One replay with each filling stands for 20 where nothing races: such mutants survive 20 runs, too. Line 9 twice, and `<=`
# for `<` in line 7. With `>` and `>=` there nobody writes what line 10 reads.
proved=$(sed -n 's/.* mutant \([0-9]*\), .*nothing races.*/\1/p' races.err | sort -u)
same "repeats that cannot differ" 3 "$(echo "$proved" | wc -l)"
for id in $proved; do
  same "mutant $id in 20 runs" '"status": "survived" "runs": 20, "output": 0' \
    "$(grep "\"id\": $id," data.json | grep -o '"status": "[^"]*"\|"runs": 20, "output": [0-9]*' | paste -sd ' ')"
done

# The original's own race, of lines 4 and 5, is not held against the mutant that deletes line 6. The slots that an atomic
# function gives depend on the order: nothing is proved, though line 17 orders nothing. All work-items meet the barrier of line
# 26, which orders nothing either; with `>` and `<=` only some of them do, with `<` nobody does. With `!=` in line 13 three
# work-items store the same zero.
cat > own.cl << 'END'
__kernel void racy(__global int *out) {
  __local int one[4];
  int i = get_local_id(0);
  one[i] = i * 3;
  int sum = i ? one[i - 1] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = sum + one[i];
}

__kernel void ordered(__global int *out) {
  __local int next;
  int i = get_local_id(0);
  if (i == 0)
    next = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int slot = atomic_inc(&next);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_group_id(0) * 4 + slot] = 1;
}

__kernel void guarded(__global int *out) {
  __local int one[4];
  int i = get_local_id(0);
  one[i] = i;
  if (i >= 0)
    barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = one[i];
}
END
mutate own data,races ./own.cl racy 8 4 buffer:32 + ordered 8 4 buffer:32 + guarded 8 4 buffer:32
same "the original's own race, orders, and divergence" "atomic 16 ({ int old = *(&next); *(&next) = old + 1; old; }): killed race
barrier 15 : killed race
barrier 17 : survived
barrier 26 : survived
barrier 6 : survived
fence 15 CLK_GLOBAL_MEM_FENCE: killed race
fence 17 CLK_GLOBAL_MEM_FENCE: survived
fence 26 CLK_GLOBAL_MEM_FENCE: survived
fence 6 CLK_GLOBAL_MEM_FENCE: survived
rel 13 !=: survived
rel 25 <: survived
rel 25 <=: killed race
rel 25 >: killed race" "$(verdicts own)"
same "nothing is proved of these" 0 "$(grep -c 'nothing races' own.err)"

exit $((failed > 0))
