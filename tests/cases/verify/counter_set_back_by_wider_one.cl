// EXPECT: race
// BUILD: -cl-std=CL1.2
// WHY: to add 2^32 - 1 to the 64 bits takes one from the lower word, so a number is given twice.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void push(global uint *used, global uint *list) {
  list[atomic_inc(used)] = get_global_id(0);
  if (get_local_id(0) == 3) {
    atom_add((global ulong *)used, (ulong)0xffffffff);
  }
}
