// EXPECT: race
// OPTS: --local 8 --groups 2
// WHY: four steps of 2^30 come back to the start; of 16 work-items at least two get the same number, and both store to arena[8 * number], different values.
kernel void blocks(global uint *arena, global uint *top) {
  const ulong block = atomic_sub(top, 0x40000000u);
  arena[block * 8] = get_global_id(0);
}
