// All work-items of a group reach a barrier, or none does, in the same iteration of each loop around it
// (OpenCL C, 6.15.8 of 3.0).

// expect divergence in_if
// ask {"local": [64], "groups": [2]}
kernel void in_if(global int *a, int n) {
  if ((int)get_local_id(0) < n) { //! decision
    barrier(CLK_LOCAL_MEM_FENCE); //! barrier
  }
  a[get_global_id(0)] = 1;
}

// expect verified in_uniform_if
// ask {"local": [64], "groups": [2]}
kernel void in_uniform_if(global int *a, int n) {
  if ((int)get_group_id(0) < n) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = 1;
}

// The condition says something else, but is the same for all of a group of 64.
// expect verified whole_groups
// ask {"local": [64], "groups": [2]}
kernel void whole_groups(global int *a, int n) {
  if ((int)get_global_id(0) / 64 < n) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = 1;
}

// expect divergence early_return
// ask {"local": [64], "groups": [2]}
kernel void early_return(global int *a, int n) {
  if ((int)get_global_id(0) >= n) { //! decision
    return;
  }
  barrier(CLK_LOCAL_MEM_FENCE); //! barrier
  a[get_global_id(0)] = 1;
}

// expect verified early_return_of_none
// ask {"local": [64], "groups": [2], "assume": ["n >= 128"]}
kernel void early_return_of_none(global int *a, int n) {
  if ((int)get_global_id(0) >= n) {
    return;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = 1;
}

// expect divergence in_loop
// ask {"local": [8], "groups": [1]}
kernel void in_loop(global int *a) {
  for (int i = 0; i < (int)get_local_id(0); i++) { //! decision
    barrier(CLK_LOCAL_MEM_FENCE); //! barrier
  }
  a[get_global_id(0)] = 1;
}

// expect verified in_uniform_loop
// ask {"local": [8], "groups": [1]}
kernel void in_uniform_loop(global int *a, int n) {
  for (int i = 0; i < n; i++) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = 1;
}

// All go round as often, but one of them earlier in the body.
// expect divergence continue_before
// ask {"local": [8], "groups": [1]}
kernel void continue_before(global int *a) {
  for (int i = 0; i < 3; i++) {
    if (i == (int)get_local_id(0)) { //! decision
      continue;
    }
    barrier(CLK_LOCAL_MEM_FENCE); //! barrier
  }
  a[get_global_id(0)] = 1;
}

// Both branches have a barrier, but it is not the same one.
// expect divergence two_barriers
// ask {"local": [2], "groups": [1]}
kernel void two_barriers(global int *a) {
  if (get_local_id(0) == 0) { //! decision?
    barrier(CLK_LOCAL_MEM_FENCE); //! barrier?
  } else {
    barrier(CLK_LOCAL_MEM_FENCE); //! barrier?
  }
  a[get_global_id(0)] = 1;
}

// What decides comes from memory: it may be otherwise for each, but is the same word for all here.
// expect verified from_memory
// ask {"local": [64], "groups": [2]}
kernel void from_memory(global int *a, global const int *flag) {
  if (flag[0] > 0) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = 1;
}

// expect divergence from_own_word
// ask {"local": [64], "groups": [2]}
kernel void from_own_word(global int *a, global const int *flags) {
  if (flags[get_global_id(0)] > 0) { //! decision
    barrier(CLK_LOCAL_MEM_FENCE); //! barrier
  }
  a[get_global_id(0)] = 1;
}

// A group of one work-item cannot diverge.
// expect verified alone
// ask {"local": [1], "groups": [16]}
kernel void alone(global int *a) {
  if (get_global_id(0) > 3) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = 1;
}

// expect divergence in_helper
// ask {"local": [64], "groups": [2]}
void meet(int wanted) {
  if (wanted) { //! decision
    barrier(CLK_LOCAL_MEM_FENCE); //! barrier
  }
}

kernel void in_helper(global int *a) {
  meet(get_local_id(0) > 3); //! inlined
  a[get_global_id(0)] = 1;
}

// Of several barriers the first is named at which some work-items part; which pair that is does not matter.
// expect divergence first_of_three
// ask {"local": [8], "groups": [1]}
kernel void first_of_three(global int *a) {
  const int l = get_local_id(0);
  if (l % 2 == 0) { //! decision
    a[l] = 1;
    barrier(CLK_LOCAL_MEM_FENCE); //! barrier
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l >= 5) {
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}

// What comes after a divergence is not defined: this would be a race only there.
// expect divergence nothing_behind
// ask {"local": [8], "groups": [1]}
kernel void nothing_behind(global int *a) {
  const int l = get_local_id(0);
  if (l == 0) { //! decision
    barrier(CLK_GLOBAL_MEM_FENCE); //! barrier
  }
  a[0] = l == 0;
}

// All work-items have the same pointers.
// expect verified argument_is_null
kernel void argument_is_null(global int *a, global int *b) {
  if (a != 0) {
    a[get_global_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (a == b) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// Their own are others.
// expect divergence own_is_null
// ask {"local": [8], "groups": [1]}
kernel void own_is_null(global int *a, int n) {
  global int *own = (int)get_local_id(0) < n ? a : 0;
  if (own) { //! decision
    barrier(CLK_LOCAL_MEM_FENCE); //! barrier
  }
}

// expect race behind_a_pointer a[0]
// ask {"local": [8], "groups": [1]}
kernel void behind_a_pointer(global int *a) {
  if (a) {
    a[0] = get_global_id(0); //! write
  }
}
