// EXPECT: possible-ok
// WHY: what clamp gives is not defined where its least is above its most: devices give 5, 10 or n
kernel void k(global int *a, int n) {
  if (clamp(n, 10, 5) != 5) a[0] = get_global_id(0);
}
