#define SYNC barrier(CLK_LOCAL_MEM_FENCE)
#define SYNC_GLOBAL() barrier(CLK_GLOBAL_MEM_FENCE);
__kernel void test(__global int *out) {
  __local int shared[4];
  int l = get_local_id(0);
  shared[l] = l;
  SYNC;
  out[get_global_id(0)] = shared[3 - l];
  SYNC_GLOBAL()
  SYNC;
}
// Barriers in macros: one site a macro.
// range: 8 4
// code: 3-11
// site: barrier 1 covered |
// site: barrier 2 covered |
// site: function 3 entered |
// lines:
// findings: 0
