// EXPECT: race
// OPTS: --local 16 --groups 1
// BUILD: -cl-std=CL2.0
// WHY: the exchange changes all eight bytes; the plain read of the upper four by another work-item is not atomic.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void best(volatile global atomic_ulong *top, global uint *seen) {
  ulong was = 0;
  const ulong mine = ((ulong)get_global_id(0) << 32) | 1;
  atomic_compare_exchange_strong(top, &was, mine);
  seen[get_global_id(0)] = ((volatile global uint *)top)[1];
}
