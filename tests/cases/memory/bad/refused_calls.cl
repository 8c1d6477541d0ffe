// EXPECT: api-error clEnqueueWriteBuffer
// EXPECT: api-error clEnqueueFillBuffer
// EXPECT: api-error clEnqueueCopyBuffer
// EXPECT: api-error clSetKernelArg
// EXPECT: api-error clCreateBuffer
// EXPECT: api-error clCreateSubBuffer
// EXPECT: api-error clEnqueueNDRangeKernel
// SLOPPY
// BUFFER: in int 64 ramp
// BUFFER: written int 64 ramp
// BUFFER: filled int 64 ramp
// BUFFER: copied int 64 ramp
// BUFFER: out int 64 zeros
// BUFFER: results int 64 zeros
// WRITE: written 60 5 zeros
// READ: written
// FILL: filled 60 5 3
// MAP: filled r
// UNMAP: filled
// COPY: in 0 copied 60 5
// KERNEL: add
// GLOBAL: 64
// LOCAL: 16
// ARG: out
// ARG: copied
// ARG: int 1
// KERNEL: add
// GLOBAL: 64
// LOCAL: 16
// ARG: out
// ARG: in
// ARG: int 1
// AGAIN
// ARG: out
// ARG: in
// ARG: raw 8
// READ: out
// BUFFER: empty int 0 none
// READ: empty
// SUB: part in 60 5
// READ: part
// KERNEL: add
// GLOBAL: 64
// LOCAL: 24
// ARG: results
// ARG: in
// ARG: int 2
// COPY: results 0 out 0 64
// WHY: each call leaves its memory or has a wrong size, is refused, and the program goes on to use what it would have made.
kernel void add(global int *out, global const int *in, int n) {
  size_t i = get_global_id(0);
  out[i] += in[i] + n;
}
