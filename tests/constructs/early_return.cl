__kernel void test(__global int *out) {
  int i = get_global_id(0);
  if (i >= 3) return;
  out[i] = 1;
  if (i == 50) {
    return;
    out[i] = 9;
  }
  out[i] += 1;
}
// Return without braces; code after a return that is never taken.
// range: 8 4
// code: 1-10
// site: function 1 entered |
// site: if 3 true, false |
// site: if 5 false | true
// lines: 6 7 8
// findings: 0
