// Locks made of atomic functions (docs/verify.md, "Locks").

// One lock for all: what is between is done by one work-item after another.
// expect verified one_lock
// assumes under a lock
// ask {"local": [64], "groups": [4]}
kernel void one_lock(global int *sum, volatile global int *lock) {
  bool done = false;
  while (!done) {
    if (atomic_cmpxchg(lock, 0, 1) == 0) {
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      *sum += get_global_id(0);
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      atomic_xchg(lock, 0);
      done = true;
    }
  }
}

// Waiting first, and an exchange to take it.
// expect verified spinning
// ask {"local": [1], "groups": [64]}
kernel void spinning(global int *sum, volatile global int *lock) {
  while (atomic_xchg(lock, 1) == 1) {
  }
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  *sum += 1;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(lock, 0);
}

void take(volatile global int *lock) {
  while (atomic_cmpxchg(lock, 0, 1) != 0) {
  }
  mem_fence(CLK_GLOBAL_MEM_FENCE);
}

void give(volatile global int *lock) {
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(lock, 0);
}

// A lock for each element.
// expect verified lock_each
// ask {"local": [8], "groups": [8]}
kernel void lock_each(global int *a, volatile global int *locks, global const int *index) {
  const int i = index[get_global_id(0)];
  take(locks + i);
  a[i]++;
  give(locks + i);
}

// The lock of the neighbour is no lock of this element.
// expect possible-race wrong_lock a
// ask {"local": [8], "groups": [8]}
kernel void wrong_lock(global int *a, volatile global int *locks, global const int *index) {
  const int i = index[get_global_id(0)];
  take(locks + (get_global_id(0) & 1));
  a[i]++;
  give(locks + (get_global_id(0) & 1));
}

// Without a fence the next one need not see what was done.
// expect possible-race no_fence_before_giving sum
// ask {"local": [64], "groups": [4]}
kernel void no_fence_before_giving(global int *sum, volatile global int *lock) {
  while (atomic_cmpxchg(lock, 0, 1) != 0) {
  }
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  *sum += 1;
  atomic_xchg(lock, 0);
}

// expect possible-race no_fence_after_taking sum
// ask {"local": [64], "groups": [4]}
kernel void no_fence_after_taking(global int *sum, volatile global int *lock) {
  while (atomic_cmpxchg(lock, 0, 1) != 0) {
  }
  *sum += 1;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(lock, 0);
}

// A fence of the other memory.
// expect possible-race fence_of_local sum
// ask {"local": [64], "groups": [4]}
kernel void fence_of_local(global int *sum, volatile global int *lock) {
  while (atomic_cmpxchg(lock, 0, 1) != 0) {
  }
  mem_fence(CLK_LOCAL_MEM_FENCE);
  *sum += 1;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(lock, 0);
}

// It is given back too early.
// expect possible-race after_giving sum
// ask {"local": [64], "groups": [4]}
kernel void after_giving(global int *sum, volatile global int *lock) {
  take(lock);
  give(lock);
  *sum += 1;
}

// Who does not have it gives it back, too: then it is no lock.
// expect possible-race given_by_all sum
// ask {"local": [64], "groups": [4]}
kernel void given_by_all(global int *sum, volatile global int *lock) {
  if (atomic_cmpxchg(lock, 0, 1) == 0) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *sum += 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
  }
  atomic_xchg(lock, 0);
}

// Given back twice: in between another may have taken it.
// expect possible-race given_twice sum
// ask {"local": [64], "groups": [4]}
kernel void given_twice(global int *sum, volatile global int *lock) {
  take(lock);
  *sum += 1;
  give(lock);
  give(lock);
}

// Whoever found it taken goes on.
// expect race does_not_wait sum
// ask {"local": [64], "groups": [4]}
kernel void does_not_wait(global int *sum, volatile global int *lock) {
  const int found = atomic_cmpxchg(lock, 0, 1);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  *sum += 1;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  if (found == 0) {
    atomic_xchg(lock, 0);
  }
}

// One plain store, and it is a number as any other.
// expect race stored_to lock
// ask {"local": [64], "groups": [4]}
kernel void stored_to(global int *sum, volatile global int *lock) {
  if (get_global_id(0) == 5) {
    *lock = 0;
  }
  take(lock);
  *sum += 1;
  give(lock);
}

// One reader without the lock.
// expect possible-race reads_without sum
// ask {"local": [64], "groups": [4]}
kernel void reads_without(global int *sum, global int *seen, volatile global int *lock) {
  seen[get_global_id(0)] = *sum;
  take(lock);
  *sum += 1;
  give(lock);
}

// Each group has a lock of its own, made ready by one work-item.
// expect verified of_group
// ask {"local": [16], "groups": [4]}
kernel void of_group(global int *out) {
  local int lock;
  local int sum;
  if (get_local_id(0) == 0) {
    lock = 0;
    sum = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  bool done = false;
  while (!done) {
    if (atomic_cmpxchg(&lock, 0, 1) == 0) {
      mem_fence(CLK_LOCAL_MEM_FENCE);
      sum += get_local_id(0);
      mem_fence(CLK_LOCAL_MEM_FENCE);
      atomic_xchg(&lock, 0);
      done = true;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    out[get_group_id(0)] = sum;
  }
}

// A lock of a group does not keep other groups away.
// expect possible-race group_lock_of_global sum
// ask {"local": [16], "groups": [4]}
kernel void group_lock_of_global(global int *sum) {
  local int lock;
  if (get_local_id(0) == 0) {
    lock = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  bool done = false;
  while (!done) {
    if (atomic_cmpxchg(&lock, 0, 1) == 0) {
      mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      *sum += 1;
      mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      atomic_xchg(&lock, 0);
      done = true;
    }
  }
}

// What is read under the lock is not the same for both: one has the first ticket, another the second.
// expect possible-race tickets a
// ask {"local": [64], "groups": [1]}
kernel void tickets(global int *a, global int *next, volatile global int *lock) {
  take(lock);
  const int mine = (*next)++;
  give(lock);
  a[0] = mine == 0; //! write
}

// With two numbers for a taken lock, the other one is taken for a free lock.
// expect possible-race two_numbers sum
// ask {"local": [1], "groups": [64]}
kernel void two_numbers(global int *sum, volatile global int *lock) {
  if (get_group_id(0) == 0) {
    while (atomic_xchg(lock, 1) == 1) {
    }
  } else {
    while (atomic_xchg(lock, 2) == 2) {
    }
  }
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  *sum += 1;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(lock, 0);
}

// The same with a lock that each of the two ways has for itself, and two numbers.
// expect possible-race two_ways sum
// ask {"local": [1], "groups": [64]}
kernel void two_ways(global int *sum, volatile global int *lock) {
  if (get_group_id(0) == 0) {
    while (atomic_xchg(lock, 1) == 1) {
    }
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *sum += 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
  } else {
    while (atomic_xchg(lock, 2) == 2) {
    }
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *sum += 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
  }
}

// What a work-item wrote under the lock another may have written over, without a race: all but the last write a[0].
// expect possible-race written_over a
// ask {"local": [64], "groups": [1]}
kernel void written_over(global int *a, global int *last, volatile global int *lock) {
  const int t = get_local_id(0);
  take(lock);
  *last = t;
  give(lock);
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[*last == t ? t : 0] = t; //! write
}
