// EXPECT: clean
// RUN: maximum b0:1024=iota b1:64 b2:4=zero b3:4 i32 @8:1
// WHY: arrived is 0 before the launch. Each group stores its part and takes a ticket behind a fence; who gets ticket 7 comes after all others, so it alone reads the parts, and they are stored.
kernel void maximum(global const int *in, volatile global int *part, volatile global int *arrived, global int *out, int each) {
  const int g = get_group_id(0), groups = get_num_groups(0);
  int most = in[g * each];
  for (int k = 1; k < each; k++) {
    most = max(most, in[g * each + k]);
  }
  part[g] = most;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  if (atomic_inc(arrived) == groups - 1) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    for (int k = 0; k < groups; k++) {
      most = max(most, part[k]);
    }
    out[0] = most;
  }
}
