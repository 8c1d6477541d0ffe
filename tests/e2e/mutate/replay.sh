# Sections of run.sh about captures, replays and the engines of `mutate` and `amplify`; sourced by it.
# shellcheck shell=sh disable=SC2154

section_replay_arguments() {
  fresh
  echo "no capture" >text
  bad "capture: no program" 1 "one file and a program" capture a.cltc
  bad "capture: no file" 1 "one file and a program" capture -- true
  bad "capture: no such program" 1 "was not found" capture a.cltc -- ./nothing
  run capture a.cltc -- "$host" none ""
  expect "capture: a program without OpenCL" 5 "nothing was captured"
  run capture --quiet nowhere/a.cltc -- "$host" run x
  expect "capture: a folder that is not there" 70 "nowhere/a.cltc"
  bad "replay: no file" 1 "one file" replay
  run replay none.cltc
  expect "replay: a file that is not there" 1 "none.cltc"
  run replay text
  expect "replay: no capture" 1 "text is no capture"
  bad "replay: launch" 1 "number from 0" replay --launch x text
  bad "replay: mutant" 1 "number of a mutant" replay --mutant x text
  bad "replay: mutant and schedule" 1 "cannot be had together" replay --mutant 1 --schedule 1 text
  bad "mutate: engine" 1 "auto, replay or rerun" mutate --engine fast -- true
  bad "mutate: verify-engine" 1 "percentage" mutate --verify-engine many -- true
  run mutate --quiet --runs 2 --engine replay -- "$host" noise x
  expect "mutate --engine replay: what cannot be replayed" 1 "cannot be replayed"
}

# A program, its capture and what a replay makes of it.
section_replay_capture() { # test: sanitized quick
  fresh
  "$host" run x >plain
  run capture a.cltc -- "$host" run x
  expect "capture" 0 "1 launch of 1 kernel, "
  check "capture: the program's output as without" cmp plain "$work/out"
  run replay a.cltc
  expect "replay" 0
  same "replay: what is read is as captured" "1 of 1 reads as captured" cat "$work/out"
  size=$(wc -c <a.cltc)
  head -c $((size / 2)) a.cltc >half.cltc
  run replay half.cltc
  expect "replay: a capture that is cut off" 1 "half.cltc"
  { head -c 40 a.cltc; printf 'XXXX'; tail -c +45 a.cltc; } >hurt.cltc
  run replay hurt.cltc
  expect "replay: a capture that is damaged" 1 "hurt.cltc"
  "$host" save saved.bin >/dev/null
  run capture --quiet b.cltc -- "$host" binary saved.bin
  expect "capture: binaries cannot be replayed" 5 "cannot be replayed"
  run capture --quiet c.cltc -- "$host" fail 3
  expect "capture: a program that fails" 4 "exit status 3"
  check "capture: a program that fails: the file is there" test -s c.cltc
  run capture --quiet l.cltc -- "$host" leave 0
  expect "capture: a program that ends by _exit" 0
  run replay l.cltc
  same "replay: what it read is as captured" "1 of 1 reads as captured" cat "$work/out"
  run capture --quiet s.cltc -- "$host" crash 11
  expect "capture: a program that ends by a signal" 4 "killed by signal 11"
  run replay s.cltc
  same "replay: what it read until then is as captured" "1 of 1 reads as captured" cat "$work/out"
  run mutate --runs 2 --engine replay --format json=l.json -- "$host" leave 0
  expect "mutate: a program that ends by _exit is replayed" 0
  id=$(run_x_mutant)
  run replay --mutant "$id" a.cltc
  expect "replay --mutant" 1
  check "replay --mutant: what differs" grep -q "0 of 1 reads as captured\|differs" "$work/out"
  run replay --mutant 17 a.cltc
  expect "replay --mutant: no such mutant" 1 "no program has mutant"
}

