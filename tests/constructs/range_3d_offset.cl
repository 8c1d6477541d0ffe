__kernel void test(__global int *out) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int at = (z * 4 + y) * 4 + x;
  if (x == 1 && y == 2 && z == 1)
    out[at] = -1;
  else
    out[at] = get_group_id(0) * 100 + get_group_id(1) * 10 + get_group_id(2);
  switch (get_global_offset(0)) {
    case 1: out[at]++; break;
    case 2: out[at] += 1000;
  }
  for (int k = 0; k < z; k++) out[at] += 5;
  if (z == 0 || y > 3) out[at] = 8;
}
// Three dimensions with an offset: x = 1, 2; y = 2, 3; z = 1, 2, 3.
// range: 2x2x3 1x2x1
// offset: 1x2x1
// code: 1-14
// site: function 1 entered |
// site: if 4 true, false |
// site: switch 8 case 1 | case 2, default
// site: for 12 1, >1, boundary | 0
// site: if 13 false | true
// lines: 10
// findings: 0
