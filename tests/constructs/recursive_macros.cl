#define f(x) ((x) > 1 ? f(x) : 0)
#define A B
#define B A
#define EMPTY
#define DEFER(x) x EMPTY
#define STR(x) #x
#define GLUE(a, b) a##b
#define VAR(...) __VA_ARGS__
int (f)(int x) { return x + 1; }
__kernel void test(__global int *out) {
  int i = get_global_id(0), A = 3, B = 4;
  out[i] = f(i) + A + B + DEFER(GLUE(g, et_local_id))(0) * 0 + VAR(i > 2 ? 1 : 2);
  __constant char *text = STR(if (x) "?" : '\\');
  out[i] += text[1];
}
// Macros that name themselves and each other, empty macros, # and ##, __VA_ARGS__ (line 12 compares the whole sum with 2: always more).
// range: 4 2
// code: 9-15
// site: conditional 1 true, false |
// site: function 9 entered |
// site: function 10 entered |
// site: conditional 12 true | false
// lines:
// findings: 0
