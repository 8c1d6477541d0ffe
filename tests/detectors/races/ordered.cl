/* OpenCL C 3.0: atomic functions that say what they order, and for whom. */

/* Release and acquire hand a value on; relaxed accesses do not. */
__kernel void release_acquire(__global atomic_int *turn, __global atomic_int *ready, __global int *value, __global int *out) {
  if (get_local_id(0) == 0) {
    if (atomic_fetch_add_explicit(turn, 1, memory_order_relaxed, memory_scope_device) == 0) {
      value[0] = 42 + (int)get_group_id(0);
      atomic_store_explicit(ready, 1, memory_order_release, memory_scope_device);
    } else {
      while (atomic_load_explicit(ready, memory_order_acquire, memory_scope_device) == 0) {
      }
      out[get_group_id(0)] = value[0];
    }
  }
}

__kernel void relaxed(__global atomic_int *turn, __global atomic_int *ready, __global int *value, __global int *out) {
  if (get_local_id(0) == 0) {
    if (atomic_fetch_add_explicit(turn, 1, memory_order_relaxed, memory_scope_device) == 0) {
      value[0] = 42 + (int)get_group_id(0); //@relaxed_store
      atomic_store_explicit(ready, 1, memory_order_relaxed, memory_scope_device);
    } else {
      while (atomic_load_explicit(ready, memory_order_relaxed, memory_scope_device) == 0) {
      }
      out[get_group_id(0)] = value[0]; //@relaxed_load
    }
  }
}

/* Relaxed accesses and fences of their own. */
__kernel void explicit_fences(__global atomic_int *turn, __global atomic_int *ready, __global int *value, __global int *out) {
  if (get_local_id(0) == 0) {
    if (atomic_fetch_add_explicit(turn, 1, memory_order_relaxed, memory_scope_device) == 0) {
      value[0] = 42 + (int)get_group_id(0);
      atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
      atomic_store_explicit(ready, 1, memory_order_relaxed, memory_scope_device);
    } else {
      while (atomic_load_explicit(ready, memory_order_relaxed, memory_scope_device) == 0) {
      }
      atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
      out[get_group_id(0)] = value[0];
    }
  }
}

/* Atomic functions for the work-group alone do not make a counter of several groups. */
__kernel void group_scope(__global atomic_int *count) {
  if (get_local_id(0) == 0) {
    atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_work_group); //@group_scope
  }
}

__kernel void device_scope(__global atomic_int *count) {
  if (get_local_id(0) == 0) {
    atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device);
  }
}

/* Inside one group they do. */
__kernel void group_scope_inside(__global atomic_int *count) {
  atomic_fetch_add_explicit(&count[get_group_id(0)], 1, memory_order_relaxed, memory_scope_work_group);
}

/* work_group_barrier is barrier by its later name. */
__kernel void later_name(__global int *out, __local int *tile) {
  size_t i = get_local_id(0);
  tile[i] = (int)i;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[i ^ 1];
}

__kernel void later_name_other_flag(__global int *out, __local int *tile) {
  size_t i = get_local_id(0);
  tile[i] = (int)i; //@later_store
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = tile[i ^ 1]; //@later_load
}

/* An image that is read and written: each its own pixel, or the neighbour's, too. */
__kernel void pixels_own(read_write image2d_t picture) {
  int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
  write_imagei(picture, at, read_imagei(picture, at) + 1);
}

__kernel void pixels_shift(read_write image2d_t picture) {
  int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
  int2 next = (int2)(min(at.x + 1, (int)get_global_size(0) - 1), at.y);
  int4 seen = read_imagei(picture, next); //@pixels_load
  write_imagei(picture, at, seen + 1); //@pixels_store
}

/* Neighbours of a group exchange pixels: a barrier for images orders that, one for global memory does not. */
__kernel void pixels_exchanged(read_write image2d_t picture) {
  int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
  int4 seen = read_imagei(picture, (int2)(at.x ^ 1, at.y));
  work_group_barrier(CLK_IMAGE_MEM_FENCE);
  write_imagei(picture, at, seen);
}

__kernel void pixels_other_flag(read_write image2d_t picture) {
  int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
  int4 seen = read_imagei(picture, (int2)(at.x ^ 1, at.y)); //@exchange_load
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  write_imagei(picture, at, seen); //@exchange_store
}

/* A barrier for images orders no buffers. */
__kernel void image_flag(__global int *data) {
  size_t i = get_global_id(0);
  data[i] = (int)i; //@image_flag_store
  work_group_barrier(CLK_IMAGE_MEM_FENCE);
  data[64 + i] = data[i ^ 1]; //@image_flag_load
}

/* By the scope of a work-item a barrier orders nothing for others. */
__kernel void item_scope(__global int *data, __local int *t) {
  const size_t l = get_local_id(0);
  t[l] = (int)l; //@item_scope_store
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_item);
  data[get_global_id(0)] = t[get_local_size(0) - 1 - l]; //@item_scope_load
}
__kernel void item_scope_global(__global int *data, int n) {
  const size_t i = get_global_id(0);
  data[i] = (int)i; //@item_global_store
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, n > 0 ? memory_scope_work_item : memory_scope_device);
  data[64 + i] = data[i ^ 1]; //@item_global_load
}
__kernel void wide_scope(__global int *data, __local int *t) {
  const size_t l = get_local_id(0);
  t[l] = (int)l;
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
  data[get_global_id(0)] = t[get_local_size(0) - 1 - l];
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_device);
  t[l] = 0;
}
