// BUFFER: in float 100 ramp:1:1
// BUFFER: a float 100 zeros
// BUFFER: b float 100 zeros
// BUFFER: c float 100 zeros
// KERNEL: copied
// GLOBAL: 128
// LOCAL: 32
// ARG: in
// ARG: a
// KERNEL: doubled
// GLOBAL: 128
// LOCAL: 32
// ARG: in
// ARG: b
// KERNEL: nothing_of_it
// GLOBAL: 128
// LOCAL: 32
// ARG: in
// ARG: c
// READ: a
// READ: b
// READ: c
// WHY: 28 elements past the ends of both buffers are read and written, what is written depends on what is read, or not.
kernel void copied(global const float *in, global float *out) {
  int i = get_global_id(0);
  out[i] = in[i]; // ERROR: out-of-bounds
}

kernel void doubled(global const float *in, global float *out) {
  int i = get_global_id(0);
  out[i] = 2.0f * in[i] + 1.0f; // ERROR: out-of-bounds
}

kernel void nothing_of_it(global const float *in, global float *out) {
  int i = get_global_id(0);
  out[i] = in[i] * 0.0f; // ERROR: out-of-bounds
}
