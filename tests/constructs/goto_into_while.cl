int once(int n) {
  int s = 0;
  goto middle;
  while (n-- > 0) {
    s += 10;
  middle:
    s += 1;
  }
  return s;
}
int twice(int n) {
  int s = 0;
  goto middle;
  while (
      n-- > 0) {
    s += 10;
  middle:
    s += 1;
  }
  return s;
}
int left(int n) {
  int s = 0;
  goto middle;
  while (n-- > 0)
  {
    s += 10;
  middle:
    if (n < 5) break;
    s += 1;
  }
  return s;
}
int end(int n, int inside) {
  int s = 0;
  if (inside) goto last;
  while (n-- > 0) {
    s += 10;
  last:;
  }
  return s;
}
int alone(int n) {
  goto only;
  while (n < 0) only: n += 2;
  return n;
}
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = once(0) + twice(1) + left(i) + end(0, 1) + end(2, 0) + alone(i);
}
// while loops entered by goto: the rest of the body that is jumped into is the first turn. once(0): that turn, then the
// condition is false: 1. twice(1): one more turn. left(i), i = 0, 1: that turn ends by break, the condition is never
// seen. end(0, 1): a turn of nothing; end(2, 0): 2 turns. alone(i): n is at least 2 then, so 1.
// Lines that a jump passes by are not executed: the head of the loop unless its condition is reached, what stands in
// the body before the label.
// range: 2 1
// code: 1-51
// site: function 1 entered |
// site: while 4 1, boundary | 0, >1
// site: function 11 entered |
// site: while 14 >1, boundary | 0, 1
// site: function 22 entered |
// site: while 25 1 | 0, >1, boundary
// site: if 29 true | false
// site: function 34 entered |
// site: if 36 true, false |
// site: while 37 1, >1, boundary | 0
// site: function 43 entered |
// site: while 45 1, boundary | 0, >1
// site: function 48 entered |
// Turns that a jump begins say nothing of the condition.
// site: condition 4 false | true
// site: condition 15 true, false |
// site: condition 25 | true, false
// site: condition 29 true | false
// site: condition 36 true, false |
// site: condition 37 true, false |
// site: condition 45 false | true
// lines: 5 25 26 27 30
// findings: 0
