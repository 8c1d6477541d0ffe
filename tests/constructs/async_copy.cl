__kernel void test(__global int *out, __local int *a) {
  int l = get_local_id(0);
  out[get_global_id(0)] = l + 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  event_t e = async_work_group_copy(a, out + get_group_id(0) * 4, 4, 0);
  wait_group_events(1, &e);
  prefetch(out, 4);
  mem_fence(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = a[3 - l] > 2 ? a[3 - l] : 0;
}
// Functions that a whole work-group must call. Async calls have no outcomes.
// range: 8 4
// args: local 16
// code: 1-10
// site: function 1 entered |
// site: barrier 4 covered |
// site: async 5 |
// site: async 6 |
// site: conditional 9 true, false |
// lines:
// findings: 0
