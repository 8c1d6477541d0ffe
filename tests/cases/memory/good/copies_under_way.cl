// BUFFER: in int 128 ramp
// BUFFER: out int 64 zeros
// KERNEL: source_read
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: other_memory
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: in_stages
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: several
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: chained
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: chained_to_another
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: handed_over
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: every_other
// GLOBAL: 16
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: many
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// READ: out
// WHY: what a copy reads is read while it runs; other memory, another part, other elements of a strided copy; two stages, each awaited
// WHY: before it is used; several events; copies that share one; an event awaited in a helper; many copies.
kernel void source_read(global const int *in, global int *out) {
  local int tile[16];
  tile[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(out + 16 * get_group_id(0), tile, 16, 0);
  int sum = tile[get_local_id(0)] + in[get_global_id(0)];
  wait_group_events(1, &e);
  out[get_global_id(0)] += sum;
}

kernel void other_memory(global const int *in, global int *out) {
  local int tile[32], other[16];
  event_t e = async_work_group_copy(tile, in + 16 * get_group_id(0), 16, 0);
  other[get_local_id(0)] = in[get_global_id(0)];
  tile[16 + get_local_id(0)] = 2 * other[get_local_id(0)];
  wait_group_events(1, &e);
  out[get_global_id(0)] += tile[get_local_id(0)] + tile[16 + get_local_id(0)];
}

kernel void in_stages(global const int *in, global int *out) {
  local int tile[2][16];
  event_t e[2];
  int sum = 0;
  e[0] = async_work_group_copy(tile[0], in, 16, 0);
  for (int turn = 0; turn < 4; turn++) {
    int now = turn & 1, next = now ^ 1;
    e[next] = async_work_group_copy(tile[next], in + 16 * turn, 16, 0);
    wait_group_events(1, &e[now]);
    sum += tile[now][get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  wait_group_events(1, e);
  out[get_global_id(0)] += sum + tile[0][get_local_id(0)];
}

kernel void several(global const int *in, global int *out) {
  local int tile[16], other[16], third[16];
  event_t e[3];
  e[0] = async_work_group_copy(tile, in + 16 * get_group_id(0), 16, 0);
  e[1] = async_work_group_copy(other, in, 16, 0);
  e[2] = async_work_group_copy(third, in, 16, 0);
  wait_group_events(2, e);
  int sum = tile[get_local_id(0)] + other[get_local_id(0)];
  wait_group_events(1, e + 2);
  out[get_global_id(0)] += sum + third[get_local_id(0)];
}

kernel void chained(global const int *in, global int *out) {
  local int tile[16];
  event_t e = 0;
  for (int i = 0; i < 4; i++)
    e = async_work_group_copy(tile + 4 * i, in + 16 * get_group_id(0) + 4 * i, 4, e);
  wait_group_events(1, &e);
  out[get_global_id(0)] += tile[get_local_id(0)];
}

kernel void chained_to_another(global const int *in, global int *out) {
  local int tile[16], other[16];
  event_t first = async_work_group_copy(tile, in, 16, 0);
  event_t second = async_work_group_copy(other, in, 16, first);
  wait_group_events(1, &second);
  out[get_global_id(0)] += tile[get_local_id(0)] + other[get_local_id(0)];
}

void finish(event_t e) { wait_group_events(1, &e); }

kernel void handed_over(global const int *in, global int *out) {
  local int tile[16];
  event_t e = async_work_group_copy(tile, in, 16, 0);
  finish(e);
  out[get_global_id(0)] += tile[get_local_id(0)];
}

kernel void every_other(global const int *in, global int *out) {
  local int tile[16];
  tile[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_strided_copy(out, tile, 16, 2, 0);
  out[2 * get_local_id(0) + 1] = 1;
  wait_group_events(1, &e);
}

kernel void many(global const int *in, global int *out) {
  local int tile[10][16];
  event_t e[10];
  int sum = 0;
  for (int i = 0; i < 10; i++)
    e[i] = async_work_group_copy(tile[i], in + i, 16, 0);
  for (int i = 9; i >= 0; i--) {
    wait_group_events(1, &e[i]);
    sum += tile[i][get_local_id(0)];
  }
  out[get_global_id(0)] += sum;
}
