// EXPECT: race
// OPTS: --local 64 --groups 2
// OPTS: --assume 'get_local_size(0) == 64'
// ALSO: divergence
// NOTE: who holds that a barrier in a loop stands for every turn of it may say divergence instead, as work-items have different numbers of turns; "verified" is wrong in any case.
// WHY: barriers stand in turns 0, 4, 8 … below 32, which all work-items have; work-item l leaves after turn 33 + l. Work-items 0 and 1 of group 0 both store to total[0], sums that depend on in.
kernel void blend(global const int *in, global int *total) {
  const int l = get_local_id(0);
  int acc = 0, step = 0;
  for (;;) {
    if ((step & 3) == 0 && step < 32) {
      barrier(CLK_GLOBAL_MEM_FENCE);
    }
    acc += in[step * 64 + l];
    step++;
    if (step > 32 + l) {
      break;
    }
  }
  total[get_group_id(0)] = acc;
}
