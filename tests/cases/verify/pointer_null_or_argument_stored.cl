// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: null for some and a for others, into one place
typedef global int *place;
kernel void f(global int *a) {
  local place slot;
  slot = get_local_id(0) == 5 ? a : 0;
}
