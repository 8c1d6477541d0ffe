__kernel void test(__global int *out) {
  int i = get_global_id(0), r = 0;
  switch (i) {
    case 1:
      r = 1;
  }
  switch (i + 100)
    case 101: r += 5;
  switch (i) case 0: case 2: r += 7;
  switch (r) {}
  out[i] = r;
}
// No default: that none matched counts as one. A body that is one labelled statement; an empty body.
// range: 4 2
// code: 1-12
// site: function 1 entered |
// site: switch 3 case 1, default |
// site: switch 7 case 101, default |
// site: switch 9 case 0, case 2, default |
// site: switch 10 default |
// lines:
// findings: 0
