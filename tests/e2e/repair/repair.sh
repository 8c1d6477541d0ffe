#!/bin/sh
# test: cost=80
# cltestcheck repair on kernels with planted defects, with the proof engine: repair.sh BUILD_DIR
# Each patch is applied with patch, proved by cltestcheck verify, and run on the device: what it computes is worked out here
# in awk from what the kernel is meant to do. One line a check; exit 1 when one failed.
# shellcheck source=tests/e2e/repair/checks.sh
. "$(dirname "$0")/checks.sh"

repaired "a reduction without its barrier" "" 't == 0 ? sum(g) : -1' '+    barrier(CLK_LOCAL_MEM_FENCE);' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int part[64];
  const int t = get_local_id(0);
  part[t] = in[get_global_id(0)];
  for (int s = 32; s > 0; s >>= 1) {
    if (t < s) {
      part[t] += part[t + s];
    }
  }
  if (t == 0) {
    out[get_global_id(0)] = part[0];
  }
}
CL

repaired "two barriers" "" 'in_(64 * g + 63 - (t + 1) % 64)' '+  barrier(CLK_LOCAL_MEM_FENCE);
+  barrier(CLK_LOCAL_MEM_FENCE);' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64], b[64];
  const int t = get_local_id(0);
  a[t] = in[get_global_id(0)];
  b[t] = a[63 - t];
  out[get_global_id(0)] = b[(t + 1) % 64];
}
CL

repaired "a fence that is not wide enough" "" 'in_(64 * g + 63 - t)' '-  barrier(CLK_GLOBAL_MEM_FENCE);
+  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  a[t] = in[get_global_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = a[63 - t];
}
CL

repaired "global memory wants the global fence" "" 't == 0 ? 64 * g + 63 : i' '+  barrier(CLK_GLOBAL_MEM_FENCE);' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  const int i = get_global_id(0);
  out[i] = i;
  if (get_local_id(0) == 0) {
    out[i] = out[i + 63];
  }
}
CL

repaired "a barrier in a branch" "" 'in_(64 * g + t % 32)' '-    barrier(CLK_LOCAL_MEM_FENCE);
+  barrier(CLK_LOCAL_MEM_FENCE);' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  if (t < 32) {
    a[t] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = a[t % 32];
}
CL
tr -s '\n ' '  ' <err | grep -qF 'the barrier of line 6, which not all work-items reach, is moved' && echo "ok it says so" ||
  bad "it says so" "without: is moved"

repaired "a barrier after a return" "" 't < 40 ? in_(64 * g + 63 - t) : -1' '+  barrier(CLK_LOCAL_MEM_FENCE);
-  barrier(CLK_LOCAL_MEM_FENCE);' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  a[t] = in[get_global_id(0)];
  if (t >= 40) {
    return;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = a[63 - t];
}
CL

repaired "a barrier that is in the way of others" "" 'i' '-    barrier(CLK_LOCAL_MEM_FENCE);' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  if (get_local_id(0) > 3) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = get_global_id(0);
}
CL

repaired "a branch that is only a barrier" "" 'i' '-  if (get_local_id(0) > 3) barrier(CLK_LOCAL_MEM_FENCE);
+  if (get_local_id(0) > 3) {}' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  if (get_local_id(0) > 3) barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = get_global_id(0);
}
CL

repaired "the end of a loop's turn" "" '(t + 5) % 64 + 5' '+    barrier(CLK_LOCAL_MEM_FENCE);' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  a[t] = t;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < n; i++) {
    const int next = a[(t + 1) % 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[t] = next + 1;
  }
  out[get_global_id(0)] = a[t];
}
CL

repaired "a race between two helpers" "" 'in_(64 * g + 63 - t)' '+  barrier(CLK_LOCAL_MEM_FENCE);' <<'CL'
void put(local int *a, int t, int v) { a[t] = v; }
int take(local const int *a, int t) { return a[63 - t]; }
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  put(a, t, in[get_global_id(0)]);
  out[get_global_id(0)] = take(a, t);
}
CL

