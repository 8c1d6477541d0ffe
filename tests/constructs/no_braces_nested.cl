__kernel void test(__global int *out) {
  int i = get_global_id(0);
  int s = 0;
  if (i > 1)
    for (int k = 0; k < i - 1; k++)
      for (int j = 0; j < k; j++)
        if (j == 1)
          s += 100;
        else
          s += j + 1;
  else
    if (i == 0)
      s = -1;
    else
      if (i == 9)
        s = -9;
  out[i] = s;
}
// Bodies without braces, nested: for-for-if-else in if, if in else; i = 0 to 4: k up to 2, j up to 1.
// range: 5 5
// code: 1-18
// site: function 1 entered |
// site: if 4 true, false |
// site: for 5 1, >1, boundary | 0
// site: for 6 0, 1, >1, boundary |
// site: if 7 true, false |
// site: if 12 true, false |
// site: if 15 false | true
// lines: 16
// findings: 0
