__kernel void test(__global int *out) {
  __local int shared[4];
  int l = get_local_id(0), n = l, s = 0;
  if (l == 0) goto middle;
  while (n-- > 1) {
    s += 10;
  middle:
    s += 1;
  }
  switch (l) {
    do {
      s += 1;
      case 3: s += 100;
      default: s += 1000;
    } while (s < 2000);
  }
  shared[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = shared[3 - l];
}
// Loops that work-items jump into each in their own way; the barrier after them does not depend on it. The while:
// l = 0 by the jump, 1; l = 1: 0; l = 2: 1; l = 3: 2. The do: l = 0: s = 1, 1001, 2102, 2 turns; so all others.
// range: 8 4
// code: 1-20
// site: function 1 entered |
// site: if 4 true, false |
// site: while 5 0, 1, >1, boundary |
// site: switch 10 case 3, default |
// site: do 11 >1, boundary | 1
// site: barrier 18 covered |
// lines:
// findings: 0
