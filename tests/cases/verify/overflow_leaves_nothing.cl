// EXPECT: possible-ok
// OPTS: --local 64 --groups 4 --assume 'big == 2147483600'
// RESTS: signed overflow
// WHY: work-items from number 48 on add beyond the largest int, which C leaves undefined; on a device the sum wraps, and then many of them store different numbers to last[0]. A proof that rests on "no signed overflow" must say so; plain "verified" is wrong.
kernel void clampv(global int *last, int big) {
  const int i = big + (int)get_global_id(0);
  if (i < 0) {
    last[0] = i;
  }
}
