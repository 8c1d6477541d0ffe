#!/bin/sh
# Kernel cases on the device of this machine: run.sh BUILD_DIR SOURCE_DIR [FULL]
# FULL is ON for the slow ones. One line a check; exit 1 when one failed.
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
source=$(cd "$2" && pwd) || exit 1
full=${3:-OFF}
tool=$build/cltestcheck
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# try STATUS WORDS COMMAND…: it ends so, and says all words (separated by |, with ! not) on either stream
try() {
  wanted=$1 words=$2
  shift 2
  "$tool" "$@" >out 2>&1
  status=$?
  wrong=
  [ "$status" = "$wanted" ] || wrong="ends with $status and not $wanted"
  old=$IFS
  IFS='|'
  for word in $words; do
    case $word in
      !*) ! grep -qF -- "${word#!}" out || wrong="says ${word#!}" ;;
      *) grep -qF -- "$word" out || wrong="does not say $word" ;;
    esac
  done
  IFS=$old
  if [ -z "$wrong" ]; then
    echo "ok: $*"
  else
    failed=1
    echo "FAIL: $*: $wrong"
    sed 's/^/    /' out | head -n 20
  fi
}

# --- the example of the page ----------------------------------------------------------------------------------------
page=$source/docs/kernel-cases.md
awk '/^    name: scale/ { on = 1 } on && !/^    / { exit } on { print substr($0, 5) }' "$page" >suite.yaml
awk '/^    __kernel void scale/ { on = 1 } on { print substr($0, 5) } on && /^    }$/ { exit }' "$page" >scale.cl
try 0 'ok    scale n=1|ok    scale n=63|ok    scale n=64|ok    scale n=65|4 of 4 cases pass' run suite.yaml
try 0 '!ok|4 of 4 cases pass' run --quiet suite.yaml
# 62 * 2 is 124: twice 62 wrongly as three times it is off by half of it
sed 's/"2 \* x/"3 * x/' suite.yaml >three.yaml
try 4 'FAIL  scale n=63|y: element 1 is 2 and not 3; 62 of 63 elements differ|1 of 4 cases passes' run three.yaml
# what leaves its buffers, and puts there what was there already
printf '%s\n' 'kernel void scale(global const float *in, global float *out, int n, float a) {' '  int i = get_global_id(0);' \
  '  if (i < n) out[i] = a * in[i];' '}' >past.cl
cat >past.yaml <<'Y'
name: past
kernels: past.cl
tests:
  - name: "n={n}"
    each: {n: [63, 64]}
    buffers:
      x: {type: float, elements: n, ramp: {from: 0, step: 1}}
      y: {type: float, elements: n}
    launches:
      - {kernel: scale, global: [128], local: [64], args: {in: x, out: y, n: "n + 1", a: 1.0}}
    expect:
      - {buffer: y, formula: "x[i]"}
Y
try 4 'FAIL  past n=63|FAIL  past n=64|0 of 2 cases pass' run past.yaml
sed 's/"n + 1"/n/' past.yaml >inside.yaml
try 0 '2 of 2 cases pass' run inside.yaml
# … as JUnit's XML: a test case a case
try 4 '1 of 4 cases passes' run --quiet --format junit=run.xml three.yaml
python3 - <<'P' || { echo "FAIL: run --format junit"; failed=1; }
import xml.etree.ElementTree as tree
root = tree.parse("run.xml").getroot()
cases = {c.get("name"): c for c in root.iter("testcase")}
assert sorted(cases) == ["scale n=1", "scale n=63", "scale n=64", "scale n=65"], sorted(cases)
assert [root.get("tests"), root.get("failures")] == ["4", "3"], root.attrib
assert cases["scale n=1"].find("failure") is None
assert "element 1 is 2 and not 3; 62 of 63 elements differ" in cases["scale n=63"].find("failure").text
P
try 0 'failures="0"|<testcase classname="suite.yaml" name="scale n=64"/>' run --format junit suite.yaml
try 1 '--format html=x.html: run writes junit alone' run --format html=x.html suite.yaml
printf 'format: {html: x.html}\n' >project.yaml
try 0 '4 of 4 cases pass|!junit' run --config project.yaml suite.yaml
# … on two devices, which agree; where a case writes what no other process writes they do not
POCL_DEVICES='basic pthread'
export POCL_DEVICES
try 0 'ok    scale n=64|4 of 4 cases pass' run --device 0,1 suite.yaml
cat >here.cl <<'X'
kernel void here(global int *a) { a[0] = (int)((ulong)a >> 12); }
X
cat >here.yaml <<'X'
name: here
kernels: here.cl
tests:
  - name: here
    buffers: {a: {type: int, elements: 1}}
    launches:
      - {kernel: here, global: [1], args: {a: a}}
    expect:
      - {buffer: a, values: [0], tolerance: {absolute: 0}}
