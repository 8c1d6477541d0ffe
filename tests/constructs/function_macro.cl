#define DEFINE(name, type) \
  type name(type x) { if (x > (type)1) return x; return -x; }
DEFINE(of_int, int)
DEFINE(of_float, float)
#define BEGIN {
#define END }
#define FOREVER for (;;)
__kernel void test(__global int *out) BEGIN
  int i = get_global_id(0);
  out[i] = of_int(i) + (int)of_float(0.5f);
  FOREVER BEGIN
    if (out[i]++ > i) break;
  END
END
// Functions made by a macro: a function site for each name (spelled at the use), one if in the body. Braces as macros.
// of_int is called with 0 to 3; work-item 0 starts with out = 0 + 0: FOREVER is 2 iterations; of_float(0.5) is -0.5: 0.
// range: 4 2
// code: 3-4 8-14
// site: if 2 true, false |
// site: function 3 entered |
// site: function 4 entered |
// site: for 7 >1 | 1
// site: function 8 entered |
// site: if 12 true, false |
// lines:
// findings: 0
