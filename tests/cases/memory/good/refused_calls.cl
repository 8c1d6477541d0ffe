// SLOPPY
// BUFFER: in int 64 ramp
// BUFFER: written int 64 ramp
// BUFFER: filled int 64 ramp
// BUFFER: copied int 64 ramp
// BUFFER: out int 64 zeros
// WRITE: written 60 5 zeros
// WRITE: written 0 64 zeros
// READ: written
// FILL: filled 60 5 3
// FILL: filled 60 4 3
// READ: filled
// COPY: in 0 copied 60 5
// COPY: in 0 copied 60 4
// READ: copied
// KERNEL: add
// GLOBAL: 64
// LOCAL: 24
// ARG: out
// ARG: in
// ARG: raw 8
// AGAIN
// LOCAL: 16
// ARG: out
// ARG: in
// ARG: int 1
// SUB: part in 60 5
// SUB: part in 0 16
// READ: part
// READ: out
// KERNEL: add
// GLOBAL: 64
// LOCAL: 4096000
// ARG: out
// ARG: in
// ARG: int 1
// KERNEL: add
// GLOBAL: 64
// LOCAL: 24
// ARG: out
// ARG: in
// ARG: int 1
// KERNEL: add
// GLOBAL: 64
// LOCAL: 16
// ARG: out
// ARG: in
// ARG: int 1
// READ: out
// WHY: calls are refused and made again so that they can be; work-groups that are too large are followed by smaller ones.
kernel void add(global int *out, global const int *in, int n) {
  size_t i = get_global_id(0);
  out[i] += in[i] + n;
}
