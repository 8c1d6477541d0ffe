# What the benchmarks that run programs with and without cltestcheck share; sourced, with $build, $layer and $work set.
# shellcheck shell=bash disable=SC2154

# ocl-icd puts each layer of OPENCL_LAYERS on top of those before it: the first is the nearest to the driver.
# cltestcheck puts its own in front, so the timing layer is put before that one in the child.
plain() { OPENCL_LAYERS=$layer bash -c "exec $1"; }
instrumented() { watched coverage "$1"; }
# watched COMMAND PROGRAM: under a command of cltestcheck, with its options.
watched() {
  # shellcheck disable=SC2016,SC2086 # expanded in the child; the options are words
  "$build/cltestcheck" $1 --quiet --db "$work/db" -- env BENCH_LAYER="$layer" BENCH_COMMAND="$2" \
    bash -c 'OPENCL_LAYERS=$BENCH_LAYER:$OPENCL_LAYERS; export OPENCL_LAYERS; exec bash -c "exec $BENCH_COMMAND"'
}

# suite_list: the benchmarks of suites/ at the sizes of suites.tsv, as lines "name<TAB>folder<TAB>command".
suite_list() {
  local name arguments
  while IFS=$'\t' read -r name arguments; do
    case $name in '' | '#'*) continue ;; esac
    printf '%s\t%s\t./%s %s\n' "$name" "$build/suites/${name%%/*}" "${name%%/*}" "$arguments"
  done < "$here/suites.tsv"
}

now() { echo "${EPOCHREALTIME/[.,]/}"; } # microseconds
seconds() { awk "BEGIN { printf \"%.2f\", $1 / 1000000 }"; }

# check_built: ends the script when something of the build is missing.
check_built() {
  local needed
  for needed in "$build/cltestcheck" "$layer"; do
    [ -e "$needed" ] && continue
    echo "$0: $needed is missing; build it, or name the build folder with -b" >&2
    exit 1
  done
}
