#!/bin/sh
# What is wrong in a suite of kernel cases is said in one sentence, with its place: wrong.sh BUILD_DIR
LC_ALL=C.UTF-8
export LC_ALL
build=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
cat >k.cl <<'CL'
__kernel void k(__global const float *in, __global float *out, int n, uchar c, __local int *t) {}
__kernel void none(void) {}
CL
cat >right.yaml <<'Y'
name: s
kernels: k.cl
tests:
  - name: "{n}"
    each: {n: [4, 8]}
    let: {m: "2 * n"}
    buffers:
      x: {type: float, elements: n, ramp: {from: 0}}
      y: {type: float, elements: n}
    launches:
      - {kernel: k, global: [m], local: [2], args: {in: x, out: y, n: n, c: 1, t: {local: 4}}}
    expect:
      - {buffer: y, formula: "x[i]", range: [0, n], tolerance: {ulp: 1}}
Y
"$build/cltestcheck" run right.yaml >out 2>&1
[ $? -le 4 ] && ! grep -q 'right.yaml:' out && echo "ok: the right one" || { failed=1; echo "FAIL: the right one"; cat out; }

# wrong SED PLACE WORDS: with that change there is an error at LINE:COLUMN, in one line with these words
wrong() {
  sed "$1" right.yaml >s.yaml
  cmp -s right.yaml s.yaml && { failed=1; echo "FAIL: $1 changes nothing"; return; }
  "$build/cltestcheck" coverage --quiet s.yaml >out 2>&1
  status=$?
  if [ $status = 1 ] && [ "$(wc -l <out)" = 1 ] && grep -qF "s.yaml:$2: " out && grep -qF "$3" out; then
    echo "ok: $1"
  else
    failed=1
    echo "FAIL: $1: $status, and not $2: $3"
    head -n 3 out
  fi
}

