__kernel void test(__global int *out) {
  int i = get_global_id(0), r;
  if (i == 0) {
    r = 1;
  } else if (i == 1) {
    r = 2;
  } else if (i == 20) {
    r = 3;
  } else if (i >= 2) {
    r = 4;
  } else {
    r = 5;
  }
  if (i == 0) r += 10; else if (i == 30) r += 20; else r += 30;
  out[i] = r;
}
// A chain of else if; i = 0 to 3.
// range: 4 2
// code: 1-16
// site: function 1 entered |
// site: if 3 true, false |
// site: if 5 true, false |
// site: if 7 false | true
// site: if 9 true | false
// site: if 14 true, false |
// site: if 14 false | true
// lines: 8 12 13
// findings: 0
