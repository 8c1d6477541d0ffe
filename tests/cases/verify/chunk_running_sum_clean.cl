// EXPECT: clean
// OPTS: --local 64 --groups 4 --assume 'chunk > 0'
// OPTS: --assume 'chunk > 0'
// WHY: work-item g has the elements from g * chunk up to, but not including, (g + 1) * chunk.
kernel void scan_chunks(global int *v, global int *sums, int chunk, int n) {
  const int g = get_global_id(0), first = g * chunk;
  int running = 0;
  for (int i = first; i < first + chunk && i < n; i++) {
    running += v[i];
    v[i] = running;
  }
  sums[g] = running;
}
