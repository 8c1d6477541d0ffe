/* Local memory: arguments, arrays and single variables of the kernel. */

/* One work-item prepares a counter that the others use at once. */
__kernel void not_yet_zero(__global const int *in, __global int *out) {
  __local int total;
  if (get_local_id(0) == 0) {
    total = 0; //@zero
  }
  atomic_add(&total, in[get_global_id(0)]); //@zero_add
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    out[get_group_id(0)] = total;
  }
}

__kernel void zero_first(__global const int *in, __global int *out) {
  __local int total;
  if (get_local_id(0) == 0) {
    total = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&total, in[get_global_id(0)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    out[get_group_id(0)] = total;
  }
}

/* The last one reads the counter before all have added. */
__kernel void total_too_early(__global const int *in, __global int *out) {
  __local int total;
  if (get_local_id(0) == 0) {
    total = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&total, in[get_global_id(0)]); //@early_add
  if (get_local_id(0) == 0) {
    out[get_group_id(0)] = total; //@early_load
  }
}

/* One variable of the group that each work-item takes for its own. */
__kernel void one_for_all(__global int *out) {
  __local int mine;
  mine = (int)get_local_id(0); //@mine_store
  out[get_global_id(0)] = mine * 2; //@mine_load
}

__kernel void one_each(__global int *out) {
  __local int mine[16];
  mine[get_local_id(0)] = (int)get_local_id(0);
  out[get_global_id(0)] = mine[get_local_id(0)] * 2;
}

/* A tile is transposed; rows are stored, columns are loaded. */
__kernel void transpose(__global const int *in, __global int *out) {
  __local int tile[4][5];
  int x = get_local_id(0), y = get_local_id(1);
  int gx = get_global_id(0), gy = get_global_id(1), n = get_global_size(0);
  tile[y][x] = in[gy * n + gx]; //@transpose_store
  out[gy * n + gx] = tile[x][y]; //@transpose_load
}

__kernel void transpose_ordered(__global const int *in, __global int *out) {
  __local int tile[4][5];
  int x = get_local_id(0), y = get_local_id(1);
  int gx = get_global_id(0), gy = get_global_id(1), n = get_global_size(0);
  tile[y][x] = in[gy * n + gx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[gy * n + gx] = tile[x][y];
}

/* Rows of four are taken for rows of three. */
__kernel void rows_meet(__global int *out, __local int *tile) {
  int x = get_local_id(0), y = get_local_id(1);
  tile[y * 3 + x] = y * 10 + x; //@rows
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = tile[y * 3 + x];
}

/* Two arguments, an array and a variable of the kernel are four memories. */
__kernel void four_memories(__global int *out, __local int *a, __local int *b) {
  __local int c[16];
  __local int d;
  int i = get_local_id(0);
  if (i < 4) {
    a[i] = 1;
  } else if (i < 8) {
    b[i - 4] = 2;
  } else if (i < 12) {
    c[i - 8] = 3;
  } else if (i == 12) {
    d = 4;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = a[i % 4] + b[i % 4] + c[i % 4] + d;
}

/* Two halves of one argument. The second begins one element too early. */
__kernel void halves_meet(__global int *out, __local int *both) {
  int i = get_local_id(0), n = get_local_size(0);
  __local int *low = both, *high = both + n - 1;
  low[i] = i; //@low
  high[i] = 100 + i; //@high
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = low[i];
}

__kernel void halves_apart(__global int *out, __local int *both) {
  int i = get_local_id(0), n = get_local_size(0);
  __local int *low = both, *high = both + n;
  low[i] = i;
  high[i] = 100 + i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = low[n - 1 - i] + high[n - 1 - i];
}

typedef struct {
  float value;
  int index;
} best;

/* The greatest element and where it is. Two work-items change the group's one. */
__kernel void best_of(__global const float *in, __global int *out) {
  __local best found;
  int i = get_local_id(0);
  if (i == 0) {
    found.value = -1.0f;
    found.index = -1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float mine = in[get_global_id(0)];
  if (mine > found.value) { //@best_load
    found.value = mine; //@best_value
    found.index = i; //@best_index
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) {
    out[get_group_id(0)] = found.index;
  }
}

__kernel void best_of_one(__global const float *in, __global int *out) {
  __local best found;
  __local float all[16];
  int i = get_local_id(0);
  all[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) {
    found.value = all[0];
    found.index = 0;
    for (int k = 1; k < (int)get_local_size(0); k++) {
      if (all[k] > found.value) {
        found.value = all[k];
        found.index = k;
      }
    }
    out[get_group_id(0)] = found.index;
  }
}

/* A histogram of the group: without atomic functions updates are lost. */
__kernel void histogram_plain(__global const int *in, __global int *out) {
  __local int bins[4];
  int i = get_local_id(0);
  if (i < 4) {
    bins[i] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  bins[in[get_global_id(0)] % 4] += 1 + i; //@bins
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 4) {
    out[get_group_id(0) * 4 + i] = bins[i];
  }
}

__kernel void histogram(__global const int *in, __global int *out) {
  __local int bins[4];
  int i = get_local_id(0);
  if (i < 4) {
    bins[i] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[in[get_global_id(0)] % 4], 1 + i);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 4) {
    out[get_group_id(0) * 4 + i] = bins[i];
  }
}
