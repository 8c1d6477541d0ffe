// EXPECT: clean
// OPTS: --local 16 --groups 4
// WHY: group g stores elements g, g + 4, g + 8 …: no two groups the same. t is complete behind the barrier.
kernel void column(global const int *in, global int *out) {
  local int t[16];
  t[get_local_id(0)] = in[get_global_id(0)] + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_strided_copy(out + get_group_id(0), t, 16, 4, 0);
  wait_group_events(1, &e);
}
