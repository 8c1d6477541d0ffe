int pick(int v) {
  int r = 0;
  switch (v) {
    case -3: case 0: case 1: case 2: case 3: case 4: case 5: case 6: case 7: case 8: r += 1;
    case 9: case 10: case 11: case 12: case 13: case 14: case 15: case 16: case 17: case 18: r += 2;
    case 19: case 20: case 21: case 22: case 23: case 24: case 25: case 26: case 27: case 28: r += 3;
    case 29: case 30: case 31: case 32: case 33: case 34: case 35: case 36: case 37: case 38: r += 4;
    case 39: case 40: case 41: case 42: case 43: case 44: case 45: case 46: case 47: case 48: r += 5;
    case 49: case 50: case 51: case 52: case 53: case 54: case 55: case 56: case 57: case 58: r += 6;
    case 59: case 60: case 61: case 62: case 63: case 64: case 65: r += 7;
  }
  return r;
}
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = pick(i * 9 - 3) + pick(i + 63);
}
// 68 ways, which are kept in an array: i * 9 - 3 is -3, 6, 15 … 60; i + 63 is 63 to 70, where nothing matches above 65.
// range: 8 4
// code: 1-17
// site: function 1 entered |
// site: switch 3 case -3, case 6, case 15, case 24, case 33, case 42, case 51, case 60, case 63, case 64, case 65, default | case 0, case 1, case 2, case 3, case 4, case 5, case 7, case 8, case 9, case 10, case 11, case 12, case 13, case 14, case 16, case 17, case 18, case 19, case 20, case 21, case 22, case 23, case 25, case 26, case 27, case 28, case 29, case 30, case 31, case 32, case 34, case 35, case 36, case 37, case 38, case 39, case 40, case 41, case 43, case 44, case 45, case 46, case 47, case 48, case 49, case 50, case 52, case 53, case 54, case 55, case 56, case 57, case 58, case 59, case 61, case 62
// site: function 14 entered |
// lines:
// findings: 0
