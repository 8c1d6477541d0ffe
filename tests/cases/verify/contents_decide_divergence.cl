// EXPECT: div
// OPTS:
// WHY: no fact about the numbers of flags makes them all zero, or none: that some are is what any host would write.
kernel void part(global const int *flags) {
  if (flags[get_local_id(0)] != 0) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
