// EXPECT: clean
// RUN: walk b0:256=1,2,3,4,5,6,7,0 @8:8
// WHY: all links stay inside the buffer, reads go to elements 0 to 7 and stores to elements 32 to 39.
kernel void walk(global int *next) {
  const int i = get_global_id(0);
  const int at = next[i];
  barrier(CLK_GLOBAL_MEM_FENCE);
  next[32 + i] = next[at];
}
