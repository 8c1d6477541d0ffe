# Part of run.sh: devices that cannot use the source which holds all mutants of a program, or not at once.
# shellcheck shell=sh

# PoCL 3.1 crashes on n-body's. In line 8 bodies are beyond a wall, where none ever is. In line 57 all masses are 1, so 0.5 / mass is
# 0.5 * mass; every other change shows, as the squared speeds are small and not 0; the last test case alone launches that kernel.
section_mutate_clones() {
  fresh
  for engine in auto rerun; do
    mutate --runs 1 --engine $engine --no-cache --operators arith --lines 8 --lines 57 n-body
    expect "mutate: clones instead of a source that the device cannot use, --engine $engine" 0 "mutants are built as clones"
    same "mutate: clones: verdicts, --engine $engine" "57:26 arith (0.5f + mass) killed
57:26 arith (0.5f - mass) killed
57:31 arith / survived
57:38 arith + killed
57:38 arith - killed
57:38 arith / killed
8:20 arith  no-coverage" statuses a.json
    same "mutate: clones: run by the test case that launches the kernel, --engine $engine" "1 2" \
      sh -c "echo \$('$checker' a.json --get mutants.1.tests) \$('$checker' a.json --get mutants.1.tests.0.test)"
  done
  mutate --runs 1 --engine rerun -- "$host" few-clones x
  expect "mutate: clones of a kernel that the device refuses with all its mutants" 0 "built as clones.*refused its schema: kernel work_few"
  same "mutate: clones of a kernel that the device refuses with all its mutants: verdicts" "$(echo "$run_statuses" | sed p)" statuses a.json
  same "mutate: clones of a kernel that the device refuses with all its mutants: nothing is skipped" 0 value a.json skipped
}