X
try 4 'a: device 0:1 differs from device 0:0: element 0 is' run --device 0,1 here.yaml
unset POCL_DEVICES
try 0 '100.0 %' coverage suite.yaml
try 4 'n=63 itself failed|y: element 1 is 2 and not 3' coverage three.yaml
try 0 'ok    scale n=1|ok    scale n=64|!n=63|2 of 2 cases pass' run --shard 1/2 suite.yaml
try 0 'ok    scale n=63|ok    scale n=65|!n=64' run --shard 2/2 suite.yaml
try 0 'verified' verify suite.yaml
# every mutant of `a * in[i]` changes results, and the case says so: * becomes /, + and -
sed 's/\[1, 63, 64, 65\]/[65]/' suite.yaml >one.yaml
try 0 'revealed' mutate --engine replay --runs 1 --operators arith --no-equivalence --format json=m.json one.yaml
python3 - <<'P' || failed=1
import json
m = json.load(open("m.json"))
wrong = [x for x in m["mutants"] if x["status"] != "killed" or x["revealed"] is not True]
print("FAIL" if wrong or len(m["mutants"]) != 3 else "ok", "mutants of the multiplication:", wrong or "killed and revealed")
raise SystemExit(1 if wrong or len(m["mutants"]) != 3 else 0)
P

# --- what a case can have ---------------------------------------------------------------------------------------------
cat >all.cl <<'CL'
typedef struct { int a; float b; } pair;
__kernel void copy(__global const int *in, __global int *out) { out[get_global_id(0)] = in[get_global_id(0)]; }
__kernel void tile(__global const float *in, __global float *out, int n, float a, __local float *t) {
  int i = get_global_id(0);
  if (i < n) {
    t[get_local_id(0)] = in[i];
    out[i] = a * t[get_local_id(0)];
  }
}
__kernel void image(__read_only image2d_t im, sampler_t s, __write_only image2d_t o, __global float4 *out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 v = read_imagef(im, s, p);
  write_imagef(o, p, v * 2.0f);
  out[p.y * get_global_size(0) + p.x] = v;
}
__kernel void types(__global float3 *v, float3 add, uchar4 c, __global uint *o, ulong big, pair q, __global pair *ps) {
  int i = get_global_id(0);
  v[i] = v[i] + add;
  o[i] = c.x + c.y + (uint)big + q.a;
  ps[i].a += q.a;
}
typedef float real;
typedef real real2 __attribute__((ext_vector_type(2)));
__kernel void names(__global const real *x, volatile global unsigned long *u, global real2 *pairs, real add, local real *t) {
  t[0] = x[0] + add;
  u[0] += 1;
  pairs[0] = (real2)(t[0], 2.5f);
}
__kernel void ids(__global int *y) { y[get_global_id(0)] = get_global_id(0) * 10 + get_global_id(1); }
__kernel void outside(__global int *y, int n) { y[get_global_id(0)] = n; }
#ifdef N
__kernel void option(__global T *y) { y[0] = N; }
#endif
CL
cat >all.yaml <<'Y'
name: all
kernels: all.cl
tests:
  # splitmix64 from 0 gives 0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f: modulo 10 5, 0, 9
  - name: random
    buffers: {x: {type: int, elements: 3, random: {seed: 0, from: 0, to: 9}}, y: {type: int, elements: 3}}
    launches: [{kernel: copy, global: 3, args: [x, y]}]
    expect: [{buffer: y, values: [5, 0, 9]}]
  - name: permutation
    buffers: {x: {type: int, elements: 100, permutation: {seed: 3}}, y: {type: int, elements: 100}}
    launches: [{kernel: copy, global: 100, args: [x, y]}]
    expect: [{buffer: y, formula: "x[i] + sum(k, 0, 100, x[k]) - 4950 + (sum(k, 0, 100, x[k] == i) != 1)"}]
  - name: tile
    let: {n: 10}
    buffers:
      x: {type: float, elements: n, ramp: {from: 1, step: 0.5}}
      y: {type: float, elements: n}
    launches: [{kernel: tile, global: 16, local: 16, args: {in: x, out: y, n: n, a: "1.0 / 4", t: {local: 64}}}]
    expect: [{buffer: y, formula: "(1 + 0.5 * i) / 4"}]
  - name: image
    buffers: {o: {type: float4, elements: 16}}
    images: {im: {format: rgba-float, size: [4, 4], ramp: {from: 0}}, twice: {format: rgba-float, size: [4, 4]}}
    samplers: {s: {address: clamp-to-edge, filter: nearest}}
    launches: [{kernel: image, global: [4, 4], args: {im: im, s: s, o: twice, out: o}}]
    expect: [{buffer: o, formula: i}, {image: twice, formula: 2 * i}]
  - name: types
    buffers:
      v: {type: float3, values: [1, 2, 3, 4, 5, 6]}
      o: {type: uint, elements: 2}
      p: {type: pair, elements: 2, fill: 0}
    launches:
      - kernel: types
        global: [2]
        args: {v: v, add: [10, 20, 30], c: [1, 2, 3, 4], o: o, big: 7000000000, q: {bytes: "05000000 0000803f"}, ps: p}
    expect:
      - {buffer: v, values: [11, 22, 33, 14, 25, 36]}
      - {buffer: v, formula: "v[i] + 10 * (i % 3 + 1)"}
      - {buffer: o, fill: 2705032712} # 7000000000 modulo 2^32, and 8
      - {buffer: p, values: [5, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]}
      - {buffer: p, formula: "i % 8 == 0 ? 5 : p[i]"}
  - name: names
    buffers:
      x: {type: real, values: [1.5]}
      u: {type: unsigned long, values: [18446744073709551614]}
      p: {type: real2, elements: 1, fill: [0.5, 0.5]}
    launches: [{kernel: names, global: 1, args: {x: x, u: u, pairs: p, add: 0.25, t: {local: real, elements: 1}}}]
    expect: [{buffer: u, values: [18446744073709551615]}, {buffer: p, values: [1.75, 2.5]}]
  - name: steps
    buffers: {y: {type: int, elements: 1024, fill: -1}}
    launches:
      - {kernel: ids, global: [4, 1], offset: [2, 3], args: [y]}
      - expect: {buffer: y, range: [0, 8], values: [-1, -1, 23, 33, 43, 53, -1, -1]}
      - write: {buffer: y, from: 2, elements: 2, fill: 7}
      - {kernel: ids, global: [2], args: [{buffer: y, from: 512, elements: 256}]}
      - copy: {from: y, to: y, first: 2, at: 900, elements: 3}
    expect:
      - {buffer: y, range: [0, 5], values: [-1, -1, 7, 7, 43]}
      - {buffer: y, range: [510, 515], values: [-1, -1, 0, 10, -1]}
      - {buffer: y, range: [899, 904], values: [-1, 7, 7, 43, -1]}
  - name: "{T} {c}"
    each: [{T: int, c: 5}, {T: short, c: 6}]
    options: -DN={c} -DT={T}
    buffers: {y: {type: "{T}", elements: 1}}
    launches: [{kernel: option, global: 1, args: [y]}]
    expect: [{buffer: y, values: [c]}]
