#define CLAMP(x) if ((x) > 4) { (x) = 4; }
#define CHOOSE(x, y) \
  do { \
    if ((x) > (y)) (x) = (y); \
    else (y) = 0; \
  } while (0)
__kernel void test(__global int *out) {
  int i = get_global_id(0), j = 6, k = 100;
  CLAMP(i)
  CLAMP(k)
  CHOOSE(j, i);
  out[get_global_id(0)] = i + j;
}
// if in macros: one site at its definition, for all uses; i = 0 to 3: line 9 is never above 4, line 10 is.
// j > i always, so line 4 is always true. A do with a constant zero is no loop.
// range: 4 2
// code: 7-13
// site: if 1 true, false |
// site: if 4 true | false
// site: function 7 entered |
// lines:
// findings: 0
