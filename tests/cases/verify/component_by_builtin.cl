// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: p[i] as an operand is all of the vector; its last component is written by a neighbour
kernel void f(global int4 *p, global int2 *o) {
  const int l = get_local_id(0);
  o[l] = __builtin_shufflevector(p[l], (int4)(0), 0, 1);
  p[(l + 1) & 63].w = l;
}
