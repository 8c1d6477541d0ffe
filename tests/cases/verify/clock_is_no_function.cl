// EXPECT: div
// OPTS: --local 64 --groups 2
// BUILD: -cl-std=CL3.0
// WHY: each call gives another value, so the barrier is reached by some
ulong __attribute__((overloadable)) clock_read_device(void);
kernel void k(global int *out) {
  ulong end = clock_read_device() + 1000;
  for (int i = 0; i < 100 && clock_read_device() < end; i++) barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
}