# A capture holds what its kernels include: it is replayed where these files are not, or are others.
section_replay_included() { # test: cost=10
  fresh
  mkdir -p kern/util kern/deep tmp
  printf '#include "util/a.h"\n#ifdef cl_khr_fp64\n#include "f.h"\n#else\n#include "g.h"\n#endif\n__kernel void work(__global int *out) {\n  out[get_global_id(0)] = add(out[get_global_id(0)], ONE) + F;\n}\n' >kern/k.cl
  printf '#include "../deep/b.h"\nint add(int a, int b) { return a + b; }\n' >kern/util/a.h
  echo '#define ONE 1' >kern/deep/b.h
  echo '#define F 5' | tee kern/f.h >kern/g.h
  for option in -Ikern "-I $PWD/kern" "-I kern/util/.."; do
    set -- "$host" fill "kern/k.cl:work:3:$option"
    run capture --quiet a.cltc -- "$@"
    expect "capture of includes ($option)" 0
    run mutate --quiet --runs 1 --format json=program.json -- "$@"
    statuses program.json >program.statuses
    id=$(value program.json mutants.0.id)
    mv kern gone
    TMPDIR=$PWD/tmp
    export TMPDIR
    run replay a.cltc
    same "replay: files that kernels include are elsewhere ($option)" "1 of 1 reads as captured" cat "$work/out"
    run replay --mutant "$id" a.cltc
    expect "replay --mutant: the mutant is in such a file ($option)" 1
    run coverage --quiet a.cltc
    expect "coverage of a capture with includes ($option)" 0
    run mutate --quiet --runs 1 --format json=capture.json a.cltc
    statuses capture.json >capture.statuses
    check "mutate: a capture with includes has the statuses of its program ($option)" cmp program.statuses capture.statuses
    check "mutate: and names files as its program does ($option)" [ "$(grep -c '"file"' capture.json)$(grep -c tmp/cltest capture.json)" = "$(grep -c '"file"' program.json)0" ]
    check "mutate: and is replayed ($option)" [ "$(grep -c "cannot be replayed" "$work/err")" = 0 ]
    check "no file stays behind ($option)" [ -z "$(ls tmp)" ]
    mv gone kern
    echo '#define ONE 2' >kern/deep/b.h
    run replay a.cltc
    same "replay: a file that kernels include was edited ($option)" "1 of 1 reads as captured" cat "$work/out"
    "$build/cltestcheck-replay" a.cltc >alone
    same "cltestcheck-replay: the same ($option)" "1 of 1 reads as captured" cat alone
    check "no file stays behind then ($option)" [ -z "$(ls tmp)" ]
    unset TMPDIR
    echo '#define ONE 1' >kern/deep/b.h
  done
}

# What a program shows of its kernels and what its capture shows, without the program.
section_replay_alone() {
  fresh
  run capture --quiet a.cltc -- "$host" run x
  for from in program capture; do
    if [ $from = program ]; then
      set -- -- "$host" run x
    else
      set -- a.cltc
    fi
    run coverage --quiet --db $from.db --format json=$from.json "$@"
    expect "coverage of a $from" 0
    for number in line.covered line.total branch.covered branch.total; do
      value $from.json coverage.$number
    done >$from.totals
    run mutate --quiet --runs 2 --db $from.db --format json=$from.mutants "$@"
    expect "mutate of a $from" 0
    statuses $from.mutants >$from.statuses
  done
  check "a capture has the coverage of its program" cmp program.totals capture.totals
  check "a capture has mutants with the statuses of its program" cmp program.statuses capture.statuses
  run coverage --quiet a.cltc -- "$host" run x
  expect "coverage: a capture and a program" 0
  run capture --quiet w.cltc -- "$build/suites/last-writer/last-writer" 32 32 4 store
  run amplify --quiet --runs 1 w.cltc
  expect "amplify finds the race in a capture" 3
}

