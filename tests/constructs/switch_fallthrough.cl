__kernel void test(__global int *out) {
  int i = get_global_id(0), r = 0;
  switch (i) {
    case 3: r += 1000;
    case 2: r += 100;
    case 1:
    case 0: r += 10;
      break;
    case 9: r = 9;
  }
  switch (i & 1) {
    default: r++;
    case 0: r += 2;
  }
  out[i] = r;
}
// Fall-through: a case that is only fallen into is not taken. i = 2, 3 (offset 2). A default that is not the last.
// range: 2 2
// offset: 2
// code: 1-16
// site: function 1 entered |
// site: switch 3 case 3, case 2 | case 1, case 0, case 9, default
// site: switch 11 case 0, default |
// lines: 9
// findings: 0
