/* Work-groups of one launch: nothing orders them but atomic functions. */

/* One work-item of each group stores to the same element. */
__kernel void same_element(__global int *out) {
  if (get_local_id(0) == 0) {
    out[0] = (int)get_group_id(0) + 1; //@same_element
  }
}

__kernel void own_element(__global int *out) {
  if (get_local_id(0) == 0) {
    out[get_group_id(0)] = (int)get_group_id(0) + 1;
  }
}

/* The same value by all groups: benign. */
__kernel void same_value(__global int *out) {
  if (get_local_id(0) == 0) {
    out[0] = 1; //@same_value
  }
}

/* A stencil in place: a barrier orders the group, but not the neighbours past its ends. */
__kernel void halo(__global int *data) {
  int i = get_global_id(0), n = get_global_size(0);
  int sum = data[max(i - 1, 0)] + data[min(i + 1, n - 1)]; //@halo_load
  barrier(CLK_GLOBAL_MEM_FENCE);
  data[i] = sum; //@halo_store
}

__kernel void halo_of_another(__global const int *data, __global int *out) {
  int i = get_global_id(0), n = get_global_size(0);
  out[i] = data[max(i - 1, 0)] + data[min(i + 1, n - 1)];
}

/* Each group stores its part, and the last one an element too far. */
__kernel void one_too_far(__global int *out) {
  size_t i = get_global_id(0);
  out[i] = (int)i; //@part_store
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) + 1 == get_local_size(0)) {
    out[i + 1] = -1; //@far_store
  }
}

__kernel void far_enough(__global int *out) {
  size_t i = get_global_id(0);
  out[i] = (int)i;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) + 1 == get_local_size(0)) {
    out[i] = -1;
  }
}

/* A counter that one work-item of each group raises. */
__kernel void counter_plain(__global int *count) {
  if (get_local_id(0) == 0) {
    count[0] += (int)get_group_id(0) + 1; //@counter
  }
}

__kernel void counter(__global int *count) {
  if (get_local_id(0) == 0) {
    atomic_add(count, (int)get_group_id(0) + 1);
  }
}

/* A counter is raised by atomic functions and read by a plain load. */
__kernel void counter_peek(__global int *count, __global int *out) {
  if (get_local_id(0) == 0) {
    atomic_inc(count); //@peek_inc
    out[get_group_id(0)] = count[0]; //@peek_load
  }
}

__kernel void counter_asked(__global int *count, __global int *out) {
  if (get_local_id(0) == 0) {
    atomic_inc(count);
    out[get_group_id(0)] = atomic_add(count, 0);
  }
}

/* A counter is set back by a plain store. */
__kernel void counter_reset(__global int *count, __global int *out) {
  if (get_local_id(0) == 0) {
    out[get_group_id(0)] = atomic_inc(count); //@reset_inc
    if (get_group_id(0) == 1) {
      count[0] = 100; //@reset_store
    }
  }
}

__kernel void counter_exchange(__global int *count, __global int *out) {
  if (get_local_id(0) == 0) {
    out[get_group_id(0)] = atomic_inc(count);
    if (get_group_id(0) == 1) {
      atomic_xchg(count, 100);
    }
  }
}

/* A sum of floats by compare-and-exchange. Its first guess may come from a plain load, or be atomic. */
__kernel void guess_plain(__global uint *sum) {
  uint old = sum[0], seen; //@guess_load
  while ((seen = atomic_cmpxchg(sum, old, as_uint(as_float(old) + 1.0f))) != old) { //@guess_exchange
    old = seen;
  }
}

__kernel void guess_atomic(__global uint *sum) {
  uint old = atomic_or(sum, 0), seen;
  while ((seen = atomic_cmpxchg(sum, old, as_uint(as_float(old) + 1.0f))) != old) {
    old = seen;
  }
}

/* Two arguments: one buffer or two. */
__kernel void mirror(__global const int *in, __global int *out) {
  size_t i = get_global_id(0);
  out[i] = in[get_global_size(0) - 1 - i] + 1; //@mirror
}

/* Two arguments of which each work-item uses its own element: no race, even if they are one buffer. */
__kernel void in_place(__global const int *in, __global int *out) {
  size_t i = get_global_id(0);
  out[i] = in[i] + 1;
}

