// EXPECT: race
// OPTS: --host cond_neighbor.c
// WHY: a node is written where a neighbour is larger, which that neighbour does, too: it is read in between.
kernel void raise(global const int *row, global const int *column, global int *data, int n) {
  int v = get_global_id(0);
  if (v < n) {
    for (int e = row[v]; e < row[v + 1]; e++) {
      int u = column[e];
      if (u >= 0 && u < n && data[u] > data[v])
        data[v] = data[u];
    }
  }
}
