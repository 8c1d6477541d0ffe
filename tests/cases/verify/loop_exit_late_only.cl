// EXPECT: div
// OPTS: --local 128 --groups 1
// WHY: work-item l leaves after 500 + l / 2 turns, so work-items 0 and 2 part after turn 500.
kernel void settle(global int *a) {
  const uint l = get_local_id(0);
  uint age = 0;
  do {
    barrier(CLK_LOCAL_MEM_FENCE);
    age += 2;
  } while (age < 1000 + l);
  a[get_global_id(0)] = age;
}
