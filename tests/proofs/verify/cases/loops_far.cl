// Loops that turn more often than 2^31 times, and 2^32.

// expect possible-race far_long a
// ask {"local": [64], "groups": [2]}
kernel void far_long(global int *a, ulong n) {
  for (ulong j = 0; j < n; j++) {
    if (j == 5000000000ul) {
      a[0] = get_global_id(0);
    }
  }
}

// expect possible-race far_down a
// ask {"local": [64], "groups": [2]}
kernel void far_down(global int *a, uint n) {
  for (uint j = 4000000000u; j > n; j--) {
    if (j == 5u) {
      a[0] = get_global_id(0);
    }
  }
}

// expect possible-race far_from_below a
// ask {"local": [64], "groups": [2]}
kernel void far_from_below(global int *a, int n) {
  for (int j = -2000000000; j < n; j++) {
    if (j == 2000000000) {
      a[0] = get_global_id(0);
    }
  }
}

// expect possible-race far_in_steps a
// ask {"local": [64], "groups": [2]}
kernel void far_in_steps(global int *a, uint n) {
  for (uint j = 0; j < n; j += 1) {
    for (uint i = 0; i < 2; i++) {
      if (j + i == 3000000001u) {
        a[1] = get_global_id(0);
      }
    }
  }
}

// expect possible-divergence far_barrier
// ask {"local": [64], "groups": [2]}
kernel void far_barrier(global int *a, uint n) {
  for (uint j = 0; j < n; j++) {
    if (j == 3000000000u && get_local_id(0) == 0) {
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = 1;
}

// expect possible-race far_pointer a
// ask {"local": [64], "groups": [2]}
kernel void far_pointer(global char *a, ulong n) {
  global char *p = a;
  for (ulong j = 0; j < n; j++, p++) {
    if (p == a + 5000000000ul) {
      a[0] = get_global_id(0);
    }
  }
}

// expect verified far_apart
// ask {"local": [64], "groups": [2]}
kernel void far_apart(global int *a, uint n) {
  for (uint j = 0; j < n; j++) {
    if (j == 3000000000u) {
      a[get_global_id(0)] = 1;
    }
  }
}
