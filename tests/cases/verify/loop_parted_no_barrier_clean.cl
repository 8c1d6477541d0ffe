// EXPECT: clean
// OPTS: --local 32 --groups 2 --assume 'careful == 0'
// OPTS: --assume 'careful == 0'
// WHY: with careful = 0 there is no barrier at all; each work-item stores its own element.
kernel void age(global int *count, int careful) {
  const int l = get_local_id(0);
  int n = 0;
  for (int m = 7 + l; m > 0; m--) {
    n++;
    if (careful) {
      barrier(CLK_GLOBAL_MEM_FENCE);
    }
  }
  count[get_global_id(0)] = n;
}
