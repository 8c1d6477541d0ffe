// Barriers order what work-items of one group do before and after them, if their flags name the memory
// (OpenCL C, 6.15.8 of 3.0, 6.12.8 of 1.2). Between groups they order nothing.

// expect verified neighbour
// ask {"local": [64], "groups": [4]}
kernel void neighbour(global int *a, local int *t) {
  const int l = get_local_id(0);
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[(l + 1) % 64];
}

// expect race neighbour_without t
// ask {"local": [64], "groups": [4]}
kernel void neighbour_without(global int *a, local int *t) {
  const int l = get_local_id(0);
  t[l] = l; //! write
  a[get_global_id(0)] = t[(l + 1) % 64]; //! read
}

// The flags name global memory, the array is local.
// expect race wrong_flags t
// ask {"local": [64], "groups": [4]}
kernel void wrong_flags(global int *a, local int *t) {
  const int l = get_local_id(0);
  t[l] = l; //! write
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[get_global_id(0)] = t[(l + 1) % 64]; //! read
}

// expect verified both_flags
// ask {"local": [64], "groups": [4]}
kernel void both_flags(global int *a, local int *t) {
  const int l = get_local_id(0);
  t[l] = l;
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[(l + 1) % 64];
}

// expect race no_flags t
// ask {"local": [64], "groups": [4]}
kernel void no_flags(global int *a, local int *t) {
  const int l = get_local_id(0);
  t[l] = l; //! write
  barrier(0);
  a[get_global_id(0)] = t[(l + 1) % 64]; //! read
}

// A fence orders the accesses of one work-item; others need not have come so far.
// expect race fence_only t
// ask {"local": [64], "groups": [1]}
kernel void fence_only(global int *a, local int *t) {
  const int l = get_local_id(0);
  t[l] = l; //! write
  mem_fence(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[(l + 1) % 64]; //! read
}

// In one group the barrier is enough for global memory, too.
// expect verified global_in_group
// ask {"local": [64], "groups": [1]}
kernel void global_in_group(global int *a, global int *b) {
  const int i = get_global_id(0);
  a[i] = i;
  barrier(CLK_GLOBAL_MEM_FENCE);
  b[i] = a[get_global_size(0) - 1 - i];
}

// expect race global_between_groups a
// ask {"local": [64], "groups": [2]}
kernel void global_between_groups(global int *a, global int *b) {
  const int i = get_global_id(0);
  a[i] = i; //! write
  barrier(CLK_GLOBAL_MEM_FENCE);
  b[i] = a[get_global_size(0) - 1 - i]; //! read
}

// Between the read and the next write there is no barrier.
// expect race write_after_read t
// ask {"local": [64], "groups": [1]}
kernel void write_after_read(global int *a, local int *t) {
  const int l = get_local_id(0);
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int other = t[(l + 1) % 64]; //! read
  t[l] = other; //! write
  a[l] = other;
}

// expect verified write_after_barrier
// ask {"local": [64], "groups": [1]}
kernel void write_after_barrier(global int *a, local int *t) {
  const int l = get_local_id(0);
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int other = t[(l + 1) % 64];
  barrier(CLK_LOCAL_MEM_FENCE);
  t[l] = other;
  a[l] = other;
}

// The flags are an argument: where they do not name local memory, nothing orders the two.
// expect race argument_flags t
// ask {"local": [64], "groups": [1]}
kernel void argument_flags(global int *a, local int *t, uint flags) {
  const int l = get_local_id(0);
  t[l] = l; //! write
  barrier(flags);
  a[l] = t[(l + 1) % 64]; //! read
}

// expect verified argument_flags_known
// ask {"local": [64], "groups": [1], "assume": ["flags == 1"]}
kernel void argument_flags_known(global int *a, local int *t, uint flags) {
  const int l = get_local_id(0);
  t[l] = l;
  barrier(flags);
  a[l] = t[(l + 1) % 64];
}

// Two accesses with a barrier in a helper between them.
void wait(void) { barrier(CLK_LOCAL_MEM_FENCE); }

// expect verified barrier_in_helper
// ask {"local": [64], "groups": [4]}
kernel void barrier_in_helper(global int *a, local int *t) {
  const int l = get_local_id(0);
  t[l] = l;
  wait();
  a[get_global_id(0)] = t[63 - l];
}
