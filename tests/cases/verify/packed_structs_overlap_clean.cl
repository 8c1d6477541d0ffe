// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: seven bytes each, side by side
typedef struct __attribute__((packed)) { int a; short b; char c; } seven;
kernel void k(global seven *g) { g[get_global_id(0)].a = 1; g[get_global_id(0)].c = 2; }
