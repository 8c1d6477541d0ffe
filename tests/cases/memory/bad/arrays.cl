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
// ARG: local int 15
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
// KERNEL: of_a_variable
// GLOBAL: 4
// LOCAL: 4
// ARG: out
// READ: out
// WHY: local, private and constant arrays are objects, too, and so are the memory of __local parameters and variables.
constant int table[5] = {1, 2, 3, 4, 5};

kernel void own_array(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int seen[8];
  for (int k = 0; k < 8; k++)
    seen[k] = in[(i + k) & 63];
  out[i] = seen[in[i] & 15]; // ERROR: out-of-bounds
}

kernel void own_table(global const int *in, global int *out) {
  const int i = get_global_id(0);
  out[i] = table[in[i]]; // ERROR: out-of-bounds
}

kernel void tile_written(global const int *in, global int *out) {
  local int tile[16];
  const int l = get_local_id(0);
  tile[l + 1] = in[get_global_id(0)]; // ERROR: out-of-bounds
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l > 0)
    out[get_global_id(0)] = tile[l];
}

kernel void handed_tile(global const int *in, global int *out, local int *tile) {
  const int l = get_local_id(0);
  tile[l] = in[get_global_id(0)]; // ERROR: out-of-bounds
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[0];
}

typedef struct {
  int head;
  int items[4];
} record;

kernel void member_array(global const int *in, global int *out) {
  const int i = get_global_id(0);
  record r = {7, {1, 2, 3, 4}};
  out[i] = r.items[i & 7]; // ERROR: out-of-bounds
}

static int third(const int *p, int n) {
  return p[n + 2]; // ERROR: out-of-bounds
}

kernel void to_a_function(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int own[4] = {in[i], 1, 2, 3};
  out[i] = third(own, i & 3);
}

kernel void vector_of_tile(global const int *in, global int *out) {
  local int tile[16];
  const int l = get_local_id(0);
  tile[l] = in[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int4 v = vload4(l / 3, tile); // ERROR: out-of-bounds
  out[l] = v.x + v.w;
}

kernel void counted(global const int *in, global int *out) {
  local int counts[4];
  const int l = get_local_id(0);
  if (l < 4)
    counts[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&counts[in[l] >> 1]); // ERROR: out-of-bounds
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 4)
    out[l] = counts[l];
}

static void put(int *to, int k, int value) {
  to[k] = value; // ERROR: out-of-bounds
}

kernel void of_a_variable(global int *out) {
  const int i = get_global_id(0);
  int one = 0;
  put(&one, i >> 1, 5);
  out[i] = one;
}
