// EXPECT: race
// OPTS: --local 2 --groups 1
// WHY: v is read and stored as a whole by two work-items (the builtin takes all of v; the store is of all)
#define BLEND(v, w) v = __builtin_shufflevector(v, w, 0, 1, 6, 7)
#define BLENDL(v, w) v = __builtin_shufflevector(v, w, 4, 5, 2, 3)
kernel void f(global int4 *o) {
  local int4 v;
  const int l = get_local_id(0);
  if (l == 0) { BLEND(v, (int4)(l + 1)); } else { BLENDL(v, (int4)(l + 1)); }
}
