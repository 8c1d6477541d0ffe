// BUFFER: x float 64 ramp:1
// BUFFER: p float 256 none
// BUFFER: q float 256 none
// BUFFER: s int 128 none
// BUFFER: t int 128 none
// BUFFER: n int 64 none
// BUFFER: c int 64 none
// BUFFER: r float 64 zeros
// BUFFER: i int 64 zeros
// COPY: n 0 c 0 64
// KERNEL: put
// GLOBAL: 64
// LOCAL: 16
// ARG: x
// ARG: p
// ARG: q
// ARG: s
// ARG: t
// KERNEL: weighed
// GLOBAL: 64
// LOCAL: 16
// ARG: p
// ARG: r
// READ: r
// KERNEL: loaded
// GLOBAL: 64
// LOCAL: 16
// ARG: q
// ARG: r
// READ: r
// KERNEL: members
// GLOBAL: 64
// LOCAL: 16
// ARG: s
// ARG: i
// READ: i
// KERNEL: shifted
// GLOBAL: 64
// LOCAL: 16
// ARG: t
// ARG: i
// READ: i
// KERNEL: brought
// GLOBAL: 64
// LOCAL: 16
// ARG: c
// ARG: i
// READ: i
// KERNEL: masks
// GLOBAL: 64
// LOCAL: 16
// ARG: i
// READ: i
// WHY: fourth components and second members that nobody wrote, loaded with the rest and used; what a copy brought; bits.
typedef struct { int value, factor; } pair;
kernel void put(global const float *x, global float *p, global float *q, global int *s, global int *t) {
  const int g = get_global_id(0);
  for (int i = 0; i < 3; i++)
    p[4 * g + i] = q[4 * g + i] = x[g];
  s[2 * g] = t[2 * g] = g;
}
kernel void weighed(global const float4 *p, global float *r) {
  const int g = get_global_id(0);
  const float4 all = p[g];
  const float4 v = p[g]; // ERROR: uninitialized-read
  r[g] = all.x + v.y + v.w * 2.0f;
}
kernel void loaded(global const float *q, global float *r) {
  const int g = get_global_id(0);
  r[g] = dot(vload4(g, q), (float4)(1.0f, 1.0f, 1.0f, 0.5f)); // ERROR: uninitialized-read
}
kernel void members(global const pair *s, global int *i) {
  const int g = get_global_id(0);
  const pair v = s[g]; // ERROR: uninitialized-read
  i[g] = v.value * v.factor + 1;
}
kernel void shifted(global const int2 *t, global int *i) {
  const int g = get_global_id(0);
  int2 v = t[g]; // ERROR: uninitialized-read
  v <<= 1;
  i[g] = v.x + v.y;
}
kernel void brought(global const int *c, global int *i) {
  const int g = get_global_id(0);
  i[g] = c[g] + g; // ERROR: uninitialized-read
}
kernel void masks(global int *i) {
  const int g = get_global_id(0);
  uint w;
  i[g] = (w & 0x00ff0000u) | g; // ERROR: uninitialized-read
}
