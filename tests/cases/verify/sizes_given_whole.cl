// EXPECT: race
// OPTS: --groups 4000000 --local 1024
// WHY: as k15 with all sizes
kernel void f(global uint *o) {
  o[(uint)get_global_id(0) & 0x7fffffffu] = (uint)get_global_id(0);
}
