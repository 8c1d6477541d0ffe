// EXPECT: refused
// OPTS: --local 64 --groups 4
// SAYS: other elements for each group
// NOT: two kernels
// WHY: the first work-item reads what another group writes; a second kernel would not have the sum in local memory.
kernel void sums(global const int *in, global int *out) {
  local int sum;
  if (get_local_id(0) == 0) {
    sum = in[get_group_id(0)];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = sum;
  if (get_global_id(0) == 0) {
    out[0] = out[64] + sum;
  }
}
