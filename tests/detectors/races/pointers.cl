/* Pointers that are handed on, moved, chosen and kept. */

static void put(__global int *at, int value) {
  *at = value; //@put
}

static int get(__global const int *at) {
  return *at; //@get
}

/* A function stores for it. */
__kernel void put_shared(__global int *out) {
  put(out + get_global_id(0) / 2, (int)get_global_id(0));
}

__kernel void put_own(__global int *out) {
  put(out + get_global_id(0), (int)get_global_id(0));
}

/* One function stores, another loads the neighbour's. */
__kernel void get_next(__global int *data, __global int *out) {
  size_t i = get_global_id(0);
  put(data + i, 5 + (int)i);
  out[i] = get(data + (i + 1) % get_global_size(0));
}

__kernel void get_own(__global int *data, __global int *out) {
  size_t i = get_global_id(0);
  put(data + i, 5 + (int)i);
  out[i] = get(data + i);
}

/* A pointer walks over the elements: all of them from the first, or each over its own. */
__kernel void walk_shared(__global int *data) {
  int n = 8;
  for (__global int *at = data; at < data + n; ++at) {
    *at = (int)get_global_id(0); //@walk
  }
}

__kernel void walk_own(__global int *data) {
  int n = 8;
  __global int *at = data + get_global_id(0) * n;
  while (n-- > 0) {
    *at++ = (int)get_global_id(0);
  }
}

/* A choice of two buffers. chosen_own has a race when both arguments are one buffer. */
__kernel void chosen(__global int *a, __global int *b) {
  size_t i = get_global_id(0);
  __global int *to = i < 8 ? a : b;
  to[i % 4] = (int)i; //@chosen
}

__kernel void chosen_own(__global int *a, __global int *b) {
  size_t i = get_global_id(0);
  __global int *to = i < 8 ? a : b;
  to[i % 8] = (int)i; //@chosen_own
}

/* Pointers in an array of the work-item's own, and in a structure. */
typedef struct {
  __global int *from;
  __global int *to;
} ends;

__kernel void kept_shared(__global int *data) {
  int i = get_global_id(0);
  __global int *rows[2] = {data, data + 1};
  ends e;
  e.from = rows[0] + i;
  e.to = rows[1] + i;
  *e.to = *e.from + 1; //@kept
}

__kernel void kept_own(__global int *data) {
  int i = get_global_id(0);
  __global int *rows[2] = {data, data + get_global_size(0)};
  ends e;
  e.from = rows[0] + i;
  e.to = rows[1] + i;
  *e.to = *e.from + 1;
}

static void swap_in(__local int *tile, uint a, uint b) {
  int kept = tile[a]; //@swap_load
  tile[a] = tile[b]; //@swap_move
  tile[b] = kept; //@swap_store
}

/* Exchanges in local memory by a function: one of each pair does it, or both. */
__kernel void swap_both(__global int *out, __local int *tile) {
  uint i = get_local_id(0);
  tile[i] = (int)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  swap_in(tile, i, i ^ 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[i];
}

__kernel void swap_one(__global int *out, __local int *tile) {
  uint i = get_local_id(0);
  tile[i] = (int)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i % 2 == 0) {
    swap_in(tile, i, i ^ 1);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[i];
}

/* A kernel that is called by another. */
__kernel void store_at(__global int *out, int at) {
  out[at] = (int)get_global_id(0); //@store_at
}

__kernel void call_shared(__global int *out) {
  store_at(out, (int)get_global_id(0) / 4);
}

__kernel void call_own(__global int *out) {
  store_at(out, (int)get_global_id(0));
}

/* An access in a macro. */
#define AT(p, i) ((p)[(i)]) //@macro_body
__kernel void macro_shared(__global int *out) {
  AT(out, get_global_id(0) % 8) = (int)get_global_id(0); //@macro_use
}

__kernel void macro_own(__global int *out) {
  AT(out, get_global_id(0)) = (int)get_global_id(0);
}
