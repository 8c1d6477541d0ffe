// EXPECT: oob
// RESTS: no signed overflow
// RUN: tail b0:4096 i2147483000 i1024 @1024:64
// WHY: base + i does not fit into an int for work-items from 648 on; on a device the sum is negative, is below n, and a[at] lies before the buffer. A verdict "verified" must at least name "no signed overflow" with its line.
kernel void tail(global int *a, int base, int n) {
  const int at = base + (int)get_global_id(0);
  if (at < n) {
    a[at] = 1;
  }
}
