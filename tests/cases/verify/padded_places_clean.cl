// EXPECT: clean
// OPTS: --local 64 --groups 2 --assume 'get_global_offset(0) == 0'
// WHY: i + i / 16 grows with i, so padded places are different for different i; in a turn the written places are those of multiples of 2 * s, the others those of odd multiples of s.
#define PAD(i) ((i) + ((i) >> 4))
kernel void tree(global float *x, local float *t) {
  const int l = get_local_id(0);
  t[PAD(l)] = x[get_global_id(0)];
  for (int s = 1; s < 64; s *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int at = l * 2 * s;
    if (at + s < 64) {
      t[PAD(at)] = fmax(t[PAD(at)], t[PAD(at + s)]);
    }
  }
  if (l == 0) {
    x[get_group_id(0) * 64] = t[0];
  }
}
