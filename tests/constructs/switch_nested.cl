__kernel void test(__global int *out) {
  int i = get_global_id(0), r = 0;
  switch (i & 1) {
    case 0:
      switch (i >> 1) {
        case 0: r = 1; break;
        case 1: r = 2; break;
        case 5: r = 3; break;
      }
      break;
    case 1:
      for (int k = 0; k < 3; k++) {
        switch (k) {
          case 0: continue;
          case 1: r += 10; break;
          default: r += 20; break;
        }
        r++;
      }
  }
  out[i] = r;
}
// A switch in a case; a switch in a loop in a case, with continue.
// range: 4 2
// code: 1-22
// site: function 1 entered |
// site: switch 3 case 0, case 1 | default
// site: switch 5 case 0, case 1 | case 5, default
// site: for 12 >1, boundary | 0, 1
// site: switch 13 case 0, case 1, default |
// lines: 8
// findings: 0
