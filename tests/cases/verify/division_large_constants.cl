// EXPECT: race
// OPTS: --local 64 --groups 4
// WHY: 274177 * 67280421310721 is 2^64 + 1
kernel void k(global int *a) {
  ulong g = get_global_id(0);
  a[g / 274177ul / 67280421310721ul + g % 1ul] = g;
}
