/* Groups that are ordered by atomic functions and fences: what is stored before a fence and an atomic access can be loaded
 * after an atomic access that saw it, and a fence. `--strict` knows no such order. */

/* The last group adds what the others have left. */
__kernel void last_group(__global const int *in, __global int *part, __global int *arrived, __global int *out) {
  if (get_local_id(0) == 0) {
    part[get_group_id(0)] = in[get_group_id(0)] + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (atomic_inc(arrived) == (int)get_num_groups(0) - 1) {
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      int sum = 0;
      for (int g = 0; g < (int)get_num_groups(0); g++) {
        sum += part[g];
      }
      out[0] = sum;
    }
  }
}

__kernel void last_group_no_fence(__global const int *in, __global int *part, __global int *arrived, __global int *out) {
  if (get_local_id(0) == 0) {
    part[get_group_id(0)] = in[get_group_id(0)] + 1; //@last_store
    if (atomic_inc(arrived) == (int)get_num_groups(0) - 1) {
      int sum = 0;
      for (int g = 0; g < (int)get_num_groups(0); g++) {
        sum += part[g]; //@last_load
      }
      out[0] = sum;
    }
  }
}

/* The group that arrives in the middle takes itself for the last one: what later groups store meets its loads. */
__kernel void middle_group(__global const int *in, __global int *part, __global int *arrived, __global int *out) {
  if (get_local_id(0) == 0) {
    part[get_group_id(0)] = in[get_group_id(0)] + 1; //@middle_store
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (atomic_inc(arrived) == (int)get_num_groups(0) / 2 - 1) {
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      int sum = 0;
      for (int g = 0; g < (int)get_num_groups(0); g++) {
        sum += part[g]; //@middle_load
      }
      out[0] = sum;
    }
  }
}

/* All work-items of the last group take part: a barrier hands on what its first one has seen. */
__kernel void last_group_of_many(__global int *data, __global int *arrived, __global int *out) {
  __local int last;
  size_t i = get_local_id(0);
  data[get_global_id(0)] = (int)get_global_id(0) + 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (i == 0) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    last = atomic_inc(arrived) == (int)get_num_groups(0) - 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (last) {
    int sum = 0;
    for (size_t g = 0; g < get_num_groups(0); g++) {
      sum += data[g * get_local_size(0) + (i + 1) % get_local_size(0)];
    }
    out[i] = sum;
  }
}

/* The first work-item tells that its group is ready before the others of it are. */
__kernel void last_group_early(__global int *data, __global int *arrived, __global int *out) {
  __local int last;
  size_t i = get_local_id(0);
  data[get_global_id(0)] = (int)get_global_id(0) + 1; //@group_store
  if (i == 0) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    last = atomic_inc(arrived) == (int)get_num_groups(0) - 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (last) {
    int sum = 0;
    for (size_t g = 0; g < get_num_groups(0); g++) {
      sum += data[g * get_local_size(0) + (i + 1) % get_local_size(0)]; //@group_load
    }
    out[i] = sum;
  }
}

/* A lock around a sum. */
__kernel void locked(__global int *lock, __global int *sum) {
  if (get_local_id(0) == 0) {
    while (atomic_cmpxchg(lock, 0, 1) != 0) {
    }
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    sum[0] += (int)get_group_id(0) + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
  }
}

/* The same with a load and a store of their own: each group's read comes after the one of the group before it. */
__kernel void locked_apart(__global int *lock, __global int *sum) {
  if (get_local_id(0) == 0) {
    while (atomic_cmpxchg(lock, 0, 1) != 0) {
    }
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    const int now = sum[0];
    sum[0] = now * 2 + (int)get_group_id(0);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
  }
}

/* The lock is given back before the sum is stored. */
__kernel void unlocked_early(__global int *lock, __global int *sum) {
  if (get_local_id(0) == 0) {
    while (atomic_cmpxchg(lock, 0, 1) != 0) {
    }
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    int now = sum[0]; //@early_load
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
    sum[0] = now + (int)get_group_id(0) + 1; //@early_store
  }
}

/* Each group has a lock of its own, and all of them one sum. */
__kernel void other_locks(__global int *lock, __global int *sum) {
  if (get_local_id(0) == 0) {
    __global int *mine = lock + get_group_id(0);
    while (atomic_cmpxchg(mine, 0, 1) != 0) {
    }
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    sum[0] += (int)get_group_id(0) + 1; //@other_locks
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(mine, 0);
  }
}

/* The lock is opened by a plain store. */
__kernel void plain_unlock(__global int *lock, __global int *sum) {
  if (get_local_id(0) == 0) {
    while (atomic_cmpxchg(lock, 0, 1) != 0) { //@plain_lock
    }
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    sum[0] += (int)get_group_id(0) + 1; //@plain_sum
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    lock[0] = 0; //@plain_open
  }
}

/* Groups take numbers and wait until theirs is called. */
__kernel void ticket(__global int *next, __global int *called, __global int *sum) {
  if (get_local_id(0) == 0) {
    int mine = atomic_inc(next);
    while (atomic_add(called, 0) != mine) {
    }
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    sum[0] += (int)get_group_id(0) + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(called);
  }
}

/* They take numbers and do not wait. */
__kernel void ticket_no_wait(__global int *next, __global int *called, __global int *sum) {
  if (get_local_id(0) == 0) {
    atomic_inc(next);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    sum[0] += (int)get_group_id(0) + 1; //@no_wait_sum
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(called);
  }
}

/* The first group that arrives makes a value, all others wait for it. */
__kernel void handed_on(__global int *turn, __global int *ready, __global int *value, __global int *out) {
  if (get_local_id(0) == 0) {
    if (atomic_inc(turn) == 0) {
      value[0] = 42 + (int)get_group_id(0);
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      atomic_xchg(ready, 1);
    } else {
      while (atomic_add(ready, 0) == 0) {
      }
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      out[get_group_id(0)] = value[0];
    }
  }
}

/* The value is ready only after it was said to be. */
__kernel void handed_on_late(__global int *turn, __global int *ready, __global int *value, __global int *out) {
  if (get_local_id(0) == 0) {
    if (atomic_inc(turn) == 0) {
      atomic_xchg(ready, 1);
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      value[0] = 42 + (int)get_group_id(0); //@late_store
    } else {
      while (atomic_add(ready, 0) == 0) {
      }
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      out[get_group_id(0)] = value[0]; //@late_load
    }
  }
}

/* A flag that is read by a plain load. */
__kernel void plain_flag(__global int *turn, __global volatile int *ready, __global int *value, __global int *out) {
  if (get_local_id(0) == 0) {
    if (atomic_inc(turn) == 0) {
      value[0] = 42 + (int)get_group_id(0); //@flag_value
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      ready[0] = 1; //@flag_store
    } else {
      while (ready[0] == 0) { //@flag_load
      }
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      out[get_group_id(0)] = value[0]; //@flag_use
    }
  }
}
