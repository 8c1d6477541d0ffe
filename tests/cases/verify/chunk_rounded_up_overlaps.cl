// EXPECT: race
// OPTS: --local 32 --groups 2 --assume 'n >= 0'
// OPTS: --assume 'n >= 0' --local 32
// WHY: each goes one element further than it has; with n = 128 each has two, so work-item 0 changes v[2], which is the first of work-item 1.
kernel void negate(global short *v, int n) {
  const int workers = get_global_size(0);
  const int per = 1 + (n - 1) / workers;
  int at = (int)get_global_id(0) * per;
  const int stop = at + per < n ? at + per : n;
  while (at <= stop) {
    v[at] = at + get_global_id(0);
    at++;
  }
}
