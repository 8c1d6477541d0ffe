// EXPECT: clean
// OPTS: --local 32 --groups 2 --assume 'n >= 0'
// OPTS: --assume 'n >= 0' --local 32
// WHY: each has per consecutive elements; the last ones may have fewer or none, as stop is cut at n. Told as possible or unknown: with a given number of groups it takes too long.
kernel void negate(global short *v, int n) {
  const int workers = get_global_size(0);
  const int per = 1 + (n - 1) / workers;
  int at = (int)get_global_id(0) * per;
  const int stop = at + per < n ? at + per : n;
  while (at < stop) {
    v[at] = -v[at];
    at++;
  }
}
