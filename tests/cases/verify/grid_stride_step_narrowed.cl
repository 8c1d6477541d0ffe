// EXPECT: race
// OPTS: --local 32 --groups 2 --assume 'step == 4294967297' --assume 'n <= 100000'
// WHY: r has 32 bits, so a step of 2^32 + 1 is one of 1: work-item 0 comes to the first place of work-item 1. With 64 bits no place would come twice.
kernel void fill(global int *out, int n, ulong step) {
  int k = 0;
  for (int r = get_global_id(0); r < n && k < 4; r += step, k++) {
    out[r] = get_global_id(0);
  }
}
