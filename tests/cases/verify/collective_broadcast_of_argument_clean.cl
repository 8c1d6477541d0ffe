// EXPECT: clean
// OPTS: --local 16 --groups 2
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: the index is the same for all
kernel void k(global int *out, uint from) {
  int v = work_group_broadcast((int)get_local_id(0), from);
  if (v > 3) barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = v;
}
