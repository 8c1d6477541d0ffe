// BUFFER: in int 200 ramp
// BUFFER: out int 200 zeros
// KERNEL: returned
// GLOBAL: 256
// LOCAL: 64
// ARG: in
// ARG: out
// ARG: int 200
// ARG: local int 64
// KERNEL: under_a_condition
// GLOBAL: 256
// LOCAL: 64
// ARG: in
// ARG: out
// ARG: int 200
// ARG: local int 64
// KERNEL: in_a_loop
// GLOBAL: 256
// LOCAL: 64
// ARG: in
// ARG: out
// ARG: int 200
// ARG: local int 64
// KERNEL: of_some
// GLOBAL: 256
// LOCAL: 64
// ARG: in
// ARG: out
// ARG: int 200
// ARG: local int 64
// WHY: work-items that have returned, or do not come to a barrier, are not accused of what comes after it.
kernel void returned(global const int *in, global int *out, const int n, local int *t) {
  const int i = get_global_id(0), l = get_local_id(0);
  if (i >= n)
    return;
  t[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE); // ERROR: barrier-divergence
  out[i] = t[0] + in[i];
}
kernel void under_a_condition(global const int *in, global int *out, const int n, local int *t) {
  const int i = get_global_id(0), l = get_local_id(0);
  if (i < n) {
    t[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE); // ERROR: barrier-divergence
    out[i] = t[l ^ 1];
  }
}
kernel void in_a_loop(global const int *in, global int *out, const int n, local int *t) {
  const int i = get_global_id(0), l = get_local_id(0);
  for (int k = 0; k < 4; k++) {
    if (i + 16 * k >= n)
      break;
    t[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE); // ERROR: barrier-divergence
  }
  out[i] = t[l ^ 1];
}
void meet(local int *t, int l, int value) {
  t[l] = value;
  barrier(CLK_LOCAL_MEM_FENCE); // ERROR: barrier-divergence
}
kernel void of_some(global const int *in, global int *out, const int n, local int *t) {
  const int i = get_global_id(0), l = get_local_id(0);
  if (l % 3 == 0)
    meet(t, l, in[i]);
  out[i + n] = t[l];
}
