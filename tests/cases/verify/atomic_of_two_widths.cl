// EXPECT: possible-ok
// OPTS: --local 64 --groups 1
// WHY: an operation on 64 bits and one on 32 of them are not indivisible for each other
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void k(volatile global int *a) {
  if (get_global_id(0) == 0) atom_add((volatile global long *)a, 1L);
  if (get_global_id(0) == 1) atomic_add(a + 1, 1);
}
