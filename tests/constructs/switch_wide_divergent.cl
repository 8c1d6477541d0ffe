__kernel void test(__global int *out, __local int *a) {
  int l = get_local_id(0);
  a[l] = 66 + (int)get_group_id(0) * (l / 3 * 67 - 64);
  switch (a[l]) {
    case 0: case 1: case 2: case 3: case 4: case 5: case 6: case 7: case 8: case 9: break;
    case 10: case 11: case 12: case 13: case 14: case 15: case 16: case 17: case 18: case 19: break;
    case 20: case 21: case 22: case 23: case 24: case 25: case 26: case 27: case 28: case 29: break;
    case 30: case 31: case 32: case 33: case 34: case 35: case 36: case 37: case 38: case 39: break;
    case 40: case 41: case 42: case 43: case 44: case 45: case 46: case 47: case 48: case 49: break;
    case 50: case 51: case 52: case 53: case 54: case 55: case 56: case 57: case 58: case 59: break;
    case 60: case 61: case 62: case 63: case 64: case 65: case 66: case 67: case 68: case 69: barrier(CLK_LOCAL_MEM_FENCE); break;
  }
  out[get_global_id(0)] = a[l];
}
// A barrier in a case of 71 ways. All of the first group select 66; of the second three select 2, where there is no
// barrier, and one 69.
// range: 8 4
// args: local 16
// code: 1-14
// site: function 1 entered |
// site: switch 4 case 2, case 66, case 69 | case 0, case 1, case 3, case 4, case 5, case 6, case 7, case 8, case 9, case 10, case 11, case 12, case 13, case 14, case 15, case 16, case 17, case 18, case 19, case 20, case 21, case 22, case 23, case 24, case 25, case 26, case 27, case 28, case 29, case 30, case 31, case 32, case 33, case 34, case 35, case 36, case 37, case 38, case 39, case 40, case 41, case 42, case 43, case 44, case 45, case 46, case 47, case 48, case 49, case 50, case 51, case 52, case 53, case 54, case 55, case 56, case 57, case 58, case 59, case 60, case 61, case 62, case 63, case 64, case 65, case 67, case 68, default
// site: barrier 11 covered |
// lines: 6 7 8 9 10
// findings: 1
