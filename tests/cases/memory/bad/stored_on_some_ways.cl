// BUFFER: in int 64 random:27:0:1 ro
// BUFFER: out int 320 none wo
// BUFFER: late int 64 none rw
// BUFFER: seen int 64 none rw
// KERNEL: ways
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// LAUNCH
// KERNEL: early
// GLOBAL: 64
// LOCAL: 16
// ARG: late
// ARG: seen
// LAUNCH
// FILL: late 0 64 3
// READ: out
// READ: seen
// WHY: each variable is stored before it is read in the text, but not on each way; `late` is filled after the launch.
__kernel void ways(__global const int *in, __global int *out) {
  size_t i = get_global_id(0);
  int branch, turns, own, jumped, skipped, j;
  if (in[i] > 0)
    branch = 5;
  out[5 * i] = branch + 2; // ERROR: uninitialized-read
  for (j = 0; j < in[i]; j++)
    turns = j + 1;
  out[5 * i + 1] = turns + 2; // ERROR: uninitialized-read
  own = own + 1; // ERROR: uninitialized-read
  out[5 * i + 2] = own;
  switch (in[i]) {
    jumped = 7;
  default:
    out[5 * i + 3] = jumped + 2; // ERROR: uninitialized-read
  }
  if (in[i] == 0)
    goto end;
  skipped = 9;
end:
  out[5 * i + 4] = skipped + 2; // ERROR: uninitialized-read
}

__kernel void early(__global const int *late, __global int *seen) {
  size_t i = get_global_id(0);
  seen[i] = late[i] + 1; // ERROR: uninitialized-read
}
