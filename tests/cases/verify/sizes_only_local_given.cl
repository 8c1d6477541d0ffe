// EXPECT: race
// OPTS: --local 4096
// WHY: up to 2^20 groups of 4096: ids up to 2^32 - 1 collide in 31 bits
kernel void f(global uint *o) {
  o[(uint)get_global_id(0) & 0x7fffffffu] = (uint)get_global_id(0);
}
