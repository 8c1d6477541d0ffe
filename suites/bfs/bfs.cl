/* Breadth-first search, a launch for each level. The neighbours of node v are target[first[v]] to
 * target[first[v + 1] - 1]; edges go both ways. Build with -D UNSEEN=<depth of nodes not yet reached>. */

__kernel void prepare(const int nodes, const int source, __global int *depth) {
  const int node = get_global_id(0);
  if (node < nodes)
    depth[node] = node == source ? 0 : UNSEEN;
}

/* Goes from the nodes of one level to the next. `changed` becomes 1 when it found a node. */
__kernel void expand(const int nodes, const int level, __global const int *first, __global const int *target,
                     __global int *depth, __global int *changed) {
  const int node = get_global_id(0);
  if (node >= nodes || depth[node] != level)
    return;
  for (int edge = first[node]; edge < first[node + 1]; edge++) {
    const int neighbour = target[edge];
    if (depth[neighbour] != UNSEEN)
      continue;
    depth[neighbour] = level + 1;
    *changed = 1;
  }
}

/* The way back from a goal that was reached: one work-item writes the nodes from `goal` to the source. */
__kernel void walk_back(const int goal, __global const int *first, __global const int *target,
                        __global const int *depth, __global int *path) {
  int node = goal;
  int steps = 0;
  path[steps++] = node;
  while (depth[node] > 0) {
    for (int edge = first[node];; edge++) {
      if (depth[target[edge]] == depth[node] - 1) {
        node = target[edge];
        break;
      }
    }
    path[steps++] = node;
  }
}
