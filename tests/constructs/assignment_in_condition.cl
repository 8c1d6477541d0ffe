__kernel void test(__global int *out) {
  int i = get_global_id(0), s = i, t = 0, n = 0;
  while (t = s - 1) {
    s = t > 0 ? t : 1;
    n++;
  }
  if (n = n * 2)
    n += 1;
  for (int k; k = n, k > 100; n--)
    n = 0;
  do n--; while ((n -= 1, n > 0));
  out[i] = n * 100 + s * 10 + t;
}
// Assignments and commas as conditions; i = 1 to 4 (offset 1): t = i - 1, …, 0: i - 1 iterations.
// n = 0, 1, 2, 3, then 0, 3, 5, 7; line 11: once from 0 (then -2), more often from 3 (then 1).
// range: 4 4
// offset: 1
// code: 1-13
// site: function 1 entered |
// site: while 3 0, 1, >1, boundary |
// site: conditional 4 true | false
// site: if 7 true, false |
// site: for 9 0, boundary | 1, >1
// site: do 11 1, >1, boundary |
// lines: 10
// findings: 0
