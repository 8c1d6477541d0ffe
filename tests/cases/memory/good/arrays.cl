// BUFFER: in int 64 ramp ro
// BUFFER: out int 64 zeros
// KERNEL: own_array
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: own_table
// GLOBAL: 16
// LOCAL: 4
// ARG: in
// ARG: out
// KERNEL: tile_written
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: handed_tile
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// ARG: local int 16
// KERNEL: member_array
// GLOBAL: 16
// LOCAL: 4
// ARG: in
// ARG: out
// KERNEL: to_a_function
// GLOBAL: 16
// LOCAL: 4
// ARG: in
// ARG: out
// KERNEL: vector_of_tile
// GLOBAL: 16
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: counted
// GLOBAL: 64
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: over_the_row
// GLOBAL: 16
// LOCAL: 16
// ARG: in
// ARG: out
// KERNEL: small_types
// GLOBAL: 16
// LOCAL: 16
// ARG: in
// ARG: out
// READ: out
// WHY: the twins of bad/arrays.cl; a row of an array may be left for the next one.
constant int table[5] = {1, 2, 3, 4, 5};

kernel void own_array(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int seen[8];
  for (int k = 0; k < 8; k++)
    seen[k] = in[(i + k) & 63];
  out[i] = seen[in[i] & 7];
}

kernel void own_table(global const int *in, global int *out) {
  const int i = get_global_id(0);
  out[i] = table[in[i] % 5];
}

kernel void tile_written(global const int *in, global int *out) {
  local int tile[17];
  const int l = get_local_id(0);
  tile[l + 1] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[l + 1];
}

kernel void handed_tile(global const int *in, global int *out, local int *tile) {
  const int l = get_local_id(0);
  tile[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[15 - l];
}

typedef struct {
  int head;
  int items[4];
} record;

kernel void member_array(global const int *in, global int *out) {
  const int i = get_global_id(0);
  record r = {7, {1, 2, 3, 4}};
  record many[2] = {r, r};
  out[i] = r.items[i & 3] + many[i & 1].items[i >> 2];
}

static int third(const int *p, int n) { return p[n + 2]; }

kernel void to_a_function(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int own[4] = {in[i], 1, 2, 3};
  out[i] = third(own, i & 1) + third(own + 1, -(i & 3));
}

kernel void vector_of_tile(global const int *in, global int *out) {
  local int tile[16];
  const int l = get_local_id(0);
  tile[l] = in[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int4 v = vload4(l / 4, tile);
  out[l] = v.x + v.w;
}

kernel void counted(global const int *in, global int *out) {
  local int counts[4], sum;
  const int l = get_local_id(0);
  if (l < 4)
    counts[l] = 0;
  if (l == 0)
    sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&counts[in[l] & 3]);
  atomic_add(&sum, in[l]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 4)
    out[l] = counts[l] + sum;
}

kernel void over_the_row(global const int *in, global int *out) {
  local int tile[4][4];
  const int l = get_local_id(0);
  (&tile[0][0])[l] = in[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = l < 15 ? tile[0][l + 1] : 0;
}

kernel void small_types(global const int *in, global int *out) {
  const int i = get_global_id(0);
  uchar bytes[4] = {200, 100, 255, 1};
  char signs[4] = {-128, 127, -1, 1};
  out[i] = add_sat(bytes[i & 3], bytes[in[i] & 3]) + add_sat(signs[i & 3], signs[in[i] & 3]) +
           (int)sub_sat(bytes[in[i] & 3], bytes[i >> 2]);
}
