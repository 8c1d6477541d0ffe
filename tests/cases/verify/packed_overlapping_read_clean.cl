// EXPECT: clean
// OPTS: --local 64 --groups 1
// WHY: two overlapping reads of one buffer agree in their common bytes
struct __attribute__((packed)) odd { char c; int n; };
kernel void f(global int *o, global const char *p) {
  int a = ((global const struct odd *)p)->n, b = ((global const struct odd *)(p + 1))->n;
  if ((a >> 8 & 0xffffff) != (b & 0xffffff)) o[0] = get_local_id(0);
}
