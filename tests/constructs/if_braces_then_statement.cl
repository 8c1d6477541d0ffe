__kernel void test(__global int *out) {
  int i = get_global_id(0), a = 0, b = 0;
  if (i < 2) {a = 1;}b = 2;
  if (i > 99) {
    a = 5;
  }b += 3;
  out[i] = a * 10 + b;
}
// A statement right after the closing brace.
// range: 4 2
// code: 1-8
// site: function 1 entered |
// site: if 3 true, false |
// site: if 4 false | true
// lines: 5
// findings: 0
