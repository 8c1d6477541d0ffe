// Variables that nobody has set hold another number for each work-item, also in a loop and as it goes on.

// expect possible-divergence in_a_loop
// ask {"local": [64], "groups": [2]}
kernel void in_a_loop(global int *a, int n) {
  int x;
  for (int i = 0; i < n; i++) {
    if (x > 3) {
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    x = x + 1;
  }
  a[get_global_id(0)] = 1;
}

// expect possible-divergence any_number
// ask {"local": [64], "groups": [2]}
kernel void any_number(global int *a) {
  if (__builtin_nondeterministic_value(1) > 3) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = 1;
}

// expect verified kept
// ask {"local": [64], "groups": [2]}
kernel void kept(global int *a) { a[get_global_id(0)] = __builtin_nondeterministic_value(1); }
