// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: one store of a pointer that is a for work-item 0 and b for others
typedef global int *place;
kernel void f(global int *a, global int *b) {
  local place slot[1];
  place p = get_local_id(0) == 0 ? a : b;
  slot[0] = p;
}
