// Atomics: they race with plain accesses to the same bytes, not with each other.

// expect verified count
// ask {"local": [64], "groups": [4]}
kernel void count(global int *a, global const int *b) { atomic_inc(&a[b[get_global_id(0)] & 15]); }

// expect race count_and_read a[0]
// ask {"local": [64], "groups": [4]}
kernel void count_and_read(global int *a, global int *b) {
  atomic_inc(&a[0]); //! atomic
  b[get_global_id(0)] = a[0]; //! read
}

// expect race count_and_reset a[0]
// ask {"local": [64], "groups": [1]}
kernel void count_and_reset(global int *a) {
  if (get_local_id(0) == 5) {
    a[0] = 0; //! write
  }
  atomic_add(&a[0], 2); //! atomic
}

// expect verified reset_then_count
// ask {"local": [64], "groups": [4]}
kernel void reset_then_count(local int *bins, global int *a) {
  const int l = get_local_id(0);
  bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[l * 7 % 64]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&a[l], bins[l]);
}

// What a counter gave is nobody else's: a list that is filled without gaps. That is not followed.
// expect possible-race append
// ask {"local": [64], "groups": [4]}
kernel void append(global int *list, global int *used, global const int *in) {
  const int i = get_global_id(0);
  if (in[i] > 0) {
    list[atomic_inc(used)] = in[i];
  }
}

// Each group has a counter of its own: two groups get the same numbers.
// expect possible-race append_by_group list
// ask {"local": [64], "groups": [4]}
kernel void append_by_group(global int *list, local int *used) {
  if (get_local_id(0) == 0) {
    used[0] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  list[atomic_inc(used)] = get_global_id(0); //! write
}

// It goes up and down: numbers come again.
// expect possible-race up_and_down list
// ask {"local": [64], "groups": [1]}
kernel void up_and_down(global int *list, global int *used) {
  list[atomic_inc(used)] = get_global_id(0); //! write
  atomic_dec(used);
}

// The smallest of all may be the same for many.
// expect possible-race not_a_counter list
// ask {"local": [64], "groups": [1]}
kernel void not_a_counter(global int *list, global int *least) {
  list[atomic_min(least, (int)get_global_id(0))] = get_global_id(0); //! write
}

// Each has a number, but not of the same counter.
// expect possible-race two_counters list
// ask {"local": [64], "groups": [1]}
kernel void two_counters(global int *list, global int *used) {
  list[atomic_inc(&used[get_local_id(0) % 2])] = get_global_id(0); //! write
}

// An exchange of 4 bytes and a plain write of one of them.
// expect race byte_of_word a
// ask {"local": [64], "groups": [1]}
kernel void byte_of_word(global int *a) {
  atomic_xchg(&a[0], 1); //! atomic
  if (get_local_id(0) == 9) {
    ((global char *)a)[2] = 1; //! write
  }
}

// expect verified compare_and_swap
// ask {"local": [64], "groups": [4]}
kernel void compare_and_swap(global int *a) {
  int old = 0, next = 0;
  do {
    old = next;
    next = atomic_cmpxchg(a, old, old + 1);
  } while (next != old);
}

// What sets a bit gives the same number to all but one: by a constant, and no counter.
// expect possible-race set_a_bit list
// ask {"local": [64], "groups": [1]}
kernel void set_a_bit(global int *used, global int *list) {
  list[atomic_or(used, 1)] = get_local_id(0);
}
