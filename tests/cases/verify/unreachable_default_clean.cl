// EXPECT: clean
// OPTS: --local 64 --groups 2
// WHY: the launch that was drawn is one that the source excludes
kernel void k(global int *a, int n) {
  int s;
  switch (n) { case 1: s = 1; break; case 2: s = 2; break; default: __builtin_unreachable(); }
  a[get_global_id(0) * s] = get_global_id(0);
}
