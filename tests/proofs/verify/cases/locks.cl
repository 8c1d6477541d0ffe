// Locks made of atomic functions order nothing in a proof (docs/verify.md, "Atomics").

// One lock for all: what is between is done by one work-item after another.
// expect possible-race one_lock sum
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
// expect possible-race spinning
// ask {"local": [1], "groups": [64]}
kernel void spinning(global int *sum, volatile global int *lock) {
  while (atomic_xchg(lock, 1) == 1) {
  }
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  *sum += 1;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(lock, 0);
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
  while (atomic_cmpxchg(lock, 0, 1) != 0) {
  }
  *sum += 1;
  atomic_xchg(lock, 0);
}
