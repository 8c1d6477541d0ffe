#!/bin/sh
# cltestcheck repair --optimise and --lines, and kernels of which a part can be repaired, with the proof engine:
# repair_choices.sh BUILD_DIR
# As repair.sh.
# shellcheck source=tests/e2e/repair/checks.sh
# test: sample cost=15
. "$(dirname "$0")/checks.sh"

# in_(64 * g + t) to in_(64 * g + (t + 4) % 64)
five='(t + 0 < 0) + in_(64 * g + t) + in_(64 * g + (t + 1) % 64) + in_(64 * g + (t + 2) % 64) + in_(64 * g + (t + 3) % 64) + in_(64 * g + (t + 4) % 64)'
[ "${CLTC_SANITIZED:-0}" = 1 ] || # a part of this is enough there
repaired "barriers that are not needed" --optimise "$five" '-  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
+  barrier(CLK_LOCAL_MEM_FENCE);
-    barrier(CLK_LOCAL_MEM_FENCE);
-  barrier(CLK_LOCAL_MEM_FENCE);' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  a[t] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += a[(t + i) % 64];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s;
}
CL
[ "${CLTC_SANITIZED:-0}" = 1 ] ||
repaired "one put in, one taken out" --optimise 'in_(64 * g + 63 - t)' '-  out[get_global_id(0)] = a[63 - t];
+  out[get_global_id(0)] = a[63 - t];' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  a[t] = in[get_global_id(0)];
  out[get_global_id(0)] = a[63 - t];
  barrier(CLK_LOCAL_MEM_FENCE);
}
CL
# A barrier of a helper is needed by one of two kernels.
remains "needed by another kernel" 0 "nothing to repair: 2 kernels" --optimise <<'CL'
void wait(void) {
  barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void free_of(global int *out) {
  wait();
  out[get_global_id(0)] = 1;
}
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  a[get_local_id(0)] = in[get_global_id(0)];
  wait();
  out[get_global_id(0)] = a[63 - get_local_id(0)];
}
CL

# --- --lines ---
cat >input <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  a[t] = in[get_global_id(0)];
  const int twice = 2 * n;
  const int other = 63 - t + twice - twice;
  out[get_global_id(0)] = a[other];
}
CL
repaired "only these lines" "--lines 5" 'in_(64 * g + 63 - t)' '+  barrier(CLK_LOCAL_MEM_FENCE);' <input
[ "$(grep -n barrier kernel.cl)" = "5:  barrier(CLK_LOCAL_MEM_FENCE);" ] && echo "ok there" || bad "there" "elsewhere"
remains "no lines of this file" 3 "not in the lines of --lines" "--lines other.cl:1-9" <input
remains "not these lines" 3 "not in the lines of --lines" "--lines 1-4" <input
remains "wrong lines" 1 "--lines wants" "--lines 4-2" <input
# --- weights ---
remains "a wrong weight" 1 "--loop-weight wants a number" "--loop-weight 0" <input

# --- inside of groups, and between them ---
cat >kernel.cl <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  const int t = get_local_id(0);
  a[t] = in[get_global_id(0)];
  out[get_global_id(0)] = a[63 - t];
  if (get_group_id(0) > 0 && t == 0) {
    out[5] = n;
  }
}
CL
"$tool" repair --local 64 --groups 2 kernel.cl >diff 2>err </dev/null
[ $? = 3 ] && grep -q '^+  barrier(CLK_LOCAL_MEM_FENCE);' diff && [ "$(grep -c '^[-+]' diff)" = 3 ] &&
  grep -qF "is repaired in part" err && grep -qF "race between work-groups, lines 5 and 7" err &&
  echo "ok a part is repaired" || bad "a part is repaired" "not so"
remains "no barrier helps, between groups either" 3 "and what no barrier repairs: race between work-groups, line 2" <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  out[0] = get_global_id(0);
}
CL
exit $failed
