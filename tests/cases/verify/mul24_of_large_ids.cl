// EXPECT: race
// RESTS: no signed overflow at
// WHY: only the low 24 bits of x and y count, or what the device makes of larger ones: ids 0 and 2^24 may have one place.
kernel void place(global int *a) {
  a[mul24((uint)get_global_id(0), 3u)] = get_global_id(0);
}
