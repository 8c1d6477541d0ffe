// Loops, for any number of iterations (docs/verify.md, "Loops").

// Each work-item has the elements that are its own modulo the global size.
// expect verified grid_stride
// ask {"local": [64], "groups": [16]}
kernel void grid_stride(global int *a, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    a[i] = 1;
  }
}

// The stride is one too small: an element of the last is written by the first in its next iteration.
// expect race short_stride a
// ask {"local": [8], "groups": [1]}
kernel void short_stride(global int *a, int n) {
  for (int i = get_local_id(0); i < n; i += get_local_size(0) - 1) {
    a[i] = get_local_id(0); //! write
  }
}

// The counter is a byte, and comes round after four steps: at the places of the same work-item. The sum is narrowed, so it is not
// followed as one that grows steadily.
// expect possible-race narrow_stride
// ask {"local": [64], "groups": [1]}
kernel void narrow_stride(global int *a, int turns, uint step) {
  uchar r = get_local_id(0);
  const uint by = 64 + step * 256;
  for (int k = 0; k < turns; k++) {
    a[r] = get_local_id(0);
    r += by;
  }
}

// Three steps of 96 come round to 32, the first place of another.
// expect race narrow_comes_round a
// ask {"local": [64], "groups": [1]}
kernel void narrow_comes_round(global int *a, int turns) {
  uchar r = get_local_id(0);
  const uint by = 96;
  for (int k = 0; k < turns; k++) {
    a[r] = get_local_id(0); //! write
    r += by;
  }
}

// One tile less: the first group comes to what the last one has.
// expect race tiles_of_two a
// ask {"local": [1], "groups": [4], "assume": ["tile == 8"]}
kernel void tiles_of_two(global int *a, int tile, int n) {
  for (int base = (int)get_group_id(0) * tile; base < n; base += ((int)get_num_groups(0) - 1) * tile) {
    for (int i = 0; i < tile; i++) {
      a[base + i] = get_group_id(0); //! write
    }
  }
}

// expect verified own_row
// slow
// ask {"local": [16], "groups": [4]}
kernel void own_row(global int *a) {
  const int i = get_global_id(0);
  for (int j = 0; j < 100; j++) {
    a[i * 100 + j] = j;
  }
}

// The last element of a row is the first of the next.
// expect race row_too_long a
// ask {"local": [16], "groups": [1]}
kernel void row_too_long(global int *a) {
  const int i = get_global_id(0);
  for (int j = 0; j <= 4; j++) {
    a[i * 4 + j] = i; //! write
  }
}

// expect verified tree_sum
// ask {"local": [64], "groups": [4]}
kernel void tree_sum(global int *a, local int *t) {
  const int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int s = 32; s > 0; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s) {
      t[l] += t[l + s];
    }
  }
  if (l == 0) {
    a[get_group_id(0) * 64] = t[0];
  }
}

// The barrier is missing.
// expect race tree_without t
// ask {"local": [64], "groups": [1]}
kernel void tree_without(local int *t) {
  const int l = get_local_id(0);
  t[l] = l; //! write?
  for (int s = 32; s > 0; s >>= 1) {
    if (l < s) {
      t[l] += t[l + s]; //! read write?
    }
  }
}

