// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: each stores the address of its own variable
typedef private int *place;
kernel void f(global int *a) {
  local place slot;
  int x = a[0];
  slot = &x;
}
