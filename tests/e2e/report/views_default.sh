# Sections of views.sh about which runs a report is of, and what is not measured; sourced by it.
# shellcheck shell=sh disable=SC2154

# The kernel of `e2e_host run`: branch 3 of 4, line 6 of 7, 6 mutants of the operator rel.
section_default_view() { # test: sanitized
  fresh
  run coverage -q -- "$host" run x
  run mutate -q --runs 1 --format json=m.json --format lcov=m.info -- "$host" run x
  expect "mutate --format lcov" 0 "lcov is about coverage, which none of these runs measured"
  run report --format lcov
  expect "report after coverage and mutate" 0
  same "lcov has the coverage" "FNDA:1,work_x BRF:4 BRH:3 LH:6" sh -c "grep -E '^(FNDA|BRF|BRH|LH):' '$work/out' | tr '\n' ' ' | sed 's/ \$//'"
  run report
  same "text: a title each" "Mutation testing of run 2: 1 test case
Coverage of run 1: 1 test case" sh -c "grep -o '^[A-Z].* of run [0-9]*: [0-9]* test cases*' '$work/out'"
  run report --all
  same "--all: a launch made once" "work_x 1" sh -c "sed -n 's/^\(work_x\) *\([0-9]*\) *75.0 %.*/\1 \2/p' '$work/out'"
  run report --all --format junit
  same "--all, JUnit: a test once" 1 sh -c "grep -c 'classname=\"program\"' '$work/out'"
  run report --all --format stryker=s.json
  same "--all, Stryker: a test once" 1 sh -c "sed -n '/\"testFiles\"/,\$p' s.json | grep -o '\"id\"' | wc -l"
  run report --format json=j.json
  same "JSON: which runs" "2 3 1" sh -c "for p in run.runs coverage.branch.covered mutation.survived; do '$checker' j.json --get \$p; done | tr '\n' ' ' | sed 's/ \$//'"
}

# Nothing is said to be zero that was not measured.
section_not_measured() {
  fresh
  run mutate -q --runs 1 -- "$host" run x
  run report --format lcov
  expect "lcov without coverage" 5 "\`cltestcheck coverage -- PROGRAM\` does"
  same "lcov without coverage: nothing" "# No coverage was measured." cat "$work/out"
  run report --format cobertura
  expect "Cobertura without coverage" 5 "about coverage"
  check "Cobertura without coverage: nothing" sh -c "! grep -q '<class' '$work/out' && grep -q 'No coverage was measured' '$work/out'"
  run report --format json=j.json
  expect "JSON without coverage" 0
  check "JSON without coverage: null" grep -q '"coverage": null,' j.json
  same "JSON without coverage: nothing missed" 0 "$checker" j.json --get missed
  run report --format markdown
  check "Markdown without coverage" grep -q '^Coverage was not measured[.]$' "$work/out"
  run report --format html
  check "HTML without coverage" sh -c "! grep -q 'Never executed' '$work/out'"
  run report --fail-under branch=80
  expect "a threshold on what was not measured" 0 "fail-under branch=80 is not judged"
  fresh
  run coverage -q -- "$host" run x
  run report --format stryker
  expect "Stryker without mutants" 5 "about mutants"
}

# Shards of a campaign, each in a database of its own, then in one: all of it.
section_default_shards() {
  fresh
  write_loop # `k <= 3` is one turn more, `k > 3` and `k >= 3` are none: duplicates, some of them in other shards
  for shard in 1 2 3; do
    run mutate -q --runs 1 --operators rel,loop --db "$shard.db" --shard $shard/3 -- "$host" file ./work.cl
  done
  run mutate -q --runs 1 --operators rel,loop --db whole.db --format json=whole.json -- "$host" file ./work.cl
  run merge --db all.db 1.db 2.db 3.db 2.db
  run report --db all.db --format json=all.json
  same "the whole campaign has three duplicates" 3 sh -c "'$checker' whole.json --statuses | grep -c duplicate"
  same "merged shards are the whole campaign" "$(statuses whole.json)" statuses all.json
  same "merged shards have its score" "$("$checker" whole.json --get mutation.score)" "$checker" all.json --get mutation.score
  same "merged shards: one test case" 1 "$checker" all.json --get test_cases
}
