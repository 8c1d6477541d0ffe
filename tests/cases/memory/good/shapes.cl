// BUFFER: in float 32 ramp
// BUFFER: ints int 36 ramp
// BUFFER: quads float4 8 zeros
// BUFFER: bytes uchar 36 zeros
// BUFFER: out float 64 zeros
// BUFFER: seen int 8 zeros wo
// KERNEL: eight
// GLOBAL: 4
// LOCAL: 4
// ARG: in
// ARG: out
// KERNEL: stored
// GLOBAL: 9
// LOCAL: 3
// ARG: out
// ARG: bytes
// KERNEL: component
// GLOBAL: 8
// LOCAL: 4
// ARG: quads
// KERNEL: wide
// GLOBAL: 8
// LOCAL: 8
// ARG: in
// ARG: out
// KERNEL: unaligned
// GLOBAL: 1
// LOCAL: 1
// ARG: bytes
// ARG: out
// KERNEL: atomically
// GLOBAL: 4
// LOCAL: 4
// ARG: ints
// ARG: out
// KERNEL: updates
// GLOBAL: 36
// LOCAL: 3
// ARG: ints
// KERNEL: whole_records
// GLOBAL: 4
// LOCAL: 4
// ARG: ints
// ARG: out
// KERNEL: nested
// GLOBAL: 32
// LOCAL: 8
// ARG: ints
// ARG: in
// ARG: out
// KERNEL: writes_it
// GLOBAL: 8
// LOCAL: 8
// ARG: seen
// KERNEL: in_parts
// GLOBAL: 4
// LOCAL: 4
// ARG: in
// ARG: out
// READ: out
// READ: ints
// READ: seen
// WHY: the twins of bad/shapes.cl.
kernel void eight(global const float *in, global float *out) {
  const int i = get_global_id(0);
  const float8 v = vload8(i, in);
  out[i] = v.s0 + v.s7;
}

kernel void stored(global const float *from, global uchar *to) {
  const int i = get_global_id(0);
  vstore4(convert_uchar4(vload4(i, from)), i, to);
}

kernel void component(global float4 *quads) {
  const int i = get_global_id(0);
  quads[i].yz = (float2)(i, i);
}

kernel void wide(global const float *in, global float *out) {
  global const float4 *q = (global const float4 *)in;
  const int i = get_global_id(0);
  out[i] = q[i].x + dot(q[i].zw, q[i].zw);
}

kernel void unaligned(global uchar *bytes, global float *out) {
  const uchar4 v = vload4(0, bytes + 3);
  out[0] = v.x + ((global int *)(bytes + 4))[1];
}

kernel void atomically(global int *ints, global float *out) {
  const int i = get_global_id(0);
  int n = i;
  out[i] = atomic_add(ints + 30 + i, n++);
  out[i] += n;
}

kernel void updates(global int *ints) {
  const int i = get_global_id(0);
  int k = i;
  ints[k++] *= 2;
  ints[k - 1]++;
  --ints[k - 1];
}

typedef struct {
  int a, b, c;
} three;

kernel void whole_records(global int *ints, global float *out) {
  const int i = get_global_id(0);
  global three *r = (global three *)ints;
  const three t = r[8 + i];
  r[i] = t;
  out[i] = t.a + (&r[i])->b;
}

kernel void nested(global const int *ints, global const float *in, global float *out) {
  const int i = get_global_id(0);
  out[ints[i] & 63] = in[i];
}

kernel void writes_it(global int *seen) {
  const int i = get_global_id(0);
  seen[i] = i;
}

#define FIRST_OF(v, k) v[k]
#define BOTH(v, k) (FIRST_OF(v, k) + FIRST_OF(v, 0))

kernel void in_parts(global const float *in, global float *out) {
  const int i = get_global_id(0);
  out[i] = BOTH(in, 28 + i);
}
