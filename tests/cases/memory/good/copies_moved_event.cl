// BUFFER: in int 128 ramp
// BUFFER: out int 64 zeros
// KERNEL: moved
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// READ: out
// WHY: the event of the next stage is handed from one variable to another, and awaited there.
kernel void moved(global const int *in, global int *out) {
  local int tile[2][16];
  int sum = 0;
  event_t now = async_work_group_copy(tile[0], in, 16, 0), next;
  for (int turn = 0; turn < 3; turn++) {
    next = async_work_group_copy(tile[(turn + 1) & 1], in + 16 * turn, 16, 0);
    wait_group_events(1, &now);
    sum += tile[turn & 1][get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    now = next;
  }
  wait_group_events(1, &now);
  out[get_global_id(0)] += sum + tile[1][get_local_id(0)];
}
