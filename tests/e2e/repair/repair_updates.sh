#!/bin/sh
# test: cost=20
# cltestcheck repair --atomics, and waits for asynchronous copies, with the proof engine: repair_updates.sh BUILD_DIR
# As repair.sh.
# shellcheck source=tests/e2e/repair/checks.sh
. "$(dirname "$0")/checks.sh"

# --- updates ---
# 64 numbers 7 * k % 101 of a group: how many are odd, and the largest
repaired "updates of local memory" --atomics 'odd(g)' '-  count[in[get_global_id(0)] & 1] += 1; // two of them
+  atomic_add(&count[in[get_global_id(0)] & 1], 1u); // two of them' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local uint count[2];
  const int t = get_local_id(0);
  if (t < 2) {
    count[t] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  count[in[get_global_id(0)] & 1] += 1; // two of them
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = count[1];
}
CL
repaired "forms of updates" --atomics 't == 0 ? 64 : t == 1 ? -64 : t == 2 ? sum(g) - 128 : t == 3 ? most(g) : t == 4 ? 63 : -1' '-  c[0]++;
-  --c[1];
-  c[2] = c[2] + in[i] - 2;
-  c[3] = max(in[i], c[3]);
-  c[4] |= t;
+  atomic_inc(&c[0]);
+  atomic_dec(&c[1]);
+  atomic_add(&c[2], in[i] - 2);
+  atomic_max(&c[3], in[i]);
+  atomic_or(&c[4], t);' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int c[5];
  const int t = get_local_id(0), i = get_global_id(0);
  if (t < 5) {
    c[t] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  c[0]++;
  --c[1];
  c[2] = c[2] + in[i] - 2;
  c[3] = max(in[i], c[3]);
  c[4] |= t;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < 5) {
    out[i] = c[t];
  }
}
CL
# out[0] is -1 at first; between groups no barrier helps
repaired "an update between work-groups" --atomics 'i == 0 ? sum(0) + sum(1) - 1 : -1' '-  *out += in[get_global_id(0)];
+  atomic_add(out, in[get_global_id(0)]);' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  *out += in[get_global_id(0)];
}
CL
repaired "an update and its barrier" --atomics '64' '-  count++;
+  atomic_inc(&count);
+  barrier(CLK_LOCAL_MEM_FENCE);' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int count;
  if (get_local_id(0) == 0) {
    count = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  count++;
  out[get_global_id(0)] = count;
}
CL
repaired "a number that each work-item draws" --atomics '1' '-  const int slot = next++;
+  const int slot = atomic_inc(&next);' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int next;
  if (get_local_id(0) == 0) {
    next = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int slot = next++;
  out[get_global_id(0)] = slot >= 0 && slot < 64;
}
CL
remains "without --atomics" 3 "what helps: --atomics" <<'CL'
kernel void test(global const int *in, global int *out, int n) { out[0] += n; }
CL
remains "no atomic function" 3 "no atomic functions that compute with floating-point numbers" --atomics <<'CL'
kernel void test(global const int *in, global float *out, int n) { out[0] += n; }
CL
remains "no operator" 3 "no atomic function for that operator" --atomics <<'CL'
kernel void test(global const int *in, global int *out, int n) { out[0] *= n; }
CL
remains "not 64 bits" 3 "an extension that many devices do not have" --atomics <<'CL'
kernel void test(global const int *in, global long *out, int n) { out[0] += n; }
CL
remains "no update" 3 "no barrier for global memory stands between" --atomics <<'CL'
kernel void test(global const int *in, global int *out, int n) { out[0] = get_global_id(0); }
CL

# --- asynchronous copies ---
repaired "a wait that is missing" "" 'in_(64 * g + 63 - t)' '+  wait_group_events(1, &copied);' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  event_t copied = async_work_group_copy(a, in + 64 * get_group_id(0), 64, 0);
  out[get_global_id(0)] = a[63 - get_local_id(0)];
}
CL
repaired "a wait that comes too late" "" 'in_(64 * g + 63 - t)' '-  out[get_global_id(0)] = a[63 - get_local_id(0)];
+  out[get_global_id(0)] = a[63 - get_local_id(0)];' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  event_t copied = async_work_group_copy(a, in + 64 * get_group_id(0), 64, 0);
  out[get_global_id(0)] = a[63 - get_local_id(0)];
  wait_group_events(1, &copied);
}
CL
repaired "a copy that nobody can wait for" "" 'in_(64 * g + 63 - t)' '-  async_work_group_copy(a, in + 64 * get_group_id(0), 64, 0);
+  event_t copied = async_work_group_copy(a, in + 64 * get_group_id(0), 64, 0);
+  wait_group_events(1, &copied);' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  async_work_group_copy(a, in + 64 * get_group_id(0), 64, 0);
  out[get_global_id(0)] = a[63 - get_local_id(0)];
}
CL
repaired "a wait in a branch" "" 'in_(64 * g + 63 - t)' '-    wait_group_events(1, &copied);
+  wait_group_events(1, &copied);' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  event_t copied = async_work_group_copy(a, in + 64 * get_group_id(0), 64, 0);
  int from = 63 - get_local_id(0);
  if (from > 13) {
    wait_group_events(1, &copied);
    from += n - n;
  }
  out[get_global_id(0)] = a[from];
}
CL
repaired "a wait for too few events" "" 'in_(64 * g + t) + in_(64 * g + 63 - t)' '-  wait_group_events(1, e);
+  wait_group_events(2, e);' <<'CL'
kernel void test(global const int *in, global int *out, int n) {
  local int a[64];
  local int b[64];
  event_t e[2];
  e[0] = async_work_group_copy(a, in + 64 * get_group_id(0), 64, 0);
  e[1] = async_work_group_copy(b, in + 64 * get_group_id(0), 64, 0);
  wait_group_events(1, e);
  out[get_global_id(0)] = a[get_local_id(0)] + b[63 - get_local_id(0)];
}
CL
exit $failed
