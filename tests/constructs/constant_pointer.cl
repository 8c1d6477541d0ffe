__constant int low[] = {10, 20};
__constant int high[] = {30, 40};
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  __constant int *from = i < 2 ? low : high;
  __constant int *never = i > 9 ? low : high;
  out[i] = from[i & 1] + never[0];
}
// A variable that points to constants is no constant: what it is set to is executed.
// range: 4 2
// code: 3-8
// site: function 3 entered |
// site: conditional 5 true, false |
// site: conditional 6 false | true
// lines:
// findings: 0
