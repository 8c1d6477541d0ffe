// EXPECT: race
// OPTS: --local 16 --groups 1 --assume "n == 8192"
// WHY: 8 * 8192 is 0 in 16 bits
kernel void k(global int *a, ushort n) { a[(ushort)((ushort)get_local_id(0) * n)] = get_local_id(0); }
