// EXPECT: race
// OPTS: --local 32 --groups 2
// BUILD: -cl-std=CL2.0
// WHY: the weak exchange of work-item 1 reads and may change all eight bytes of best, while work-item 0 stores plainly to its last two.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void stamp(global const long *in, local atomic_long *best) {
  const int l = get_local_id(0);
  long old = 0;
  atomic_compare_exchange_weak(best, &old, in[l]);
  if (l == 0) {
    ((volatile local short *)best)[3] = 1;
  }
}
