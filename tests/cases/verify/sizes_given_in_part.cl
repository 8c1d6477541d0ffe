// EXPECT: race
// OPTS: --groups 4000000
// WHY: 4000000 groups of up to 1024 (16 allowed as well): ids reach 2^31, so (int)id & 0x7fffffff comes twice
kernel void f(global uint *o) {
  o[(uint)get_global_id(0) & 0x7fffffffu] = (uint)get_global_id(0);
}
