int once(int n) {
  int s = 0;
  goto middle;
  do {
    s += 10;
  middle:
    s += 1;
  } while (--n > 0);
  return s;
}
int more(int n) {
  int s = 0;
  if (n == 3) goto next;
  do {
    s += 10;
    if (s > 25) continue;
    s += 1;
  next:;
  } while (--n > 0);
  return s;
}
int left(int n) {
  int s = 0;
  goto middle;
  do
  {
    s += 10;
  middle:
    if (n >= 0) goto out;
    s += 1;
  } while (--n > 0);
out:
  return s;
}
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = once(1) + more(2 + i) + left(i);
}
// do loops entered by goto, i = 0, 1. once(1): the turn that is jumped into: 1. more(2): from the top, 2 turns; more(3):
// a turn of nothing, then n = 2: again, n = 1: again, n = 0: 3 turns. left(i): left in its first turn; `}` of line 31
// belongs to that turn.
// range: 2 1
// code: 1-38
// site: function 1 entered |
// site: do 4 1, boundary | >1
// site: function 11 entered |
// site: if 13 true, false |
// site: do 14 >1, boundary | 1
// site: if 16 false | true
// site: function 22 entered |
// site: do 25 1 | >1, boundary
// site: if 29 true | false
// site: function 35 entered |
// lines: 4 5 25 26 27 30
// findings: 0
