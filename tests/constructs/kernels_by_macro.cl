#define KERNEL(name, op) \
  __kernel void test_##name(__global int *out) { \
    int i = get_global_id(0); \
    if (i > 1) out[i] = i op 2; \
  }
KERNEL(add, +)
KERNEL(mul, *)
// Kernels whose names are pasted together: the function and the if are one site each, in the macro.
// range: 4 2
// code: 6-7
// site: function 2 entered |
// site: if 4 true, false |
// lines:
// findings: 0
