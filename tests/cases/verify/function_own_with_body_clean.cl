// EXPECT: clean
// OPTS: --local 64 --groups 1
// WHY: an own overload with a body is that
int __attribute__((overloadable)) hypot(int x, int y) { return x + y; }
kernel void f(global int *a) {
  a[hypot((int)get_local_id(0), 5)] = get_local_id(0);
}
