// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: another address for each into one place
typedef global int *place;
place where(int);
kernel void f(global int *a) {
  local place slot;
  slot = where(get_local_id(0));
}
