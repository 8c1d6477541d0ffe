# Sections of run.sh about comparing runs, formats for CI and exit statuses; sourced by it.
# shellcheck shell=sh disable=SC2154

# put_work LIMIT [TEXT]: a kernel of which 8 work-items run; TEXT stands above it
put_work() {
  printf '%s__kernel void work(__global int *out) {\n  int i = get_global_id(0);\n  if (i > %s)\n' "$2" "$1"
  printf '    out[i] = out[i] + i;\n}\n'
}

# entries FILE: "kind change line" of each entry of a diff
entries() {
  entry=0
  while kind=$("$checker" "$1" --get entries.$entry.kind 2>/dev/null) && [ -n "$kind" ]; do
    echo "$kind $("$checker" "$1" --get entries.$entry.change) $("$checker" "$1" --get entries.$entry.line)"
    entry=$((entry + 1))
  done
}

commit() { # MESSAGE
  git add work.cl && git -c user.name=test -c user.email=test@localhost commit --quiet --message "$1"
}

section_diff() { # test: sanitized
  fresh
  put_work 3 >work.cl
  run coverage --quiet -- "$host" file ./work.cl
  put_work 30 '// moved

' >work.cl
  run coverage --quiet --db other.db -- "$host" file ./work.cl
  run diff cltestcheck.db other.db --format json=d.json --format text=d.txt --format markdown=d.md
  expect "diff: something is worse" 0
  same "diff: what is worse, where it is now" "line worse 6
outcome worse 5" entries d.json
  same "diff: outcome" true value d.json entries.1.outcome
  same "diff: it is no new code" false value d.json entries.0.new
  check "diff as text" grep -q 'Worse: 1 line, 1 outcome. Better: nothing.' d.txt
  check "diff as Markdown" grep -q '^<details open><summary>Lines newly missed: 1</summary>' d.md
  run diff --fail-on-worse cltestcheck.db other.db
  expect "diff --fail-on-worse: worse" 2
  run diff --fail-on-worse other.db:1 cltestcheck.db:1
  expect "diff --fail-on-worse: better" 0
  check "diff: better" grep -q 'Worse: nothing. Better: 1 line, 1 outcome.' "$work/out"
  run diff 1 1
  expect "diff of a run with itself" 0
  check "diff of a run with itself: nothing" grep -q 'Worse: nothing. Better: nothing.' "$work/out"
  also_diff_mutants
  also_diff_wrong
  also_diff_revisions
}

also_diff_mutants() {
  mutate --runs 1 --operators rel -- "$host" file ./work.cl # i > 30: all survive but <
  put_work 3 >work.cl
  mutate --runs 1 --operators rel --db other.db -- "$host" file ./work.cl
  run diff cltestcheck.db other.db --format json=d.json
  same "diff of mutants: nothing is worse" 0 value d.json worse.mutants
  check "diff of mutants: compared" test "$(value d.json compared.mutants)" = true
}

also_diff_wrong() {
  bad "diff: one run" 1 "two runs" diff 1
  bad "diff: three runs" 1 "two runs" diff 1 1 1
  bad "diff: run 0" 1 "number from 1" diff 0 1
  bad "diff: unknown run" 1 "no run 99" diff 1 99
  bad "diff: runs of two commands" 1 "nothing to compare" diff 1 "$("$tool" list --runs | awk '/ mutate / { print $1; exit }')"
  bad "diff: missing database" 1 "missing.db" diff 1 missing.db
  bad "diff: no such format" 1 "text, json and markdown" diff --format lcov 1 1
  bad "diff: one database" 1 "two runs" diff ../here/other.db
  bad "diff: three dots" 1 "range A..B" diff a...b
  printf 'nonsense' >nonsense.db
  bad "diff: no database" 1 "nonsense.db" diff 1 nonsense.db
}

also_diff_revisions() {
  if ! command -v git >"$work/check.out"; then
    skip "diff A..B" "git is not installed"
    return
  fi
  fresh
  bad "diff A..B outside a repository" 1 "git knows no revision" diff a..b
  git init --quiet .
  put_work 3 >work.cl
  commit first
  run coverage --quiet -- "$host" file ./work.cl
  put_work 30 >work.cl
  run coverage --quiet -- "$host" file ./work.cl # not at a revision: work.cl is changed
  run diff --format json=d.json HEAD..HEAD
  same "diff A..B: a run with other changes is at no revision" 1 value d.json new.run
  commit second
  bad "diff A..B: no run there" 1 "no finished run made at HEAD" diff HEAD~1..HEAD
  run coverage --quiet -- "$host" file ./work.cl
  run diff --format json=d.json HEAD~1..
  expect "diff A..B" 0
  same "diff A..B: runs" "1 3" sh -c "echo \$('$checker' d.json --get old.run) \$('$checker' d.json --get new.run)"
  same "diff A..B: what is worse" "line worse 4
outcome worse 3" entries d.json
  bad "diff A..B: no such revision" 1 "git knows no revision \"nowhere\"" diff nowhere..HEAD
}

