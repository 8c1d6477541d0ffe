// BUFFER: before int 64 none rw
// FILL: before 0 64 3
// FREE: before
// BUFFER: in int 64 none rw
// BUFFER: out int 64 none wo
// KERNEL: next
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// READ: out
// WHY: `in` may have the handle of a buffer that was filled, and was not filled itself.
__kernel void next(__global const int *in, __global int *out) {
  size_t i = get_global_id(0);
  out[i] = in[i] + 1; // ERROR: uninitialized-read
}
