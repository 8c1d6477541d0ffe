#!/bin/bash
# shellcheck disable=SC2317
# What must not be lost, and who must not be waited for: losses.sh BUILD_DIR SOURCE_DIR SECTION…
# One line a check that failed; exit 1 when one did.
set -u
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
shift 2
tool=$build/cltestcheck
host=$build/losses_host
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD NO_COLOR
export POCL_CACHE_DIR=$work/cache TMPDIR=$work/tmp
mkdir "$work/tmp" "$work/cache"
cd "$work" || exit 1
failed=0

fail() {
  failed=1
  echo "FAIL $name: $*"
  sed 's/^/    /' err 2> /dev/null | tail -n 5
}

# ends_within SECONDS STATUS COMMAND…: it does, by itself
ends_within() {
  local seconds=$1 wanted=$2 from=$SECONDS
  shift 2
  timeout -k 1 -s KILL $(((seconds + 30) * ${CLTC_SLOW:-1})) "$@" > out 2> err
  local status=$?
  [ $((SECONDS - from)) -le $((seconds * ${CLTC_SLOW:-1})) ] || fail "took $((SECONDS - from)) s"
  [ $status = "$wanted" ] || fail "exit status $status instead of $wanted"
}

said() { grep -q "$1" err || fail "nothing is said of: $1"; }
unsaid() { ! grep -q "$1" err || fail "it says: $(grep "$1" err)"; }

# Clients of the socket that keep no rules are ended by the time limit.
section_limit() {
  local way
  for way in deaf slow half chatter; do
    name="limit: $way"
    ends_within 15 4 "$tool" coverage --quiet --db limit.db --timeout 1 -- "$host" $way
    said "ran longer than 1 seconds"
  done
  name="limit: a daemon that is deaf"
  ends_within 15 5 "$tool" coverage --quiet --db limit.db --timeout 3 -- "$host" daemon-deaf
  said "process [0-9]* (losses_host), which .*losses_host.* started, still runs"
  end_daemons
}

# Daemons that a test has left; by the folder that they were started in.
daemons() {
  local process
  for process in /proc/[0-9]*; do
    if [ "$(readlink "$process/exe")" = "$host" ] && [ "$(readlink "$process/cwd")" = "$work" ]; then
      echo "${process#/proc/}"
    fi
  done
}

end_daemons() {
  local process
  for process in $(daemons); do
    kill -9 "$process"
  done
}

# interrupt SIGNAL WAY COMMAND…: under it the program WAY gets a signal after a while; "stopped": it is stopped then
interrupt() {
  local signal=$1 way=$2 pid from status watchdog
  shift 2
  # a shell ignores SIGINT for what it starts in the background
  env --default-signal=INT "$@" --quiet --db signals.db -- "$host" "${way/stopped/deaf}" > out 2> err &
  pid=$!
  sleep 0.7
  [ "$way" != stopped ] || kill -STOP "$(cat "/proc/$pid/task/$pid/children")"
  from=$SECONDS
  kill "-$signal" $pid
  (sleep 20; kill -9 $pid) 2> /dev/null &
  watchdog=$!
  wait $pid
  status=$?
  kill $watchdog 2> /dev/null
  [ $status = 130 ] || fail "exit status $status instead of 130"
  [ $((SECONDS - from)) -le 10 ] || fail "took $((SECONDS - from)) s"
}

# Ctrl-C ends the wait for clients that keep no rules, also for one that is stopped.
section_signals() { # test: cost=10
  local way signal
  for signal in INT TERM; do
    for way in deaf chatter stopped; do
      name="signals: coverage, $way, SIG$signal"
      interrupt $signal $way "$tool" coverage
    done
    name="signals: mutate, deaf, SIG$signal"
    interrupt $signal deaf "$tool" mutate
  done
}

# Ctrl-Z gives the shell back, and `fg` goes on.
section_stop() {
  name="stop"
  script -qec true /dev/null > no-terminal 2>&1 < /dev/null || {
    echo "skip stop: script is not installed, or there is no /dev/pts"
    exit 77
  }
  {
    sleep 0.5
    printf '%s\n' "'$tool' coverage --quiet --db stop.db --timeout 4 -- sh -c 'sleep 1.5; echo end > end'"
    sleep 1
    printf '\032'
    sleep 0.5
    printf 'jobs > jobs\n'
    sleep 3.5 # is none of the program's time
    printf 'fg\n'
    sleep 2
    printf 'echo $? > status\nexit\n'
    sleep 0.5
  } | timeout 20 script -qec 'bash --norc -i' /dev/null > out 2> err
  grep -q Stopped jobs || fail "Ctrl-Z does not stop it"
  [ -s end ] || fail "fg does not go on"
  [ "$(cat status)" = 5 ] || fail "exit status $(cat status) instead of 5"
}

