// EXPECT: race
// OPTS: --local 16 --groups 4
// WHY: each group counts from 0 on in its own local memory, and all store to one list.
kernel void rows(global int *list) {
  local int used;
  const int l = get_local_id(0);
  if (l == 0) {
    used = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  list[atomic_inc(&used)] = get_global_id(0);
}
