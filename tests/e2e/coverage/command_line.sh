# Sections about bad input: arguments, values of options, suite files; `show`.
# shellcheck shell=sh disable=SC2154

section_arguments() { # test: quick
  fresh
  bad "no program" 1 "no program was given" coverage
  bad "nothing after --" 1 "no program was given" coverage --
  bad "program not found in PATH" 1 "not found" coverage -- no-such-program
  bad "program path not found" 1 "not found" coverage -- ./no-such-program
  echo text >plain-file
  bad "program not executable" 1 "not an executable" coverage -- ./plain-file
  bad "program is a folder" 1 "not an executable" coverage -- ../here
  cp "$host" program
  bad "program without --" 1 "after --" coverage ./program
  bad "program without -- or ./" 1 "after --" coverage program
  bad "program of this folder without ./" 1 "\./" coverage -- program
  bad "unknown benchmark" 1 "unknown benchmark" coverage no-such-benchmark
  bad "a folder beside the benchmarks is not suggested" 1 "shows what there is" coverage CMakeFiles
  bad "one known and one unknown benchmark" 1 "unknown benchmark" coverage scan no-such-benchmark
  bad "unknown command" 1 "unknown command" covrage
  bad "unknown long option" 1 "unknown option" coverage --no-such-option -- ./program
  bad "unknown short option" 1 "unknown option" coverage -Z -- ./program
  bad "option of another command" 1 "unknown option" report --timeout 5
  bad "value for an option without one" 1 "takes no value" coverage --quiet=maybe -- ./program
  for option in --db --device --platform --suites --timeout --kernel --exclude --fail-under --format --color; do
    bad "$option at the end" 1 "wants a value" coverage scan $option
    bad "$option before --" 1 "wants a value" coverage $option -- ./program
  done
  bad "an option for a value" 1 "--ctest FOLDER. After it comes the option --db; if that is the value, write --ctest=--db" \
    coverage --ctest --db c.db -- build
  bad "a short option for a value" 1 "--db FILE. After it comes the option -q" coverage --db -q -- ./program
  bad "unknown command in help" 1 "unknown command" help no-such-command
  bad "list with a word" 1 "." list nonsense
  bad "devices with a word" 1 "no arguments" devices nonsense
  bad "merge of nothing" 1 "wants databases" merge
  bad "show of nothing" 1 "wants one kernel file" show
  bad "show of two files" 1 "wants one kernel file" show plain-file program
}

section_values() {
  fresh
  cp "$host" program
  for seconds in 0 -1 abc 1x nan inf 1e99 ""; do
    bad "--timeout \"$seconds\"" 1 "--timeout" coverage --timeout "$seconds" -- ./program run x
  done
  for threshold in branch branch= branch=101 branch=-1 branch=nan branch=x nonsense=5 =5 ""; do
    bad "--fail-under \"$threshold\"" 1 "--fail-under" coverage --fail-under "$threshold" -- ./program run x
  done
  for format in xml text= json= "" =file "json "; do
    bad "--format \"$format\"" 1 "--format" coverage --format "$format" -- ./program run x
  done
  for colour in yes "" ALWAYS; do
    bad "--color \"$colour\"" 1 "--color" coverage --color "$colour" -- ./program run x
  done
  bad "--db \"\"" 1 "." coverage --db "" -- ./program run x
  bad "device number" 1 "no device matches" coverage --device 99 -- ./program run x
  bad "device name" 1 "no device matches" coverage --device no-such-device -- ./program run x
  bad "platform" 1 "no device matches" coverage --platform no-such-platform -- ./program run x
  bad "missing suites folder" 1 "." list --suites missing
}

