#define BIG 0x10u
enum { RED = 2, GREEN };
__kernel void test(__global int *out) {
  int i = get_global_id(0), r = 0;
  switch (i) {
    case 0 ... 1:
      r = 1;
      break;
    case RED: r = 2; break;
    case GREEN + 1: r = 3; break;
    case BIG: r = 4; break;
    case 'A': r = 5; break;
    case 5 ... 9: r = 6; break;
  }
  out[i] = r;
}
// Ranges of cases (an extension that clang takes), enumerators, macros and characters as labels; i = 0 to 3.
// range: 4 2
// code: 3-16
// site: function 3 entered |
// site: switch 5 case 0 ... 1, case RED, default | case GREEN + 1, case 0x10u, case 'A', case 5 ... 9
// lines: 10 11 12 13
// findings: 0
// skip-if-build-fails
