// EXPECT: unchecked
// RUN: walk b0:256=1,2,3,4,5,6,7,1000000000 @8:8
// WHY: no race: each work-item follows one link. The last link lies far behind the buffer, and the program ends with a signal.
kernel void walk(global int *next) {
  const int i = get_global_id(0);
  const int at = next[i];
  barrier(CLK_GLOBAL_MEM_FENCE);
  next[32 + i] = next[at];
}
