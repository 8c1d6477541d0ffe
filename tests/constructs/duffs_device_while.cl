int device(int n) {
  int s = 0, rounds = n / 4;
  switch (n & 3) {
    case 0:
      while (rounds-- > 0) {
        s += 1000;
    case 3: s += 100;
    case 2: s += 10;
    case 1: s += 1;
      }
  }
  return s;
}
int in_for(int n, int end) {
  int s = 0, k = 0;
  switch (n) {
    for (k = 0; k < end; k++) {
      s += 1;
      case 5 ... 6:
      s += 2;
      default:
      s += 4;
      if (s > 50) break;
      continue;
      case 7:
      s += 8;
    }
    s += 16;
  }
  return s;
}
int nested(int n) {
  int s = 0, a = 1, b = 1;
  switch (n) {
    case 0:
      for (a = 0; a < 2; a++) {
        s += 1;
    case 1:
        for (b = 0; b < 2; b++)
    case 2:
          s += 10;
      }
      s += 100;
  }
  return s;
}
int without_block(int n) {
  int s = 0;
  switch (n)
    while (n-- > 0)
      case 3: s += 1;
  return s;
}
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  int r = device(i) + device(7) + in_for(6, 1) + in_for(9, 2) + in_for(7, 0) + nested(2);
  if (i == 1) r += nested(1) + without_block(3) + without_block(2);
  out[i] = r;
}
// Duff's device with while and for, i = 0, 1. device(0): 0 turns; device(1): jumps to case 1, rounds = 0: 1;
// device(7): case 3, one more round: 2.
// in_for(6, 1): k = 0 in the turn jumped into, then 1: 1. in_for(9, 2): default, k = 0 and 1: 2. in_for(7, 0): case 7:
// 1. The head of that loop (`k = 0`) is on the line of its condition.
// nested(2): b = 1 in the turn jumped into, a = 1 too: both 1. nested(1), not jumped into the inner for: it has 2 turns,
// the outer one 1.
// without_block(3): case 3, then n = 2, 1, 0: 3 more turns: >1. without_block(2): the loop is not entered.
// range: 2 1
// code: 1-59
// site: function 1 entered |
// site: switch 3 case 0, case 1, case 3 | case 2, default
// site: while 5 0, 1, >1, boundary |
// site: function 14 entered |
// site: switch 16 case 5 ... 6, case 7, default |
// site: for 17 1, >1, boundary | 0
// site: if 23 false | true
// site: function 32 entered |
// site: switch 34 case 1, case 2 | case 0, default
// site: for 36 1, boundary | 0, >1
// site: for 39 1, >1, boundary | 0
// site: function 47 entered |
// site: switch 49 case 3, default |
// site: while 50 >1, boundary | 0, 1
// site: function 54 entered |
// site: if 57 true, false |
// lines: 35 37
// findings: 0
