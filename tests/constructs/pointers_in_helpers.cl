void bump(int *p, int by) {
  if (by > 2) *p += by;
}
int *choose(int *a, int *b, int c) { return c ? a : b; }
void put(__local int *l, __global int *g, __constant int *c) {
  *g = *l > 1 ? *c : -*l;
}
__constant int seven = 7;
__kernel void test(__global int *out) {
  __local int cells[4];
  int l = get_local_id(0), i = get_global_id(0), mine = l, other = 50;
  bump(&mine, i);
  bump(choose(&mine, &other, l > 0), 3);
  cells[l] = mine;
  put(&cells[l], out + i, &seven);
  out[i] += other;
}
// Pointers to private, local, global and constant memory through helpers; mine: l, above 1 for l >= 1 (+ 3).
// range: 4 4
// code: 1-7 9-17
// site: function 1 entered |
// site: if 2 true, false |
// site: function 4 entered |
// site: conditional 4 true, false |
// site: function 5 entered |
// site: conditional 6 true, false |
// site: function 9 entered |
// lines:
// findings: 0
