// Ways through a kernel: switch, goto, early return, conditional expressions, logical operators.

// expect verified switch_apart
// ask {"local": [64], "groups": [4]}
kernel void switch_apart(global int *a, int n) {
  const int i = get_global_id(0);
  switch (n) {
    case 0:
      a[i] = 1;
      break;
    case 1:
    case 2:
      a[i] = 2;
      // on to the next
    default:
      a[i] += 3;
  }
}

// Two labels write the same element.
// expect race switch_meets a[7]
// ask {"local": [4], "groups": [1]}
kernel void switch_meets(global int *a) {
  const int l = get_local_id(0);
  switch (l) {
    case 1:
      a[7] = 1; //! write
      break;
    case 2:
      a[7] = 2; //! write
      break;
    default:
      a[l] = 0;
  }
}

// expect verified gotos
// ask {"local": [64], "groups": [4]}
kernel void gotos(global int *a, int n) {
  int i = get_global_id(0);
  if (n < 0) {
    goto end;
  }
  a[i] = n;
end:
  a[i] += 1;
}

// A loop that is written with goto.
// expect verified goto_loop
// ask {"local": [64], "groups": [4]}
kernel void goto_loop(global int *a, int n) {
  const int i = get_global_id(0);
  int sum = 0, j = 0;
again:
  sum += j;
  if (++j < n) {
    goto again;
  }
  a[i] = sum;
}

// Only one work-item of each group writes its group's word.
// expect verified first_only
// ask {"local": [64], "groups": [4]}
kernel void first_only(global int *a) {
  if (get_local_id(0) != 0) {
    return;
  }
  a[get_group_id(0)] = 1;
}

// expect race last_two a[0]
// ask {"local": [64], "groups": [1]}
kernel void last_two(global int *a) {
  if (get_local_id(0) < 62) {
    return;
  }
  a[0] = get_local_id(0); //! write
}

// The second operand is only looked at where the first is true.
// expect verified short_circuit
// ask {"local": [64], "groups": [1]}
kernel void short_circuit(global int *a) {
  const int l = get_local_id(0);
  if (l == 0 && a[0] > 0) {
    a[0] = 1;
  }
}

// expect race no_short_circuit a[0]
// ask {"local": [64], "groups": [1]}
kernel void no_short_circuit(global int *a, global int *b) {
  const int l = get_local_id(0);
  b[l] = a[0] & l == 3; //! read
  if (l == 0) {
    a[0] = 1; //! write
  }
}

// expect verified conditional_index
// ask {"local": [64], "groups": [2]}
kernel void conditional_index(global int *a, int n) {
  const int i = get_global_id(0);
  a[n > 3 ? i : i + 5] = 1;
}

// Even and odd work-items swap places: 0 and 1, 2 and 3, …
// expect verified pairs_swap
// ask {"local": [64], "groups": [2]}
kernel void pairs_swap(global int *a) {
  const int i = get_global_id(0);
  a[i ^ 1] = i;
}

// expect race pairs_meet a
// ask {"local": [64], "groups": [2]}
kernel void pairs_meet(global int *a) {
  const int i = get_global_id(0);
  a[i | 1] = i; //! write
}

// Whether it happens depends on what a function gives: only possible.
// expect possible-race depends_on_sine a
// because what sin() gives
// ask {"local": [64], "groups": [1]}
kernel void depends_on_sine(global float *a, float x) {
  const int l = get_local_id(0);
  a[sin(x) > 0.5f ? 0 : l] = l; //! write
}

// An index in floating point: what it is as an integer is not known.
// expect possible-race float_index a
// because floating-point arithmetic
// ask {"local": [64], "groups": [1]}
kernel void float_index(global int *a) {
  const float f = get_local_id(0) * 1.0f;
  a[(int)f] = get_local_id(0); //! write
}

// Comparisons with several constants one after another are no switch in the source.
// expect verified comparisons
// ask {"local": [8], "groups": [1]}
kernel void comparisons(global int *a, global int *b) {
  const uint l = get_local_id(0);
  for (uint j = 4; j > 0; j >>= 1) {
    if (l == 0) {
      a[0] = j;
    } else {
      if (l == 1) {
        break;
      }
      b[l] = j;
    }
  }
}

// After an `if` that depends on what the kernel wrote, all work-items go on: what comes then is as certain as what was before.
// expect race behind_an_if cur
// ask {"local": [64], "groups": [1]}
kernel void behind_an_if(int rounds, global long *cur, global int *off) {
  const int t = get_local_id(0);
  for (int i = 0; i < rounds; i++) {
    if (cur[0] <= t) { //! read
      off[t] = t;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) {
      cur[0] = 1; //! write
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// expect possible-race own_indices a
// because what `b` holds, which the kernel writes
// ask {"local": [64], "groups": [1]}
kernel void own_indices(global int *a, global int *b) {
  const int t = get_local_id(0);
  a[b[t]] = t; //! write
  b[t] = t;
}

// expect possible-race taken_places a
// because what the atomic function at
// ask {"local": [64], "groups": [1]}
kernel void taken_places(global int *a, global int *count, int step) {
  const int t = get_local_id(0);
  a[atomic_add(count, step)] = t; //! write
}
