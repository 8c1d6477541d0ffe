// BUFFER: in float 30 ramp
// BUFFER: ints int 32 ramp
// BUFFER: quads float4 8 zeros
// BUFFER: bytes uchar 32 zeros
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
// GLOBAL: 9
// LOCAL: 3
// ARG: quads
// KERNEL: wide
// GLOBAL: 8
// LOCAL: 8
// ARG: in
// ARG: out
// KERNEL: straddles
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
// GLOBAL: 33
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
// KERNEL: reads_it
// GLOBAL: 8
// LOCAL: 8
// ARG: seen
// ARG: out
// KERNEL: in_parts
// GLOBAL: 4
// LOCAL: 4
// ARG: in
// ARG: out
// READ: out
// READ: ints
// WHY: vectors, parts of them, records, atomic functions, and indices that are read themselves.
kernel void eight(global const float *in, global float *out) {
  const int i = get_global_id(0);
  const float8 v = vload8(i, in); // ERROR: out-of-bounds
  out[i] = v.s0 + v.s7;
}

kernel void stored(global const float *from, global uchar *to) {
  const int i = get_global_id(0);
  vstore4(convert_uchar4(vload4(i, from)), i, to); // ERROR: out-of-bounds
}

kernel void component(global float4 *quads) {
  const int i = get_global_id(0);
  quads[i].yz = (float2)(i, i); // ERROR: out-of-bounds
}

kernel void wide(global const float *in, global float *out) {
  global const float4 *q = (global const float4 *)in;
  const int i = get_global_id(0);
  out[i] = q[i].x + dot(q[i].zw, q[i].zw); // ERROR: out-of-bounds
}

kernel void straddles(global uchar *bytes, global float *out) {
  global int *p = (global int *)(bytes + 3);
  out[0] = p[2]; // ERROR: misaligned
}

kernel void atomically(global int *ints, global float *out) {
  const int i = get_global_id(0);
  out[i] = atomic_add(ints + 30 + i, 1); // ERROR: out-of-bounds
}

kernel void updates(global int *ints) {
  const int i = get_global_id(0);
  ints[i] *= 2; // ERROR: out-of-bounds
}

typedef struct {
  int a, b, c;
} three;

kernel void whole_records(global int *ints, global float *out) {
  const int i = get_global_id(0);
  global three *r = (global three *)ints;
  const three t = r[8 + i]; // ERROR: out-of-bounds
  out[i] = t.a;
}

kernel void nested(global const int *ints, global const float *in, global float *out) {
  const int i = get_global_id(0);
  out[ints[i]] = in[i]; // ERROR: out-of-bounds
}

kernel void reads_it(global int *seen, global float *out) {
  const int i = get_global_id(0);
  if (i == 0)
    out[i] = seen[i]; // ERROR: write-only
}

#define FIRST_OF(v, k) v[k]
#define BOTH(v, k) (FIRST_OF(v, k) + FIRST_OF(v, 0))

kernel void in_parts(global const float *in, global float *out) {
  const int i = get_global_id(0);
  out[i] = BOTH(in, 28 + i); // ERROR: out-of-bounds
}
