// EXPECT: clean
// OPTS: --local 64 --groups 1
// WHY: all store the address of a
typedef global int *place;
kernel void f(global int *a, global int *b) {
  local place slot[1];
  slot[0] = a;
}
