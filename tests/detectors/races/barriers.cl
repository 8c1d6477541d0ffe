/* Work-items of a group and the barriers between them. Each kernel with a race is followed by its twin without one.
 * "//@NAME" at the end of a line is a place that cases.txt names. */

/* No barrier between a store and the load of another's element. */
__kernel void reversed(__global const int *in, __global int *out, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  tile[i] = in[get_global_id(0)]; //@reversed_store
  out[get_global_id(0)] = tile[n - 1 - i]; //@reversed_load
}

__kernel void reversed_ordered(__global const int *in, __global int *out, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  tile[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[n - 1 - i];
}

/* A barrier for global memory orders nothing of local memory. */
__kernel void global_flag(__global const int *in, __global int *out, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  tile[i] = in[get_global_id(0)]; //@global_flag_store
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = tile[(i + 1) % n]; //@global_flag_load
}

/* A barrier for local memory orders nothing of global memory. */
__kernel void local_flag(__global int *data, __global int *out) {
  size_t g = get_global_id(0), first = g - get_local_id(0);
  data[g] = (int)g * 3; //@local_flag_store
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = data[first + (g + 1 - first) % get_local_size(0)]; //@local_flag_load
}

__kernel void right_flag(__global int *data, __global int *out) {
  size_t g = get_global_id(0), first = g - get_local_id(0);
  data[g] = (int)g * 3;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[g] = data[first + (g + 1 - first) % get_local_size(0)];
}

/* Both memories are shared: one flag is too few. */
__kernel void one_of_two_flags(__global int *data, __global int *out, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0), first = get_global_id(0) - i;
  tile[i] = (int)i;
  data[first + i] = (int)i * 2; //@two_flags_store
  barrier(CLK_LOCAL_MEM_FENCE);
  out[first + i] = tile[n - 1 - i] + data[first + n - 1 - i]; //@two_flags_load
}

__kernel void two_flags(__global int *data, __global int *out, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0), first = get_global_id(0) - i;
  tile[i] = (int)i;
  data[first + i] = (int)i * 2;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[first + i] = tile[n - 1 - i] + data[first + n - 1 - i];
}

/* A fence orders what one work-item does. It does not wait for the others. */
__kernel void fence_only(__global const int *in, __global int *out, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  tile[i] = in[get_global_id(0)]; //@fence_only_store
  mem_fence(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[(i + 1) % n]; //@fence_only_load
}

/* A running sum. The barrier at the end of the loop is missing: a store of one turn meets a load of the next. */
__kernel void scan_one_barrier(__global int *data, __local int *sum) {
  uint i = get_local_id(0), n = get_local_size(0);
  sum[i] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint d = 1; d < n; d *= 2) {
    int more = i >= d ? sum[i - d] : 0; //@scan_load
    barrier(CLK_LOCAL_MEM_FENCE);
    sum[i] += more; //@scan_store
  }
  data[get_global_id(0)] = sum[i];
}

__kernel void scan_two_barriers(__global int *data, __local int *sum) {
  uint i = get_local_id(0), n = get_local_size(0);
  sum[i] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint d = 1; d < n; d *= 2) {
    int more = i >= d ? sum[i - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum[i] += more;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  data[get_global_id(0)] = sum[i];
}

/* A tree of sums. The last turns run without a barrier, as if work-items ran in lock step. */
__kernel void tree_lock_step(__global const int *in, __global int *out, __local int *sum) {
  uint i = get_local_id(0);
  sum[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint d = get_local_size(0) / 2; d > 0; d /= 2) {
    if (i < d) {
      sum[i] += sum[i + d]; //@tree
    }
    if (d > 4) {
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  if (i == 0) {
    out[get_group_id(0)] = sum[0];
  }
}

__kernel void tree(__global const int *in, __global int *out, __local int *sum) {
  uint i = get_local_id(0);
  sum[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint d = get_local_size(0) / 2; d > 0; d /= 2) {
    if (i < d) {
      sum[i] += sum[i + d];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0) {
    out[get_group_id(0)] = sum[0];
  }
}

/* An argument says whether there is a barrier: 0 has a race, 1 has none. */
__kernel void optional_barrier(__global int *out, __local int *tile, int wait) {
  size_t i = get_local_id(0);
  tile[i] = (int)i; //@optional_store
  if (wait) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = tile[i ^ 1]; //@optional_load
}

static void meet(void) {
  barrier(CLK_LOCAL_MEM_FENCE);
}

/* The barrier is in a function. The second exchange has none. */
__kernel void second_exchange(__global int *out, __local int *tile) {
  size_t i = get_local_id(0);
  tile[i] = (int)i;
  meet();
  int other = tile[i ^ 1]; //@second_load
  tile[i] = other; //@second_store
  out[get_global_id(0)] = other;
}

__kernel void two_exchanges(__global int *out, __local int *tile) {
  size_t i = get_local_id(0);
  tile[i] = (int)i;
  meet();
  int other = tile[i ^ 1];
  meet();
  tile[i] = other;
  out[get_global_id(0)] = other;
}

/* Two halves of a tile take turns, so one barrier a turn is enough. With one tile it is not. */
__kernel void one_tile(__global const int *in, __global int *out, __local int *tile) {
  int i = get_local_id(0), n = get_local_size(0), sum = 0;
  for (int turn = 0; turn < 4; turn++) {
    tile[i] = in[turn * n + i]; //@one_tile_store
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += tile[n - 1 - i]; //@one_tile_load
  }
  out[get_global_id(0)] = sum;
}

__kernel void two_tiles(__global const int *in, __global int *out, __local int *tile) {
  int i = get_local_id(0), n = get_local_size(0), sum = 0;
  for (int turn = 0; turn < 4; turn++) {
    __local int *half_of_it = tile + (turn & 1) * n;
    half_of_it[i] = in[turn * n + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += half_of_it[n - 1 - i];
  }
  out[get_global_id(0)] = sum;
}

/* Work-items that part and meet again at a barrier in a branch that all of them take. */
__kernel void branch_after(__global int *out, __local int *tile) {
  size_t i = get_local_id(0);
  if (i < 8) {
    tile[i] = (int)i + 1; //@branch_store
  }
  if (i >= 8) {
    out[get_global_id(0)] = tile[i - 8]; //@branch_load
  }
}

__kernel void branch_after_ordered(__global int *out, __local int *tile) {
  size_t i = get_local_id(0);
  if (i < 8) {
    tile[i] = (int)i + 1;
  }
  if (get_local_size(0) > 8) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i >= 8) {
    out[get_global_id(0)] = tile[i - 8];
  }
}
