__kernel void inner(__global int *out) {
  int i = get_global_id(0);
  if (i == 1)
    return;
  out[i] += 5;
}
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = i;
  inner(out);
  if (i > 9)
    out[i] = -1;
}
// A kernel called by another one, never launched itself.
// range: 4 2
// code: 1-13
// site: function 1 entered |
// site: if 3 true, false |
// site: function 7 entered |
// site: if 11 false | true
// lines: 12
// findings: 0
