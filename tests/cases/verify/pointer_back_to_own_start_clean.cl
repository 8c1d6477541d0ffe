// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: each goes back to its own start
kernel void k(global int *a, global int *b) {
  global int *own = a + 4 * get_global_id(0);
  for (global int *p = own + 3; p >= own; p--) *p = 1;
  b[get_global_id(0)] = 1;
}
