// EXPECT: clean
// OPTS: --local 16 --groups 1
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: both kinds of memory are ordered
kernel void k(global int *a, global int *out, int n) {
  local int t[16];
  int *p = n ? (int *)a : (int *)t;
  p[get_local_id(0)] = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = p[get_local_id(0) ^ 1];
}
