int inner(int n, int m) {
  int s = 0, a = 0, b = 0;
  goto deep;
  for (a = 0; a < n; a++) {
    s += 10;
    for (b = 0; b < m; b++) {
      s += 100;
    deep:
      s += 1;
    }
  }
  return s;
}
int across(int n) {
  int s = 0, k = 0;
  for (k = 0; k < n; k++) {
    s += 1;
    if (k == 1) goto other;
  }
  while (s < 50) {
    s += 10;
  other:
    s += 20;
  }
  return s;
}
int from_outer(int n) {
  int s = 0;
  for (int k = 0; k < n; k++) {
    if (k == 1) goto body;
    while (s < 0) {
      s += 10;
    body:
      s += 1;
      if (s == 2) goto next;
    }
  next:
    s += 1;
  }
  return s;
}
int no_blocks(int n) {
  int s = 0, a = 0, b = 0;
  goto deep;
  for (a = 0; a < 2; a++)
    for (b = 0; b < 2; b++)
      while (s < n)
      deep:
        s += 1;
  return s;
}
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = inner(1, 1) + across(1) + across(2) + from_outer(2) + no_blocks(2);
}
// inner(1, 1): both loops are in their first turn at `deep`, then b = 1 and a = 1 end them: 1 and 1.
// across(1): for once; s = 1 is below 50: two turns of 30. across(2): the for is left in its second turn, into the while
// with s = 2: 22 after that turn, 52 after the next: 2.
// from_outer(2): k = 0: the while has 0 turns, s = 1. k = 1: into its body, s = 2, left for `next`: 1. The for: 2.
// no_blocks(2): while: the first turn, s = 1, another, s = 2: 2 turns; inner for: b = 1: a second turn, in which the
// while has 0 turns; outer for: a = 1: a second turn, in which the inner for has 2.
// range: 1 1
// code: 1-55
// site: function 1 entered |
// site: for 4 1, boundary | 0, >1
// site: for 6 1, boundary | 0, >1
// site: function 14 entered |
// site: for 16 1, >1, boundary | 0
// site: if 18 true, false |
// site: while 20 >1, boundary | 0, 1
// site: function 27 entered |
// site: for 29 >1, boundary | 0, 1
// site: if 30 true, false |
// site: while 31 0, 1, boundary | >1
// site: if 35 true | false
// site: function 42 entered |
// site: for 45 >1, boundary | 0, 1
// site: for 46 >1, boundary | 0, 1
// site: while 47 0, >1, boundary | 1
// site: function 52 entered |
// lines: 5 7 32
// findings: 0
