#define RESULT int
#define INLINE static inline
#define KERNEL __kernel void
#define GLOBAL(type) __global type *
RESULT negate(int x) { return x > 0 ? -x : x; }
INLINE RESULT
third(int x) {
  return x / 3;
}
KERNEL test(GLOBAL(int) out) {
  int i = get_global_id(0);
  out[i] = negate(i) + third(i);
}
// Return types, qualifiers and parameters out of macros.
// range: 4 2
// code: 5 7-13
// site: function 5 entered |
// site: conditional 5 true, false |
// site: function 7 entered |
// site: function 10 entered |
// lines:
// findings: 0
