int counted(int n, int start) {
  int s = 0, k = start;
  if (start > 0) goto middle;
  for (k = 0;
       k < n;
       k++) {
    s += 10;
  middle:
    s += 1;
  }
  return s;
}
int early(int n) {
  int s = 0, k = 0;
  goto middle;
  for (; n < 100; k++) {
    s += k;
  middle:
    n += 40;
    if (n >= 60)
      continue;
    s += 100;
  }
  return s;
}
int forever(int n) {
  goto test;
  for (;;) {
    n++;
  test:
    if (n >= 0)
      break;
  }
  return n;
}
int again(int n) {
  goto test;
  for (;;)
  {
    n++;
  test:
    if (n >= 1)
      return n;
  }
}
int without_block(int n) {
  int s = 0, k = 3;
  goto inside;
  for (k = 0; k < n; k++)
    if (s > 50)
    {
      s += 1000;
    inside:
      s += 1;
    }
  return s;
}
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = counted(4, 3) + counted(4, 2) + early(70) + forever(i) + again(i) + without_block(3);
}
// for loops entered by goto. counted(4, 3): the turn jumped into with k = 3, then k = 4 ends it: 1; counted(4, 2): 2; its
// beginning (line 4) is never run, its condition and third part are. early(70): n = 110, continue, false: 1.
// forever(i), i = 0, 1: left in the turn jumped into; what goes round of `for (;;)` is never reached. again(0): two
// turns, the second with n = 1; again(1): one. without_block(3): k = 4 ends it; its `if` is never asked.
// range: 2 1
// code: 1-61
// site: function 1 entered |
// site: if 3 true | false
// site: for 4 1, >1, boundary | 0
// site: function 13 entered |
// site: for 16 1, boundary | 0, >1
// site: if 20 true | false
// site: function 26 entered |
// site: for 28 1 | >1
// site: if 31 true | false
// site: function 36 entered |
// site: for 38 1, >1 |
// site: if 42 true, false |
// site: function 46 entered |
// site: for 49 1, boundary | 0, >1
// site: if 50 | true, false
// site: function 58 entered |
// lines: 4 17 22 28 29 50 51 52
// findings: 0
