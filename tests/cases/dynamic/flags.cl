// Each group waits for the flag of the one before it.
__kernel void k(__global int *o, __global int *c) {
  int g = get_group_id(0);
  if (get_local_id(0) == 0) {
    while (g > 0 && atomic_add(&c[g - 1], 0) == 0)
      ;
    o[g] = g;
    atomic_xchg(&c[g], 1);
  }
}
