#!/bin/sh
# Captures and programs as kernel cases, and findings that are kept as such: yaml.sh BUILD_DIR
# One line a check; exit 1 when one failed.
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
tool=$build/cltestcheck
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# check NAME COMMAND…: it succeeds
check() {
  name=$1
  shift
  if "$@" >out 2>&1; then
    echo "ok: $name"
  else
    failed=1
    echo "FAIL: $name: $* gives $?"
    head -n 12 out
  fi
}

# ends STATUS WORDS COMMAND…: it ends so and says the words
ends() {
  wanted=$1 words=$2
  shift 2
  "$@" >out 2>&1
  status=$?
  if [ $status = "$wanted" ] && grep -qF -- "$words" out; then
    echo "ok: $*"
  else
    failed=1
    echo "FAIL: $*: $status and not $wanted: $words"
    head -n 12 out
  fi
}

cat >k.cl <<'CL'
__kernel void work(__global const int *ramp, __global const int *perm, __global const int *turn, __global const int *again,
                  __global const float *real, __global const float *none, __global float4 *out, float f, uchar2 u,
                  ulong big, __local float *t) {
  int i = get_global_id(0);
  t[get_local_id(0)] = real[i];
  out[i] = (float4)(ramp[i] + perm[i], turn[i] + again[i], t[get_local_id(0)] * f, u.x + u.y + (float)big);
}
CL
# 3 * i + 2 modulo 20 is a permutation of 0 to 19, as 3 and 20 have no common divisor
cat >suite.yaml <<'Y'
name: forms
kernels: k.cl
tests:
  - name: forms
    buffers:
      ramp: {type: int, elements: 20, ramp: {from: 7, step: -2}}
      perm: {type: int, elements: 20, permutation: {seed: 5}}
      turn: {type: int, elements: 20, formula: "(2 + 3 * i) % 20"}
      again: {type: int, elements: 20, formula: "10 + 5 * (i % 4)"}
      real: {type: float, elements: 20, ramp: {from: 1, step: 0.25}, access: read-only}
      none: {type: float, elements: 20}
      out: {type: float4, elements: 20}
    launches:
      - {kernel: work, global: 20, local: 4, args: [ramp, perm, turn, again, real, none, out, -0.0, [1, 2], 8, {local: 16}]}
      - write: {buffer: ramp, from: 5, elements: 5, fill: 9}
      - write: {buffer: again, from: 2, elements: 18, formula: "10 + 5 * ((i - 2) % 3)"}
      - {kernel: work, global: [4], offset: [4], args: [ramp, perm, turn, again, real, none, out, 0.1, [1, 2], 8, {local: 16}]}
Y
mkdir one two
check "a case becomes a capture" "$tool" coverage --quiet --capture one/a.cltc suite.yaml
check "a capture becomes a case" "$tool" capture --yaml yaml one/a.cltc
while read -r line; do
  check "$line" grep -qF -- "$line" yaml/suite.yaml
done <<'END'
ramp: {type: int, elements: 20, ramp: {from: 7, step: -2}}
perm: {type: int, elements: 20, permutation: {seed: 5}}
turn: {type: int, elements: 20, formula: "(2 + 3 * i) % 20"}
again: {type: int, elements: 20, formula: "10 + 5 * (i % 4)"}
real: {type: float, elements: 20, access: read-only, ramp: {from: 1, step: 0.25}}
none: {type: float, elements: 20}
write: {buffer: ramp, from: 5, elements: 5, fill: 9}
write: {buffer: again, from: 2, elements: 18, formula: "10 + 5 * ((i - 2) % 3)"}
global: [20], local: [4]
global: [4], offset: [4]
f: -0.0, u: [1, 2], big: 8, t: {local: float, elements: 4}
f: 0.1
END
check "that case passes" "$tool" run yaml/suite.yaml
check "it becomes a capture" "$tool" coverage --quiet --capture two/a.cltc yaml/suite.yaml
check "and that the same case" "$tool" capture --yaml yaml2 two/a.cltc
check "which is as the first" cmp yaml/suite.yaml yaml2/suite.yaml
ends 1 'File exists' "$tool" capture --yaml yaml one/a.cltc

# several files, each a program: what one leaves is what the other gets
printf '__kernel void twice(__global int *x) { x[get_global_id(0)] *= 2; }\n' >twice.cl
printf '#define ADD 3\n__kernel void plus(__global int *x) { x[get_global_id(0)] += ADD; }\n' >plus.cl
cat >both.yaml <<'Y'
name: both
kernels: [twice.cl, plus.cl]
tests:
  - name: both
    buffers: {x: {type: int, elements: 8, ramp: {}}}
    launches:
      - {kernel: twice, global: 8, args: [x]}
      - {kernel: plus, global: 8, args: [x]}
      - {kernel: twice, global: 8, args: [x]}
    expect: [{buffer: x, formula: "2 * (2 * i + 3)"}]