/* Two parts of one buffer: of 32 and 96 elements, which meet or do not. */
__kernel void two_parts(__global int *low, __global int *high) {
  size_t i = get_global_id(0);
  low[i] = (int)i; //@low
  high[i] = 1000 + (int)i; //@high
}

/* A matrix product in place: what one group stores others still load. */
__kernel void product(__global const float *a, __global const float *b, __global float *c) {
  int x = get_global_id(0), y = get_global_id(1), n = get_global_size(0);
  float sum = 0.5f;
  for (int k = 0; k < n; k++) {
    sum += a[y * n + k] * b[k * n + x]; //@product_load
  }
  c[y * n + x] = sum; //@product_store
}

/* Sums of the groups are added without an atomic function. */
__kernel void merge_plain(__global const int *in, __global int *out) {
  __local int bins[4];
  int i = get_local_id(0);
  if (i < 4) {
    bins[i] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[in[get_global_id(0)] % 4]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 4) {
    out[i] += bins[i] + (int)get_group_id(0); //@merge
  }
}

__kernel void merge(__global const int *in, __global int *out) {
  __local int bins[4];
  int i = get_local_id(0);
  if (i < 4) {
    bins[i] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[in[get_global_id(0)] % 4]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 4) {
    atomic_add(&out[i], bins[i] + (int)get_group_id(0));
  }
}

/* Loops over all elements. The step of one is the group's size and not that of all groups. */
__kernel void group_steps(__global int *data, int n) {
  for (int i = get_global_id(0); i < n; i += get_local_size(0)) {
    data[i] = (int)get_global_id(0); //@steps
  }
}

__kernel void grid_steps(__global int *data, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    data[i] = (int)get_global_id(0);
  }
}

/* Elements by the local id: groups meet. */
__kernel void local_index(__global int *out) {
  out[get_local_id(0)] = (int)get_global_id(0); //@local_index
}

/* A buffer that is read by all groups, and written by none. */
__kernel void table(__global const int *table_of, __constant int *factors, __global int *out) {
  size_t i = get_global_id(0);
  out[i] = table_of[i % 5] * factors[i % 3];
}

/* The data decide: an index from memory, with one that is there twice. */
__kernel void scatter(__global const int *index, __global int *out) {
  out[index[get_global_id(0)] / 2] = (int)get_global_id(0); //@scatter
}

__kernel void permute(__global const int *index, __global int *out) {
  out[index[get_global_id(0)]] = (int)get_global_id(0);
}

/* A second launch is ordered after the first: each group of it stores other groups' elements. */
__kernel void turned(__global int *out, int by) {
  size_t n = get_global_size(0);
  out[(get_global_id(0) + by) % n] = (int)get_global_id(0);
}

/* What a group replaces by another value races with other groups' writes, too. */
kernel void replaced(global int *r) {
  const int l = get_local_id(0), g = get_group_id(0);
  if (g == 0 && l == 0) {
    r[0] = 0; //@replaced_first
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (l == 1) {
    r[0] = 1; //@replaced_last
  }
}
kernel void replaced_by_the_same(global int *r) {
  const int l = get_local_id(0), g = get_group_id(0);
  if (g == 0 && l == 0) {
    r[0] = 1; //@same_first
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (l == 1) {
    r[0] = 1; //@same_last
  }
}
kernel void replaced_twice(global int *r) {
  const int l = get_local_id(0), g = get_group_id(0);
  for (int k = 0; k < 3; k++) {
    if (g == 0 && l == k) {
      r[0] = k; //@twice_first
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  if (l == 3) {
    r[0] = 7; //@twice_last
  }
}
kernel void replaced_own(global int *r) {
  const int l = get_local_id(0), g = get_group_id(0);
  for (int k = 0; k < 3; k++) {
    if (l == k) {
      r[g] = k;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}

// What a work-item resets, and all then set to one value after a barrier, is one value.
__kernel void reset_same(__global int *a) {
  __local int flag;
  if (get_local_id(0) == 0) {
    flag = 0;
    a[get_group_id(0)] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  flag = 1; //@reset_local
  a[get_group_id(0)] = 1; //@reset_global
}

__kernel void reset_other(__global int *a) {
  if (get_local_id(0) == 0)
    a[get_group_id(0)] = 0;
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[get_group_id(0)] = (int)get_local_id(0) / 8; //@reset_other
}
