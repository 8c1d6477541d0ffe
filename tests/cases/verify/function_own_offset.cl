// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: an own get_global_offset(long) without a body is any number: all write a[0]
ulong __attribute__((overloadable)) get_global_offset(long d);
kernel void f(global uint *o) {
  if (get_global_offset((long)0) != 0) o[0] = get_local_id(0);
}
