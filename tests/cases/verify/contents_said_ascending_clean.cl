// EXPECT: clean
// OPTS: --assume 'ascending(offset)'
// WHY: rows of a sparse matrix: each ends where the next one begins.
kernel void rows(global int *out, global const uint *offset) {
  const uint g = get_global_id(0);
  for (uint k = offset[g]; k < offset[g + 1]; k++) {
    out[k] = g;
  }
}
