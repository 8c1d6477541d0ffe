// BUFFER: in int 64 ramp
// BUFFER: out int 64 zeros
// KERNEL: awaited
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: both
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: chained
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// ARG: int 3
// KERNEL: in_turns
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: by_a_function
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// READ: out
// WHY: each copy is awaited: at the end; two events in an array; several copies with one event; a copy a turn; in a helper.
kernel void awaited(global const int *in, global int *out) {
  local int tile[16];
  tile[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(out + 16 * get_group_id(0), tile, 16, 0);
  wait_group_events(1, &e);
}

kernel void both(global const int *in, global int *out) {
  local int tile[16], other[16];
  event_t e[2];
  e[0] = async_work_group_copy(tile, in + 16 * get_group_id(0), 16, 0);
  e[1] = async_work_group_copy(other, in, 16, 0);
  wait_group_events(2, e);
  out[get_global_id(0)] = tile[get_local_id(0)] + other[get_local_id(0)];
}

kernel void chained(global const int *in, global int *out, int n) {
  local int tile[16];
  event_t e = 0;
  for (int i = 0; i < 4; i++)
    e = async_work_group_copy(tile + 4 * i, in + 16 * get_group_id(0) + 4 * i, 4, e);
  wait_group_events(1, &e);
  if (get_group_id(0) == n)
    return;
  out[get_global_id(0)] = tile[get_local_id(0)];
}

kernel void in_turns(global const int *in, global int *out) {
  local int tile[16];
  int sum = 0;
  for (int turn = 0; turn < 4; turn++) {
    event_t e = async_work_group_copy(tile, in + 16 * turn, 16, 0);
    wait_group_events(1, &e);
    sum += tile[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}

void finish(event_t e) { wait_group_events(1, &e); }

kernel void by_a_function(global const int *in, global int *out) {
  local int tile[16];
  event_t e = async_work_group_copy(tile, in, 16, 0);
  finish(e);
  out[get_global_id(0)] += tile[get_local_id(0)];
}
