#define ONCE(x) do { (x)++; } while (0)
#define NEVER 0
__kernel void test(__global int *out) {
  int i = get_global_id(0), n = 0;
  do {
    if (i == 1) break;
    n += 10;
    if (i == 2) continue;
    n += 20;
  } while (NEVER);
  ONCE(n);
  do
    n++;
  while (false);
  do { n++; } while (1 - 1);
  do { n++; } while (i < 0);
  if (i >= 0) goto inside;
  do {
    n += 100;
inside:
    n += 200;
  } while (0);
  do n++; while (0.0f);
  switch (i) {
    case 9:
      do {
        n++;
    case 1:
        n++;
        if (i == 1) break;
        n++;
      } while (0);
  }
  out[i] = n;
}
// A do whose condition is a constant zero is no loop, wherever it stands and whatever jumps into it or out of it. That of
// line 16 asks about i and is one; i = 0 to 3. Work-items jump over lines 18 and 19, and none has i = 9: lines 26 and 27 are
// not executed. Work-item 1 leaves the last do in line 30, so lines 31 and 32 are not.
// range: 4 4
// code: 3-35
// site: function 3 entered |
// site: if 6 true, false |
// site: if 8 true, false |
// site: do 16 1, boundary | >1
// site: if 17 true | false
// site: switch 24 case 1, default | case 9
// site: if 30 true | false
// lines: 18 19 25 26 27 31 32
// findings: 0
