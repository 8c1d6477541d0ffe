__kernel void test(__global int *out) {
  int i = get_global_id(0), n = i + 1, s = 0;
  int rounds = (n + 3) / 4;
  switch (n & 3) {
    case 0: do { s += 1000;
    case 3:      s += 100;
    case 2:      s += 10;
    case 1:      s += 1;
            } while (--rounds > 0);
  }
  out[i] = s;
}
// Duff's device; n = 1 to 6: rounds 1, 1, 1, 1, 2, 2. Every case is jumped to once; default cannot be taken.
// The turn that is jumped into counts: as many turns as rounds, and the condition ends the loop.
// range: 6 3
// code: 1-12
// site: function 1 entered |
// site: switch 4 case 0, case 3, case 2, case 1 | default
// site: do 5 1, >1, boundary |
// lines:
// findings: 0
