__kernel void test(__global int *out) {
  __local int t[4];
  int l = get_local_id(0), s = 0;
  if (l >= 1 && l < 3) s = 1;
  if (l == 0 || l == get_local_size(0) - 1) s += 2;
  t[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l > 7 || l < 2) s += t[l + 1];
  if (l > 7 && l < 9) s = 0;
  if (l < 9 || l > 7) out[get_global_id(0)] = s;
}
// Two tests of one variable, l = 0 to 3, around a barrier. Line 4: 0 fails the first, 3 the second. Line 5: 0 passes the
// first, 3 the second. Line 8: 0 and 1 pass the second. Line 9: none passes the first. Line 10: all do.
// range: 8 4
// code: 1-11
// site: function 1 entered |
// site: if 4 true, false |
// site: condition 4 true, false |
// site: condition 4 true, false |
// site: decision 4 TT T, F- F, TF F |
// site: mcdc 4 1, 2 |
// site: if 5 true, false |
// site: condition 5 true, false |
// site: condition 5 true, false |
// site: decision 5 T- T, FT T, FF F |
// site: mcdc 5 1, 2 |
// site: barrier 7 covered |
// site: if 8 true, false |
// site: condition 8 false | true
// site: condition 8 true, false |
// site: decision 8 FT T, FF F | T- T
// site: mcdc 8 2 | 1
// site: if 9 false | true
// site: condition 9 false | true
// site: condition 9 | true, false
// site: decision 9 F- F | TT T, TF F
// site: mcdc 9 | 1, 2
// site: if 10 true | false
// site: condition 10 true | false
// site: condition 10 | true, false
// site: decision 10 T- T | FT T, FF F
// site: mcdc 10 | 1, 2
// lines:
// findings: 0
