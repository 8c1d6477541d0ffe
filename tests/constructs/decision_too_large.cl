__kernel void test(__global int *out) {
  int i = get_global_id(0), r = 0;
  if ((i == 0 || i == 1 || i == 2) && (i > 0 || i > 1 || i > 2) && (i < 1 || i < 2 || i < 3)) r = 1;
  out[i] = r;
}
// Three times three conditions have 27 ways to be true and 1 + 3 + 9 to be false: too many for MC/DC, so that each
// condition has evidence of its own. i = 0 to 3: the first group is true for 0, 1, 2; of these the second one for 1, 2
// (both by i > 0); the third for both, i = 1 by i < 2, i = 2 by i < 3.
// range: 4 2
// code: 1-5
// site: function 1 entered |
// site: if 3 true, false |
// site: condition 3 true, false |
// site: condition 3 true, false |
// site: condition 3 true, false |
// site: condition 3 true, false |
// site: condition 3 false | true
// site: condition 3 false | true
// site: condition 3 false | true
// site: condition 3 true, false |
// site: condition 3 true | false
// site: decision 3 |
// site: mcdc 3 |
// lines:
// findings: 0