section_suites() {
  fresh
  printf 'name: x\nprogram: y\ntests: 3\n' >list.yaml
  bad "a suite without a list" 1 'list.yaml:3:8: tests: and a list are wanted' coverage list.yaml
  echo text >text.yaml
  bad "a suite that is text" 1 'text.yaml:1:1: a suite is written as keys with values' coverage text.yaml
  bad "missing suite file" 1 "missing.yaml" coverage missing.yaml
  printf 'name: a\nprogram: x\n  tests: [\n' >broken.yaml
  bad "suite file: syntax" 1 'broken.yaml:[1-9][0-9]*:[1-9]' coverage broken.yaml
  printf 'name: a\nprogram: x\nspeed: 3\ntests:\n  - name: b\n' >key.yaml
  bad "suite file: unknown key" 1 'key.yaml:3:[1-9].*speed' coverage key.yaml
  printf 'name: a\ntests:\n  - name: b\n' >missing-key.yaml
  bad "suite file: missing key" 1 'missing-key.yaml:[1-9][0-9]*:[1-9].*program' coverage missing-key.yaml
  printf 'name: a\nprogram: x\ntests: 3\n' >type.yaml
  bad "suite file: wrong type" 1 'type.yaml:3:[1-9].*' coverage type.yaml
  printf 'name: a\nprogram: [x]\ntests:\n  - name: b\n' >list.yaml
  bad "suite file: a list for a text" 1 'list.yaml:2:[1-9].*' coverage list.yaml
  : >empty.yaml
  bad "suite file: empty" 1 'empty.yaml' coverage empty.yaml
  printf 'name: a\nprogram: x\ntests: []\n' >none.yaml
  bad "suite file: no tests" 1 'none.yaml:3:[1-9]' coverage none.yaml
  printf 'name: a\nprogram: ./gone\ntests:\n  - name: b\n' >program.yaml
  bad "suite file: program not found" 1 'gone.*not found' coverage program.yaml
  mkdir folder.yaml
  bad "suite file: a folder" 1 'folder.yaml' coverage folder.yaml
}

section_show() { # test: sanitized quick
  fresh
  bad "show of a missing file" 1 'missing.cl.*No such file' show missing.cl
  printf '#include "gone.h"\n__kernel void k(__global int *a) { a[0] = 1; }\n' >header.cl
  bad "show with a missing header" 1 'header.cl:1.*gone.h' show header.cl
  printf '__kernel void k(__global int *a) {\n  a[0] = ;\n}\n' >broken.cl
  bad "show of broken source" 1 'broken.cl:2' show broken.cl
  printf '__kernel void k(__global int *a) { if (a[0] > N) a[0] = 1; }\n' >fine.cl
  run show fine.cl -- -DN=3
  expect "show" 0
  check "show prints source" grep -q '__kernel void k(' "$work/out"
  check "show touches nothing" test "$(ls -A | wc -l)" = 3
  mkdir sub
  printf '#define N 5\n' >sub/n.h
  printf '#include <n.h>\n__kernel void k(__global int *a) { if (a[0] > N) a[0] = 1; }\n' >sub/with.cl
  run show sub/with.cl -- -I sub
  expect "show with -I" 0
  # chains: syntax trees as deep as these are long
  chain '+' 5000 >plus.cl
  run show plus.cl
  expect "show of a sum of 5000" 0
  chain '&&' 900 >and.cl
  run show and.cl
  expect "show of a decision of 900 conditions" 0
  chain '&&' 8000 >and.cl
  bad "show of a decision of 8000 conditions" 1 'and.cl:2: a decision of 8000 conditions' show and.cl
  bad "mutants of a decision of 8000 conditions" 1 'and.cl:2: a decision of 8000 conditions' mutate --list and.cl
  chain '=' 60000 >assign.cl
  bad "show of a source that libclang cannot take" 1 'the front end (libclang)' show assign.cl
}

# chain OPERATOR COUNT: a kernel with that many operands
chain() {
  printf '__kernel void k(__global int *a) {\n  a[0] = '
  awk -v count="$2" -v operator="$1" 'BEGIN { for (i = 1; i < count; i++) printf "a[%d] %s ", i, operator; print "a[0];\n}" }'
}
