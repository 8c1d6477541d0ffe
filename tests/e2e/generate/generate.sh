# Sections of run.sh about `cltestcheck generate`; sourced by it.
# shellcheck shell=sh disable=SC2154

# 13 outcomes, each of which some input takes: the function, four ifs, the four cases of the loop. 19 mutants, each of
# which some input kills: `mode > 4000` is `mode >= 4000` but for 4000, which no outcome wants.
section_generate() { # test: cost=30
  fresh
  cat >nest.cl <<'CL'
kernel void nest(global const int *in, global int *out, int n, int mode) {
  int i = get_global_id(0), sum = 0;
  if (i < n) {
    if (mode == 77) {
      if (in[i] == -5)
        sum = 1;
    } else if (mode > 4000) {
      sum = 2;
    } else {
      for (int j = 0; j < mode; j++)
        sum += in[i];
    }
    out[i] = sum;
  }
}
CL
  run generate --max-time 200 nest.cl
  expect "generate: a kernel of nested branches" 0
  check "generate: all outcomes are taken" grep -q '^nest: 13 of 13 outcomes' "$work/out"
  check "generate: all mutants are killed" grep -q '^  mutants: 19 of 19 killed' "$work/out"
  check "generate: … which the table says, too" grep -qE '^mutation +0 of 19 +19 of 19 ' "$work/out"
  check "generate: … one by a case of its own" grep -qx '  # kills `>` changed to `>=` in line 7' generated/nest.yaml
  run coverage --quiet --format json=a.json generated/nest.yaml
  same "generate: coverage says the same of branches" 8 value a.json coverage.branch.covered
  for of in zero one many boundary; do
    same "generate: … and of loops: $of" 1 value a.json coverage.loop.$of.covered
  done
  run run generated/nest.yaml
  expect "generate: the cases pass" 0
  check "generate: a case has no more work-items than it needs" grep -q 'global: \[1\], local: \[1\], .*mode: 4000}' generated/nest.yaml
  sed -i 's/sum = 2/sum = 3/' nest.cl
  run run generated/nest.yaml
  expect "generate: … and fail with another kernel" 4
  check "generate: … which gives 3 and not 2" grep -q 'out: element 0 is 3 and not 2' "$work/out"
  sed -i 's/sum = 3/sum = 2/' nest.cl
  echo '# mine' >>generated/nest.yaml
  bad "generate: a file that was changed" 1 "generated/nest.yaml was changed" generate nest.cl
  check "generate: … is left as it is" grep -qx '# mine' generated/nest.yaml
}

# Results that are one thing are expected, and others are not: which slot a work-item gets its group's turn decides, and
# x[0] is nobody's where n is not above 2.
section_generate_expects() { # test: cost=25
  fresh
  cat >slots.cl <<'CL'
kernel void slots(global int *slots, volatile global int *next) {
  slots[atomic_inc(next) & 63] = get_global_id(0);
}
CL
  cat >loose.cl <<'CL'
kernel void loose(global int *out, int n) {
  int x[4];
  if (n > 2)
    x[0] = 7;
  out[get_global_id(0)] = x[0] + 1;
}
CL
  printf 'kernel void twice(global const float *in, global float *out) {\n  out[get_global_id(0)] = 2 * in[get_global_id(0)];\n}\n' >twice.cl
  run generate --max-time 30 --assume 'get_num_groups(0) == 2' slots.cl
  check "generate: a result that depends on the order of groups" \
    grep -qxE '  # (what it writes depends on the order of work-groups|slots varies from run to run): nothing is expected of it.*' generated/slots.yaml
  check "generate: … is not expected" grep -qx '      - {buffer: slots}' generated/slots.yaml
  run generate --max-time 40 loose.cl
  check "generate: a result that depends on memory that nobody has written" grep -qx '  # out depends on memory that nobody has written: nothing is expected of it' generated/loose.yaml
  check "generate: … and one that does not" grep -q '{buffer: out, .*8' generated/loose.yaml
  run generate --max-time 30 twice.cl
  check "generate: numbers of floating point have a tolerance" grep -q '{buffer: out, .*tolerance' generated/twice.yaml
  run run generated/slots.yaml generated/loose.yaml generated/twice.yaml
  expect "generate: all of them pass" 0
}

