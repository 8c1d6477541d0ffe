// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: work-item 0 stores the address of a, the others that of b, into one local variable: different values, race
typedef global int *place;
kernel void f(global int *a, global int *b) {
  local place slot;
  if (get_local_id(0) == 0) slot = a;
  else slot = b;
}