# --- formats ------------------------------------------------------------------------------------------------------------

section_ci() { # test: sanitized quick
  fresh
  put_work 30 >work.cl
  run coverage --quiet --format cobertura=c.xml --format junit=j.xml --format sarif=s.json --format github=g.txt \
    --format markdown=m.md --fail-under line=90 -- "$host" file ./work.cl
  expect "formats for CI" 2
  for file in c.xml j.xml; do
    if command -v xmllint >"$work/check.out"; then
      check "formats for CI: $file is well-formed" xmllint --noout --nonet $file
    else
      skip "formats for CI: $file is well-formed" "xmllint is not installed"
    fi
  done
  same "formats for CI: SARIF" 2.1.0 value s.json version
  check "formats for CI: an annotation" grep -q '^::error title=Below --fail-under::line coverage is' g.txt
  check "formats for CI: a summary" grep -q '| line | .* at least 90 %: \*\*below\*\* |' m.md
  (
    sleep 0.2
    "$tool" report --format json 2>pipe.err
    echo $? >pipe.status
  ) | true
  check "a reader that goes away is no failure" sh -c 'test ! -s pipe.err && test "$(cat pipe.status)" = 0'
  also_ci_sources
  also_ci_changes
}

# Kernels built from strings get files; the terminal says so.
also_ci_sources() {
  run coverage --format cobertura=c.xml --format sarif=s.json -- "$host" run x
  expect "sources beside the report: said" 0 "copy is beside the report, in .*c.xml.sources"
  file=$(sed -n 's/.*<class name="[^"]*" filename="\([^"]*\)".*/\1/p' c.xml)
  check "sources beside the report: there" grep -q __kernel "$file"
  same "sources beside the report: SARIF takes its own" "1" sh -c 'ls -d s.json.sources/*.cl | wc -l'
}

# Lines changed since a revision come first.
also_ci_changes() {
  if ! command -v git >"$work/check.out"; then
    skip "annotations: changed lines first" "git is not installed"
    return
  fi
  fresh
  git init --quiet .
  {
    printf '__kernel void work(__global int *out) {\n  int i = get_global_id(0);\n'
    line=0
    while [ $line -lt 12 ]; do
      printf '  if (i > 30)\n    out[i] = %s;\n' $line
      line=$((line + 1))
    done
    printf '}\n'
  } >work.cl
  commit first
  sed '26s/11/12/' work.cl >changed && mv changed work.cl
  run coverage --quiet --since HEAD --format github=g.txt -- "$host" file ./work.cl
  expect "annotations: changed lines first" 0
  same "annotations: ten of a kind" 10 grep -c '^::notice ' g.txt
  check "annotations: the changed line is the first" sh -c "grep '^::notice ' g.txt | head -n 1 | grep -q 'line=26,'"
  bad "annotations: no such revision" 1 "git cannot tell what changed" report --since nowhere --format github
  check "annotations: how many more" grep -q '^cltestcheck: not shown as annotations: [0-9]* notices' g.txt
}

# --- exit statuses ------------------------------------------------------------------------------------------------------

# One of each row of docs/exit-codes.md; 130 is in section interrupt.
section_exit() { # test: quick
  fresh
  put_work 30 >work.cl
  run coverage --quiet -- "$host" file ./work.cl
  expect "exit 0: fine" 0
  run coverage --quiet
  expect "exit 1: wrong arguments" 1
  run coverage --quiet --fail-under line=100 -- "$host" file ./work.cl
  expect "exit 2: below a threshold" 2
  run mutate --quiet --runs 1 --operators rel --fail-under mutation=100 -- "$host" file ./work.cl
  expect "exit 2: mutants survived past the limit" 2
  run coverage --quiet --kernel differences divergent-barrier
  expect "exit 3: barrier divergence" 3
  run amplify --quiet --runs 2 --targets 2 --kernel last_places last-writer
  expect "exit 3: a race" 3
  run coverage --quiet -- sh -c "'$host' run x; exit 7"
  expect "exit 4: the program itself fails" 4
  run coverage --quiet -- true
  expect "exit 5: nothing was observed" 5
  run report --format json=/dev/full
  expect "exit 70: no room" 70
}
