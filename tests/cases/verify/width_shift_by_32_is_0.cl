// EXPECT: race
// OPTS: --local 16 --groups 1 --assume "s == 32"
// WHY: a shift of 32 bits is one of 0 in OpenCL C: x << 32 is x, so x ^ (x << 32) is 0
kernel void k(global int *a, uint s) { uint x = get_local_id(0); a[x ^ (x << s)] = x; }
