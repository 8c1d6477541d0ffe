// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: the top moves in steps of 2^27 and so has only 32 values, as it is 32 bits wide; with 64 work-items two get the same block and both store to its first byte, their local ids.
kernel void blocks(global char *arena, global uint *top) {
  const uint block = atomic_add(top, 1u << 27);
  arena[block] = get_local_id(0);
}
