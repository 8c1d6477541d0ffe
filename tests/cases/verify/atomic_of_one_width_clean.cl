// EXPECT: clean
// OPTS: --local 64 --groups 1
// WHY: both are of 64 bits
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void k(volatile global int *a) {
  if (get_global_id(0) == 0) atom_add((volatile global long *)a, 1L);
  if (get_global_id(0) == 1) atom_add((volatile global ulong *)a, 1ul);
}
