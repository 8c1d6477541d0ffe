// EXPECT: clean
// OPTS:
// OPTS: --local 64
// OPTS: --local 64 --groups 4
// OPTS: --assume 'n < 1000'
// WHY: the requirement n > 0 makes places n apart, so each work-item has its own. With sizes said as well the same holds.
kernel void spread(global int *a, int n) {
  __requires(n > 0);
  a[get_global_id(0) * n] = get_global_id(0);
}
