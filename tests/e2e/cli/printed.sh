# What README and docs/ print is what the tool prints: each command that stands there with its output is run, and the lines are
# compared. "…" stands for lines that are left out. Sourced by tests/e2e/run.sh.
# shellcheck shell=sh disable=SC2154

# What a page shows of a machine or of a run: the device, and how many groups it runs; how much there was time for; the database.
printed_plain() {
  sed '/second opinion: [0-9]* launches/d; s/ --db [^ `]*//; s/\(of run [0-9]*: .* on \).*/\1DEVICE/; s/[ ]*$//; s/[0-9]* in$/N in/' "$1"
}

# The lines of file $1 are in $2 in their order, next to each other but for "…".
printed_compare() {
  awk 'FILENAME == ARGV[1] { want[++n] = $0; next }
       { got[++m] = $0 }
       END {
         while (n > 0 && want[n] == "") n--
         at = 0; gap = 1
         for (i = 1; i <= n; i++) {
           if (want[i] ~ /^ *…$/) { gap = 1; continue }
           k = at + 1
           while (gap && k <= m && got[k] != want[i]) k++
           if (k > m || got[k] != want[i]) { printf "not there: %s\n", want[i]; if (k <= m) printf "but: %s\n", got[k]; exit 1 }
           at = k; gap = 0
         }
       }' "$1" "$2"
}

# What a command needs beside the source tree.
printed_files() {
  head='kernel void smooth(global const float *in, global float *out, local float *tile'
  ids='  const int l = get_local_id(0), i = get_global_id(0);'
  wait='  barrier(CLK_LOCAL_MEM_FENCE);'
  left='  const float left = l > 0 ? tile[l - 1] : in[i];'
  case "$1" in
    *./my_tests*)
      printf '%s\n' "$head) {" "$ids" '  tile[l] = in[i];' "$left" '  out[i] = (left + tile[l]) / 2;' '}' >smooth.cl
      printf '#!/bin/sh\nexec "%s" smooth.cl smooth 64 16 buffer:256 buffer:256 local:64 >/dev/null\n' "$build/races_launcher" >my_tests
      chmod +x my_tests
      ;;
    *'--groups 16 smooth.cl')
      printf '%s\n' "$head, int n) {" "$ids" '  tile[l] = in[i];' '  if (l > 0)' '    out[i] = (tile[l - 1] + tile[l]) / 2;' '  if (i < n)' '    out[i] += 1;' '}' >smooth.cl ;;
    *' smooth.cl') printf '%s\n' "$head) {" "$ids" '  tile[l] = in[i];' "$wait" "$left" '  out[i] = (left + tile[l]) / 2;' '}' >smooth.cl ;;
    *' sum.cl')
      turn=$wait
      case "$1" in repair*) turn='' ;; esac
      printf '%s\n' 'kernel void sum(global const int *in, global int *out, local int *part) {' '  const int t = get_local_id(0);' \
        '  part[t] = in[get_global_id(0)];' "$turn" '  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {' '    if (t < s) {' \
        '      part[t] += part[t + s];' '    }' "$turn" '  }' '  if (t == 0)' '    out[get_group_id(0)] = part[0];' '}' |
        if [ -n "$turn" ]; then cat; else grep . | sed 's/get_local_size(0) . 2/32/'; fi >sum.cl
      ;;
    *./two_queues*)
      sed -n '/^static const char source/,/;$/s/^ *"\(.*\)\\n".*/\1/p' "$source/tests/e2e/programs/queues_host.c" >kernels.cl
      printf '#!/bin/sh\nexec ./queues read-meanwhile\n' >two_queues
      chmod +x two_queues
      cp "$build/queues_host" queues && strip -g queues # without lines of calls
      ;;
    *) ln -sf "$source/suites" suites ;;
  esac
}

section_printed() { # test: cost=25
  fresh
  number=0
  (cd "$source" && awk '
    FNR == 1 { on = 0 }
    /^    \$ cltestcheck / { on = 1; printf "@%s %d %s\n", FILENAME, FNR, substr($0, 7); next }
    on && /^[^ ]/ { on = 0 }
    on { print "=" substr($0, 5) }' README.md docs/*.md docs/*/*.md) >all
  while IFS= read -r line; do
    case $line in
      @*) number=$((number + 1)) && mkdir -p "$number" && printf '%s\n' "${line#@}" >"$number/head" && : >"$number/want" ;;
      *) printf '%s\n' "${line#=}" >>"$number/want" ;;
    esac
  done <all
  for shown in $(seq $number); do
    read -r page at command <"$shown/head"
    command=$(printf '%s\n' "$command" | sed 's/  *# .*//')
    grep -q . "$shown/want" || continue # no output is shown
    (
      cd "$shown" || exit 1
      printed_files "${command#cltestcheck }" || exit 1
      folder=$PWD
      [ ! -e suites ] || cd "$source" || exit 1
      CLTESTCHECK_DB=$folder/run.db sh -c "PATH=$build:\$PATH; $command" >"$folder/out" 2>"$folder/err" </dev/null
      cat "$folder/err" >>"$folder/out"
      cd "$folder" || exit 1
      printed_plain want >want.plain && printed_plain out >out.plain
      printed_compare want.plain out.plain >why
    ) && ok "$page:$at" || fail "$page:$at: $command" "another output" "$shown/why" "$shown/out"
  done
}
