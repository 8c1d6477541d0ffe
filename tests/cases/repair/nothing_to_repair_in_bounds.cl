// EXPECT: fine
// OPTS: --local 100 --groups 2
// WHY: as nothing_to_repair_but_out_of_bounds, with as many work-items as the array has elements.
kernel void mirror(global float *x) {
  local float t[100];
  const int l = get_local_id(0);
  t[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = t[99 - l];
}
