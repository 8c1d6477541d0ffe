// BUFFER: x float 64 ramp:1
// BUFFER: y float 64 none
// BUFFER: o float 64 zeros
// BUFFER: p float 256 none
// BUFFER: r float 64 zeros
// KERNEL: tail
// GLOBAL: 16
// LOCAL: 16
// ARG: x
// ARG: o
// ARG: int 13
// READ: o
// KERNEL: beta
// GLOBAL: 64
// LOCAL: 16
// ARG: x
// ARG: y
// ARG: o
// ARG: float 0
// READ: o
// KERNEL: steps
// GLOBAL: 16
// LOCAL: 16
// ARG: x
// ARG: o
// READ: o
// KERNEL: put
// GLOBAL: 64
// LOCAL: 16
// ARG: x
// ARG: p
// KERNEL: length_of
// GLOBAL: 64
// LOCAL: 16
// ARG: p
// ARG: r
// READ: r
// KERNEL: moved
// GLOBAL: 64
// LOCAL: 16
// ARG: p
// READ: p nosum
// KERNEL: whole
// GLOBAL: 16
// LOCAL: 16
// ARG: x
// ARG: o
// READ: o
// WHY: tails that are masked, a factor of 0 that is asked for, memory used in turns, a component that nobody uses, structures with padding that are copied, values that are loaded and thrown away.
typedef struct { char tag; float value; double more; } record;
kernel void tail(global const float *x, global float *o, const int n) {
  local float s[16];
  const int l = get_local_id(0), g = get_global_id(0);
  if (g < n)
    s[l] = x[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 8; d > 0; d /= 2) {
    if (l < d && l + d < n)
      s[l] = fmax(s[l], s[l + d]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    o[get_group_id(0)] = s[0];
}
kernel void beta(global const float *x, global const float *y, global float *o, const float factor) {
  const int g = get_global_id(0);
  const float old = y[g];
  o[g] = 2.0f * x[g] + (factor == 0.0f ? 0.0f : factor * old);
}
kernel void steps(global const float *x, global float *o) {
  local float s[2][16];
  const int l = get_local_id(0);
  s[0][l] = x[l];
  for (int k = 0; k < 4; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    s[(k + 1) & 1][l] = s[k & 1][l] + s[k & 1][(l + 1) & 15];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  o[l] = s[0][l];
}
kernel void put(global const float *x, global float *p) {
  const int g = get_global_id(0);
  for (int i = 0; i < 3; i++)
    p[4 * g + i] = x[g] + i;
}
kernel void length_of(global const float4 *p, global float *r) {
  const int g = get_global_id(0);
  const float4 v = p[g];
  r[g] = v.x * v.x + v.y * v.y + v.z * v.z;
}
kernel void moved(global float4 *p) {
  const int g = get_global_id(0);
  const float4 v = p[g];
  p[g] = v;
}
kernel void whole(global const float *x, global float *o) {
  const int l = get_local_id(0);
  record a, b[2];
  a.tag = 1;
  a.value = x[l];
  b[1] = a;
  b[0] = b[1];
  float unused;
  float4 v;
  v.xyz = (float3)(b[0].value);
  o[l] = b[0].tag + v.x + (x[l] < 0.0f ? unused : v.z);
}
