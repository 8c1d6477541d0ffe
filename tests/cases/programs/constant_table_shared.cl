// EXPECT: race
// RUN: update b0:4096 b0 @128:32
// WHY: table and state are one buffer: all work-items read element 0, and work-item 0 stores it.
kernel void update(global int *state, constant int *table) {
  const int i = get_global_id(0);
  state[i] = table[0] + i;
}
