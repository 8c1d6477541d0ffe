// EXPECT: clean
// OPTS: --local 32 --groups 2 --assume 'n >= 0'
// WHY: each has per consecutive elements, the last work-item all that are left: nobody has an element after it.
kernel void negate(global short *v, int n) {
  const int workers = get_global_size(0), me = get_global_id(0) - get_global_offset(0);
  const int per = n / workers;
  const int stop = me == workers - 1 ? n : (me + 1) * per;
  for (int at = me * per; at < stop; at++) {
    v[at] = -v[at];
  }
}
