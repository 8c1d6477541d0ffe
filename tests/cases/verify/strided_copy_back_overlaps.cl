// EXPECT: race
// OPTS: --local 16 --groups 4
// WHY: group 0 stores elements 0, 2, 4 …, group 2 stores 2, 4, 6 …: element 2 is stored by both, with other values.
kernel void column(global const int *in, global int *out) {
  local int t[16];
  t[get_local_id(0)] = in[get_global_id(0)] + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_strided_copy(out + get_group_id(0), t, 16, 2, 0);
  wait_group_events(1, &e);
}
