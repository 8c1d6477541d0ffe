#!/bin/sh
# `cltestcheck memory --leaks`: objects that a program does not release are told, with their call; those that it does are not,
# nor what the driver and the layer hold: leaks.sh BUILD_DIR SOURCE_DIR
# test: cost=12
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
program=$(cd "$2" && pwd)/tests/e2e/programs/leaks_host.c
host=$build/leaks_host
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD
failed=0

# leaks NAME STATUS NUMBER TEXT OPTIONS…: so many findings, the status, and each of the words in TEXT, divided by "|"
leaks() {
  name=$1 status=$2 number=$3 rest=$4
  shift 4
  "$build/cltestcheck" memory --db run.db --format json=run.json "$@" >out 2>&1 </dev/null
  got=$?
  verdict=ok
  [ $got = "$status" ] || verdict="FAIL (exit $got, not $status)"
  [ "$(grep -o '"rule": "leak"' run.json | wc -l)" = "$number" ] || verdict="FAIL (not $number leaks)"
  grep -qF "\"leak\": $number" run.json || verdict="FAIL (JSON does not count $number)"
  tr '\n' ' ' <out | tr -s ' ' >line
  while [ -n "$rest" ]; do
    word=${rest%%|*}
    rest=${rest#"$word"}
    rest=${rest#|}
    grep -qF -- "$word" line || verdict="FAIL (no \"$word\")"
  done
  echo "$verdict $name"
  case $verdict in
    FAIL*)
      sed 's/^/    /' out
      failed=1
      ;;
  esac
}

fast="--rules out-of-bounds"
made=$(grep -n 'made here' "$program" | cut -d: -f1)
# shellcheck disable=SC2086 # words
{
  leaks "all is released" 0 0 "" --leaks $fast -- "$host" clean
  leaks "all is released after main" 0 0 "" --leaks $fast -- "$host" late
  leaks "not asked for" 0 0 "" $fast -- "$host" all
  leaks "a context alone" 3 1 "object that is not released: the program has ended without releasing a context that clCreateContext made" \
    --leaks $fast -- "$host" context
  leaks "a context with all that is in it" 3 1 "; with it: 1 command queue, 1 program, 2 kernels, 6 buffers, 1 image, 1 sampler, 3 events (3968 bytes)" \
    --rules leak -- "$host" all
  leaks "objects of one call are one finding" 3 2 \
    "3 buffers of 1024 bytes that clCreateBuffer made (leaks_host.c:$made)|a buffer of 512 bytes that clCreateBuffer made (leaks_host.c:$made)" \
    --leaks $fast -- "$host" buffers
  leaks "a kernel, not the program and the context that it holds" 3 1 "without releasing a kernel |that clCreateKernelsInProgram made" \
    --leaks $fast -- "$host" retained
  leaks "events" 3 1 "2 events that clEnqueueNDRangeKernel made" --leaks $fast -- "$host" events
  leaks "a part of a buffer, an image, a sampler" 3 3 \
    "a buffer of 128 bytes that clCreateSubBuffer made|an image of 128 bytes that clCreateImage made|a sampler that clCreateSampler made" \
    --leaks $fast -- "$host" some
  leaks "an end that cannot be seen" 0 0 "which OpenCL objects it has not released is not known" --leaks $fast -- "$host" exit
}
exit $failed
