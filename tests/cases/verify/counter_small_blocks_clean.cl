// EXPECT: clean
// OPTS: --local 64 --groups 1
// WHY: 64 steps of 4 do not come round a counter of 32 bits, so each work-item gets another number and stores to another element. Told as possible: what a counter gives is any number.
kernel void blocks(global int *arena, global uint *top) {
  const ulong block = atomic_add(top, 4u);
  arena[block] = get_local_id(0);
}
