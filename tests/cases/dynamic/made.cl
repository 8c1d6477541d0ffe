// Kernels and functions that a macro, or a header that is read twice, makes: each counts by itself (dynamic.sh, made).
#define BOTH(T) kernel void plus_##T(global T *y, T a) { int i = get_global_id(0); if (a > 0) { y[i] += a; } } kernel void minus_##T(global T *y, T a) { y[get_global_id(0)] -= a; }
BOTH(int)
BOTH(float)
#define NAMED(N, BODY) kernel void N(global int *y, int a) { int i = get_global_id(0); if (a > 0) { BODY } }
NAMED(first,
      y[i] = 1;
)
NAMED(second,
      y[i] = 2;
)
#define HELP(T) T help_##T(T a) { return a > 1 ? a : 1; }
HELP(int)
HELP(float)
kernel void uses(global int *y, int a) { y[0] = help_int(a); }
#define PART int
#include "made_part.h"
#undef PART
#define PART float
#include "made_part.h"
