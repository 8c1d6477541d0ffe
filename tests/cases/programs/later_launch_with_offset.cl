// EXPECT: race
// RUN: window b0:8192 b1:64 @64:32 b0 b1 @128:32 b0 b1 @256:32 b0 b1 @256:32:8
// WHY: in the fourth launch the global offset is 8, so ids go up to 263: the work-items with ids from 256 on all store to late[0], different numbers.
kernel void window(global int *a, global int *late) {
  const size_t g = get_global_id(0);
  a[g] = 1;
  if (g >= get_global_size(0)) {
    late[0] = g;
  }
}
