typedef int row[4];
int first(__global const int a[], const int b[2]) { return a[0] + b[1]; }
int corner(__global row *m) { return m[1][0] ? m[0][1] : -1; }
__kernel void test(__global int out[], __global int (*given)[2], __constant row *table) {
  int i = get_global_id(0), pair[2] = {i, i ? 2 : 3};
  int (*p)[2] = &pair;
  out[i] = first(given[0], *p) + corner((__global row *)out) + (*p)[0] + table[0][1];
}
// Arrays and pointers to arrays as parameters; out[4] is 0 when corner reads it.
// range: 4 2
// args: ints 5 6, ints 7 8 9 10
// code: 2-8
// site: function 2 entered |
// site: function 3 entered |
// site: conditional 3 false | true
// site: function 4 entered |
// site: conditional 5 true, false |
// lines:
// findings: 0
