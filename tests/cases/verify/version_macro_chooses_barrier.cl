// EXPECT: div
// OPTS: --local 64 --groups 4
// OPTS:
// WHY: each device defines __OPENCL_VERSION__ (110 or more), so the barrier stands in the branch of even work-items only.
#if defined(__OPENCL_VERSION__) && __OPENCL_VERSION__ >= 110
#define SYNC() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define SYNC()
#endif
kernel void half_of_them(global int *a) {
  if (get_local_id(0) % 2 == 0) {
    SYNC();
  }
  a[get_global_id(0)] = 1;
}
