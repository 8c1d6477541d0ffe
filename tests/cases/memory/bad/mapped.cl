// BUFFER: data int 32 ramp
// BUFFER: out int 32 zeros
// MAP: data w
// KERNEL: twice
// GLOBAL: 32
// LOCAL: 8
// ARG: data
// ARG: out
// UNMAP: data
// KERNEL: twice
// GLOBAL: 32
// LOCAL: 8
// ARG: data
// ARG: out
// READ: out
// WHY: the host has mapped the buffer for writing while the first launch reads it.
kernel void twice(global const int *data, global int *out) {
  size_t i = get_global_id(0);
  out[i] = 2 * data[i]; // ERROR: mapped
}
