// BUFFER: in int 64 ramp
// BUFFER: out int 64 zeros
// KERNEL: both_sides
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// READ: out
// WHY: what a copy reads is read while it runs; its target is used after its event, not before, and a source written after; one half of an array is used while the other
// WHY: is copied, so close that the run that counts cannot tell.
kernel void both_sides(global const int *in, global int *out) {
  local int tile[16], stage[16], pair[16];
  size_t i = get_local_id(0), first = 16 * get_group_id(0);
  stage[i] = 3 * in[first + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t to = async_work_group_copy(tile, in + first, 16, 0);
  event_t back = async_work_group_copy(out + first, stage, 16, 0);
  event_t part = async_work_group_copy(pair, in + first, 8, 0);
  pair[8 + (i & 7)] = 7;
  int sum = stage[i] + in[first + i] + pair[8 + (i & 7)];
  wait_group_events(1, &part);
  wait_group_events(1, &back);
  stage[i] = 0;
  wait_group_events(1, &to);
  out[first + i] += sum + tile[i] + stage[i] + pair[i];
}
