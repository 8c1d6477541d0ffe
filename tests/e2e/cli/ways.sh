# Kernels of programs that are not built from source when they are launched: each command follows them where it can, and says
# what it has not looked at where it cannot.
# shellcheck shell=sh disable=SC2154

# follows NAME WAY…: all commands see both kernels of ways_host in this way of launching the second
follows() {
  follows_name=$1
  shift
  for command in coverage races memory; do
    run $command --format json=a.json -- "$build/ways_host" "$@"
    expect "$follows_name: $command" 0
    same "$follows_name: $command: both kernels" "plain other" sh -c "'$checker' a.json --get kernels.0.name | tr '\n' ' '; '$checker' a.json --get kernels.1.name"
    check "$follows_name: $command: nothing is left out" grep -q '"skipped": *\[\]' a.json
  done
  # of each kernel: the comparison, and the assignment, that has three
  run mutate --runs 2 --no-equivalence --operators rel,assign --format json=a.json -- "$build/ways_host" "$@"
  expect "$follows_name: mutate" 0
  same "$follows_name: mutate: mutants of both kernels" 12 value a.json mutation.total
  run amplify --runs 2 --format json=a.json -- "$build/ways_host" "$@"
  expect "$follows_name: amplify" 5 "no launch has several work-groups"
  same "$follows_name: amplify: both kernels" "plain other" sh -c "'$checker' a.json --get kernels.0.name | tr '\n' ' '; '$checker' a.json --get kernels.1.name"
  run verify --second-opinion=off -- "$build/ways_host" "$@"
  expect "$follows_name: verify" 0 "2 of 2 kernels verified"
  run repair --second-opinion=off -- "$build/ways_host" "$@"
  expect "$follows_name: repair" 0
  run capture other.cltc -- "$build/ways_host" "$@"
  expect "$follows_name: capture" 0 "other.cltc: [23] launches of [23] kernels"
  run replay other.cltc
  expect "$follows_name: replay" 0
}

# Programs made of binaries that the same program has built from source.
section_ways_binary() { # test: cost=20
  fresh
  follows "binary" binary
  run coverage --format json=a.json -- "$build/ways_host" linked
  expect "objects from binaries" 0
  same "objects from binaries: outcomes of the kernel and of the helper" 4 value a.json coverage.branch.covered
  # a cache: mutate runs the program many times, and only the first of them builds from source
  run mutate --runs 2 --no-equivalence --operators rel --format json=a.json -- "$build/ways_host" cached new.bin
  expect "a cache of binaries: mutate" 0
  same "a cache of binaries: mutants of both kernels" 6 value a.json mutation.killed
  check "a cache of binaries: it is in use" test -s new.bin
}

# What cannot be followed is said, and "never launched" is said of nothing that may have been launched so.
section_ways_foreign() { # test: cost=15
  fresh
  "$build/ways_host" cached foreign.bin >plain.out
  for command in coverage races memory; do
    run $command -- "$build/ways_host" foreign foreign.bin
    expect "foreign: $command" 0 "program from binary: a program from a binary has no source"
    check "foreign: $command: nothing is known of a kernel" grep -q '^other .*not seen' "$work/err"
    check "foreign: $command: never is not said" sh -c "! grep -q never '$work/err'"
  done
  run mutate --runs 2 --no-equivalence --operators rel -- "$build/ways_host" foreign foreign.bin
  expect "foreign: mutate" 0 "program from binary"
  check "foreign: mutate: no coverage as far as was seen" grep -q 'No coverage: .* executes the place, as far as it was looked at' "$work/err"
  run amplify --runs 2 -- "$build/ways_host" foreign foreign.bin
  expect "foreign: amplify" 5 "program from binary"
  for command in verify repair; do
    run $command --second-opinion=off -- "$build/ways_host" foreign foreign.bin
    expect "foreign: $command" 0 "a program was made from a binary: what it launched before that is looked at, and nothing after it"
  done
  # what a command buffer holds runs as it is
  "$build/ways_host" buffer >plain.out
  run coverage -- "$build/ways_host" buffer
  expect "command buffer: coverage" 0 "command buffer: what it launches runs as it was written, and is not looked at"
  check "command buffer: the program prints the same" cmp plain.out "$work/out"
  check "command buffer: never is not said" sh -c "! grep -q never '$work/err'"
  run capture changed.cltc -- "$build/ways_host" buffer
  expect "command buffer: capture" 5 "a command buffer, whose commands are not followed"
  run capture other.cltc -- "$build/ways_host" foreign foreign.bin
  expect "foreign: capture" 5 "cannot be replayed: a program was made from a binary"
  run coverage -- "$build/ways_host" contexts
  expect "kernels of two contexts" 0 "^other  *1 "
}

