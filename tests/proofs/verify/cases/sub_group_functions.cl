// What the work-items of a sub-group do together: all of them have to come to some functions, and to others not.
#if __OPENCL_C_VERSION__ >= 300

// expect possible-divergence one_sums
// with {"options": "-cl-std=CL3.0"}
// ask {"local": [64], "groups": [2]}
kernel void one_sums(global int *a) {
  int s = 0;
  if (get_local_id(0) == 5) {
    s = sub_group_reduce_add(1); //! barrier
  }
  a[get_global_id(0)] = s;
}

// expect verified all_sum
// with {"options": "-cl-std=CL3.0"}
// ask {"local": [64], "groups": [2]}
kernel void all_sum(global int *a) { a[get_global_id(0)] = sub_group_reduce_add(1); }

// Whole sub-groups come there or do not.
// expect verified first_sub_group
// with {"options": "-cl-std=CL3.0"}
// ask {"local": [64], "groups": [2]}
kernel void first_sub_group(global int *a) {
  int s = 0;
  if (get_sub_group_id() == 0) {
    s = sub_group_scan_inclusive_add(1);
  }
  a[get_global_id(0)] = s;
}

// expect possible-divergence one_barrier
// with {"options": "-cl-std=CL3.0"}
// ask {"local": [64], "groups": [2]}
kernel void one_barrier(global int *a, int n) {
  for (int i = 0; i < n; i++) {
    if (get_sub_group_local_id() < 3) {
      sub_group_barrier(CLK_LOCAL_MEM_FENCE); //! barrier
    }
  }
  a[get_global_id(0)] = 1;
}

// expect verified barrier_in_loop
// with {"options": "-cl-std=CL3.0"}
// ask {"local": [64], "groups": [2]}
kernel void barrier_in_loop(global int *a, int n) {
  for (int i = 0; i < n; i++) {
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = 1;
}

// Each goes round as often as it wants.
// expect possible-divergence barrier_in_own_turns
// with {"options": "-cl-std=CL3.0"}
// ask {"local": [64], "groups": [2]}
kernel void barrier_in_own_turns(global int *a) {
  for (uint i = 0; i < get_local_id(0); i++) {
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = 1;
}

// expect possible-divergence other_source
// with {"options": "-cl-std=CL3.0"}
// ask {"local": [64], "groups": [2]}
kernel void other_source(global int *a) { a[get_global_id(0)] = sub_group_broadcast(1, get_local_id(0) & 1); }

// expect verified one_source
// with {"options": "-cl-std=CL3.0"}
// ask {"local": [64], "groups": [2]}
kernel void one_source(global int *a) { a[get_global_id(0)] = sub_group_broadcast(1, 0); }

// Shuffles may be called by some, and give anything.
// expect verified shuffled_by_some
// with {"options": "-cl-std=CL3.0"}
// ask {"local": [64], "groups": [2]}
kernel void shuffled_by_some(global int *a) {
  int s = 0;
  if (get_local_id(0) < 7) {
    s = sub_group_shuffle(s, 1);
  }
  a[get_global_id(0)] = s;
}

// expect possible-race shuffled_index
// with {"options": "-cl-std=CL3.0"}
// ask {"local": [64], "groups": [2]}
kernel void shuffled_index(global int *a) {
  int g = get_global_id(0);
  a[sub_group_shuffle(g, 1)] = g;
}

// The scope of a work-item orders nothing between two.
// expect race scope_too_small t
// with {"options": "-cl-std=CL3.0"}
// ask {"local": [64], "groups": [1]}
kernel void scope_too_small(global int *a, local int *t) {
  t[get_local_id(0)] = 1;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_item);
  a[get_global_id(0)] = t[get_local_id(0) ^ 1];
}
#endif