wrong 's/^kernels/kernel/' 2:1 'did you mean kernels?'
wrong 's/^kernels: k.cl$/defect: none/' 1:1 'kernels: FILE.cl or program: FILE'
wrong 's/^name: s/name: [s]/' 1:7 'wants a name'
wrong 's/k\.cl/l.cl/' 2:10 '"l.cl" cannot be read'
wrong 's/k\.cl/[]/' 2:10 'a list of files'
wrong 's/k\.cl/[k.cl, l.cl]/' 2:17 '"l.cl" cannot be read'
wrong 's/k\.cl/[k.cl, [k.cl]]/' 2:17 'a list of files'
wrong 's/^tests:/test:/' 3:1 'did you mean tests?'
wrong 's/    launches:/    launch:/' 10:5 'did you mean launches?'
wrong 's/"{n}"/"{q}"/' 4:12 'there is none such'
wrong 's/"{n}"/"a"/' 4:5 'two tests have the name'
wrong 's/\[4, 8\]/4/' 5:15 'wants a list'
wrong 's/\[4, 8\]/[4, 8 +]/' 5:22 'ends too early'
wrong 's/{m: "2/{n: "2/' 6:11 'is there twice'
wrong 's/{m: "2/{min: "2/' 6:11 'cannot be a name'
wrong 's/      y: {type/      null: {type/' 9:7 'cannot be a name'
wrong 's/2 \* n/2 * k/' 6:19 'no name k'
wrong 's/x: {type: float, /x: {/' 8:10 'wants a type'
wrong 's/x: {type: float/x: {type: floot/' 8:17 'no type floot'
# names of types: of no kernel, of a pointer, and of two types
wrong 's/x: {type: float/x: {type: real/' 8:17 'no type real'
printf 'typedef __global float *place;\nkernel void p(place x) {}\n' >p.cl
wrong 's/k\.cl/[k.cl, p.cl]/; s/x: {type: float/x: {type: place/' 8:17 'no type place'
for of in float int; do printf 'typedef %s real;\nkernel void in_%s(global real *x) {}\n' $of $of >$of.cl; done
wrong 's/k\.cl/[k.cl, float.cl, int.cl]/; s/x: {type: float/x: {type: real/' 8:17 'no type real'
wrong 's/x: {type: float, elements: n/x: {type: float, elements: 0/' 8:34 'from 1 to'
wrong 's/ramp: {from: 0}/ramp: {from: 0}, fill: 1/' 8:60 'not two'
wrong 's/ramp: {from: 0}/ramp: {form: 0}/' 8:44 'did you mean from?'
wrong 's/ramp: {from: 0}/values: [1, 2]/' 8:45 'these are 2 numbers'
wrong 's/x: {type: float, elements: n, ramp: {from: 0}/x: {type: uchar, elements: n, ramp: {from: 254}/' 8:43 'does not hold 256'
wrong 's/ramp: {from: 0}/file: no.bin/' 8:43 'no file no.bin'
wrong 's/ramp: {from: 0}/formula: "1 \/ (i - 2)"/' 8:49 'where i is 2: this divides by 0'
wrong 's/      y: {type/      x: {type/' 9:7 'there twice'
wrong 's/kernel: k/kernel: kk/' 11:18 'no kernel "kk"'
wrong 's/global: \[m\], //' 11:9 'global size'
wrong 's/global: \[m\]/global: [m, 1]/' 11:44 'the global size has 2 dimensions, and this has 1'
wrong 's/global: \[m\]/global: [0]/' 11:30 'a global size is from 1'
wrong 's/, c: 1//' 11:52 'argument c of k is missing'
wrong 's/c: 1/c: 1, d: 2/' 11:80 'k has no argument d'
wrong 's/c: 1/c: 256/' 11:77 'does not hold 256'
wrong 's/c: 1/c: 1.5/' 11:77 'is an integer'
wrong 's/in: x/in: z/' 11:57 'there is no buffer "z"'
wrong 's/in: x/in: 3/' 11:57 'is a buffer'
wrong 's/n: n, c/n: x, c/' 11:71 'x is a buffer'
wrong 's/t: {local: 4}/t: x/' 11:83 'is local memory'
wrong 's/args: {.*$/args: [x, y]}/' 11:52 'k has 5 arguments'
wrong 's/buffer: y, formula/buffer: q, formula/' 13:18 'no buffer "q"'
wrong 's/buffer: y, formula/formula/' 13:9 'of a buffer or of an image'
wrong 's/range: \[0, n\]/range: [0, n + 1]/' 13:49 'the end of a range is from 1 to 4'
wrong 's/ulp: 1/ulps: 1/' 13:65 'did you mean ulp?'
wrong 's/ulp: 1/relative: -1/' 13:75 'from 0 on'
wrong 's/x\[i\]/x[i + 1]/' 13:31 'where i is 3: x has 4 numbers'
wrong 's/formula: "x\[i\]"/digest: "ab"/' 13:29 'stands alone'
wrong 's/^    expect:/   expect:/' 12:4 'this is no YAML'
wrong '$a---\nname: t' 15:1 'a second one begins here'
wrong '1i{}\n---' 3:1 'a second one begins here'
wrong 's/in: x/in: "x\\0"/' 11:57 'has a NUL in it'
wrong "s/in: x/in: $(printf '%200s' '' | tr ' ' '[')/" 11:151 'nested too deeply'
# limit SED PLACE WORDS: what the device refuses is said of the launch or the buffer, with its limit
limit() {
  sed "$1" right.yaml >s.yaml
  "$build/cltestcheck" run s.yaml >out 2>&1
  status=$?
  if [ $status = 4 ] && grep -qF "s.yaml:$2: test 4, $3" out; then
    echo "ok: $1"
  else
    failed=1
    echo "FAIL: $1: $status, and not $2: $3"
    cat out
  fi
}
limit 's/global: \[m\], local: \[2\]/global: [1048576], local: [1048576]/' 11:9 'launch 1 of kernel k: the device has work-groups of at most'
limit 's/local: \[2\]/local: [3]/' 11:9 'launch 1 of kernel k (launch of kernel k) failed on this device: CL_INVALID_WORK_GROUP_SIZE (-54); it has work-groups of at most'
limit 's/in: x/in: {buffer: x, from: 1}/' 11:9 'launch 1 of kernel k: the device begins parts of buffers at multiples of'
limit 's/local: 4/local: 1000000000/' 11:9 'launch 1 of kernel k: the device has'
printf '' >s.yaml
"$build/cltestcheck" run s.yaml >out 2>&1
[ $? = 1 ] && grep -q 's.yaml:1:1: this file is empty' out && echo "ok: an empty file" || { failed=1; echo "FAIL: an empty file"; cat out; }
"$build/cltestcheck" run k.cl >out 2>&1
[ $? = 1 ] && grep -q '"k.cl" is none' out && echo "ok: no suite" || { failed=1; echo "FAIL: no suite"; cat out; }
exit $failed