# A folder of builds on a disk that is full, with marks of texts whose builds have taken 1,000 seconds: each is worth keeping.
full_disk() {
  whole=$tool
  (cd "$builds" && ls) >names
  cat >full <<'END'
#!/bin/sh
exec unshare -rm sh -c 'mount -t tmpfs -o size=32k none "$1" || exit 77
  while read -r name; do printf "\0\0\0\0\0\100\217\100\1\0\0\0\0\0\0\0" >"$1/$name"; done <names
  dd if=/dev/zero of="$1/rest" bs=4k >trouble 2>&1
  builds=$1 && shift
  "$@"
  status=$?
  find "$builds" -type f ! -name rest \( -size +4k -o -name "*.*" \) >left
  for file in "$builds"/*; do od -An -tx1 -j 9 -N 1 "$file"; done >tried
  exit $status' sh "$BUILDS" "$WHOLE" "$@"
END
  chmod +x full
  unshare -rm sh -c "mount -t tmpfs none '$builds'" 2>trouble || return 0 # nobody but root may have a disk of his own here
  tool=$PWD/full
  export BUILDS="$builds" WHOLE="$whole"
  rm -rf "$work/kernels"/*
  covers "on a full disk"
  check "something was to be kept" grep -q 01 tried
  check "nothing is left there in part" [ ! -s left ]
  tool=$whole
}

# Built kernels are kept from run to run; whatever is wrong with the folder costs nothing but a build.
section_builds() { # test: cost=10
  fresh
  old_cache=${XDG_CACHE_HOME-} old_kernels=${POCL_CACHE_DIR-}
  export XDG_CACHE_HOME="$work/xdg" POCL_CACHE_DIR="$work/kernels"
  mkdir "$work/xdg" "$work/kernels"
  builds=$work/xdg/cltestcheck/builds
  covers() { # NAME OPTIONS…: what a run says is as ever
    covers_name=$1
    shift
    run coverage --format json=a.json "$@" -- "$build/ways_host" linked
    expect "$covers_name" 0
    same "$covers_name: outcomes" 4 value a.json coverage.branch.covered
  }
  kept() { find "$builds" -size +4k ! -name 'text-*' 2>"$work/trouble" | wc -l; }
  # binaries are worth their time after some builds, in which the driver has nothing of its own either
  until_kept() {
    for i in 1 2 3 4 5 6 7 8; do
      [ "$(kept)" -gt 0 ] && break
      rm -rf "$work/kernels"/*
      covers "$1, $i"
    done
  }
  covers "no folder is wanted" --no-build-cache
  check "it is not made then" [ ! -e "$builds" ]
  until_kept "run"
  check "binaries are kept" [ "$(kept)" -gt 0 ]
  check "rewritten sources are kept" sh -c "ls '$builds'/text-* >/dev/null"
  rm -rf "$work/kernels"/* # what the driver itself keeps
  covers "from kept binaries alone"
  for file in "$builds"/*; do truncate -s -1000 "$file" 2>"$work/trouble" || : >"$file"; done
  covers "from files that were cut off"
  for file in "$builds"/*; do printf 'cltcbin1 and nothing that makes sense, but of the length of a file that might have been one' >"$file"; done
  until_kept "from files of somebody else"
  check "binaries are kept anew" [ "$(kept)" -gt 0 ]
  for file in "$builds"/*; do head -c 60000 /dev/urandom | dd of="$file" bs=1 seek=40 conv=notrunc 2>"$work/trouble"; done
  covers "from files with other bytes"
  full_disk
  rm -rf "$builds" "$work/kernels"/*
  "$tool" coverage --db two.db -- "$build/ways_host" linked >two.out 2>&1 &
  covers "beside another run"
  check "the other run" wait $!
  check "doctor names the folder" sh -c "'$tool' doctor | grep -q '^ok  *builds  *$builds'"
  XDG_CACHE_HOME=/proc
  covers "where nothing can be written"
  unset XDG_CACHE_HOME POCL_CACHE_DIR
  [ -z "$old_cache" ] || export XDG_CACHE_HOME="$old_cache"
  [ -z "$old_kernels" ] || export POCL_CACHE_DIR="$old_kernels"
}

# A CUDA kernel by the header's names: a block turns its part round, with its barrier and without.
section_cuda() {
  fresh
  cp "$source/include/cltestcheck-cuda.h" .
  cat >turn.cl <<'END'
#include "cltestcheck-cuda.h"
__global__ void turn(global int *a, int n) {
  __shared__ int part[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? a[i] : 0;
  __syncthreads();
  if (i < n) a[i] = part[blockDim.x - 1 - threadIdx.x];
}
END
  cat >suite.yaml <<'END'
name: turn
kernels: turn.cl
tests:
  - name: blocks
    buffers: {a: {type: int, elements: 128, ramp: {from: 0, step: 1}}}
    launches: [{kernel: turn, global: [128], local: [64], args: {a: a, n: 128}}]
    expect: [{buffer: a, formula: "i / 64 * 128 + 63 - i"}]
END
  run run suite.yaml
  expect "a CUDA kernel gives what it should" 0
  run races suite.yaml
  expect "with its barrier there is no race" 0
  sed -i '/__syncthreads/d' turn.cl
  run races suite.yaml
  expect "without it there is one" 3 "data race in kernel turn"
}
