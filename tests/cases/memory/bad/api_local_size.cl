// EXPECT: api-error clEnqueueNDRangeKernel
// SLOPPY
// BUFFER: out int 50 zeros
// KERNEL: number
// GLOBAL: 50
// LOCAL: 16
// ARG: out
// READ: out
// WHY: 16 does not divide 50: the launch is refused (-54), and the program goes on to read zeros.
kernel void number(global int *out) {
  size_t i = get_global_id(0);
  out[i] = (int)i;
}