Y
check "several kernel files" "$tool" run both.yaml
mkdir files
check "several kernel files: a capture" "$tool" coverage --quiet --fail-under kernel=100 --capture files/a.cltc both.yaml
check "several kernel files: the capture becomes a case" "$tool" capture --yaml files/again files/a.cltc
check "several kernel files: both are written" grep -qx 'kernels: \[kernels.cl, kernels-2.cl\]' files/again/suite.yaml
check "several kernel files: each as it was" sh -c 'cmp twice.cl files/again/kernels.cl && cmp plus.cl files/again/kernels-2.cl'
check "several kernel files: and that passes" "$tool" run files/again/suite.yaml
cat twice.cl >>plus.cl
ends 1 'both.yaml:7:18: twice.cl and plus.cl both have a kernel "twice"' "$tool" run both.yaml

# the limits of types
cat >limits.cl <<'CL'
__kernel void limits(__global ulong *y, ulong a, long b, float f, __global const ulong *x, __global float *z) {
  int i = get_global_id(0);
  y[i] = a - i + x[i];
  y[i + 4] = (ulong)b;
  z[i] = f + i;
}
CL
cat >limits.yaml <<'Y'
name: limits
kernels: limits.cl
tests:
  - name: limits
    buffers:
      x: {type: ulong, elements: 4, values: [18446744073709551615, 9223372036854775808, 9223372036854775807, 5]}
      y: {type: ulong, elements: 8, fill: 0}
      z: {type: float, elements: 4, fill: 0}
    launches:
      - {kernel: limits, global: 4, args: [y, 18446744073709551615, -9223372036854775808, inf, x, z]}
    expect:
      - {buffer: y, values: [18446744073709551614, 9223372036854775806, 9223372036854775804, 1, 9223372036854775808, 9223372036854775808, 9223372036854775808, 9223372036854775808]}
Y
mkdir edge
check "numbers of 64 bits" "$tool" run limits.yaml
check "numbers of 64 bits: a capture" "$tool" coverage --quiet --capture edge/a.cltc limits.yaml
check "numbers of 64 bits: the capture becomes a case" "$tool" capture --yaml edge/again edge/a.cltc
check "numbers of 64 bits: arguments" grep -q 'a: 18446744073709551615, b: -9223372036854775808, f: .*inf' edge/again/suite.yaml
check "numbers of 64 bits: that passes" "$tool" run edge/again/suite.yaml

# a program: what it reads is expected
check "a program becomes a case" "$tool" capture --yaml program -- "$build/e2e_host" run x
check "… that passes" "$tool" run program/suite.yaml
sed 's/values: \[/values: [1 + /; s/fill: /fill: 1 + /; s/from: \([0-9]*\), step/from: 1 + \1, step/' program/suite.yaml >program/off.yaml
ends 4 'and not' "$tool" run program/off.yaml
ends 5 'cannot be written as a kernel case: command' "$tool" capture --yaml calls -- "$build/capture_calls"
ends 1 'wants a program or a capture' "$tool" capture --yaml none

# findings
cat >rev.cl <<'CL'
__kernel void fine(__global int *out) { out[get_global_id(0)] = 1; }
__kernel void reverse(__global const int *in, __global int *out, __local int *t) {
  int l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
  t[l] = in[g];
  out[g] = t[n - 1 - l];
}
CL
cat >rev.yaml <<'Y'
name: rev
kernels: rev.cl
tests:
  - name: rev
    buffers: {x: {type: int, elements: 64, ramp: {}}, y: {type: int, elements: 64}}
    launches:
      - {kernel: reverse, global: 64, local: 64, args: [x, y, {local: int, elements: 64}]}
      - {kernel: fine, global: 64, args: [y]}
Y
ends 3 'found/reverse/suite.yaml has the launches of kernel reverse in rev' "$tool" races --quiet --emit-cases found rev.yaml
check "only the kernel with a finding is kept" test ! -e found/fine
check "what comes after it is left out" sh -c '! grep -q "kernel: fine" found/reverse/suite.yaml'
ends 3 'data-race' "$tool" races found/reverse/suite.yaml
ends 0 'ok    rev rev' "$tool" run rev.yaml
id=$("$tool" races rev.yaml 2>&1 | sed -n 's/.*--replay \([0-9]*\).*/\1/p' | head -n 1)
ends 3 "finding $id is seen again" "$tool" races --replay "$id"
ends 3 'has the launch of a counterexample' "$tool" verify --quiet --local 64 --emit-cases proved rev.cl
ends 3 'data-race' "$tool" races proved/rev-reverse-data-race-1/suite.yaml
check "without a finding nothing is kept" "$tool" races --quiet --emit-cases nothing --kernel fine rev.yaml
check "… not even a folder" test ! -e nothing
exit $failed
