// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: atom_cmpxchg changes eight bytes of key[0]; work-item 0 of a group stores plainly to bytes 6 and 7 of it.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void claim(volatile global ulong *key, global int *got) {
  const ulong mine = get_global_id(0) + 1;
  got[get_global_id(0)] = atom_cmpxchg(key, 0, mine) == 0;
  if (get_local_id(0) == 0) {
    *((volatile global ushort *)key + 3) = get_group_id(0);
  }
}
