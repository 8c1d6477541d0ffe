# Sections of run.sh about settings: configuration file, environment, suppressions, doctor, help; sourced by it.
# shellcheck shell=sh disable=SC2154

# The kernel of `e2e_host run`: branch 75 % (3 of 4), line 85.7 %.
section_config() {
  fresh
  mkdir below
  printf 'fail-under: {branch: 80}\nquiet: true\ndb: all.db\ncoverage:\n  format: {json: report.json}\n' >cltestcheck.yaml
  cd below || exit 1
  run coverage -- "$host" run x
  expect "configuration of a folder above" 2 "branch coverage is 75.0 % (3 of 4), below --fail-under branch=80"
  check "its files are beside it" test -s ../all.db -a -s ../report.json
  same "its files are not here" "" ls -A
  run coverage --fail-under branch=75 -- "$host" run x
  expect "the command line is above the file" 0
  CLTESTCHECK_FAIL_UNDER=branch=70,line=99 run coverage -- "$host" run x
  expect "the environment is above the file" 2 "line=99"
  CLTESTCHECK_FAIL_UNDER=branch=70 run coverage --fail-under branch=76 -- "$host" run x
  expect "the command line is above the environment" 2 "branch=76"
  run coverage --no-config --quiet -- "$host" run x
  expect "--no-config" 0
  check "--no-config: the database is here" test -s cltestcheck.db

  run config
  expect "config" 0
  check "config: the file" grep -q '^configuration file: ../cltestcheck.yaml$' "$work/out"
  check "config: a value and its place" grep -q 'fail-under  *branch=80  *../cltestcheck.yaml:1:14$' "$work/out"
  check "config: a section" grep -q 'format  *json=../report.json  *../cltestcheck.yaml:5:12  coverage$' "$work/out"
  CLTESTCHECK_RUNS=3 run config mutate --jobs 2
  expect "config mutate" 0
  check "config mutate: command line" grep -q 'jobs  *2  *command line$' "$work/out"
  check "config mutate: environment" grep -q 'runs  *3  *CLTESTCHECK_RUNS$' "$work/out"
  check "config mutate: default" grep -q 'oracle  *reads  *default$' "$work/out"
  cd .. && rm -f all.db report.json

  bad "config of an unknown command" 1 "did you mean mutate" config mutat
  bad "config: a word behind options" 1 "wants a command first" config --no-config word
  printf 'quiet: true\nmutate:\n  rnus: 3\n' >cltestcheck.yaml
  bad "a broken configuration" 1 "cltestcheck.yaml:3:3: .*did you mean runs" coverage -- "$host" run x
  bad "config of a broken configuration" 1 "cltestcheck.yaml:3:3: .*did you mean runs" config
  run coverage --help
  expect "--help beside a broken configuration" 0
  bad "--config that is not there" 1 "cannot be read" coverage --config other.yaml -- "$host" run x
  bad "--config that is a folder" 1 "cannot be read" coverage --config below -- "$host" run x
  rm cltestcheck.yaml
  CLTESTCHECK_TIMEOUT=never bad "a variable that is no number" 1 "CLTESTCHECK_TIMEOUT: .*number" coverage -- "$host" run x
}

section_suppressions() {
  fresh
  cat >cltestcheck.yaml <<'END'
suppressions:
  - {rule: barrier-divergence, kernel: smooth, reason: looked at}
  - {rule: barrier-divergence, kernel: diff*, line: barrier(CLK_LOCAL_MEM_FENCE);, reason: looked at as well}
  - {rule: race, kernel: last_*, reason: any of them will do}
  - {rule: mutant/rel, line: if (i > 99), reason: never so many}
  - {rule: deadlock, reason: none of these}
END
  run coverage --no-config --quiet divergent-barrier
  expect "findings without suppressions" 3
  run coverage --format json=a.json --format text=a.txt divergent-barrier
  expect "findings that are suppressed" 0
  same "findings that are suppressed: run.exit" 0 value a.json run.exit
  check "findings that are suppressed: the reasons" grep -q '1 suppressed: looked at as well (rule barrier-divergence' a.txt
  check "findings that are suppressed: not among the findings" sh -c "! grep -q '^Findings' a.txt"
  check "suppressions without use are not named" sh -c "! grep -q 'matches nothing' a.txt"
  run report --verbose
  expect "report with suppressions" 0
  check "--verbose names those without use" grep -q 'matches nothing: none of these (rule deadlock)' "$work/out"
  run amplify --runs 2 --targets 2 --kernel last_places --format text=b.txt last-writer
  expect "races that are suppressed" 0
  check "races that are suppressed: the reason" grep -q 'suppressed: any of them will do (rule race, kernel last_\*)' b.txt
  check "races that are suppressed: no race is told" sh -c "! grep -q RACE b.txt"
  run amplify --no-config --runs 2 --targets 2 --kernel last_places --quiet last-writer
  expect "races without suppressions" 3
  mutate --runs 1 --fail-under mutation=100 -- "$host" run x
  expect "mutants that are suppressed" 0
  same "mutants that are suppressed: the rest" "3:9 rel < killed
3:9 rel <= killed
3:9 rel >= killed
5:9 rel < suppressed
5:9 rel <= suppressed
5:9 rel >= suppressed" statuses a.json
  run report --no-config --fail-under mutation=100
  expect "mutants without suppressions" 2 "83.3 % (5 of 6)"
}
