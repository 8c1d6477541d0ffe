# Sections of run.sh about settings: configuration file, environment, suppressions, doctor, help; sourced by it.
# shellcheck shell=sh disable=SC2154

# The kernel of `e2e_host run`: branch 75 % (3 of 4), line 85.7 %.
section_config() { # test: sanitized quick
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
  check "config mutate: default" grep -q 'oracle  *exit  *default$' "$work/out"
  cd .. && rm -f all.db report.json

  bad "config of an unknown command" 1 "did you mean mutate" config mutat
  bad "config: a word after options" 1 "wants a command first" config --no-config word
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

# Thresholds for all commands: each is about runs that measure it.
section_config_thresholds() {
  fresh
  printf 'fail-under: {branch: 75, mutation: 90}\n' >cltestcheck.yaml
  run coverage --quiet -- "$host" run x
  expect "thresholds for all: coverage" 0
  mutate --runs 1 --format junit=a.xml -- "$host" run x
  expect "thresholds for all: mutate" 2 "mutation score is 83.3 % (5 of 6), below --fail-under mutation=90"
  check "thresholds for all: mutate has no coverage to miss" sh -c "! grep -q branch '$work/err' a.xml"
  run report --fail-under mutation=80
  expect "thresholds for all: report on mutate" 0
  run report --all --fail-under mutation=80,branch=76
  expect "thresholds for all: report on both" 2 "branch coverage is 75.0 %"
  rm cltestcheck.yaml cltestcheck.db a.xml a.json
  bad "mutate --fail-under of coverage" 1 "its metric is mutation" mutate --fail-under branch=60 -- "$host" run x
}

section_suppressions() { # test: cost=5
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

section_doctor() { # test: quick
  fresh
  run doctor
  expect "doctor" 0
  check "doctor: ten lines" sh -c "[ \$(wc -l <'$work/out') -le 12 ]"
  check "doctor: all is said to be fine" sh -c "! grep -q MISSING '$work/out' && grep -q '^ok  *loader .*loads our layer' '$work/out'"
  same "doctor leaves nothing behind" "" ls -A
  mkdir empty
  OCL_ICD_VENDORS=$work/here/empty run doctor
  expect "doctor: no device" 1
  check "doctor: no device, what to install" grep -q -- '-> .*pocl-opencl-icd' "$work/out"
  # a loader without layers: a stand-in that knows one platform without devices
  cat >loader.c <<'END'
int clGetPlatformIDs(unsigned n, void **list, unsigned *count) {
  (void)n;
  if (list) *list = &list;
  if (count) *count = 1;
  return 0;
}
int clGetPlatformInfo(void) { return -30; }
int clGetDeviceIDs(void) { return -1; }
int clGetDeviceInfo(void) { return -30; }
END
  mkdir old
  if command -v cc >"$work/check.out" && cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o old/libOpenCL.so.1 loader.c; then
    LD_LIBRARY_PATH=$work/here/old run doctor
    expect "doctor: a loader without layers" 1
    check "doctor: a loader without layers, what to do" sh -c "grep -A1 'MISSING  *loader .*knows no layers' '$work/out' | grep -q -- --preload"
    # a device that is there, builds, and crashes at the first launch
    sed '/^int clGetDeviceIDs/d' loader.c >crashes.c
    cat >>crashes.c <<'END'
static void *made(int *status) { return *status = 0, &made; }
int clGetDeviceIDs(void *p, unsigned long t, unsigned n, void **list, unsigned *count) {
  return (void)p, (void)t, n > 0 && list ? *list = &made, *count = 1, 0 : 0;
}
void *clCreateContext(void *p, unsigned n, void *d, void *f, void *u, int *s) { return (void)p, (void)n, (void)d, (void)f, (void)u, made(s); }
void *clCreateProgramWithSource(void *c, unsigned n, void *t, void *l, int *s) { return (void)c, (void)n, (void)t, (void)l, made(s); }
int clBuildProgram(void) { return 0; }
int clGetProgramBuildInfo(void) { return 0; }
void *clCreateCommandQueue(void *c, void *d, unsigned long p, int *s) { return (void)c, (void)d, (void)p, made(s); }
void *clCreateBuffer(void *c, unsigned long f, unsigned long n, void *h, int *s) { return (void)c, (void)f, (void)n, (void)h, made(s); }
void *clCreateKernel(void *p, void *n, int *s) { return (void)p, (void)n, made(s); }
int clSetKernelArg(void) { return 0; }
int clEnqueueNDRangeKernel(void) { __builtin_trap(); }
int clEnqueueReadBuffer(void) { return 0; }
END
    check "a device that crashes" cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o old/libOpenCL.so.1 crashes.c
    LD_LIBRARY_PATH=$work/here/old run doctor
    expect "doctor: a device that crashes" 1
    check "doctor: a device that crashes is named" grep -q 'MISSING  *device 0 *a small kernel on .* crashes' "$work/out"
  else
    skip "doctor: a loader without layers" "there is no C compiler"
  fi
  TMPDIR=$work/here/nowhere run doctor
  expect "doctor: no folder for temporary files" 1
  check "doctor: names it" grep -q 'MISSING  *temporary .*/nowhere' "$work/out"
  run doctor --db nowhere/x.db
  expect "doctor: no folder for the database" 1
  echo text >text.db
  run doctor --db text.db
  expect "doctor: a database that is none" 1
  check "doctor: a database that is none, what to do" grep -q -- '-> .*--db' "$work/out"
  bad "doctor with a word" 1 "no arguments" doctor nonsense
}

section_help() {
  fresh
  check "--version" sh -c "'$tool' --version | grep -q '^cltestcheck [0-9]*\.[0-9]*\.[0-9]*\$'"
  all_commands=$("$tool" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\)  *.*/\1/p')
  same "help lists each command of the table" \
    "$(sed -n 's/^  X(\([a-z]*\),.*/\1/p' "$source"/cli/settings.h | sort)" sh -c "printf '%s\n' $(echo $all_commands) | sort"
  for command in "" $all_commands; do
    "$tool" help $command >"$work/out" 2>"$work/err"
    check "help $command: fits a screen" sh -c "test \$(wc -L <'$work/out') -le 80 && test \$(wc -l <'$work/out') -le 40"
    check "help $command: on standard output only" sh -c "test -s '$work/out' && test ! -s '$work/err'"
    [ -z "$command" ] && continue
    check "help $command begins with an example" sh -c "head -n 1 '$work/out' | grep -q '^Example: cltestcheck $command'"
    "$tool" $command --help | cmp -s - "$work/out"
    check "$command --help is the same" test $? = 0
    "$tool" help $command --all >"$work/all"
    "$tool" $command --help --all | cmp -s - "$work/all"
    check "$command --help --all is the same" test $? = 0
    check "help $command --all: at most 80 columns" sh -c "test \$(wc -L <'$work/all') -le 80"
    # every option that the man page has is in it, and short help has no other
    sed -n 's/^\\fB.*\\-\\-\([a-z\\-]*\)\\fR.*/--\1/p; s/^\(.*\)$/\1/;' "$build/documents/cltestcheck-$command.1" |
      grep '^--' | tr -d '\\' | sort -u >"$work/man"
    grep -o '^  \(-., \|    \)--[a-z-]*' "$work/all" | sed 's/.*--/--/' | sort -u >"$work/helped"
    check "help $command --all has the options of the man page" cmp "$work/man" "$work/helped"
    grep -o '^  \(-., \|    \)--[a-z-]*' "$work/out" | sed 's/.*--/--/' | sort -u >"$work/short"
    same "help $command: no option that --all has not" "" comm -23 "$work/short" "$work/helped"
  done
  check "help keeps words apart" sh -c "'$tool' help coverage --all | tr -s ' \n' ' ' | grep -q '(a part of its name)'"
  bad "help of a command with a word" 1 "nothing but --all" help coverage nonsense
  run
  expect "no command" 1 "Usage"
  same "list: every benchmark" "$(ls "$source"/suites/*/suite.yaml | wc -l)" sh -c "'$tool' list | grep -c 'test cases:'"
  check "devices" sh -c "'$tool' devices | grep -q '^ 0 '"
  if command -v groff >"$work/check.out"; then
    for page in "$build"/documents/*.1; do
      same "$(basename "$page"): no warnings" "" groff -Kutf8 -man -ww -Tutf8 -z "$page"
    done
    check "man page names every command" sh -c "for c in $(echo $all_commands); do
      groff -man -Tascii '$build/documents/cltestcheck.1' | grep -q \"\$c\" || exit 1; done"
  else
    skip "man pages" "groff is not installed"
  fi
  "$tool" --schema >"$work/schema"
  check "docs/cltestcheck.schema.json is what --schema prints" cmp "$work/schema" "$source/docs/cltestcheck.schema.json"
  same "the schema is JSON" "http://json-schema.org/draft-07/schema#" value "$work/schema" '$schema'
}

# complete WORD…: what bash offers for the last word
complete_words() {
  bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cltestcheck; printf "%s\n" "${COMPREPLY[@]}"' - \
    "$build/documents/cltestcheck" "$@" | sort | tr '\n' ' '
}

section_completion() {
  fresh
  touch kernel.cl
  check "bash completion is bash" bash -n "$build/documents/cltestcheck"
  same "bash: a command" "coverage " complete_words cltestcheck cov
  same "bash: a command after help" "coverage " complete_words cltestcheck help cov
  same "bash: an option" "--fail-on --fail-under " complete_words cltestcheck coverage --fail
  same "bash: an option's words" "replay rerun " complete_words cltestcheck mutate --engine re
  same "bash: an option's words after =" "replay rerun " complete_words cltestcheck mutate --engine = re
  same "bash: a metric" "branch " complete_words cltestcheck coverage --fail-under bran
  same "bash: a file" "kernel.cl " complete_words cltestcheck coverage --db ker
  PATH=$build:$PATH
  same "bash: a benchmark" "histogram " complete_words cltestcheck coverage histo
  same "bash: no benchmark where none is taken" " " complete_words cltestcheck merge histo
  same "bash: a file without an option" "kernel.cl " complete_words cltestcheck show ker
  if command -v zsh >"$work/check.out"; then
    same "zsh completion is zsh" "" zsh -n "$build/documents/_cltestcheck"
    same "zsh: it is found and loaded" "_cltestcheck" zsh -f -c "fpath=('$build/documents' \$fpath)
      autoload -U compinit && compinit -u -d '$work/dump' && print -r -- \$_comps[cltestcheck]"
  else
    skip "zsh completion" "zsh is not installed"
  fi
  if command -v fish >"$work/check.out"; then
    same "fish completion is fish" "" fish -n "$build/documents/cltestcheck.fish"
    same "fish: an option" "--fail-under" sh -c "fish -N -c 'source $build/documents/cltestcheck.fish
      complete -C \"cltestcheck coverage --fail\"' | cut -f 1"
    same "fish: a benchmark" "histogram" sh -c "fish -N -c 'source $build/documents/cltestcheck.fish
      complete -C \"cltestcheck coverage histo\"' | cut -f 1"
    same "fish: an option's words" "replay rerun" sh -c "fish -N -c 'source $build/documents/cltestcheck.fish
      complete -C \"cltestcheck mutate --engine re\"' | cut -f 1 | sort | paste -s -d ' '"
  else
    skip "fish completion" "fish is not installed"
  fi
}

# on_terminal ARGS…: cltestcheck with standard error on a terminal, which goes to $work/terminal; standard output to $work/out
on_terminal() {
  quoted=
  for argument in "$@"; do quoted="$quoted '$argument'"; done
  script -qec "'$tool' $quoted >'$work/out'" "$work/terminal" >"$work/check.out" 2>&1 </dev/null
  status=$?
}

section_terminal() { # test: cost=10
  fresh
  if ! has_terminals; then
    skip "terminal" "script is not installed, or there is no /dev/pts"
    return
  fi
  escape=$(printf '\033')
  on_terminal coverage reduction
  expect "coverage on a terminal" 0
  check "coverage on a terminal: colours" grep -q "$escape" "$work/terminal"
  check "coverage on a terminal: progress" grep -q '\[2/3\] reduction .*([0-9]*:[0-9][0-9] left)' "$work/terminal"
  run coverage reduction
  check "coverage without a terminal: no progress" sh -c "! grep -q '\[2/3\]' '$work/err'"
  check "coverage without a terminal: no colours" sh -c "! grep -q '$escape' '$work/err'"
  NO_COLOR=1 on_terminal coverage reduction
  check "NO_COLOR" sh -c "! grep -q '$escape' '$work/terminal'"
  NO_COLOR= on_terminal coverage reduction
  check "NO_COLOR that is empty" grep -q "$escape" "$work/terminal"
  NO_COLOR=1 on_terminal coverage --color always reduction
  check "--color always is above NO_COLOR" grep -q "$escape" "$work/terminal"
  on_terminal coverage --color never reduction
  check "--color never" sh -c "! grep -q '$escape' '$work/terminal'"
  CLTESTCHECK_COLOR=never on_terminal coverage reduction
  check "CLTESTCHECK_COLOR=never" sh -c "! grep -q '$escape' '$work/terminal'"
  on_terminal mutate --runs 2 --sample 8 --engine rerun -- "$host" run x
  expect "mutate on a terminal" 0
  check "mutate on a terminal: time left" grep -q 'mutants [0-9]*/[0-9]* .*[0-9]:[0-9][0-9] left' "$work/terminal"
  on_terminal amplify --runs 3 --targets 3 --engine rerun --kernel last_places last-writer
  check "amplify on a terminal: time left" grep -q 'schedules [0-9]*/[0-9]* runs.*[0-9]:[0-9][0-9] left' "$work/terminal"
  on_terminal mutate --quiet --runs 1 --sample 4 -- "$host" run x
  check "--quiet: no progress" sh -c "! grep -q 'mutants [0-9]*/' '$work/terminal'"
}

section_package() { # test: lock=install cost=10
  fresh
  if grep -q '^CLTC_SANITIZE:BOOL=ON' "$build/CMakeCache.txt"; then
    skip "package" "a build with sanitisers is none to pack"
    return
  fi
  for program in cpack dpkg-deb dpkg-shlibdeps gzip; do
    if ! command -v $program >"$work/check.out"; then
      skip "package" "$program is not installed"
      return
    fi
  done
  cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/here" >"$work/out" 2>"$work/err"
  status=$?
  expect "cpack -G DEB" 0
  package=$(ls cltestcheck_*.deb)
  dpkg-deb -I "$package" control >control
  check "package: it needs the headers of libclang" grep -q '^Depends: .*libclang-common-[0-9]*-dev' control
  check "package: libraries are known" grep -q '^Depends: .*libsqlite3-0' control
  check "package: a device is recommended" grep -q '^Recommends: .*opencl-icd' control
  dpkg-deb -x "$package" root
  same "package: man pages" "$(grep -c '^  X(' "$source"/cli/settings.h)" sh -c 'ls root/usr/share/man/man1/cltestcheck-*.1.gz | wc -l'
  check "package: copyright and changelog" test -s root/usr/share/doc/cltestcheck/copyright -a -s root/usr/share/doc/cltestcheck/changelog.gz
  built=$tool
  tool=$work/here/root/usr/bin/cltestcheck
  run coverage --quiet --format json=a.json vector-guarded
  expect "package: a benchmark" 0
  check "package: its totals" "$checker" a.json "$source/suites/vector-guarded/expected.json"
  tool=$built
  if command -v lintian >"$work/check.out"; then
    check "package: lintian has no errors" lintian --fail-on error --suppress-tags initial-upload-closes-no-bugs "$package"
  else
    skip "package: lintian" "lintian is not installed"
  fi
}

# The recipe's project, with this build of cltestcheck.
section_recipes() { # test: lock=install
  fresh
  for program in cmake ctest cc make; do
    if ! command -v $program >"$work/check.out"; then
      skip "recipes" "$program is not installed"
      return
    fi
  done
  cp -r "$source/docs/recipes/ctest" project
  check "recipe for CTest: it builds" sh -c "PATH='$build':\$PATH cmake -S project -B made >/dev/null && cmake --build made"
  check "recipe for CTest: its tests pass" ctest --test-dir made --output-on-failure
  check "recipe for CTest: lcov is written" grep -q '^FN:.*twice' made/kernels.info
  sed 's/LIMIT = 50/LIMIT = 64/' project/my_tests.c >changed && mv changed project/my_tests.c
  cmake --build made >"$work/check.out"
  ctest --test-dir made -R kernel_coverage >"$work/out" 2>"$work/err"
  check "recipe for CTest: worse tests fail" grep -q 'kernel_coverage \.*\*\*\*Failed' "$work/out"
  sed -n '/^```yaml/,/^```$/p' "$source/docs/recipes/pre-commit.md" | sed '/^```/d' >pre-commit-config.yaml
  check "recipe for pre-commit: text and sample are the same" cmp pre-commit-config.yaml "$source/docs/recipes/pre-commit-config.yaml"
}