Y
try 0 '9 of 9 cases pass' run all.yaml
# each of them fails where its kernel or its expectation is another
sed 's/values: \[5, 0, 9\]/values: [5, 1, 9]/; s/4950/4951/; s/0.5 \* i) \/ 4/0.5 * i) \/ 5/; s/twice, formula: 2/twice, formula: 3/; s/22, 33/22, 34/; s/1\.75/1.5/; s/43, 53/43, 54/; s/values: \[c\]/values: [c + 1]/' all.yaml >off.yaml
try 4 '0 of 9 cases pass|p: element 0.s0 is 1.75 and not 1.5|y: element 1 is 0 and not 1; 1 of 3 elements differs, by 1|v: element 0.s2 is 33 and not 34|twice:' run off.yaml
cat >outside.yaml <<'Y'
name: outside
kernels: all.cl
tests:
  - name: "{m}"
    each: {m: [16, 17]}
    buffers: {y: {type: int, elements: 16}}
    launches: [{kernel: outside, global: "{m}", args: [y, 1]}]
    expect: [{buffer: y, fill: 1}]
Y
sed -i 's/"{m}", args/m, args/' outside.yaml
try 4 'ok    outside 16|FAIL  outside 17|outside 17: a kernel wrote outside of a buffer: outside.yaml:' run outside.yaml

cat >far.cl <<'CL'
__kernel void far(__global const int *x, __global int *y, int n) { y[get_global_id(0)] = x[n]; }
CL
cat >far.yaml <<'Y'
name: far
kernels: far.cl
tests:
  - name: "{n}"
    each: {n: [15, 4000000]}
    buffers: {x: {type: int, elements: 16, fill: 0}, y: {type: int, elements: 16}}
    launches: [{kernel: far, global: 16, args: [x, y, n]}]
Y
try 4 'ok    far 15|FAIL  far 4000000|far 4000000: a kernel read outside of a buffer' run far.yaml

# --- --update -------------------------------------------------------------------------------------------------------
cat >update.yaml <<'Y'
name: update # a comment stays
kernels: all.cl
tests:
  - name: "n={n}"
    each: {n: [2, 3]}
    buffers: {x: {type: int, elements: n, ramp: {from: 5}}, y: {type: int, elements: n}}
    launches: [{kernel: copy, global: n, args: [x, y]}]
    expect:
      - {buffer: y, file: "y-{n}.bin"}
      - {buffer: y, range: [0, 2], values: [1, 2]} # and so does this
      - {buffer: y, range: [0, 2], digest: new}
