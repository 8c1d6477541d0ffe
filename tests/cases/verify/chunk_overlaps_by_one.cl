// EXPECT: race
// OPTS: --local 32 --groups 2 --assume 'chunk > 0'
// WHY: the loop runs to first + chunk inclusive: with chunk = 1, work-item 0 changes v[1], the first element of work-item 1, which changes it, too.
kernel void scan_chunks(global int *v, int chunk) {
  const int first = get_global_id(0) * chunk;
  int running = 0;
  for (int i = first; i <= first + chunk; i++) {
    running += v[i];
    v[i] = running;
  }
}
