# How cases of other folders than `verify` and `host` are run and judged; read by run.sh. Further words of heads:
#   // RUN: WORDS             programs, races: what build/cases_host is given behind the file
#   // SAYS: TEXT             the report has this text (several lines: each)
#   // NOT: TEXT              the report does not have it
# programs: `cltestcheck verify -- PROGRAM`; EXPECT and OPTS as of `verify`. A program that fails by itself may end with 4.
# races: EXPECT is `clean` (exit status 0, no race), `race` (3), or `unchecked`: a race, or 4 and a sentence
# repair: EXPECT is `fine` (0, no patch), `repaired` (0, and a patch that verify has no objection to), or `refused` (3, no patch)

# missing FILE: the first text that the report lacks
missing() {
  tr -s ' \n' ' ' <"$work/text" >"$work/flat"
  head_of SAYS "$1" | while IFS= read -r text; do
    grep -qF -- "$text" "$work/flat" || { echo "$text"; break; }
  done
  head_of NOT "$1" | while IFS= read -r text; do
    ! grep -qF -- "$text" "$work/flat" || { echo "but $text"; break; }
  done
}

one_programs() {
  tries=0
  status=1
  # A program that crashes in its launch may be gone before that is recorded.
  while [ $tries = 0 ] || { [ $tries -lt 8 ] && grep -q 'is cut off' "$work/text"; }; do
    rm -f "$work/report.json"
    # shellcheck disable=SC2046,SC2086 # words are words of the command line
    "$build/cltestcheck" verify -t 20 --db "$work/run.db" -f "json=$work/report.json" $2 -- "$build/cases_host" "$1" $(head_of RUN "$1") \
      >"$work/text" 2>&1
    status=$?
    tries=$((tries + 1))
  done
  certain=no
  grep -q '"verdict": "\(race\|divergence\|out-of-bounds\)"' "$work/report.json" && certain=yes
  if [ "$status" = 4 ] && [ "$certain" = yes ]; then
    status=3
  fi
  judge "$1" "$status"
}

one_races() {
  # shellcheck disable=SC2046
  "$build/cltestcheck" races --db "$work/run.db" -f "json=$work/report.json" -- "$build/cases_host" "$1" $(head_of RUN "$1") \
    >"$work/text" 2>&1
  status=$?
  found=no
  grep -q '"rule": "data-race"' "$work/report.json" && found=yes
  lacking=$(missing "$1")
  case $(head_of EXPECT "$1")/$found/$status in
    clean/no/0 | race/yes/3 | unchecked/yes/[34]) answer="right exit $status" ;;
    unchecked/no/4)
      answer="broken without a sentence"
      grep -qE 'killed by signal' "$work/text" && answer="right exit 4"
      ;;
    clean/yes/*) answer="certain race" ;;
    */no/0) answer="verified nothing found, exit 0" ;;
    *) answer="broken found $found, exit $status" ;;
  esac
  [ -z "$lacking" ] || answer="missed no word: $lacking"
  echo "$answer"
}

# patched FILE OPTIONS: whether verify objects to the file with the patch
patched() {
  rm -rf "$work/patched"
  mkdir "$work/patched"
  cp "$1" "$work/patched/"
  (cd "$work/patched" && patch -s -p1 <"$work/diff") || return 1
  options=$(echo "$2" | sed 's/--optimise//')
  eval "set -- \"\$1\" $options"
  file=$1
  shift
  (cd "$work/patched" && "$build/cltestcheck" verify -t 20 --fail-on possible "$@" "$file") >"$work/proof" 2>&1 </dev/null
}

one_repair() {
  given=$2
  eval "set -- \"\$1\" $2"
  file=$1
  shift
  "$build/cltestcheck" repair -t 20 --db "$work/run.db" "$@" "$file" >"$work/diff" 2>"$work/text"
  status=$?
  patch=no
  [ -s "$work/diff" ] && patch=yes
  lacking=$(missing "$file")
  case $(head_of EXPECT "$file")/$patch/$status in
    repaired/yes/0) answer="right repaired" ;;
    fine/no/0) answer="right nothing to repair" ;;
    refused/no/3) answer="right not repaired" ;;
    fine/no/3 | repaired/no/3) answer="unproved not repaired" ;;
    */yes/*) answer="patch where $(head_of EXPECT "$file") is right" ;;
    refused/*) answer="verified exit $status" ;;
    *) answer="broken exit $status" ;;
  esac
  if [ $patch = yes ] && ! patched "$file" "$given"; then
    answer="patch that verify objects to"
  fi
  [ -z "$lacking" ] || answer="missed no word: $lacking"
  echo "$answer"
}
