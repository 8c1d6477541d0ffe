// BUFFER: in int 64 ramp
// BUFFER: out int 64 zeros
// KERNEL: both_sides
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// READ: out
// WHY: the target of one copy and the source of another are used before their events have been awaited.
kernel void both_sides(global const int *in, global int *out) {
  local int tile[16], stage[16];
  size_t i = get_local_id(0), first = 16 * get_group_id(0);
  stage[i] = 3 * in[first + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t to = async_work_group_copy(tile, in + first, 16, 0);
  event_t back = async_work_group_copy(out + first, stage, 16, 0);
  stage[i] = tile[i]; // ERROR: copy-not-awaited
  wait_group_events(1, &back);
  int sum = tile[i]; // ERROR: copy-not-awaited
  wait_group_events(1, &to);
  out[first + i] += sum + stage[i];
}
