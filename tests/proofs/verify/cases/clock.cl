// What gives another number each time: clocks, cycle counters, functions without a body, variables that nobody has set.

ulong __attribute__((overloadable)) clock_read_work_group(void);
uint2 __attribute__((overloadable)) clock_read_hilo_device(void);
uint __attribute__((overloadable)) get_random(uint seed);
ulong __attribute__((overloadable)) sub_group_time(void);

// expect possible-divergence of_the_group
// ask {"local": [64], "groups": [2]}
kernel void of_the_group(global int *a) {
  if (clock_read_work_group() & 1) {
    barrier(CLK_LOCAL_MEM_FENCE); //! barrier
  }
  a[get_global_id(0)] = 1;
}

// expect possible-race in_two_parts
// ask {"local": [64], "groups": [2]}
kernel void in_two_parts(global int *a) { a[clock_read_hilo_device().x] = get_global_id(0); }

// expect verified stored
// ask {"local": [64], "groups": [2]}
kernel void stored(global uint2 *a) { a[get_global_id(0)] = clock_read_hilo_device(); }

// expect possible-divergence cycles
// ask {"local": [64], "groups": [2]}
kernel void cycles(global int *a) {
  ulong end = __builtin_readcyclecounter() + 1000;
  while (__builtin_readcyclecounter() < end) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = 1;
}

// The same number is asked for twice, and may be another one.
// expect possible-divergence random
// ask {"local": [64], "groups": [2]}
kernel void random(global int *a) {
  if (get_random(7) == get_random(7)) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = 1;
}

// expect possible-race looks_like_a_sub_group
// ask {"local": [64], "groups": [2]}
kernel void looks_like_a_sub_group(global int *a) { a[sub_group_time()] = get_global_id(0); }

// expect verified random_kept
// ask {"local": [64], "groups": [2]}
kernel void random_kept(global int *a) { a[get_global_id(0)] = get_random(7); }
