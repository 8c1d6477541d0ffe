// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: words of a packed array reach into the next element
typedef struct __attribute__((packed)) { int a; short b; char c; } seven;
kernel void k(global seven *g) {
  uint i = get_global_id(0);
  *(global int *)&g[i].b = i;
  g[i].a = 1;
}