# Programs that end while a kernel is compiled: the driver is not taken down under it.
section_exit() { # test: quick
  local way i
  for way in unfinished unfinished-thread; do
    for i in 1 2; do
      name="exit: $way, $i"
      rm -rf cache/*
      ends_within 60 0 "$tool" coverage --quiet --db exit.db -- "$host" $way
    done
    rm -rf cache/*
    name="exit: $way, as it is"
    ends_within 60 0 "$tool" capture --quiet exit.capture -- "$host" $way
  done
}

# crashes TOOL COMMAND PATTERN STATUS TEXT: of a program that crashes now and then this is said
crashes() {
  name="crashes: $1 $2"
  rm -f runs
  ends_within 60 "$3" "$tool" "$1" --quiet --db crashes.db -- "$host" sometimes runs "$2"
  said "$4"
  unsaid "in an earlier run"
}

section_crashes() {
  # instrumented it crashes, and the second time as well: it is left alone from now on
  crashes coverage 10001 5 "running it again, 3 times"
  said "kernel small of"
  "$tool" report --db crashes.db --format json=crashes.json 2> err
  grep -q '"reason": *"the device.s compiler, or the device, crashed' crashes.json || fail "it is not listed"
  grep -q '"kernels": *\[\]' crashes.json || fail "it is counted"
  rm runs
  ends_within 60 4 "$tool" coverage --quiet --db crashes.db -- "$host" sometimes runs 1
  said "signal 11"
  unsaid "running it again"
  rm crashes.db*
  crashes coverage 1111 4 "ends alike with it untouched, 3 of 3 times: the instrumentation is not why"
  crashes coverage 1010 4 "ends alike with it untouched, though now and then only, 1 of 3 times"
  crashes coverage 10000 0 "was killed by signal 11 once and not again, whether instrumented or not"
  crashes mutate 10 4 "does so now and then (1 of 3 runs)"
  crashes mutate 11111111111111111111111111111111111111111111111111 4 "fails without any mutant"
  unsaid "now and then"
  crashes mutate 111 4 "does so now and then (3 of 4 runs)"
  crashes mutate 01 4 "does so now and then (1 of 3 runs)"
  crashes amplify 10 0 "does so now and then (1 of 2 runs so far)"
}

# launches KERNEL: how many the report of lost.db counts, or "none"
launches() {
  "$tool" report --db lost.db --format json=lost.json 2> err
  tr -d ' \n' < lost.json | grep -o "\"name\":\"$1\"[^}]*\"launches\":[0-9]*" | grep -o '[0-9]*$' || echo none
}

# Evidence comes from programs that close all descriptors, and from daemons.
section_lost() { # test: cost=100
  local way
  for way in closes daemon; do
    name="lost: $way"
    rm -f lost.db
    ends_within 30 0 "$tool" coverage --quiet --db lost.db -- "$host" $way
    unsaid "still runs"
    unsaid "launches did"
    [ "$(launches small)" = 2 ] || fail "launches: $(launches small) instead of 2"
  done
  for way in auto rerun; do
    name="lost: a daemon under mutate, --engine $way"
    rm -f lost.db
    ends_within 90 0 "$tool" mutate --db lost.db --engine $way --runs 2 --kernel small --operators assign --no-cache -- "$host" daemon
    unsaid "no OpenCL call"
    "$tool" report --db lost.db --format json=lost.json 2> err
    tr -d ' \n' < lost.json | grep -q '"killed":3,' || fail "not all three mutants are killed"
  done
  name="lost: daemons that stay with a mutant"
  rm -f lost.db
  ends_within 90 0 "$tool" mutate --db lost.db --engine rerun --runs 2 --kernel small --operators assign --no-cache -- "$host" daemon-stays
  [ "$(daemons | wc -l)" = 0 ] || fail "$(daemons | wc -l) daemons are left"
  end_daemons
  name="lost: a daemon that launches nothing"
  rm -f lost.db
  ends_within 50 5 "$tool" coverage --db lost.db --timeout 20 -- "$host" daemon-idles
  said "started, still runs"
  said "nothing was observed: the program"
  end_daemons
  name="lost: a daemon under amplify"
  rm -f lost.db
  ends_within 90 0 "$tool" amplify --db lost.db --runs 2 --targets 1 --kernel small -- "$host" daemon
  unsaid "no OpenCL call"
  name="lost: leaves"
  rm -f lost.db
  ends_within 30 0 "$tool" coverage --db lost.db -- "$host" leaves
  said "what 1 of its 2 launches did is not known"
  [ "$(launches small)" = 1 ] || fail "launches: $(launches small) instead of 1"
}

# Folders of others whose names are as ours stay; those of ours that a killed process has left go.
section_folders() {
  local others ours
  name="folders"
  others=$TMPDIR/cltestcheck-capture.backup
  ours=$TMPDIR/cltestcheck-capture.1a2B3c
  mkdir -p "$others" "$ours/folder" "$TMPDIR/cltestcheck-capture.backed"
  echo data > "$others/file"
  touch "$ours/made-by-cltestcheck" "$ours/folder/file"
  ends_within 30 0 "$tool" capture --quiet folders.capture -- "$host" sometimes runs 0
  [ -s "$others/file" ] || fail "a folder of somebody else is gone"
  [ -d "$TMPDIR/cltestcheck-capture.backed" ] || fail "an empty folder of somebody else is gone"
  [ ! -e "$ours" ] || fail "a folder of ours that was left stays"
  rm -rf "$others" "$ours" "$TMPDIR/cltestcheck-capture.backed"
}

# reported TEXT: it is in refused.json, without white space
# Lines of the host are in a program that was built with debug information.
reported() {
  "$tool" report --db refused.db --format json=refused.json 2> err
  tr -d ' \n' < refused.json | sed 's/,\{0,1\}losses_host\.c:[0-9]*//g' | grep -qF "$1" || fail "not in the report: $1"
}

