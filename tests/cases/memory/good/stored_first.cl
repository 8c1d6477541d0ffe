// BUFFER: in int 64 random:27:0:9 ro
// BUFFER: out int 64 none wo
// BUFFER: sums int 64 none rw
// FILL: sums 0 64 2
// KERNEL: sum
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// ARG: sums
// READ: out
// READ: sums
// WHY: what has no value at first is stored before it is read, and the host fills what is added to.
__kernel void sum(__global const int *in, __global int *out, __global int *sums) {
  size_t i = get_global_id(0);
  int k, total, last;
  total = 0;
  for (k = 0; k < 4; k++) {
    int part;
    part = in[(i + k) % 64];
    total += part;
    last = part;
  }
  sums[i] += total;
  last = 1;
  out[i] = total + last;
}
