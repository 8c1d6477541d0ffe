__kernel void test(__global int *out) {
  int i = get_global_id(0), n = get_local_size(0), g = get_group_id(0);
  out[i] = i;
  if (n > 1 && i >= 0 || out[i] == 7) {
    out[i] += 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] += 1;
  }
  for (int k = 0; k < 4 && (g > 0 || k < 2); k++) {
    out[i] += 10;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  int x = i > 2 && out[i] > 3;
  out[i] += x;
}
// Decisions that guard barriers, alike for all work-items of a work-group; another one beside them. Line 4: TT- always.
// Line 9: TFT, TFT, TFF in group 0; TT- four times, then F-- in group 1. Line 13: out[i] is at least 22.
// range: 8 4
// code: 1-15
// site: function 1 entered |
// site: if 4 true | false
// site: condition 4 true | false
// site: condition 4 true | false
// site: condition 4 | true, false
// site: decision 4 TT- T | TFT T, TFF F, F-T T, F-F F
// site: mcdc 4 | 1, 2, 3
// site: barrier 6 covered |
// site: for 9 >1, boundary | 0, 1
// site: condition 9 true, false |
// site: condition 9 true, false |
// site: condition 9 true, false |
// site: decision 9 TT- T, TFT T, TFF F, F-- F |
// site: mcdc 9 1, 2, 3 |
// site: barrier 11 covered |
// site: condition 13 true, false |
// site: condition 13 true | false
// site: decision 13 F- F, TT T | TF F
// site: mcdc 13 1 | 2
// lines:
// findings: 0
