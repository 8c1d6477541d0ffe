// EXPECT: clean
// WHY: the source says that n > 0
kernel void k(global int *a, int n) {
  __builtin_assume(n > 0);
  a[get_global_id(0) * (size_t)n] = get_global_id(0);
}
