#!/bin/sh
# show.sh BUILD: cltestcheck show --tree says kind, type, value and place of every node, also of those in macros.
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
cat >k.cl <<'END'
#define TWICE(x) ((x) + (x))
__kernel void k(__global float *out, __local int *t) {
  t[N] += 2.5f;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[0] = TWICE(t[1]);
}
END
"$1/cltestcheck" show --tree k.cl -- -D N=3 >tree.txt || exit 1
failed=0
has() { # LINE: in the output, but for what stands in front of it
  grep -qF -- "$1" tree.txt || { echo "FAILED: no line with: $1"; failed=1; }
}
has "function k: void (__global float *, __local int *)  @2:15"
has "compound assign +=: int, computed in float  @3:8"
has "index = literal 3: int = 3  @<command line>:1:"
has "call barrier [barrier]: void  @4:3"
has "macro CLK_LOCAL_MEM_FENCE: int = 1  @4:11"
has "value = convert (integer to float): float  @1:18 (macro used at 5:12)"
has "binary +: int  @1:23 (macro used at 5:12)"
has "inner = subscript: __local int object  @5:19"
"$1/cltestcheck" show --tree missing.cl >tree.txt 2>&1 && { echo "FAILED: a file that is not there"; failed=1; }
has 'kernel file "missing.cl" cannot be read'
exit $failed
