// EXPECT: race
// OPTS: --local 64 --groups 2
// WHY: the same with a variable of the work-item's own
kernel void k(global int *out, int n) {
  int x = 0;
  int *q = 0;
  for (int i = 0; i < n; i++) {
    if (!q) out[1] = get_global_id(0);
    q = &x;
    *q += i;
  }
  out[get_global_id(0) + 2] = x;
}
