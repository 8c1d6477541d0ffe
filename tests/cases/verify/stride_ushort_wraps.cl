// EXPECT: race
// OPTS: --local 64 --groups 3
// WHY: 192 does not divide 65536: with n = 65472 two thirds of the work-items wrap around and come to places of others before they reach 65472.
kernel void fill(global int *a, uint n) {
  for (ushort i = get_global_id(0); i < n; i += get_global_size(0)) {
    a[i] = get_global_id(0);
  }
}
