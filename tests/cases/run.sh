#!/bin/sh
# Hostile kernels and their twins: run.sh BUILD FOLDER [FILE… | 'PATTERN…' | @LIST]
# Folders `programs`, `races` and `repair` are for other commands: see judges.sh.
# Each FILE.cl of FOLDER (default: all; with @LIST those that a file there names, one a line) goes through `cltestcheck verify`, once for each OPTS line of its head. The head:
#   // EXPECT: clean         verified is right, anything certain is wrong
#   // EXPECT: race          so are `div` and `oob`: certain is right, possible may be, verified is wrong
#   // EXPECT: possible-ok   neither a plain verified nor (see CERTAIN) something certain
#   // OPTS: WORDS           of the command line, as for a shell
#   // BUILD: WORDS          build options
#   // RESTS: TEXT           verified is right, too, if a precondition or an assumption has this text
#   // ALSO: race            of another kind that is right, too; several on a line
#   // CERTAIN: no           nothing certain is right
#   // FINDS: RULE RULE      rules of all findings that are to be there, sorted
# One line a run, a table of kinds (the part of the name before the first `_`), exit 1 on a wrong word.
LC_ALL=C.UTF-8
export LC_ALL
. "$(dirname "$0")/judges.sh"
build=$(cd "$1" && pwd) && folder=$(cd "$2" && pwd) || exit 1
shift 2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OPENCL_LAYERS CLTESTCHECK_LAYERS CLTESTCHECK_SOCKET CLTESTCHECK_PRESENT LD_PRELOAD

# head_of WORD FILE: what the head says behind the word
head_of() { sed -n "s/^\/\/ $1: *//p" "$2"; }

# judge FILE STATUS: the verdict of report.json against the head, as a word and the reason
judge() {
  found=$(sed -n 's/.*"verdict": "\([a-z-]*\)".*/\1/p' "$work/report.json" | sort -u | tr '\n' ' ')
  found=${found% }
  expect=$(head_of EXPECT "$1")
  rests=$(head_of RESTS "$1")
  also=$(head_of ALSO "$1")
  finds=$(head_of FINDS "$1")
  case $expect in
    race) right=race ;;
    div) right=divergence ;;
    oob) right=out-of-bounds ;;
    *) right= ;;
  esac
  lacking=$(missing "$1")
  certain=no
  case " $found " in *" race "* | *" divergence "* | *" out-of-bounds "*) certain=yes ;; esac
  if [ -z "$found" ]; then
    echo "broken exit $2, no verdict"
  elif [ "$2" = 70 ]; then
    echo "broken a run contradicts the proof"
  elif [ -n "$lacking" ]; then
    echo "missed no word: $lacking"
  elif [ "$certain" = yes ] && [ "$2" != 3 ]; then
    echo "broken $found, but exit $2"
  elif [ "$expect" = clean ]; then
    case $certain$found in
      yes*) echo "certain $found" ;;
      noverified) echo "right verified" ;;
      *) echo "unproved $found" ;;
    esac
  elif [ "$found" = verified ]; then
    if [ -n "$rests" ] && grep -F '"preconditions"' "$work/report.json" | grep -qF "$rests"; then
      echo "right verified, as it says: $rests"
    else
      echo "verified though not so"
    fi
  elif [ "$certain" = yes ] && [ "$(head_of CERTAIN "$1")" = no ]; then
    echo "certain $found"
  elif [ "$certain" = yes ] && [ -n "$right" ]; then
    rules=$(sed -n 's/.*"rule": "\([a-z-]*\)".*/\1/p' "$work/report.json" | sort | tr '\n' ' ')
    case " $right $also " in
      *" $found "*)
        if [ -n "$finds" ] && [ "$finds" != "${rules% }" ]; then
          echo "missed of $finds: only ${rules% }"
        else
          echo "right $found"
        fi
        ;;
      *) echo "certain $found" ;;
    esac
  elif [ "$certain" = yes ]; then
    echo "right $found"
  else
    echo "less $found"
  fi
}

# one FILE OPTIONS: a run; what is confirmed on the device is looked for there even where tests ask for no second opinions
one() {
  build_options=$(head_of BUILD "$1")
  confirmed=$(head_of SAYS "$1" | grep -c confirmed)
  rm -f "$work/report.json"
  eval "set -- \"\$1\" $2"
  file=$1
  shift
  [ -z "$build_options" ] || set -- "$@" "$file" --
  [ -n "$build_options" ] || set -- "$@" "$file"
  (
    [ "$confirmed" = 0 ] || unset CLTESTCHECK_SECOND_OPINION
    # shellcheck disable=SC2086 # words are words of the command line
    exec "$build/cltestcheck" verify -t 20 --db "$work/run.db" -f "json=$work/report.json" "$@" $build_options
  ) >"$work/text" 2>&1
  judge "$file" $?
}

cd "$folder" || exit 1
case ${folder##*/} in
  programs | races | repair) way=one_${folder##*/} ;;
  *) way=one ;;
esac
case ${1-} in
  "") names='*.cl' ;;
  @*) names=$(cat "${1#@}") ;;
  *) names=$* ;;
esac
for file in $names; do
  file=${file##*/}
  head_of OPTS "$file" >"$work/options"
  [ -s "$work/options" ] || echo >"$work/options"
  while IFS= read -r options; do
    answer=$($way "$file" "$options" </dev/null)
    printf '%-10s %s %s: %s\n' "${answer%% *}" "$file" "$options" "${answer#* }"
  done <"$work/options"
done | tee "$work/lines"
awk -v folder="${folder##*/}" '
  { kind = $2; sub(/_.*/, "", kind); if (!(kind in tried)) order[++kinds] = kind; tried[kind]++; count[kind, $1]++ }
  END {
    print ""
    row = "%-12s %6s %15s %14s %12s %7s %7s %13s\n"
    printf row, folder, "tried", "wrong verified", "wrong certain", "wrong patch", "missed", "broken", "not proved"
    for (i = 1; i <= kinds; i++) {
      k = order[i]
      printf row, k, tried[k], count[k, "verified"] + 0, count[k, "certain"] + 0, count[k, "patch"] + 0, count[k, "missed"] + 0,
        count[k, "broken"] + 0, count[k, "unproved"] + 0
      all += tried[k]; v += count[k, "verified"]; c += count[k, "certain"]; p += count[k, "patch"]; m += count[k, "missed"]
      b += count[k, "broken"]; u += count[k, "unproved"]; l += count[k, "less"]
    }
    printf row, "all", all + 0, v + 0, c + 0, p + 0, m + 0, b + 0, u + 0
    printf "%d of the faulty ones are told as possible or unknown\n", l
    exit v + c + p + m + b > 0
  }' "$work/lines"
