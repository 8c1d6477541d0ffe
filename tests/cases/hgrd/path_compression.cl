// EXPECT: race
// OPTS: --host path_compression.c
// WHY: a work-item reads the parent of a node while another one writes it: both plain, and nothing orders them.
kernel void compress(global int *parent, int n) {
  int v = get_global_id(0);
  if (v < n) {
    int at = v;
    while (parent[at] != at)
      at = parent[at];
    parent[v] = at;
  }
}