# Runs spread over two devices, which PoCL makes of one processor, give the verdicts that one device gives.
section_several_devices() { # test: cost=5
  fresh
  if [ "$(POCL_DEVICES='pthread pthread' "$tool" devices 2>/dev/null | grep -c '^ [01] ')" != 2 ]; then
    skip "several devices" "this device does not double itself"
    return
  fi
  run mutate --quiet --runs 2 --engine rerun --db one.db --format json=one.json -- "$host" run x
  POCL_DEVICES='pthread pthread'
  export POCL_DEVICES
  printf '#!/bin/sh\necho "$CLTESTCHECK_PRESENT" >>devices.txt\nexec "$@"\n' >on
  chmod +x on
  run mutate --quiet --runs 2 --jobs 2 --engine rerun --device 0,1 --db two.db --format json=two.json -- ./on "$host" run x
  expect "mutate on two devices" 0
  check "both devices had runs" [ "$(sort -u devices.txt | tr '\n' ' ')" = "0:0 0:1 " ]
  statuses one.json >one.statuses
  statuses two.json >two.statuses
  check "two devices give the verdicts of one" cmp one.statuses two.statuses
  run mutate --quiet --runs 2 --jobs 2 --device 0,1 --db three.db --format json=three.json -- "$host" run x
  statuses three.json >three.statuses
  check "and so do replays on both" cmp one.statuses three.statuses
  run amplify --quiet --runs 2 --device 0,1 -- "$build/suites/last-writer/last-writer" 32 32 4 store
  expect "amplify on two devices finds the race" 3
  run coverage --device 0,1 -- "$host" run x
  expect "coverage takes one device" 1 "runs on one device"
  run mutate --device 0,0 -- "$host" run x
  expect "a device named twice" 1 "names device 0 twice"
  unset POCL_DEVICES
}

# --verify-engine runs schedules, too, once more with the program.
section_verified_schedules() {
  fresh
  for program in "histogram/histogram 500 words counts" "last-writer/last-writer 32 32 4 store"; do
    set -- $program
    run amplify --runs 4 --verify-engine 100 -- "$build/suites/$1" "$2" "$3" "$4" ${5:+"$5"}
    expect "amplify --verify-engine $1" "$([ "$1" = histogram/histogram ] && echo 0 || echo 3)" "agree on all [45] schedules that were run with both"
    run amplify --runs 4 --verify-engine 0 -- "$build/suites/$1" "$2" "$3" "$4" ${5:+"$5"}
    check "amplify --verify-engine 0 $1 verifies none" [ "$(grep -c 'run with both' "$work/err")" = 0 ]
  done
}

# --capture keeps what `capture` would, and the command does what it does without.
section_capture_beside() {
  fresh
  run capture --quiet alone.cltc -- "$host" run x
  for command in coverage mutate amplify; do
    run $command --quiet --capture $command.cltc -- "$host" run x
    check "$command --capture has the exit status of $command" [ "$status" = "$([ $command = amplify ] && echo 5 || echo 0)" ]
    check "$command --capture keeps what capture keeps" cmp alone.cltc $command.cltc
  done
  run coverage --capture x.cltc -- "$host" run x
  check "the program's output comes once" [ "$(wc -l <"$work/out")" = "$("$host" run x | wc -l)" ]
  run coverage --capture many.cltc reduction
  expect "--capture wants one test case" 1 "keeps what one test case does, and there are 3"
  run coverage --capture nothing.cltc -- true
  expect "--capture of nothing" 5 "nothing was captured"
  check "and there is no file" [ ! -e nothing.cltc ]
}

# The id of a mutant of `e2e_host run` that is killed.
run_x_mutant() {
  run mutate --quiet --runs 1 --format json=ids.json -- "$host" run x
  value ids.json mutants.0.id
}

# Replays and whole programs give every mutant the same verdict.
engines_agree() {
  for engine in rerun replay; do
    run mutate --quiet --runs 2 --engine $engine --db $engine.db --format json=$engine.json "$@"
    expect "mutate --engine $engine $1" 0
    statuses $engine.json >$engine.statuses
  done
  check "mutate $1: both engines agree on every mutant" cmp rerun.statuses replay.statuses
}

