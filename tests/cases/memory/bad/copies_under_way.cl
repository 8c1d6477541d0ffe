// BUFFER: in int 128 ramp
// BUFFER: out int 64 zeros
// KERNEL: read_early
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: source_written
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: other_event
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: half_of_an_array
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: next_stage
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: in_a_helper
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: from_copy_to_copy
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: target_read
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: apart_from_the_chain
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: every_other
// GLOBAL: 16
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: first_element
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// WHY: memory of a copy is used before its event is awaited: what it writes is read, what it reads is written; another event is
// WHY: awaited, one of two, or that of the stage before; in a helper; by the next copy; in global memory; a part of a strided one.
kernel void read_early(global const int *in, global int *out) {
  local int tile[16];
  event_t e = async_work_group_copy(tile, in + 16 * get_group_id(0), 16, 0);
  out[get_global_id(0)] = tile[get_local_id(0)]; // ERROR: copy-not-awaited
  wait_group_events(1, &e);
}

kernel void source_written(global const int *in, global int *out) {
  local int tile[16];
  tile[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(out + 16 * get_group_id(0), tile, 16, 0);
  tile[get_local_id(0)] = 0; // ERROR: copy-not-awaited
  wait_group_events(1, &e);
}

kernel void other_event(global const int *in, global int *out) {
  local int tile[16], other[16];
  event_t first = async_work_group_copy(tile, in + 16 * get_group_id(0), 16, 0);
  event_t second = async_work_group_copy(other, in, 16, 0);
  wait_group_events(1, &second);
  out[get_global_id(0)] = other[get_local_id(0)];
  out[get_global_id(0)] += tile[get_local_id(0)]; // ERROR: copy-not-awaited
  wait_group_events(1, &first);
}

kernel void half_of_an_array(global const int *in, global int *out) {
  local int tile[16], other[16];
  event_t e[2];
  e[0] = async_work_group_copy(tile, in + 16 * get_group_id(0), 16, 0);
  e[1] = async_work_group_copy(other, in, 16, 0);
  wait_group_events(1, e);
  out[get_global_id(0)] = tile[get_local_id(0)];
  out[get_global_id(0)] += other[get_local_id(0)]; // ERROR: copy-not-awaited
  wait_group_events(1, e + 1);
}

kernel void next_stage(global const int *in, global int *out) {
  local int tile[2][16];
  event_t e[2];
  int sum = 0;
  e[0] = async_work_group_copy(tile[0], in, 16, 0);
  for (int turn = 0; turn < 3; turn++) {
    int now = turn & 1, next = now ^ 1;
    e[next] = async_work_group_copy(tile[next], in + 16 * turn, 16, 0);
    wait_group_events(1, &e[now]);
    sum += tile[next][get_local_id(0)]; // ERROR: copy-not-awaited
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  wait_group_events(1, &e[1]);
  out[get_global_id(0)] = sum;
}

int take(local const int *from) {
  return from[get_local_id(0)]; // ERROR: copy-not-awaited
}

kernel void in_a_helper(global const int *in, global int *out) {
  local int tile[16];
  event_t e = async_work_group_copy(tile, in + 16 * get_group_id(0), 16, 0);
  int value = take(tile);
  wait_group_events(1, &e);
  out[get_global_id(0)] = value;
}

kernel void from_copy_to_copy(global const int *in, global int *out) {
  local int tile[16];
  event_t e[2];
  e[0] = async_work_group_copy(tile, in + 16 * get_group_id(0), 16, 0);
  e[1] = async_work_group_copy(out + 16 * get_group_id(0), tile, 16, 0); // ERROR: copy-not-awaited
  wait_group_events(2, e);
}

kernel void target_read(global const int *in, global int *out) {
  local int tile[16];
  tile[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(out + 16 * get_group_id(0), tile, 16, 0);
  int seen = out[get_global_id(0)]; // ERROR: copy-not-awaited
  wait_group_events(1, &e);
  out[get_global_id(0)] = seen;
}

kernel void apart_from_the_chain(global const int *in, global int *out) {
  local int tile[16], other[16];
  event_t chain = async_work_group_copy(tile, in, 8, 0);
  event_t alone = async_work_group_copy(other, in, 16, 0);
  chain = async_work_group_copy(tile + 8, in + 8, 8, chain);
  wait_group_events(1, &chain);
  out[get_global_id(0)] = tile[get_local_id(0)];
  out[get_global_id(0)] += other[get_local_id(0)]; // ERROR: copy-not-awaited
  wait_group_events(1, &alone);
}

kernel void every_other(global const int *in, global int *out) {
  local int tile[16];
  tile[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_strided_copy(out, tile, 16, 2, 0);
  out[2 * get_local_id(0) + 1] = 1;
  out[2 * get_local_id(0)] = 1; // ERROR: copy-not-awaited
  wait_group_events(1, &e);
}

kernel void first_element(global const int *in, global int *out) {
  local int tile[16];
  event_t e = async_work_group_copy(tile, in + 16 * get_group_id(0), 16, 0);
  int first = tile[0]; // ERROR: copy-not-awaited
  wait_group_events(1, &e);
  out[get_global_id(0)] = first;
}