repaired "a race in a helper" "" 'in_(64 * g + t)' '+  barrier(CLK_LOCAL_MEM_FENCE);
+  barrier(CLK_LOCAL_MEM_FENCE);' <<'CL'
int turn(local int *a, int t, int v) {
  a[t] = v;
  return a[63 - t];
}
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  const int once = turn(a, t, in[get_global_id(0)]);
  out[get_global_id(0)] = turn(a, t, once);
}
CL

repaired "bodies without braces" "" 't + 0 + 1 + 2 + 3 + 4' '-  for (int i = 0; i < n; i++) // shifts
+  for (int i = 0; i < n; i++) { // shifts
+    barrier(CLK_LOCAL_MEM_FENCE);
+  }
+  barrier(CLK_LOCAL_MEM_FENCE);' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  a[t] = t;
  for (int i = 0; i < n; i++) // shifts
    a[(t + i) % 64] += i; // one each
  out[get_global_id(0)] = a[t];
}
CL

repaired "comments and strings" "" 'in_(64 * g + 63 - t)' '-  a[t] = in[get_global_id(0)]; /* { */ out[get_global_id(0)] = a[63 - t]; // } load
+  a[t] = in[get_global_id(0)]; /* { */ barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = a[63 - t]; // } load' <<'CL'
/* barrier(CLK_LOCAL_MEM_FENCE); is not here */
kernel void test(global const int *in, global int *out, int n) {
  local int a[64]; // {
  const int t = get_local_id(0);
  if (n < 0) printf("a[t] = in; {\n");
  a[t] = in[get_global_id(0)]; /* { */ out[get_global_id(0)] = a[63 - t]; // } load
}
CL

repaired "stores through a macro" "" 'in_(64 * g + 63 - t)' '+  barrier(CLK_LOCAL_MEM_FENCE);' <<'CL'
#define STORE(i, v) do { a[i] = v; } while (0)
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  STORE(t, in[get_global_id(0)]);
  out[get_global_id(0)] = a[63 - t];
}
CL

repaired "an assignment that reads what others store" "" 'in_(64 * g + t) + in_(64 * g + (t + 1) % 64)' '-  a[t] = a[t] + a[(t + 1) % 64]; // sum
+  {
+    const int value = a[t] + a[(t + 1) % 64];
+    barrier(CLK_LOCAL_MEM_FENCE);
+    a[t] = value; // sum
+  }' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  a[t] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[t] = a[t] + a[(t + 1) % 64]; // sum
  out[get_global_id(0)] = a[t];
}
CL

repaired "a compound assignment, in a branch without braces" "" 'in_(64 * g + t) + 2 * in_(64 * g + (t + 1) % 64)' '-    a[t] += a[(t + 1) % 64] * 2;
+    {
+      const int value = a[t] + (a[(t + 1) % 64] * 2);
+      barrier(CLK_LOCAL_MEM_FENCE);
+      a[t] = value;
+    }' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  a[t] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (n > 3)
    a[t] += a[(t + 1) % 64] * 2;
  if (n > 3)
    out[get_global_id(0)] = a[t];
}
CL

repaired "a loop that a macro begins" "" 'i < 64 ? 2016 : 64 * 64 + 2016' '+  barrier(CLK_LOCAL_MEM_FENCE);' <<'CL'
#define EACH(k) for (int k = 0; k < 64; k++)
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  int sum = 0;
  a[get_local_id(0)] = get_global_id(0);
  EACH(k) sum += a[k];
  out[get_global_id(0)] = sum;
}
CL

