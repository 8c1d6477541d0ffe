// BUFFER: in int 64 ramp
// BUFFER: out int 64 zeros
// KERNEL: forgotten
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: one_of_two
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: left_early
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// ARG: int 3
// KERNEL: by_a_function
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// WHY: a group ends with a copy for which it has not waited: never; one of two events; on one way; a helper starts it.
kernel void forgotten(global const int *in, global int *out) {
  local int tile[16];
  tile[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  async_work_group_copy(out + 16 * get_group_id(0), tile, 16, 0); // ERROR: copy-not-awaited
}

kernel void one_of_two(global const int *in, global int *out) {
  local int tile[16], other[16];
  event_t first = async_work_group_copy(tile, in + 16 * get_group_id(0), 16, 0);
  event_t second = async_work_group_copy(other, in, 16, 0); // ERROR: copy-not-awaited
  wait_group_events(1, &first);
  out[get_global_id(0)] = tile[get_local_id(0)];
}

kernel void left_early(global const int *in, global int *out, int n) {
  local int tile[16];
  event_t e = async_work_group_copy(tile, in + 16 * get_group_id(0), 16, 0); // ERROR: copy-not-awaited
  if (get_group_id(0) == n)
    return;
  wait_group_events(1, &e);
  out[get_global_id(0)] = tile[get_local_id(0)];
}

event_t start(local int *tile, global const int *from) {
  return async_work_group_copy(tile, from, 16, 0); // ERROR: copy-not-awaited
}

kernel void by_a_function(global const int *in, global int *out) {
  local int tile[16];
  event_t e = start(tile, in);
  out[get_global_id(0)] = 1;
}
