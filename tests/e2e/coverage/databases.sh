# Sections about the database: files that are none, rights, full disks.
# shellcheck shell=sh disable=SC2154

section_databases() { # test: sanitized quick
  fresh
  bad "report without a database" 1 "cltestcheck.db" report
  bad "list --runs without a database" 1 "cltestcheck.db" list --runs
  bad "database in a missing folder" 1 "missing" coverage --db missing/x.db -- "$host" run x
  bad "database that is a folder" 1 "here" coverage --db ../here -- "$host" run x
  echo "this is a text that is long enough to be looked at as a database, and is none" >text.db
  cp text.db text.copy
  bad "not a database" 1 "text.db" coverage --db text.db -- "$host" run x
  bad "report on what is no database" 1 "text.db" report --db text.db
  check "not a database: left as it was" cmp text.db text.copy
  run coverage -- "$host" run x
  expect "a database is made" 0
  bad "unknown run" 1 "77" report 77
  for word in abc 1x 0 -- -5 99999999999999999999 ""; do
    [ "$word" = -- ] || bad "run \"$word\"" 1 "." report "$word"
  done
  bad "merge of a missing database" 1 "missing.db" merge missing.db
  bad "merge of no database" 1 "text.db" merge text.db
  cp cltestcheck.db newer.db
  printf '\000\000\377\000' | dd of=newer.db bs=1 seek=60 conv=notrunc 2>"$work/dd"
  cp newer.db newer.copy
  bad "database of a newer version" 1 "newer" coverage --db newer.db -- "$host" run x
  bad "report on a database of a newer version" 1 "newer" report --db newer.db
  check "newer database: left as it was" cmp newer.db newer.copy
  also_database_rights
}

also_database_rights() {
  if ! can_be_nobody; then
    skip "read-only database" "this needs root and setpriv"
    return
  fi
  chmod 755 .
  chmod 644 cltestcheck.db
  real=$tool
  tool=$work/as-nobody
  cp "$build/cltestcheck" "$build"/libcltestcheck-*.so "$host" "$work/" # the build may lie in root's home, where others may not read
  printf '#!/bin/sh\nexec setpriv --reuid 65534 --regid 65534 --clear-groups "%s" "$@"\n' "$work/cltestcheck" >"$tool"
  chmod 755 "$tool"
  ours=$host host=$work/e2e_host
  bad "read-only database" 1 "cltestcheck.db" coverage -- "$host" run x
  bad "folder that may not be written" 1 "other.db" coverage --db other.db -- "$host" run x
  chmod 600 cltestcheck.db
  bad "database that may not be read" 1 "cltestcheck.db" report
  bad "database that may not be read or written" 1 "cltestcheck.db" coverage -- "$host" run x
  tool=$real host=$ours
}

# full KIBIBYTES: a small file system, of 1 MiB, where so much is taken
full() {
  rm -rf small/*
  head -c "$(($1 * 1024))" /dev/zero >small/taken
}

# refuses NAME PATTERN ARGS…: no room for a file in small/: exit status 70, one sentence, and nothing is left there
refuses() {
  refuses_name=$1
  refuses_pattern=$2
  shift 2
  run "$@"
  expect "full disk: $refuses_name" 70 "$refuses_pattern"
  same "full disk: $refuses_name: one sentence" 1 grep -c '^cltestcheck: ' "$work/err"
  same "full disk: $refuses_name: nothing is left" taken ls -A small
}

section_disk_full() {
  fresh
  mkdir small
  if ! mount -t tmpfs -o size=1m tmpfs small 2>"$work/check.out"; then
    skip "full disk" "a small file system cannot be mounted here"
    return
  fi
  mounted=$work/here/small
  full 1024
  refuses "coverage" "disk is full.*small/x.db" coverage --quiet --db small/x.db -- "$host" run x
  refuses "mutate" "disk is full.*small/x.db" mutate --quiet --runs 1 --db small/x.db -- "$host" run x
  run coverage --quiet --db full.db -- "$host" run x
  expect "full disk: a database elsewhere" 0
  refuses "merge" "disk is full.*small/x.db" merge --db small/x.db full.db
  refuses "a JSON report" "small/a.json.*No space left" report --db full.db --format json=small/a.json
  refuses "a text report" "small/a.txt.*No space left" report --db full.db --format text=small/a.txt
  refuses "an lcov report" "small/a.info.*No space left" report --db full.db --format lcov=small/a.info
  refuses "a capture" "small/a.cltc.*No space left" capture --quiet small/a.cltc -- "$host" run x
  also_disk_full_on_the_way
  umount small && mounted=
}

# There is room for the beginning.
also_disk_full_on_the_way() {
  full 0
  for name in one two; do
    run coverage --quiet --db small/x.db -- "$host" run $name
  done
  room=$(df --output=avail -k small | tail -n 1)
  head -c $(((room - 8) * 1024)) /dev/zero >small/taken
  run coverage --quiet --db small/x.db -- "$host" children 8
  expect "full disk: some runs were stored" 70 "disk is full.*small/x.db"
  same "full disk: some runs were stored: one sentence" 1 grep -c '^cltestcheck: ' "$work/err"
  check "full disk: some runs were stored: in our words alone" sh -c "! grep -q 'database or disk' '$work/err'"
  rm small/taken
  run report --db small/x.db --all --format json=a.json
  expect "full disk: the database opens when there is room" 0
  same "full disk: all runs before are in it" "work_one work_two" \
    sh -c "echo \$('$checker' a.json --get kernels.0.name) \$('$checker' a.json --get kernels.1.name)"
  full 1021
  refuses "the middle of a report" "small/a.json.*No space left" report --db full.db --all --format json=small/a.json \
    --show-missed
  full 1024
  TMPDIR=$PWD/small "$tool" mutate --quiet --runs 1 --no-equivalence --db other.db --format json=a.json -- "$host" run x \
    >"$work/out" 2>"$work/err" </dev/null
  status=$?
  expect "full disk: for the captures of mutate: it runs the program" 0 "every run starts the program again"
  same "full disk: for the captures of mutate: verdicts" "$run_statuses" statuses a.json
  same "full disk: for the captures of mutate: nothing is left" taken ls -A small
}
