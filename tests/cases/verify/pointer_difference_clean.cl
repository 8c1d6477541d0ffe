// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: the difference is the index
kernel void k(global int *a) {
  global int *p = a + get_global_id(0);
  a[p - a] = 1;
}
