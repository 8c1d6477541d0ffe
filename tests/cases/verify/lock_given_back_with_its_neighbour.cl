// EXPECT: race
// BUILD: -cl-std=CL1.2
// WHY: giving back the lock of 64 bits sets the lock in its upper word free, too, which another one may have taken meanwhile; a third one takes it as well.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void add(global int *lock, global int *sum, global int *other) {
  if (get_group_id(0) == 0) {
    if (atom_cmpxchg((global long *)lock, (long)0, (long)1) == 0) {
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      other[0] += 1;
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      atom_xchg((global long *)lock, (long)0);
    }
  } else if (atomic_cmpxchg(&lock[1], 0, 1) == 0) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    sum[0] += get_global_id(0);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&lock[1], 0);
  }
}
