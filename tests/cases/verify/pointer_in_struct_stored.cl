// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: the member is a or b
struct s { global int *p; int n; };
kernel void f(global int *a, global int *b) {
  local struct s x;
  x.p = get_local_id(0) & 1 ? a : b;
}