section_replay_mutate() { # test: cost=30
  fresh
  [ "${CLTC_FULL:-0}" = 0 ] || engines_agree outliers-strong
  engines_agree outliers-weak
  run mutate --quiet --runs 2 --engine auto --verify-engine 100 --format json=a.json vector-guarded
  expect "mutate --verify-engine" 0
  run mutate --quiet --runs 2 --format json=a.json -- "$host" noise x
  expect "mutate: what differs from run to run is not replayed" 0
  same "mutate: what differs from run to run is not replayed: none" 0 sh -c \
    "grep -o '\"replayed\": *[1-9]' a.json | wc -l"
}

# Mutants that crash leave no files with their memory behind, wherever the system would put these.
section_mutants_leave_no_core() {
  fresh
  printf '__kernel void work(__global int *out) {\n  long i = get_global_id(0);\n  out[(i * 1000000000) / 1000000000] = 2;\n}\n' >far.cl
  run capture --quiet far.cltc -- "$host" groups far.cl
  for what in far.cltc "-- $host groups far.cl"; do
    # shellcheck disable=SC2086,SC3045
    (ulimit -c unlimited 2>/dev/null; "$tool" mutate --quiet --jobs 1 --runs 1 --no-equivalence --format json=m.json $what >"$work/out" 2>"$work/err")
    check "mutate: $what: some crash" grep -q '"crash": *[1-9]' m.json
    same "mutate: $what: nothing is left behind" "cltestcheck.db far.cl far.cltc m.json" listed
    rm -f cltestcheck.db m.json
  done
}
listed() { ls | paste -s -d ' '; }

# What a mutant reads outside of the memory is multiplied by zero, which shows only where it is no number: i - 4 and i * 4 do so.
section_replay_outside() {
  fresh
  printf '__kernel void work(__global float *out) {\n  int i = get_global_id(0);\n  if (i < 4)\n' >a.cl
  printf '    out[i] = 0.0f *\n      out[i + 4];\n}\n' >>a.cl
  for runs in 1 4; do
    run mutate --quiet --runs $runs --engine replay --lines 5 --operators arith --no-equivalence --no-cache \
      --format json=a.json -- "$host" fill a.cl:work:0
    expect "replay: reads outside of memory, --runs $runs" 0
    same "replay: reads outside of memory, which become zero, --runs $runs" "5:13 arith * undecided
5:13 arith - undecided
5:13 arith / survived" statuses a.json
  done
}

# verdicts FILE: line, replacement, status and reason of each mutant
verdicts() {
  for i in $(seq 0 $(($(value "$1" mutants) - 1))); do
    echo "$(value "$1" mutants.$i.line) $(value "$1" mutants.$i.replacement) $(value "$1" mutants.$i.status)" \
      "$(value "$1" mutants.$i.reason)" | sed 's/ $//'
  done | LC_ALL=C sort
}

# Of eight places four are written on line 4; on line 5 they are read, where zeros and what is there (3) look alike; on line 8 one is
# written as it was. With i - 4 and i * 4 that is outside of the memory. So is 8 + 1, 8 * 1, 8 / 1, which nobody sees inside.
section_replay_bounds() {
  fresh
  printf '__kernel void work(__global int *out) {\n  int i = get_global_id(0);\n  if (i < 4) {\n    out[i + 4] = 3;\n' >a.cl
  printf '    out[i] = 4 & out[i + 4];\n    if (i == 3)\n\n      out[8 - 1] = out[7];\n  }\n}\n' >>a.cl
  mkdir elsewhere
  for way in "auto 1 ." "auto 4 ." "replay 2 ." "auto 2 elsewhere"; do
    # shellcheck disable=SC2086
    set -- $way
    cd "$3" || exit 1
    run mutate --quiet --runs 5 --engine "$1" --jobs "$2" --operators arith --no-equivalence --no-cache --format json=a.json -- \
      "$host" fill "$work/here/a.cl:work:0"
    expect "replay: outside of memory, $way" 0
    same "replay: outside of memory, $way: verdicts" "4 * killed out of bounds
4 - killed out of bounds
4 / killed output
5 * undecided unwritten
5 - undecided unwritten
5 / survived
8 * killed out of bounds
8 + killed out of bounds
8 / killed out of bounds" verdicts a.json
    same "replay: outside of memory, $way: the program is not asked" "9" replayed_mutants a.json
    cd "$work/here" || exit 1
  done
}

