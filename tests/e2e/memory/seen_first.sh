# What a first run has seen is in the report, whatever becomes of the second: sourced by tests/e2e/run.sh.
# shellcheck shell=sh disable=SC2154

# seen NAME STATUS WORDS LETTERS ARGS…: cltestcheck ARGS of a program with these LETTERS (losses_host.c) ends so, and its report has
# the WORDS, divided by "|"; one that begins with "!" it has not. It runs beside others, and is judged by `judged`.
seen() {
  count=$((count + 1))
  mkdir "$count"
  printf '%s\n' "$1" "$2" "$3" >"$count/wanted"
  letters=$4
  shift 4
  (
    cd "$count" || exit 1
    "$tool" "$@" --db run.db -- "$build/losses_host" faulty runs "$letters" >out 2>err </dev/null &
    pid=$!
    if [ -n "$interrupt" ]; then # once the program has launched all that it launches
      until [ -e runs ] && [ "$(wc -c <runs)" = "${interrupt#* }" ]; do sleep 0.2; done
      sleep 3
      kill -s "${interrupt% *}" $pid
    fi
    wait $pid
    echo $? >status
  ) &
  [ $((count % 3)) != 0 ] || wait
}

judge() {
  { read -r name && read -r wanted && read -r words; } <"$1/wanted"
  tr '\n' ' ' <"$1/err" | tr -s ' ' >"$1/line"
  [ "$(cat "$1/status")" = "$wanted" ] || { fail "$name" "exit status $(cat "$1/status"), not $wanted" "$1/err"; return; }
  while [ -n "$words" ]; do
    word=${words%%|*}
    words=${words#"$word"}
    words=${words#|}
    case $word in
      !*) ! grep -qF -- "${word#!}" "$1/line" || { fail "$name" "\"$word\" is there" "$1/err"; return; } ;;
      *) grep -qF -- "$word" "$1/line" || { fail "$name" "no \"$word\"" "$1/err"; return; } ;;
    esac
  done
  ok "$name"
}

section_seen_first() { # test: cost=25
  fresh
  interrupt='' count=0
  wrong='memory error in kernel put: |did something wrong with memory'
  where='writes a[64], which has 64 elements of 4 bytes (launch 2, seen 1 time)|!memory error in'
  seen "both runs" 3 "$where" e memory
  seen "it hangs after its error, and has waited for nothing" 3 "$where|ran longer than 5 seconds|!the same in each run" w memory --timeout 5
  seen "check of the same" 3 "$where|!killed by signal 9|!write past the end of a buffer" h check --timeout 5
  seen "it hangs without an error" 4 "ran longer than 5 seconds|!error in kernel" i memory --timeout 5
  seen "the second run hangs" 3 "$wrong|the run that tells was ended as it took too long" ei memory --timeout 5
  seen "the second run crashes" 3 "$wrong|the run that tells ended with status 139, and the one before with 0" es memory
  seen "the second run ends early" 3 "$wrong|the run that tells ended with status 7" ex memory
  seen "the second run is right" 3 "$wrong|when the program was run again to tell, it did not do the same" er memory
  seen "other rules are looked for" 4 "whether one of --rules forbids it is not known|!memory error in" er memory --rules misaligned
  seen "no error" 0 "!memory error|!error in kernel" r memory
  seen "divergence, and the checked run crashes" 3 "barrier divergence in kernel part|killed by signal 11" ds races
  seen "divergence, and the program hangs later" 3 "barrier divergence in kernel part" di check --timeout 5
  seen "the checked run crashes" 4 "killed by signal 11|!barrier divergence" rs races
  interrupt="INT 1"
  seen "Ctrl-C in the first run" 3 "$wrong|the program was interrupted before it could be run again" w memory
  seen "Ctrl-C without an error" 130 "!memory error" i memory
  interrupt="TERM 2"
  seen "SIGTERM in the second run" 3 "$wrong|the run that tells was interrupted" ei memory
  wait
  for run in $(seq $count); do judge "$run"; done
}
