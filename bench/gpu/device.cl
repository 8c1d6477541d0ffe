/* The kernels of device.c. */

__kernel void count_in_flight(volatile __global int *counts) {
  if (get_local_id(0) > 0)
    return;
  atomic_max(&counts[1], atomic_inc(&counts[0]) + 1);
  for (int look = 0; look < 200; look++)
    atomic_max(&counts[1], atomic_add(&counts[0], 0));
  atomic_dec(&counts[0]);
}

__kernel void never_ends(volatile __global int *stop) {
  while (atomic_add(stop, 0) == 0)
    ;
}

__kernel void add_one(__global int *values) { values[get_global_id(0)] += 1; }
