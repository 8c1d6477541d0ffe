#define KERNEL(name, op) \
  __kernel void test_##name(__global int *out) { \
    int i = get_global_id(0); \
    if (i > 1) out[i] = i op 2; \
  }
KERNEL(add, +)
KERNEL(mul, *)
// Kernels whose names are pasted together: each function is a site where the macro is used, and the if is one in the macro.
// range: 4 2
// code: 6-7
// site: function 6 entered |
// site: function 7 entered |
// site: if 4 true, false |
// lines:
// findings: 0
