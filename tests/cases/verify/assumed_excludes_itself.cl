// EXPECT: possible-ok
// OPTS: --assume 'n > 4' --assume 'n < 4'
// OPTS: --local 16 --groups 2 --assume 'n > get_global_size(0)' --assume 'n == 20'
// WHY: all work-items write first[0]; no launch satisfies what is assumed, so a proof says nothing.
kernel void all_write(global int *first, int n) {
  first[0] = get_global_id(0) + n;
}
