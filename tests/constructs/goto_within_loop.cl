int within(int n) {
  int s = 0;
  while (n-- > 0) {
    s += 1;
  again:
    s += 2;
    if (s < 9) goto again;
    s += 3;
  }
  return s;
}
int both(int n, int jump) {
  int s = 0;
  if (jump) goto again;
  for (; n > 0; n--) {
    s += 10;
  again:
    s += 1;
    if (s % 2 == 1) goto again;
    s += 100;
  }
  return s;
}
int out_of_inner(int n) {
  int s = 0;
  do {
  head:
    s += 1;
    for (int k = 0; k < 3; k++) {
      if (s == 2) goto head;
      if (s == 1) goto tail;
      s += 5;
    }
  tail:
    s += 1;
  } while (--n > 0);
  return s;
}
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = within(1) + both(1, 0) + both(0, 1) + out_of_inner(3);
}
// A goto from a loop's body to a label in the same body starts no turn. within(1): 1 turn with four rounds of `again`.
// both(1, 0): 1 turn: s = 10, 11, again: 12, 112. both(0, 1): 1 turn that is jumped into: s = 1, again: 2, 102.
// out_of_inner(3): s = 1, the for is left in its first turn (tail), s = 2; second turn of the do: s = 3, three turns of
// the for, s = 18, 19; third turn: s = 20, three turns, s = 35, 36. Line 30: nothing has s == 2 there.
// range: 1 1
// code: 1-42
// site: function 1 entered |
// site: while 3 1, boundary | 0, >1
// site: if 7 true, false |
// site: function 12 entered |
// site: if 14 true, false |
// site: for 15 1, boundary | 0, >1
// site: if 19 true, false |
// site: function 24 entered |
// site: do 26 >1, boundary | 1
// site: for 29 1, >1, boundary | 0
// site: if 30 false | true
// site: if 31 true, false |
// site: function 39 entered |
// lines:
// findings: 0