Y
try 1 'update.yaml:9:27: there is no file y-2.bin' run update.yaml
try 0 '4 results of 2 cases written anew' run --update update.yaml
try 0 '2 of 2 cases pass' run update.yaml
sed -n '10s/^ *//p; 1p' update.yaml >lines
printf '%s\n' 'name: update # a comment stays' '- {buffer: y, range: [0, 2], values: [5, 6]} # and so does this' | cmp -s - lines &&
  [ "$(od -An -td4 y-3.bin | tr -s ' ')" = ' 5 6 7' ] && echo "ok: what --update writes" || { failed=1; echo "FAIL: what --update writes"; cat lines; }
cp update.yaml before.yaml
try 0 '0 results' run --update update.yaml
cmp -s update.yaml before.yaml && echo "ok: nothing changes twice" || { failed=1; echo "FAIL: it changes twice"; }
sed -i 's/file: .*/formula: i}/; /digest/d' update.yaml
try 4 'change it yourself|element 0 is 5 and not 0' run --update update.yaml

# --- other commands -------------------------------------------------------------------------------------------------
cat >rev.cl <<'CL'
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
    launches: [{kernel: reverse, global: 64, local: 64, args: [x, y, {local: int, elements: 64}]}]
    expect: [{buffer: y, formula: "63 - i"}]
Y
try 3 'data-race' races rev.yaml
try 3 'race' verify rev.yaml
if [ "$full" = ON ]; then
  try 0 '+  barrier(CLK_LOCAL_MEM_FENCE);|succeeds with the change' repair --check "$tool run $work/rev.yaml" rev.yaml
  try 0 'proved: one result' amplify --runs 2 one.yaml
  try 0 'consistent' amplify --runs 2 --no-trust-proofs one.yaml
fi
try 4 'rev' coverage --quiet --format junit=j.xml rev.yaml
grep -q '<testcase classname="rev" name="rev">' j.xml && grep -q '<failure' j.xml && echo "ok: JUnit" || { failed=1; echo "FAIL: JUnit"; }

# --- a kernel file without a case -------------------------------------------------------------------------------------
"$tool" coverage all.cl >skeleton.yaml 2>said
if [ $? = 1 ] && grep -q 'nothing launches its kernels' said && [ "$(grep -c 'kernel: ' skeleton.yaml)" = 7 ]; then
  echo "ok: what a case looks like"
else
  failed=1
  echo "FAIL: what a case looks like"
fi
try 0 '7 of 7 cases pass|expects nothing' run skeleton.yaml
# … its buffers are as large as the accesses need, and only what atomic functions use is zeros
cat >need.cl <<'X'
kernel void border(global const int *x, global int *y) { int i = get_global_id(0); y[i + 1] = x[i] + x[i + 2]; }
kernel void rows(global const float *a, global float *y, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; k++) y[i] += a[i * n + k];
}
kernel void far(global float *y) { y[3 * get_global_id(0)] = 1; y[1000] = 3; }
kernel void count(global int *c, global uchar *out) { out[atomic_inc(&c[0])] += 2; }
X
"$tool" coverage need.cl >need.yaml 2>said
if grep -q 'x: .*elements: n + 2,' need.yaml && grep -q 'y: .*elements: n + 937,' need.yaml && [ "$(grep -c 'fill: 0' need.yaml)" = 1 ]; then
  echo "ok: what buffers a case needs"
else
  failed=1
  echo "FAIL: what buffers a case needs: $(cat need.yaml)"
fi
try 0 '!out of bounds' memory need.yaml
# --- the schema for editors, where this machine can check it ------------------------------------------------------------
if python3 -c 'import jsonschema, yaml' 2>/dev/null; then
  python3 - "$source/docs/suite.schema.json" "$source"/suites/*/suite.yaml suite.yaml all.yaml update.yaml rev.yaml skeleton.yaml <<'P' || failed=1
import json, sys
import jsonschema, yaml
schema = json.load(open(sys.argv[1]))
valid = jsonschema.Draft7Validator(schema)
wrong = [f for f in sys.argv[2:] if not valid.is_valid(yaml.safe_load(open(f)))]
broken = yaml.safe_load(open("suite.yaml"))
broken["tests"][0]["launch"] = broken["tests"][0].pop("launches")
fine = not wrong and not valid.is_valid(broken)
print("ok: the schema" if fine else f"FAIL: the schema: {wrong or 'it takes a wrong key'}")
raise SystemExit(0 if fine else 1)
P
fi
exit $failed
