// EXPECT: clean
// OPTS: --local 64 --groups 1
// WHY: halves by their names
__attribute__((nodebug)) void high(global int4 *p, int2 w) { p->hi = w; }
__attribute__((nodebug)) void low(global int4 *p, int2 w) { p->lo = w; }
kernel void f(global int4 *p) {
  const int l = get_local_id(0);
  if (l % 2 == 0) high(&p[l / 2], (int2)(l)); else low(&p[l / 2], (int2)(l));
}