one='kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  a[get_local_id(0)] = in[get_global_id(0)];
  out[get_global_id(0)] = a[63 - get_local_id(0)];
}'
two='kernel void fine(global const int *in, global int *out, int n) {
  local int a[64];
  a[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = a[63 - get_local_id(0)];
}
'$one
printf '%s\n' "$two" >input
repaired "one of two kernels" "" 'in_(64 * g + 63 - t)' '+  barrier(CLK_LOCAL_MEM_FENCE);' <input
printf '%s' "$one" >input
repaired "no line end at the end" "" 'in_(64 * g + 63 - t)' '+  barrier(CLK_LOCAL_MEM_FENCE);' <input
printf '%s\n' "$one" | sed 's/$/\r/' >input
repaired "lines that end with CR LF" "" 'in_(64 * g + 63 - t)' '+  barrier(CLK_LOCAL_MEM_FENCE);' <input
[ "$(grep -c "$(printf '\r')" kernel.cl)" = "$(wc -l <kernel.cl)" ] && echo "ok all lines end so" || bad "all lines end so" "not"
mkdir -p "a folder"
file="a folder/kernel.cl"
printf '%s\n' "$one" >input
repaired_in_folder() {
  cp input "$file"
  "$tool" repair --local 64 --groups 2 "$file" >diff 2>err </dev/null && patch -s -p1 <diff && grep -q '^--- a/a folder/kernel.cl' diff &&
    [ "$(grep -c barrier "$file")" = 1 ] && echo "ok a name with blanks" || bad "a name with blanks" "status $?"
}
repaired_in_folder
file=

# --- what cannot be repaired, and what need not be ---
remains "nothing to repair" 0 "nothing to repair" <<'CL'
kernel void test(global const int *in, global int *out, int n) { out[get_global_id(0)] = in[get_global_id(0)]; }
CL
between='kernel void test(global const int *in, global int *out, int n) {
  out[get_global_id(0)] = 1;
  if (get_global_id(0) == 0) {
    out[0] = out[64];
  }
}'
printf '%s\n' "$between" >input
remains "a race between groups" 3 "two kernels, split between lines 2 and 4" <input
remains "two stores of one element" 3 "other elements for each work-item" <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  a[get_local_id(0) / 2] = get_local_id(0);
}
CL
remains "a barrier of a macro" 3 "comes from a macro" <<'CL'
#define SYNC barrier(CLK_LOCAL_MEM_FENCE)
kernel void test(global const int *in, global int *out, int n) {
  if (get_local_id(0) > 3) {
    SYNC;
  }
}
CL
printf '%s\n' "$two" >input
remains "no kernel is left" 5 "--kernel and --exclude leave no kernel; there are: " "--kernel nothing" <input
remains "--kernel leaves the wrong one alone" 0 "nothing to repair: 1 kernel" "--kernel fine" <input
cat >input <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64], b[64];
  const int t = get_local_id(0);
  a[t] = in[get_global_id(0)];
  b[t] = a[63 - t];
  out[get_global_id(0)] = b[(t + 1) % 64];
}
CL
remains "--max-barriers" 3 "no barriers at the places" "--max-barriers 1" <input
remains "--max-time" 3 "--max-time is over" "--max-time 0.000001" <input
printf 'kernel void test(global int *out) { out[0] = wrong; }\n' >input
remains "what does not compile" 1 "kernel.cl" <input

# --- in place ---
printf '%s\n' "$one" >kernel.cl
chmod 640 kernel.cl
ln -s kernel.cl link.cl
"$tool" repair --local 64 --in-place link.cl >diff 2>err </dev/null
[ $? = 0 ] && [ ! -s diff ] && [ -L link.cl ] && [ "$(stat -c %a kernel.cl)" = 640 ] && [ "$(grep -c barrier kernel.cl)" = 1 ] &&
  [ "$(ls kernel.cl*)" = kernel.cl ] && echo "ok in place, through a link" || bad "in place, through a link" "not so"
"$tool" repair --local 64 --in-place kernel.cl >diff 2>err </dev/null
[ $? = 0 ] && [ "$(grep -c barrier kernel.cl)" = 1 ] && echo "ok once more: nothing to do" || bad "once more: nothing to do" "not so"
"$tool" repair nothing.txt >diff 2>err </dev/null
[ $? = 1 ] && echo "ok no kernel file" || bad "no kernel file" "another status"
"$tool" repair --max-barriers 0 kernel.cl >diff 2>err </dev/null
[ $? = 1 ] && echo "ok a wrong number" || bad "a wrong number" "another status"

exit $failed
