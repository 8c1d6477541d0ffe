// EXPECT: race
// OPTS: --local 2 --groups 1
// WHY: as k101, in kernels without places of the source
__attribute__((nodebug)) kernel void f(global int4 *o) {
  local int4 v;
  const int l = get_local_id(0);
  if (l == 0) v = __builtin_shufflevector(v, (int4)(l + 1), 0, 1, 6, 7);
  else v = __builtin_shufflevector(v, (int4)(l + 1), 4, 5, 2, 3);
}
