// EXPECT: fine
// OPTS: --local 32 --groups 4
// WHY: all work-items of a group read the same idle behind the first barrier and return together or not at all. The last barrier lets all see the maximum of all; without it there is no race (most is only touched atomically), but the results are wrong.
kernel void brightest(global const uint *pixels, global uint *out, global const int *skip) {
  local int idle;
  local uint most;
  if (get_local_id(0) == 0) {
    idle = skip[get_group_id(0)];
    most = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (idle != 0) {
    return;
  }
  atomic_max(&most, pixels[get_global_id(0)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = atomic_max(&most, 0u);
}