# No drawn number is 123679; and a loop of four turns has neither none nor one, nor a seventh.
section_generate_asks() { # test: cost=20
  fresh
  cat >walls.cl <<'CL'
kernel void walls(global int *out, int n) {
  int i = get_global_id(0);
  if (i < n) {
    if (n * 3 == 371037)
      out[i] = 2;
    for (int k = 0; k < 4; k++) {
      if (k == 7)
        out[i] = 1;
      if (k == 3)
        out[i] += 2;
    }
  }
}
CL
  run generate --max-time 100 walls.cl
  expect "generate: what the proof engine is asked" 0
  check "generate: all is taken or proved" grep -q '^walls: 10 of 13 outcomes taken by .*, 3 proved unreachable' "$work/out"
  check "generate: the engine found an input" grep -q 'n: 123679}' generated/walls.yaml
  same "generate: three proofs" 3 grep -c '^  proved unreachable' "$work/out"
  check "generate: … of the loop" grep -q '^  proved unreachable: one turn of the loop of line 6' "$work/out"
  check "generate: … of the branch" grep -q '^  proved unreachable: the then of line 7' "$work/out"
  { echo suppressions: && sed -n 's/^    suppressions: /  /p' "$work/out"; } >cltestcheck.yaml
  run report --format json=a.json
  expect "generate: its suppressions can be pasted" 0
  same "generate: … and branches are complete" 7 value a.json coverage.branch.total
  same "generate: … each of them taken" 7 value a.json coverage.branch.covered
  same "generate: … and loops" 0 value a.json coverage.loop.zero.total
  # loops that are entered again, without a turn then
  cat >again.cl <<'CL'
int turns(int n) {
  int t = 0;
  while (t < n)
    t++;
  return t;
}
kernel void again(global int *out, int n) {
  for (int j = 0; j < 2; j++)
    for (int k = 0; k < (j == 1 && n * 3 == 371037 ? 0 : 2); k++)
      out[get_global_id(0)] += k;
  out[get_global_id(0)] += turns(2) + turns(n * 5 == 617285 ? 0 : 3);
}
CL
  run generate --max-time 16 --no-config again.cl
  for line in 3 9; do
    check "generate: no turn of the loop of line $line is not proved" \
      sh -c "! grep -q 'proved unreachable: no turn of the loop of line $line\$' '$work/out'"
  done
}

# Two kernel files in two shards; what is there is not made again, also where somebody has changed it.
section_generate_shards() { # test: cost=15
  fresh
  for k in one two; do
    echo "kernel void $k(global int *out) { out[get_global_id(0)] = 1; }" >$k.cl
  done
  run generate --max-time 10 --shard 2/2 one.cl two.cl
  expect "generate: a shard" 0
  check "generate: … of the second file" test -f generated/two.yaml
  check "generate: … alone" test ! -f generated/one.yaml
  echo '# mine' >>generated/two.yaml
  run generate --max-time 10 --resume one.cl two.cl
  expect "generate: the rest" 0
  check "generate: … is the first file" test -f generated/one.yaml
  check "generate: … alone, too" grep -qx '# mine' generated/two.yaml
  run generate --resume one.cl two.cl
  expect "generate: nothing is left" 0
}

# A mutant that does what the kernel does is proved to, and its near twin is killed: no work-item has a number below 0, but m may be
# -1; a work-item needs no barrier for what it wrote itself, but for what another one did.
section_generate_equal() { # test: cost=30
  fresh
  cat >signs.cl <<'CL'
kernel void signs(global int *out, int m) {
  int i = get_global_id(0);
  if (i > -1)
    out[i] = 1;
  if (m > -1)
    out[i] += 2;
}
kernel void apart(global int *out) {
  int i = get_global_id(0);
  out[i] = i;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] += 5;
}
kernel void together(global const int *in, global int *out, local int *tile) {
  int i = get_local_id(0);
  tile[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[get_local_size(0) - 1 - i];
}
CL
  run generate --max-time 60 signs.cl
  expect "generate: mutants that are none" 0
  check "generate: a comparison with the same value" grep -qF '  proved equivalent: `>` changed to `>=` in line 3' "$work/out"
  check "generate: a barrier that nothing needs" grep -qF '  proved equivalent: `barrier(CLK_GLOBAL_MEM_FENCE)` deleted in line 11' "$work/out"
  same "generate: … and nothing else" 2 grep -c 'proved equivalent' "$work/out"
  check "generate: the others are killed: a comparison" grep -qE '^  mutants: 10 of 10 killed' "$work/out"
  check "generate: … a sum" grep -qE '^  mutants: 3 of 3 killed' "$work/out"
  check "generate: … and not what a device leaves in local memory by itself" grep -qE '^  mutants: [56] of 6 killed' "$work/out" # size * 1 and size / 1 are one
}