# Calls that the device refuses are counted and said.
section_refused() {
  local launch='{"call":"clEnqueueNDRangeKernel","kernel":"small","error":"CL_INVALID_WORK_GROUP_SIZE"'
  launch="$launch,\"detail\":\"globalsize60,work-groupsize64\",\"count\":10}"
  local read='{"call":"clEnqueueReadBuffer","kernel":"","error":"CL_INVALID_VALUE","detail":"4bytesfrombyte256ofmemoryof256bytes","count":1}'
  name="refused: all"
  ends_within 30 5 "$tool" coverage --db refused.db -- "$host" refused
  said "the device refused every launch (10), the first one of kernel small: CL_INVALID_WORK_GROUP_SIZE (global"
  said "clEnqueueNDRangeKernel of small, 10 times: CL_INVALID_WORK_GROUP_SIZE"
  said "multiple of"
  reported "$launch"
  reported "$read"
  reported '{"call":"clCompileProgram","kernel":"","error":"CL_COMPILE_PROGRAM_FAILURE","detail":"-DA","count":1}'
  reported '{"call":"clLinkProgram","kernel":"","error":"CL_INVALID_OPERATION","detail":"","count":1}'
  name="refused: some"
  rm refused.db
  ends_within 30 0 "$tool" coverage --db refused.db -- "$host" refused also
  said "clEnqueueNDRangeKernel of small, 10 times: CL_INVALID_WORK_GROUP_SIZE"
  unsaid "nothing was observed"
  reported "$launch"
  "$tool" merge --db merged.db refused.db > out 2>&1 && "$tool" merge --db merged.db refused.db > out 2>&1
  mv merged.db refused.db
  reported "$launch"
  name="refused: mutate"
  rm refused.db
  ends_within 60 0 "$tool" mutate --db refused.db --kernel small --runs 2 --no-equivalence -- "$host" refused also
  said "the device refuses launches without any mutant: kernel small: CL_INVALID_WORK_GROUP_SIZE"
  reported "$launch"
  name="refused: mutate, all"
  rm refused.db
  ends_within 60 5 "$tool" mutate --db refused.db --kernel small --runs 2 --no-equivalence -- "$host" refused
  said "no mutant was run: the device refused every launch"
  name="refused: amplify"
  rm refused.db
  "$tool" amplify --db refused.db --kernel small --runs 2 -- "$host" refused also > out 2> err
  said "clEnqueueNDRangeKernel of small, 10 times: CL_INVALID_WORK_GROUP_SIZE"
  reported "$launch"
}

# A replay that crashes says where.
section_replay() {
  name="replay: the capture"
  ends_within 30 0 "$tool" capture --quiet wild.capture -- "$host" wild
  name="replay: a crash"
  ends_within 30 4 "$tool" replay wild.capture
  said "the device crashed (SIG[A-Z]*) in launch 1 (kernel wild)"
  said "the replay was killed by signal"
}

# What comes from the program's process is harmless on a terminal.
section_escapes() {
  local command
  for command in coverage mutate amplify; do
    name="escapes: $command"
    timeout 30 "$tool" $command --db escapes.db -- "$host" escapes > out 2>&1
    cp out err
    ! grep -q "$(printf '\033')" err || fail "the terminal gets: $(grep -m 1 "$(printf '\033')" err | cat -v)"
  done
  name="escapes: report"
  "$tool" report --db escapes.db --all > err 2>&1
  said "kernel.*times: CL_INVALID_WORK_GROUP_SIZE"
  ! grep -q "$(printf '\033')" err || fail "the terminal gets: $(grep -m 1 "$(printf '\033')" err | cat -v)"
}

for section in "$@"; do
  "section_$section"
done
exit $failed
