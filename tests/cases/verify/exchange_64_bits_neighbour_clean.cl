// EXPECT: clean
// OPTS: --local 16 --groups 1
// BUILD: -cl-std=CL2.0
// WHY: the exchange touches bytes 0 to 7, the plain accesses byte 8 and up, each its own.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void best(volatile global atomic_ulong *top, global uint *seen) {
  ulong was = 0;
  const ulong mine = ((ulong)get_global_id(0) << 32) | 1;
  atomic_compare_exchange_strong(top, &was, mine);
  ((volatile global uint *)top)[2 + get_global_id(0)] = 1;
  seen[get_global_id(0)] = was;
}
