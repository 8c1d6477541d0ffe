// EXPECT: clean
// OPTS: --local 64 --groups 1 --assume 'elements(arena) == 256'
// WHY: each call moves the top by 4, so the four elements from the number that a work-item gets are its own; blocks can only wrap where the number is near 2^32, behind the end of the arena. Told as possible: what a counter gives is any number.
kernel void blocks(global int *arena, global uint *top) {
  const uint block = atomic_add(top, 4u);
  if (block <= 252) {
    for (uint k = 0; k < 4; k++) {
      arena[block + k] = get_local_id(0);
    }
  }
}
