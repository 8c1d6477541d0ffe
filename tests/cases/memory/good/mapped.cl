// BUFFER: data int 32 ramp
// BUFFER: seen int 32 ramp
// BUFFER: out int 32 zeros
// MAP: data w
// UNMAP: data
// MAP: seen r
// KERNEL: sum
// GLOBAL: 32
// LOCAL: 8
// ARG: data
// ARG: seen
// ARG: out
// UNMAP: seen
// READ: out
// WHY: what was mapped for writing is unmapped before the launch; what is mapped for reading may be read.
kernel void sum(global const int *data, global const int *seen, global int *out) {
  size_t i = get_global_id(0);
  out[i] = seen[i] + data[i];
}
