__kernel void test(__global int *out) {
  int i = get_global_id(0), r;
  switch (i) {
    case 0:
      r = 10;
      break;
    case 1: {
      r = 11;
      break;
    }
    case 77:
      r = 77;
      break;
    default:
      r = -1;
  }
  out[i] = r;
}
// A switch with default.
// range: 4 2
// code: 1-18
// site: function 1 entered |
// site: switch 3 case 0, case 1, default | case 77
// lines: 11 12 13
// findings: 0
