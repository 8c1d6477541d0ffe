// BUFFER: in int 200 ramp
// BUFFER: out int 200 zeros
// KERNEL: guarded
// GLOBAL: 256
// LOCAL: 64
// ARG: in
// ARG: out
// ARG: int 200
// ARG: local int 64
// READ: out
// KERNEL: whole_groups_return
// GLOBAL: 256
// LOCAL: 8
// ARG: in
// ARG: out
// ARG: int 200
// ARG: local int 64
// READ: out
// KERNEL: in_a_loop
// GLOBAL: 192
// LOCAL: 64
// ARG: in
// ARG: out
// ARG: int 200
// ARG: local int 64
// READ: out
// KERNEL: of_all
// GLOBAL: 192
// LOCAL: 64
// ARG: in
// ARG: out
// ARG: int 200
// ARG: local int 64
// READ: out
// WHY: all come to the barrier, or whole groups do not.
kernel void guarded(global const int *in, global int *out, const int n, local int *t) {
  const int i = get_global_id(0), l = get_local_id(0);
  t[l] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n)
    out[i] = t[0] + in[i];
}
kernel void whole_groups_return(global const int *in, global int *out, const int n, local int *t) {
  const int i = get_global_id(0), l = get_local_id(0);
  if (i >= n)
    return;
  t[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[0] + in[i];
}
kernel void in_a_loop(global const int *in, global int *out, const int n, local int *t) {
  const int i = get_global_id(0), l = get_local_id(0);
  for (int k = 0; k < 4; k++) {
    if ((int)get_group_id(0) + 2 * k >= 5)
      break;
    t[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n)
      out[i] = t[l ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
void meet(local int *t, int l, int value) {
  t[l] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void of_all(global const int *in, global int *out, const int n, local int *t) {
  const int i = get_global_id(0), l = get_local_id(0);
  if (get_group_id(0) % 2 == 0)
    meet(t, l, in[i]);
  else
    meet(t, l, 3);
  if (l % 3 == 0)
    out[i] = t[l ^ 1];
}
