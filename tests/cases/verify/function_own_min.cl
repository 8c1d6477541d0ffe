// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: an own min(int, long) without a body: any number
long __attribute__((overloadable)) min(int a, long b);
kernel void f(global int *a) {
  a[min((int)get_local_id(0), 1000L)] = get_local_id(0);
}
