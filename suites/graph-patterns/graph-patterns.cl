/* Planted defects: five patterns of irregular graph code, each with a defect between work-groups and done right.
 *
 * The neighbours of vertex v are target[first[v]] to target[first[v + 1] - 1]; edges go both ways. An edge leads uphill
 * when its target has the greater height. Build with -D FAR=<height from which on a vertex is far>. */

/* How many edges lead uphill from a vertex. */
static int edges_uphill(const int v, __global const int *first, __global const int *target,
                        __global const int *height) {
  int edges = 0;
  for (int edge = first[v]; edge < first[v + 1]; edge++)
    edges += height[target[edge]] > height[v];
  return edges;
}

/* Conditional edge. Counts the edges that lead uphill, but no more than `enough`.
 * DEFECT: a group looks before it counts. Which groups find less than enough, and how far beyond it they come, is
 * decided by their order. */
__kernel void count_edges(const int vertices, __global const int *first, __global const int *target,
                          __global const int *height, const int enough, volatile __global int *count) {
  __local int before;
  __local int found;
  const int v = get_global_id(0);
  if (get_local_id(0) == 0) {
    before = *count;
    found = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (v < vertices && before < enough)
    atomic_add(&found, edges_uphill(v, first, target, height));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    atomic_add(count, found);
}

/* The same done right: what a group adds beyond enough it takes back. Nothing is to be taken back of a count that is
 * less than enough, so this never goes too far. */
__kernel void count_edges_capped(const int vertices, __global const int *first, __global const int *target,
                                 __global const int *height, const int enough, volatile __global int *count) {
  __local int found;
  const int v = get_global_id(0);
  if (get_local_id(0) == 0)
    found = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (v < vertices)
    atomic_add(&found, edges_uphill(v, first, target, height));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    const int before = atomic_add(count, found);
    if (before + found > enough)
      atomic_sub(count, before + found - max(before, enough));
  }
}

/* Push. Each vertex tells its higher neighbours that it is below them.
 * DEFECT: of several lower neighbours, the last to store decides, whichever that is. */
__kernel void push_last(const int vertices, __global const int *first, __global const int *target,
                        __global const int *height, __global int *below) {
  const int v = get_global_id(0);
  if (v >= vertices)
    return;
  for (int edge = first[v]; edge < first[v + 1]; edge++)
    if (height[target[edge]] > height[v])
      below[target[edge]] = v;
}

/* The same done right: the neighbour with the greatest number stays. */
__kernel void push_greatest(const int vertices, __global const int *first, __global const int *target,
                            __global const int *height, __global int *below) {
  const int v = get_global_id(0);
  if (v >= vertices)
    return;
  for (int edge = first[v]; edge < first[v + 1]; edge++)
    if (height[target[edge]] > height[v])
      atomic_max(&below[target[edge]], v);
}

/* Pull. Each vertex adds the loads of its neighbours to its own.
 * DEFECT: neighbours in groups that came before have their new loads already. */
__kernel void pull_in_place(const int vertices, __global const int *first, __global const int *target,
                            __global int *load) {
  const int v = get_global_id(0);
  if (v >= vertices)
    return;
  int sum = load[v];
  for (int edge = first[v]; edge < first[v + 1]; edge++)
    sum += load[target[edge]];
  load[v] = sum;
}

/* The same done right: the new loads have a buffer of their own. */
__kernel void pull(const int vertices, __global const int *first, __global const int *target, __global const int *load,
                   __global int *new_load) {
  const int v = get_global_id(0);
  if (v >= vertices)
    return;
  int sum = load[v];
  for (int edge = first[v]; edge < first[v + 1]; edge++)
    sum += load[target[edge]];
  new_load[v] = sum;
}

/* Populate worklist. Lists the vertices that have a higher neighbour, near ones in front of far ones.
 * DEFECT: there may be more near ones to come, which take the slots of far ones. */
__kernel void list_behind(const int vertices, __global const int *first, __global const int *target,
                          __global const int *height, volatile __global int *near, volatile __global int *far,
                          __global int *list) {
  const int v = get_global_id(0);
  if (v >= vertices || edges_uphill(v, first, target, height) == 0)
    return;
  if (height[v] < FAR)
    list[atomic_inc(near)] = v;
  else
    list[*near + atomic_inc(far)] = v;
}

/* The same done right: far ones come from the other end of the list, which has a slot for each vertex. */
__kernel void list_from_ends(const int vertices, __global const int *first, __global const int *target,
                             __global const int *height, volatile __global int *near, volatile __global int *far,
                             __global int *list) {
  const int v = get_global_id(0);
  if (v >= vertices || edges_uphill(v, first, target, height) == 0)
    return;
  if (height[v] < FAR)
    list[atomic_inc(near)] = v;
  else
    list[vertices - 1 - atomic_inc(far)] = v;
}

/* Visits the vertices in a list; slots below 0 are empty. */
__kernel void visit_list(const int slots, __global const int *list, __global int *visits) {
  const int slot = get_global_id(0);
  if (slot < slots && list[slot] >= 0)
    atomic_inc(&visits[list[slot]]);
}

/* The root of a vertex's tree; shortens the way there. */
static int root_of(__global int *parent, int v) {
  while (parent[v] != v) {
    parent[v] = parent[parent[v]];
    v = parent[v];
  }
  return v;
}

/* Path compression. Makes one tree of the vertices that are connected by edges that lead uphill.
 * DEFECT: a vertex hangs its neighbour's tree below its own. So the last to come is at the root, and a store is lost
 * when another vertex finds the same root at the same time. */
__kernel void hook_stores(const int vertices, __global const int *first, __global const int *target,
                          __global const int *height, __global int *parent) {
  const int v = get_global_id(0);
  if (v >= vertices)
    return;
  for (int edge = first[v]; edge < first[v + 1]; edge++)
    if (height[target[edge]] > height[v]) {
      const int root = root_of(parent, v);
      parent[root_of(parent, target[edge])] = root;
    }
}

/* Makes one tree of those of two vertices: hangs the greater below the smaller if it still is a root, else goes up. */
static void join(volatile __global int *parent, int a, int b) {
  while (a != b) {
    const int high = max(a, b);
    const int low = min(a, b);
    const int seen = atomic_cmpxchg(&parent[high], high, low);
    a = seen == high ? low : seen;
    b = low;
  }
}

/* The same done right: the root is the smallest vertex, and only a root is hung below another vertex. */
__kernel void hook(const int vertices, __global const int *first, __global const int *target,
                   __global const int *height, volatile __global int *parent) {
  const int v = get_global_id(0);
  if (v >= vertices)
    return;
  for (int edge = first[v]; edge < first[v + 1]; edge++)
    if (height[target[edge]] > height[v])
      join(parent, v, target[edge]);
}

/* Labels each vertex with the root of its tree. */
__kernel void label_roots(const int vertices, __global const int *parent, __global int *label) {
  const int v = get_global_id(0);
  if (v >= vertices)
    return;
  int root = v;
  while (parent[root] != root)
    root = parent[root];
  label[v] = root;
}
