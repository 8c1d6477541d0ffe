int again(int first, int second) {
  int s = 0, n = first, round = 0;
next:
  round++;
  goto inside;
  while (n > 0) {
    s += 10;
  inside:
    s += 1;
    n--;
  }
  n = second;
  if (round < 2) goto next;
  return s;
}
int through_break(int n) {
  int s = 0;
start:
  if (s > 0) goto inside;
  for (int k = 0; k < n; k++) {
    s++;
    if (k == 2) break;
    continue;
  inside:
    s += 100;
    if (s > 0) break;
  }
  if (s < 100) goto start;
  return s;
}
int top_and_jump(int n) {
  int s = 0;
top:
  while (n-- > 0) {
    s += 1;
  inside:
    s += 2;
  }
  if (s == 2) return s;
  if (n++ < 0 && s < 10) {
    s = 0;
    goto inside;
  }
  goto top;
}
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = again(1, 3) + through_break(5) + top_and_jump(0);
}
// Loops entered several times: each time the count begins at 0. again(1, 3): 1 turn, then 3. through_break(5): 3 turns
// and a break, then s = 3: a turn jumped into, which ends by break: both are counted, not 4.
// top_and_jump(0): 0 turns (n = -1); n = 0, jump: 1 turn, s = 2, the condition is false (n = -1).
// range: 1 1
// code: 1-49
// site: function 1 entered |
// site: while 6 1, >1, boundary | 0
// site: if 13 true, false |
// site: function 16 entered |
// site: if 19 true, false |
// site: for 20 1, >1 | 0, boundary
// site: if 22 true, false |
// site: if 26 true | false
// site: if 28 true, false |
// site: function 31 entered |
// site: while 34 0, 1, boundary | >1
// site: if 39 true, false |
// site: if 40 true | false
// site: function 46 entered |
// lines: 35 44
// findings: 0
