typedef struct { int a; float b; } pair;
struct node { pair p; int next; };
pair swap(pair p, bool yes) {
  pair r = yes ? (pair){(int)p.b, (float)p.a} : p;
  return r;
}
struct node make(int i) {
  struct node n = {{i, 2.0f}, i + 1};
  if (i == 1) { n.next = -1; return n; }
  return n;
}
__kernel void test(__global int *out, __global const struct node *unused) {
  int i = get_global_id(0);
  pair p = swap(make(i).p, i & 1);
  out[i] = p.a + make(i).next * 10;
}
// Structures by value as parameters and results; ?: between structures.
// range: 4 2
// args: ints 0 0 0
// code: 3-16
// site: function 3 entered |
// site: conditional 4 true, false |
// site: function 7 entered |
// site: if 9 true, false |
// site: function 12 entered |
// lines:
// findings: 0
