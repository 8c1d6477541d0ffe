// EXPECT: race
// CERTAIN: no
// OPTS: --local 64 --groups 4
// WHY: -1 asks for nothing: the second component is any number
kernel void k(global int *a) {
  const int i = get_global_id(0);
  const int2 v = (int2)(i, 0);
  const int2 w = __builtin_shufflevector(v, v, 1, -1);
  a[w.y] = i;
}