# A suite that takes the branches of n = 8 alone, and kills nothing else; a program whose text is in no file.
section_generate_tests() { # test: cost=30
  fresh
  cat >less.cl <<'CL'
kernel void less(global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = in[i] - 2;
}
CL
  cat >mine.yaml <<'Y'
name: mine
kernels: less.cl
tests:
  - name: whole
    buffers:
      in: {type: int, elements: 8, ramp: {from: 3}}
      out: {type: int, elements: 8, fill: 0}
    launches:
      - {kernel: less, global: [8], local: [4], args: {in: in, out: out, n: 8}}
    expect:
      - {buffer: out, formula: "in[i] - 2"}
Y
  run generate --max-time 100 mine.yaml
  expect "generate: from a suite" 0
  check "generate: … what it takes already is before" grep -qE '^branch +1 of 2 +2 of 2 ' "$work/out"
  check "generate: … and a case takes the rest" grep -qx '  # takes the else of line 3' generated/less.yaml
  check "generate: … and nothing takes the then again" sh -c "! grep -q 'the then of' generated/less.yaml"
  check "generate: … of the suite's kernel file" grep -qx 'kernels: "../less.cl"' generated/less.yaml
  run run generated/less.yaml
  expect "generate: … and passes" 0
  bad "generate: tests and a reference" 1 "takes kernel files" generate --against less mine.yaml
  # its host reads 60 of 64 elements and gives 60 for n: `<=` for `<` writes the next one, and the others are killed; of the
  # six `i * 1` and `i / 1` are one
  run generate --max-time 100 --kernel fill --output own -- "$build/launches_host"
  expect "generate: from a program" 0
  check "generate: … which kills what it reads" grep -qE '^mutation +4 of 5 +5 of 5 ' "$work/out"
  check "generate: … and a case the rest" grep -qx '  # kills `<` changed to `<=` in line 3' own/fill.yaml
  check "generate: … beside a copy of its text" grep -q '^kernel void whole' own/fill.cl
  run run own/fill.yaml
  expect "generate: … and passes, too" 0
}

section_generate_finds() { # test: cost=15
  fresh
  printf 'kernel void last(global int *out) {\n  out[0] = get_global_id(0);\n}\n' >race.cl
  run generate --max-time 100 race.cl
  expect "generate: a race that verify proves" 3
  check "generate: … with its line" grep -q 'finding: data-race in line 2' "$work/out"
  check "generate: … and an input" grep -q 'kernel: last, global:' "$work/out"
  check "generate: … and no case" test ! -e generated
  # names that have a meaning in cases
  printf 'kernel void null(global int *null, int i) {\n  null[get_global_id(0)] = i;\n}\n' >null.cl
  run generate null.cl
  expect "generate: words of cases as names" 0
  run run generated/null.yaml
  expect "generate: … whose cases run" 0
  printf 'kernel void one(global int *out, int n) {\n  out[get_global_id(0)] = n;\n}\n' >fine.cl
  for folder in a b; do
    run generate --output $folder --seed 7 --max-time 300 fine.cl
    expect "generate: no branch, seed 7, folder $folder" 0
  done
  check "generate: a seed repeats" cmp a/fine.yaml b/fine.yaml
  check "generate: nothing to mutate" grep -q '^  mutants: there are none' "$work/out"
  printf 'kernel void p(read_only pipe int from, global int *out) {\n  out[0] = 1;\n}\n' >pipe.cl
  run generate pipe.cl -- -cl-std=CL2.0
  expect "generate: an argument of which no input can be made" 5
  check "generate: … is named" grep -q 'its argument from is of type' "$work/out"
  printf 'kernel void one(global int *out, float n) {\n  out[get_global_id(0)] = n;\n}\n' >other.cl
  bad "generate: a reference with other arguments" 1 "argument 2 of one is of type int" generate --against other.cl fine.cl
  printf 'kernel void all(global int *out) {\n  out[get_global_id(0)] = 1;\n}\n' >all.cl # as a function of the language
  run generate all.cl
  expect "generate: a kernel that the device does not make" 5
  check "generate: … and what it says" grep -q 'INVALID_KERNEL_NAME' "$work/out"
  bad "generate: a reference that is not there" 1 "has no kernel two" generate --against two fine.cl
  bad "generate: a tolerance above all" 1 "--tolerance wants a number" generate --against one --tolerance 2 fine.cl
  bad "generate: no file" 1 "wants kernel files" generate
  bad "generate: a file that is not there" 1 "nothere.cl" generate nothere.cl
  printf 'int f(int i) {\n  return i;\n}\n' >none.cl
  bad "generate: a file without kernels" 1 "none.cl has no kernels" generate none.cl
}
