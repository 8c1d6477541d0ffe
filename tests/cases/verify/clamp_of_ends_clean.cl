// EXPECT: clean
// WHY: it is never below 5
kernel void k(global int *a, int n) {
  if (clamp(n, 5, 10) < 5) a[0] = get_global_id(0);
}
