__kernel void test(__global int *out, __local int *a) {
  int l = get_local_id(0), r = 0;
  for (int round = 0; round < 2; round++) {
    a[l] = l * 20 + (int)get_group_id(0) + round * 64;
    barrier(CLK_LOCAL_MEM_FENCE);
    switch (a[(l + 1) & 3]) {
      case -3: case 0: case 1: case 2: case 3: case 4: case 5: case 6: case 7: case 8: r += 1;
      case 9: case 10: case 11: case 12: case 13: case 14: case 15: case 16: case 17: case 18: r += 2;
      case 19: case 20: case 21: case 22: case 23: case 24: case 25: case 26: case 27: case 28: r += 3;
      case 29: case 30: case 31: case 32: case 33: case 34: case 35: case 36: case 37: case 38: r += 4;
      case 39: case 40: case 41: case 42: case 43: case 44: case 45: case 46: case 47: case 48: r += 5;
      case 49: case 50: case 51: case 52: case 53: case 54: case 55: case 56: case 57: case 58: r += 6;
      case 59: case 60: case 61: case 62: case 63: case 64: case 65: r += 7;
      case 100 ... 110: r += 8;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = r;
}
// 68 ways beside barriers: 0, 20, 40, 60 and 1, 21, 41, 61 in the first round, 64, 84, 104, 124 and one more each in the
// second, of which 104 and 105 are in the range (an extension that clang takes).
// range: 8 4
// args: local 16
// code: 1-19
// site: function 1 entered |
// site: for 3 >1, boundary | 0, 1
// site: barrier 5 covered |
// site: switch 6 case 0, case 1, case 20, case 21, case 40, case 41, case 60, case 61, case 64, case 65, case 100 ... 110, default | case -3, case 2, case 3, case 4, case 5, case 6, case 7, case 8, case 9, case 10, case 11, case 12, case 13, case 14, case 15, case 16, case 17, case 18, case 19, case 22, case 23, case 24, case 25, case 26, case 27, case 28, case 29, case 30, case 31, case 32, case 33, case 34, case 35, case 36, case 37, case 38, case 39, case 42, case 43, case 44, case 45, case 46, case 47, case 48, case 49, case 50, case 51, case 52, case 53, case 54, case 55, case 56, case 57, case 58, case 59, case 62, case 63
// site: barrier 16 covered |
// lines:
// findings: 0
// skip-if-build-fails
