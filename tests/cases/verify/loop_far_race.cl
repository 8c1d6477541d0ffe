// EXPECT: race
// WHY: a loop may turn more than 2^31 times; the iteration that stores is one of these
kernel void k(global int *a, uint n) {
  for (uint j = 0; j < n; j++)
    if (j == 3000000000u) a[0] = get_global_id(0);
}
