// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: work-item l stores a + l: all into slot
typedef global int *place;
kernel void f(global int *a) {
  local place slot, tab[64];
  const int l = get_local_id(0);
  tab[l] = a + l;
  barrier(CLK_LOCAL_MEM_FENCE);
  slot = tab[l];
}
