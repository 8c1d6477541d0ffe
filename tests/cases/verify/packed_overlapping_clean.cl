// EXPECT: clean
// OPTS: --local 64 --groups 1
// WHY: both numbers have three bytes in common
typedef union {
  struct __attribute__((packed)) { uint n; char rest; } a;
  struct __attribute__((packed)) { char first; uint n; } b;
} both;
kernel void f(global int *o, global const both *p) {
  if (p->a.n >> 8 != (p->b.n & 0xffffff)) o[0] = get_local_id(0);
}
