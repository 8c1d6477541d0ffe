// EXPECT: race
// OPTS: --local 32 --groups 4
// WHY: kept is twice the number of elements, and half of it is taken: the last half of the places belongs to the next group.
kernel void front(global const int *edges, global const int *first, global int *out, global int *used) {
  local int kept, base, list[4096];
  const int l = get_local_id(0), v = get_global_id(0);
  if (l == 0) {
    kept = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int e = first[v]; e < first[v + 1]; e++) {
    if (edges[e] > v) {
      list[atomic_add(&kept, 2)] = edges[e];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    base = atomic_add(used, kept / 2);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = l; i < kept; i += (int)get_local_size(0)) {
    out[base + i] = list[i];
  }
}
