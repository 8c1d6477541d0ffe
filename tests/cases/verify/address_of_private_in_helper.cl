// EXPECT: race
// OPTS: --local 16 --groups 1
// CERTAIN: no
// WHY: the helper gets the address of a variable of each work-item
static ulong low(int *p) { *p += 1; return (ulong)p & 0xfff; }
kernel void k(global ulong *a) { int mine = get_local_id(0); a[0] = low(&mine); }