# The original writes outside: that is said, and is no evidence.
section_replay_original_outside() {
  fresh
  printf '__kernel void work(__global int *out) {\n  int i = get_global_id(0);\n  out[i] = i;\n  if (i == 7)\n' >a.cl
  printf '    out[7 + 1] = 5;\n}\n' >>a.cl
  run mutate --quiet --runs 2 --engine replay --operators arith --no-equivalence --format json=a.json -- "$host" fill a.cl:work:0
  expect "replay: the original writes outside of memory" 0 "writes outside of its buffers without any mutant"
  same "replay: the original writes outside of memory: verdicts" "5 * killed output
5 - killed output
5 / killed output" verdicts a.json
  sed 's/7 + 1/9 + 1/' a.cl >b.cl
  run mutate --quiet --runs 2 --engine replay --operators arith --no-equivalence --format json=a.json -- "$host" fill b.cl:work:0
  same "replay: the original writes farther outside of memory: verdicts" "5 * survived
5 - survived
5 / survived" verdicts a.json
}

# Three quarters of what the host reads nobody has written: what lies there, whether it varies or not, is in nobody's way. With <= the
# same items write as with <, with the others none does.
section_replay_unwritten() { # test: cost=15
  fresh
  printf '__kernel void work(__global int *out) {\n  int i = get_global_id(0);\n  if (i < 4096)\n    out[i] = i + 1;\n}\n' >a.cl
  printf 'n=$(cat count)\necho $((n + 1)) >count\nMALLOC_PERTURB_=$((n %% 250 + 1)) exec "$@"\n' >vary.sh
  for memory in "env MALLOC_PERTURB_=90" "sh vary.sh"; do
    for engine in rerun auto replay; do
      echo 1 >count
      # shellcheck disable=SC2086
      run mutate --quiet --runs 4 --engine $engine --no-cache --no-equivalence --operators arith,rel --format json=a.json -- $memory "$host" part a.cl
      expect "mutate: memory that nobody has written is read ($memory), --engine $engine" 0
      same "mutate: memory that nobody has written is read ($memory), --engine $engine: verdicts" "3:9 rel <= survived
3:9 rel > killed
3:9 rel >= killed
4:16 arith * killed
4:16 arith - killed
4:16 arith / killed" statuses a.json
      same "mutate: memory that nobody has written is read ($memory), --engine $engine: replays" \
        "$([ $engine = rerun ] && echo 0 || echo 6)" replayed_mutants a.json
    done
  done
}

# The mutants read what nobody has written; the original has 0 there, as one of the fillings.
section_unwritten_by_mutants() {
  fresh
  printf '__kernel void work(__global int *out) {\n  int i = get_global_id(0);\n  if (i < 4096)\n' >a.cl
  printf '    out[i] = i < 4096 ? 0 : out[i + 8192];\n}\n' >>a.cl
  for engine in rerun auto replay; do
    run mutate --quiet --runs 4 --engine $engine --no-cache --no-equivalence --lines 4 --operators rel --format json=a.json -- env MALLOC_PERTURB_=90 "$host" part a.cl
    expect "mutate: a mutant reads memory that nobody has written, --engine $engine" 0
    same "mutate: a mutant reads memory that nobody has written, --engine $engine: verdicts" "4 <= survived
4 > undecided unwritten
4 >= undecided unwritten" verdicts a.json
  done
}

section_replay_amplify() { # test: cost=15
  fresh
  for suite in last-writer histogram; do
    for attempt in 1 2 3; do # a race that shows seldom is no disagreement; one that stays is
      for engine in rerun replay; do
        rm -f $engine.db*
        run amplify --quiet --runs 2 --engine $engine --db $engine.db --format json=a.json $suite
        figures >$engine.figures
      done
      cmp -s rerun.figures replay.figures && break
    done
    check "amplify $suite: both engines agree" cmp rerun.figures replay.figures
  done
}
