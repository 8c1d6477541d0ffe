// EXPECT: fine
// OPTS: --local 32 --groups 1 --optimise
// WHY: the counter is set to 0 again by the copy, so list[0] is stored before and behind the barrier with both fences, by maybe two work-items: the global fence orders these.
kernel void two_rounds(global int *list, global const int *zero) {
  local int used[1];
  const int l = get_local_id(0);
  event_t e = async_work_group_copy(used, zero, 1, 0);
  wait_group_events(1, &e);
  list[atomic_inc(used)] = l;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  e = async_work_group_copy(used, zero, 1, 0);
  wait_group_events(1, &e);
  list[atomic_inc(used)] = l + 100;
}
