// EXPECT: clean
// OPTS: --local 16 --groups 1
// WHY: who uses it has set it
kernel void k(global int *a, int n) {
  int v;
  if (n > 3) v = n;
  if (n > 3) a[0] = v;
  a[1 + get_global_id(0)] = 1;
}
