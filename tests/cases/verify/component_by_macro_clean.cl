// EXPECT: clean
// OPTS: --local 64 --groups 1
// WHY: components through a macro
#define HI(p, i, w) p[i].hi = w
#define LO(p, i, w) p[i].lo = w
kernel void f(global int4 *p) {
  const int l = get_local_id(0);
  if (l % 2 == 0) { HI(p, l / 2, (int2)(l)); } else { LO(p, l / 2, (int2)(l)); }
}