// The first turn reads before anything orders the writes above.
// expect race tree_late_barrier t
// ask {"local": [64], "groups": [1]}
kernel void tree_late_barrier(local int *t) {
  const int l = get_local_id(0);
  t[l] = l; //! write
  for (int s = 32; s > 0; s >>= 1) {
    if (l < s) {
      t[l] += t[l + s]; //! read
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// Two barriers a turn: what is read is written again only after the second.
// expect verified two_barriers_a_turn
// ask {"local": [16], "groups": [4]}
kernel void two_barriers_a_turn(global int *a, local int *t, int n) {
  const int l = get_local_id(0);
  for (int k = 0; k < n; k++) {
    t[l] = k + l;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] += t[15 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// With one: the next turn's write meets the read of this one.
// expect race one_barrier_a_turn t
// ask {"local": [16], "groups": [4]}
kernel void one_barrier_a_turn(global int *a, local int *t, int n) {
  const int l = get_local_id(0);
  for (int k = 0; k < n; k++) {
    t[l] = k + l; //! write
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] += t[15 - l]; //! read
  }
}

// Two buffers in turn: with one barrier what is read is never what is written before the next. That a barrier of the turn between
// orders two turns is not known.
// expect possible-race two_buffers
// ask {"local": [16], "groups": [4]}
kernel void two_buffers(global int *a, local int *t, int n) {
  const int l = get_local_id(0);
  int sum = 0;
  for (int k = 0; k < n; k++) {
    t[(k & 1) * 16 + l] = k + l;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    sum += t[(k & 1) * 16 + 15 - l];
  }
  a[get_global_id(0)] = sum;
}

// expect verified do_while
// ask {"local": [16], "groups": [4]}
kernel void do_while(global int *a, int n) {
  int j = 0;
  do {
    a[get_global_id(0) + j * get_global_size(0)] = j;
    j++;
  } while (j < n);
}

// expect verified several_exits
// ask {"local": [16], "groups": [4]}
kernel void several_exits(global int *a, global const int *b, int n) {
  const int i = get_global_id(0);
  int found = -1;
  for (int j = 0; j < n; j++) {
    if (b[j] == i) {
      found = j;
      break;
    }
    if (b[j] < 0) {
      return;
    }
  }
  a[i] = found;
}

// expect verified nested
// ask {"local": [16], "groups": [4]}
kernel void nested(global int *a) {
  const int i = get_global_id(0);
  for (int y = 0; y < 10; y++) {
    for (int x = 0; x < 10; x++) {
      a[i * 100 + y * 10 + x] = 1;
    }
  }
}

// expect race nested_too_wide a
// ask {"local": [4], "groups": [1]}
kernel void nested_too_wide(global int *a) {
  const int i = get_global_id(0);
  for (int y = 0; y < 2; y++) {
    for (int x = 0; x < 3; x++) {
      a[i * 4 + y * 2 + x] = i; //! write
    }
  }
}

// Barriers in an inner loop that all go through as often.
// expect verified nested_barriers
// ask {"local": [16], "groups": [4]}
kernel void nested_barriers(global int *a, local int *t, int n) {
  const int l = get_local_id(0);
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < k; j++) {
      t[l] = j;
      barrier(CLK_LOCAL_MEM_FENCE);
      a[get_global_id(0)] += t[15 - l];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
}

// As often as each work-item likes.
// expect divergence nested_divergent
// ask {"local": [16], "groups": [1]}
kernel void nested_divergent(global int *a, int n) {
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < (int)get_local_id(0); j++) { //! decision
      barrier(CLK_LOCAL_MEM_FENCE); //! barrier
    }
  }
}

// Two counters that go together.
// expect verified two_counters
// slow
// ask {"local": [16], "groups": [4]}
kernel void two_counters(global int *a) {
  int at = get_global_id(0) * 50;
  for (int j = 0; j < 50; j++) {
    a[at++] = j;
  }
}

// A pointer that goes along.
// expect verified moving_pointer
// ask {"local": [16], "groups": [4]}
kernel void moving_pointer(global int *a, global int *b, int n) {
  global int *p = a + get_global_id(0) * 64;
  int sum = 0;
  for (int j = 0; j < n; j++) {
    sum += *p++;
  }
  b[get_global_id(0)] = sum;
}

// Downwards, until nothing is left.
// expect verified downwards
// slow
// ask {"local": [16], "groups": [4]}
kernel void downwards(global int *a) {
  const int i = get_global_id(0);
  for (int j = 19; j >= 0; j--) {
    a[i * 20 + j] = j;
  }
}

// It is certain if it is in one of the first iterations.
// expect race early_iteration a[5]
// ask {"local": [4], "groups": [1]}
kernel void early_iteration(global int *a, int n) {
  for (int j = 0; j < n; j++) {
    if (j == 3) {
      a[5] = get_local_id(0); //! write
    }
  }
}

// expect possible-race late_iteration a[5]
// ask {"local": [4], "groups": [1]}
kernel void late_iteration(global int *a, int n) {
  for (int j = 0; j < n; j++) {
    if (j == 300) {
      a[5] = get_local_id(0); //! write
    }
  }
}

// If the number of iterations is a constant, more of them are followed.
// expect race late_but_known a[5]
// ask {"local": [4], "groups": [1]}
kernel void late_but_known(global int *a) {
  for (int j = 0; j < 32; j++) {
    if (j == 30) {
      a[5] = get_local_id(0); //! write
    }
  }
}
