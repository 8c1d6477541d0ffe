// SLOPPY
// BUFFER: out int 50 zeros
// BUFFER: filled int 50 none
// BUFFER: written int 50 zeros
// BUFFER: in int 50 ramp
// BUFFER: other int 50 ramp
// KERNEL: number
// GLOBAL: 50
// LOCAL: 16
// ARG: out
// ARG: in
// KERNEL: number
// GLOBAL: 50
// LOCAL: 10
// ARG: out
// ARG: in
// READ: out
// KERNEL: number
// GLOBAL: 50
// LOCAL: 16
// ARG: filled
// ARG: in
// FILL: filled 0 50 3
// READ: filled
// KERNEL: number
// GLOBAL: 50
// LOCAL: 16
// ARG: written
// ARG: in
// WRITE: written 0 50 ramp
// READ: written
// READ: in
// KERNEL: number
// GLOBAL: 50
// LOCAL: 16
// ARG: out
// ARG: in
// READ: other
// PROBE
// WHY: launches are refused, and nothing is taken for their result: tried again, filled, written, or never looked at.
kernel void number(global int *out, global const int *in) {
  size_t i = get_global_id(0);
  out[i] = (int)i + in[i];
}
