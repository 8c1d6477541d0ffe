// One kernel for a condition of the engine each, found by dropping them one at a time (bench/verify-mutants): without it, it is told wrongly.

// What an annotation says of a pointer is about one known place.
// expect unknown offset_of_either
kernel void offset_of_either(global int *a, global int *b, int n) {
  global int *p = n > (int)get_global_id(0) ? a : b + 1;
  __assert(__ptr_offset_bytes(p) == 0);
}

global int *anywhere(int);

// expect unknown offset_of_anywhere
kernel void offset_of_anywhere(global int *a) {
  global int *p = anywhere(1);
  __assert(__ptr_offset_bytes(p) == 0);
}

// A function that calls itself.
void meet(int n) {
  if (n > 0) {
    barrier(CLK_LOCAL_MEM_FENCE);
    meet(n - 1);
  }
}

// expect unsupported meets_again_and_again
// ask {"local": [8], "groups": [1]}
kernel void meets_again_and_again() { meet(get_local_id(0)); }

// Sub-groups of two groups are never one, though both are the first of theirs.
// expect race of_two_groups a
// ask {"local": [1], "groups": [2]}
// with {"options": "-cl-std=CL2.0"}
#if __OPENCL_C_VERSION__ >= 200
kernel void of_two_groups(global atomic_int *a) {
  atomic_fetch_add_explicit(a, 1, memory_order_relaxed, memory_scope_sub_group);
}

// A copy of so many bytes as an argument says.
// expect unsupported copies_some
// ask {"local": [8], "groups": [1]}
// with {"options": "-cl-std=CL2.0"}
kernel void copies_some(global int *a, global const int *b, int n) { __builtin_memcpy(a, b, n); }

// expect unsupported stores_atomically
// with {"options": "-cl-std=CL2.0"}
kernel void stores_atomically(global int *a) {
  __opencl_atomic_store((global atomic_int *)a, 1, memory_order_relaxed, memory_scope_device);
}
#endif

// An address that is rounded to a number of bytes that is not known.
// expect unsupported rounded_to_any
// ask {"local": [8], "groups": [1]}
kernel void rounded_to_any(global char *a, ulong n) { *__builtin_align_down(a + get_global_id(0), n) = get_global_id(0); }

// --- what is the same in each iteration ------------------------------------------------------------------------------

// The stride is read from memory that the loop writes.
// expect possible-race stride_written a
kernel void stride_written(global int *a, global int *s, int n) {
  int g = get_global_id(0);
  s[g] = 2;
  for (int i = 0; i < n; i += s[g]) {
    if (i & 1) {
      a[0] = g;
    }
    s[g] = 1;
  }
}

// expect race stride_of_first_turn a
// ask {"local": [8], "groups": [1]}
kernel void stride_of_first_turn(global int *a, int n) {
  int d = 8;
  for (int i = get_global_id(0); i < n;) {
    a[i] = get_global_id(0);
    i += d;
    d = 1;
  }
}

// expect race stride_computed_of_first_turn a
// ask {"local": [8], "groups": [1]}
kernel void stride_computed_of_first_turn(global int *a, int n) {
  int d = 7;
  for (int i = get_global_id(0); i < n;) {
    a[i] = get_global_id(0);
    i += d + 1;
    d = 0;
  }
}

struct two {
  int x, y;
};

// A pointer that moves on to a member: by four bytes, where its elements have eight.
// expect race moves_to_member a
// ask {"local": [8], "groups": [1]}
kernel void moves_to_member(global struct two *a, int n) {
  global struct two *p = a + get_global_id(0);
  for (int i = 0; i < n; i++) {
    p->x = get_global_id(0);
    p = (global struct two *)&p->y;
  }
}

// A counter of 16 bits comes round.
// expect race comes_round a
// ask {"local": [8], "groups": [1], "assume": ["s >= 8", "s < 30000"]}
kernel void comes_round(global int *a, int n, short s) {
  _BitInt(16) i = get_global_id(0);
  for (int t = 0; t < n; t++) {
    a[(ushort)i] = get_global_id(0);
    i += (_BitInt(16))s;
  }
}

// The bound is a truth value: it is a number of one bit.
// expect verified once_at_most
// ask {"local": [8], "groups": [1]}
kernel void once_at_most(global int *a, int n, int m) {
  int k = 0;
  for (int i = 0; i < (n > m); i += n > m, k += m > n) {
    a[get_global_id(0)] = k;
  }
}

// A pointer that points elsewhere in each iteration.
// expect unsupported elsewhere_each_turn
// ask {"local": [8], "groups": [1]}
kernel void elsewhere_each_turn(global int *a, global int *b, int n) {
  global int *p = a + get_global_id(0), *q = b;
  for (int i = 0; i < n; i++) {
    *p = i;
    global int *r = p;
    p = q;
    q = r;
  }
}

// --- events -----------------------------------------------------------------------------------------------------------

// expect possible-race waits_for_either t
// ask {"local": [8], "groups": [1]}
kernel void waits_for_either(global int *a, local int *t, local int *u, int n) {
  event_t e = async_work_group_copy(t, (global const int *)a, 8, 0);
  event_t f = async_work_group_copy(u, (global const int *)a, 8, 0);
  wait_group_events(1, n > 3 ? &e : &f);
  t[get_local_id(0)] = 1;
}

// expect possible-race waits_for_some t
// ask {"local": [8], "groups": [1]}
kernel void waits_for_some(global const int *a, local int *t, local int *u, int n) {
  event_t e[3];
  e[0] = async_work_group_copy(t, a, 8, 0);
  e[1] = async_work_group_copy(u, a, 8, 0);
  e[2] = async_work_group_copy(u + 8, a, 8, 0);
  wait_group_events(2, &e[n & 1]);
  e[0] = async_work_group_copy(u + 16, a, 8, 0);
  wait_group_events(3, e);
  t[get_local_id(0)] = get_local_id(0);
}

// The place of the event is no counter.
// expect possible-race event_at_either_place
// ask {"local": [8], "groups": [1]}
kernel void event_at_either_place(global int *a, local int *t, int n, int m) {
  event_t e[2];
  for (int i = 0; i < n; i++) {
    e[i & 1] = async_work_group_copy(t, (global const int *)a, 8, 0);
  }
  wait_group_events(2, e);
  t[get_local_id(0)] = 1;
}

// expect possible-race asks_between t
// ask {"local": [8], "groups": [1]}
kernel void asks_between(global const int *a, local int *t, local int *u, int n) {
  event_t e = async_work_group_copy(t, a, 8, 0);
  if (get_work_dim() < n) {
    e = async_work_group_copy(u, a, 8, 0);
  }
  wait_group_events(1, &e);
  t[get_local_id(0)] = get_local_id(0);
}

// --- addresses and values ---------------------------------------------------------------------------------------------

// expect possible-race number_of_either a
// ask {"local": [8], "groups": [1]}
kernel void number_of_either(global int *a, global int *p, global int *q, int n) {
  if ((ulong)(n > 3 ? p : q) != (ulong)p) {
    a[0] = get_global_id(0);
  }
}

// What comes after a loop that goes on for long: with a pointer that goes round in it.
// expect possible-race after_pointer_loop a
// ask {"local": [8], "groups": [1]}
kernel void after_pointer_loop(global int *a, global const int *b) {
  int sum = 0;
  for (global const int *p = b; p != b + 100000; p++) {
    sum += *p;
  }
  b = b + (sum > 5);
  a[0] = get_global_id(0);
}

// The same values in two widths, of which one is not known.
// expect possible-race part_unknown a
// ask {"local": [2], "groups": [1]}
kernel void part_unknown(global int *a, float x, int n) {
  if (get_local_id(0) == 0) {
    a[0] = as_int(sin(x));
  } else {
    ((global short *)a)[0] = 5;
  }
}

// expect possible-race part_unknown_twin a
// ask {"local": [2], "groups": [1]}
kernel void part_unknown_twin(global int *a, float x, int n) {
  if (get_local_id(0) == 0) {
    a[0] = 5;
  } else {
    ((global short *)a)[0] = as_int(sin(x));
  }
}

// expect possible-race part_of_vector a
// ask {"local": [2], "groups": [1]}
kernel void part_of_vector(global int2 *a) {
  if (get_local_id(0) == 0) {
    a[0] = (int2)(5, 5);
  } else {
    ((global short *)a)[0] = 5;
  }
}

// expect possible-race vector_of_part a
// ask {"local": [2], "groups": [1]}
kernel void vector_of_part(global long *a) {
  if (get_local_id(0) == 0) {
    a[0] = 5;
  } else {
    ((global short2 *)a)[0] = (short2)(5, 0);
  }
}

extern constant int elsewhere[2];
struct __attribute__((packed)) loose {
  int x;
};
constant int table[2] = {256, 0};

// expect possible-race table_elsewhere a
// ask {"local": [8], "groups": [1]}
kernel void table_elsewhere(global int *a) {
  if (elsewhere[1] == 7) {
    a[0] = get_global_id(0);
  }
}

// A number that begins in one element of a table and ends in the next.
// expect possible-race between_elements a
// ask {"local": [8], "groups": [1]}
kernel void between_elements(global int *a) {
  if (((constant struct loose *)((constant char *)table + 1))->x == 1) {
    a[0] = get_global_id(0);
  }
}

// expect possible-race store_between_elements b
// ask {"local": [8], "groups": [1]}
kernel void store_between_elements(global int *a, global int *b) {
  int g = get_global_id(0) * 4;
  a[g] = 0;
  ((global struct loose *)((global char *)(a + g) + 1))->x = 0x01010101;
  if (a[g] != 0) {
    b[0] = get_global_id(0);
  }
}

// expect possible-race load_between_elements b
// ask {"local": [8], "groups": [1]}
kernel void load_between_elements(global int *a, global int *b) {
  int g = get_global_id(0) * 4;
  global struct loose *p = (global struct loose *)((global char *)(a + g) + 1);
  int before = p->x;
  a[g] = before;
  if (p->x != before) {
    b[0] = get_global_id(0);
  }
}

// expect possible-race load_of_half b
// ask {"local": [8], "groups": [1]}
kernel void load_of_half(global int *a, global int *b) {
  int g = get_global_id(0);
  short before = ((global short *)a)[2 * g];
  int whole = a[g];
  a[g] = whole + 1;
  short after = ((global short *)a)[2 * g];
  if (after != before && a[g] != whole) {
    b[0] = get_global_id(0);
  }
}

// expect possible-race store_of_half b
// ask {"local": [8], "groups": [1]}
kernel void store_of_half(global int *a, global int *b) {
  int g = get_global_id(0);
  a[g] = 0;
  ((global short *)a)[2 * g] = 1;
  if (a[g] != 0) {
    b[0] = get_global_id(0);
  }
}

// A store to another place than that which was read writes all of the vector.
// expect possible-race shuffled_to_another_place q
// ask {"local": [2], "groups": [1]}
kernel void shuffled_to_another_place(global const int4 *p, global int4 *q) {
  if (get_local_id(0) == 0) {
    q[0] = __builtin_shufflevector(p[0], p[1], 0, 5, 2, 3);
  } else {
    q[0].x = 5;
  }
}

// Variables are not null, arguments may be, and of launches they are what was given.
// expect verified variable_is_there
// ask {"local": [8], "groups": [1]}
kernel void variable_is_there(global int *a, int n) {
  local int t[8];
  if ((n > 3 ? t : t + 1) == 0) {
    a[0] = get_global_id(0);
  }
}

// expect verified memory_was_given
// ask {"launches": [{"local": [8], "groups": [1], "buffers": {"a": {"bytes": 64}, "b": {"bytes": 64}}}]}
kernel void memory_was_given(global int *a, global int *b) {
  if (b == 0) {
    a[0] = get_global_id(0);
  }
}

// Two pointers of which nothing is known may be two.
// expect possible-race two_unknown_pointers a
// ask {"local": [8], "groups": [1]}
kernel void two_unknown_pointers(global int *a) {
  if ((anywhere(1) == a) != (anywhere(2) == a)) {
    a[0] = get_global_id(0);
  }
}

// expect possible-race two_unknown_pointers_behind a
// ask {"local": [8], "groups": [1]}
kernel void two_unknown_pointers_behind(global int *a) {
  if ((a == anywhere(1)) != (a == anywhere(2))) {
    a[0] = get_global_id(0);
  }
}

// --- what is said, and what was seen ----------------------------------------------------------------------------------

// It is said of another buffer.
// expect possible-race distinct_is_the_other a
// ask {"local": [8], "groups": [1], "assume": ["distinct(d)"]}
kernel void distinct_is_the_other(global const int *c, global const int *d, global int *a) {
  a[c[get_global_id(0)] + (d[0] & 0)] = get_global_id(0);
}

// expect unsupported distinct_misnamed
// ask {"local": [8], "groups": [1], "assume": ["distinkt(c)"]}
kernel void distinct_misnamed(global const int *c, global int *a) { a[c[get_global_id(0)]] = get_global_id(0); }

// expect unsupported distinct_misspelt
// ask {"local": [8], "groups": [1], "assume": ["distinct[c)"]}
kernel void distinct_misspelt(global int *a, global const int *c) { a[c[get_global_id(0)]] = get_global_id(0); }

// A number that begins in one element of a buffer and ends in the next: 1 here.
// expect possible-race held_between_elements a
// ask {"launches": [{"local": [8], "groups": [1], "buffers": {"a": {"bytes": 64}, "b": {"bytes": 8, "held": "0001000000000000"}}}]}
kernel void held_between_elements(global int *a, global const int *b) {
  if (((global const struct loose *)((global const char *)b + 1))->x == 256) {
    a[0] = get_global_id(0);
  }
}

struct pair {
  int2 v;
};

// expect possible-race second_of_pair a
// ask {"launches": [{"local": [8], "groups": [1], "arguments": {"s": {"bytes": "0100000000000000"}}, "buffers": {"a": {"bytes": 64}}}]}
kernel void second_of_pair(global int *a, struct pair s) { a[get_global_id(0) * s.v.y] = get_global_id(0); }

// Launches that are not like the first are proved by themselves: of two dimensions, with other buffers, in one memory.
// expect race two_dimensions_later a
// ask {"launches": [{"dimensions": 1, "local": [8], "groups": [1], "buffers": {"a": {"bytes": 64}}}, {"dimensions": 2, "local": [4, 2], "groups": [1, 1], "buffers": {"a": {"bytes": 64}}}]}
kernel void two_dimensions_later(global int *a) { a[get_global_id(0)] = get_global_id(1); }

// expect race one_memory_later
// ask {"launches": [{"local": [8], "groups": [1], "buffers": {"a": {"bytes": 64}, "b": {"bytes": 64}}}, {"local": [8], "groups": [1], "buffers": {"a": {"bytes": 64, "memory": 1}, "b": {"bytes": 64, "memory": 1}}}]}
kernel void one_memory_later(global int *a, global const int *b) { a[get_global_id(0)] = b[get_global_id(0) + 1]; }

// expect race more_buffers_later
// ask {"launches": [{"local": [8], "groups": [1], "buffers": {"a": {"bytes": 64, "memory": 1}}}, {"local": [8], "groups": [1], "buffers": {"a": {"bytes": 64, "memory": 1}, "b": {"bytes": 64, "memory": 1}}}]}
kernel void more_buffers_later(global int *a, global const int *b) { a[get_global_id(0)] = b[get_global_id(0) + 1]; }

// expect verified other_buffers_later
// ask {"launches": [{"local": [8], "groups": [1], "buffers": {"a": {"bytes": 64}}}, {"local": [8], "groups": [1], "buffers": {"b": {"bytes": 64}}}]}
kernel void other_buffers_later(global int *a, global const int *b) { a[get_global_id(0)] = b[get_global_id(0)]; }

// expect verified argument_missing_later
// ask {"launches": [{"local": [8], "groups": [1], "arguments": {"n": 1}, "buffers": {"a": {"bytes": 64}}}, {"local": [8], "groups": [1], "arguments": {}, "buffers": {"a": {"bytes": 64}}}]}
kernel void argument_missing_later(global int *a, int n) { a[get_global_id(0)] = n; }

// expect race argument_missing_first
// ask {"launches": [{"local": [8], "groups": [1], "arguments": {"n": 1}, "buffers": {"a": {"bytes": 64}}}, {"local": [8], "groups": [1], "arguments": {}, "buffers": {"a": {"bytes": 64}}}]}
kernel void argument_missing_first(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }

// A number that lies as a float does is none of which something is said.
// expect verified float_argument
// ask {"launches": [{"local": [8], "groups": [1], "arguments": {"x": {"bytes": "0000803f"}}, "buffers": {"a": {"bytes": 64}}}]}
kernel void float_argument(global float *a, float x) { a[get_global_id(0)] = x; }

// --- whether all orders give one result ---------------------------------------------------------------------------------

// expect verified adds_twice
// says {"one_result": true}
kernel void adds_twice(global int *a) {
  atomic_add(a, 1);
  atomic_sub(a, 2);
}

// expect verified adds_and_takes_least
// says {"one_result": false}
kernel void adds_and_takes_least(global int *a) {
  atomic_add(a, 1);
  atomic_min(a, 2);
}

// expect verified uses_sum
// says {"one_result": false}
kernel void uses_sum(global int *a, global int *b) { b[get_global_id(0)] = atomic_add(a, 1); }

// expect verified adds_reals
// says {"one_result": false}
// with {"options": "-cl-std=CL3.0"}
#if __OPENCL_C_VERSION__ >= 300
kernel void adds_reals(global atomic_float *a) {
  atomic_fetch_add_explicit(a, 1.0f, memory_order_relaxed, memory_scope_device);
}
#endif

// A constant of more bits than a long has.
// expect possible-race constant_of_many_bits a
// ask {"local": [8], "groups": [1]}
kernel void constant_of_many_bits(global int *a, int n) {
  _BitInt(100) x = n;
  if (x == -1) {
    a[0] = get_global_id(0);
  }
}

// --- calls and loops, more -------------------------------------------------------------------------------------------

int answer(int);

// What a function without a body gets by value it cannot write: the loop leaves memory as it is.
// expect verified calls_in_loop
kernel void calls_in_loop(global int *a, global int *b, int n) {
  int g = get_global_id(0), sum = 0;
  a[g] = g;
  for (int i = 0; i < n; i++) {
    sum += answer(i);
  }
  b[a[g]] = sum;
}

// A buffer whose elements have no size.
// expect verified elements_without_size
// ask {"launches": [{"local": [8], "groups": [1], "buffers": {"a": {"bytes": 64}}}]}
kernel void elements_without_size(global void *a) { ((global int *)a)[get_global_id(0)] = 1; }

// The contents of floats are no numbers in a range.
// expect out-of-bounds float_as_index
// ask {"local": [8], "groups": [1]}
kernel void float_as_index(global int *a, global const float *f) {
  local int t[4];
  a[get_global_id(0)] = t[as_int(f[get_global_id(0)])];
}

// After a loop that goes on for long: with a barrier in it, and with two ways out.
// expect possible-race after_barrier_loop a
// ask {"local": [8], "groups": [1]}
kernel void after_barrier_loop(global int *a, local int *t) {
  int l = get_local_id(0);
  t[l] = l;
  for (int i = 0; i < 100000; i++) {
    if (i == 5) {
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  a[t[7 - l] / 8] = l;
}

// expect race after_two_ways_out a
// ask {"local": [8], "groups": [1]}
kernel void after_two_ways_out(global int *a, global const int *b) {
  for (int i = 0; i < 100000; i++) {
    if (b[i] == 7) {
      break;
    }
  }
  a[0] = get_global_id(0);
}

void __attribute__((overloadable)) sin(int x);

// expect verified sine_of_nothing
kernel void sine_of_nothing(global int *a) {
  sin(3);
  a[get_global_id(0)] = 1;
}

// What holds of an argument holds in each launch.
// expect race times_nothing a
// ask {"launches": [{"local": [8], "groups": [1], "arguments": {"n": 0}, "buffers": {"a": {"bytes": 64}}}]}
kernel void times_nothing(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }

// expect race said_and_used a
// ask {"local": [8], "groups": [1]}
kernel void said_and_used(global int *a) {
  int x = a[get_local_id(0) + 1];
  __assert(x >= x);
  a[get_local_id(0)] = x;
}

// expect verified exchanges
// says {"one_result": false}
kernel void exchanges(global int *a) { atomic_xchg(a, get_global_id(0)); }

// A race is none of what numbers in a range exclude.
// expect race always_meets a
// ask {"local": [8], "groups": [1]}
kernel void always_meets(global int *a, global const int *c, int n) { a[c[get_local_id(0)] & 1] = get_local_id(0); }

// Where work-items part at a barrier in a late iteration nothing behind it is certain.
// expect possible-race after_parted_late a
// ask {"local": [8], "groups": [1]}
kernel void after_parted_late(global int *a) {
  for (int i = 0; i < 100000; i++) {
    if (i == 70000 + get_local_id(0)) {
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  a[0] = get_global_id(0);
}

// --- which events a wait is for --------------------------------------------------------------------------------------

// expect possible-race waits_at t
// ask {"local": [8], "groups": [1]}
kernel void waits_at(global const int *a, local int *t, local int *u, long n) {
  event_t e[2];
  e[0] = async_work_group_copy(t, a, 8, 0);
  e[1] = async_work_group_copy(u, a, 8, 0);
  wait_group_events(1, &e[n]);
  e[0] = async_work_group_copy(u + 8, a, 8, 0);
  wait_group_events(2, e);
  t[get_local_id(0)] = get_local_id(0);
}

// expect possible-race waits_for_other t
// ask {"local": [8], "groups": [1]}
kernel void waits_for_other(global const int *a, local int *t, local int *u) {
  event_t e = async_work_group_copy(t, a, 8, 0), f = async_work_group_copy(u, a, 8, 0);
  wait_group_events(1, &f);
  e = async_work_group_copy(u + 8, a, 8, 0);
  wait_group_events(1, &e);
  t[get_local_id(0)] = get_local_id(0);
}

// expect possible-race waits_for_so_many t
// ask {"local": [8], "groups": [1]}
kernel void waits_for_so_many(global const int *a, local int *t, local int *u, int n) {
  event_t e = async_work_group_copy(t, a, 8, 0);
  wait_group_events(n, &e);
  e = async_work_group_copy(u + 8, a, 8, 0);
  wait_group_events(1, &e);
  t[get_local_id(0)] = get_local_id(0);
}

// What others of a sub-group write in step is not forgotten.
// expect possible-race lanes_write b
// ask {"local": [8], "groups": [1]}
// with {"warp": 8}
kernel void lanes_write(global int *a, global int *b) {
  int l = get_local_id(0);
  a[l] = 0;
  a[l ^ 1] = 5;
  if (a[l] != 0) {
    b[0] = l;
  }
}

// Each launch counts, and not the last alone.
// expect race races_in_the_middle a
// ask {"launches": [{"local": [8], "groups": [1], "arguments": {"n": 1}, "buffers": {"a": {"bytes": 64}}}, {"local": [8], "groups": [1], "arguments": {"n": 0}, "buffers": {"a": {"bytes": 64}}}, {"local": [8], "groups": [1], "arguments": {"n": 2}, "buffers": {"a": {"bytes": 64}}}]}
kernel void races_in_the_middle(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }

// expect race two_dimensions_between a
// ask {"launches": [{"dimensions": 1, "local": [8], "groups": [1], "buffers": {"a": {"bytes": 64}}}, {"dimensions": 2, "local": [4, 2], "groups": [1, 1], "buffers": {"a": {"bytes": 64}}}, {"dimensions": 1, "local": [4], "groups": [1], "buffers": {"a": {"bytes": 64}}}]}
// says {"launches": {"given": 3, "proved": 1}}
kernel void two_dimensions_between(global int *a) { a[get_global_id(0)] = get_global_id(1); }

// A variable of the program that is no constant may hold something else than at first.
// expect possible-race reads_state a
// ask {"local": [8], "groups": [1]}
// with {"options": "-cl-std=CL2.0"}
#if __OPENCL_C_VERSION__ >= 200
global int state = 0;
kernel void reads_state(global int *a) {
  if (state == 1) {
    a[0] = get_global_id(0);
  }
}
#endif

// The same where both stand at one place of the source, and a store of all of a vector that was read from there.
// expect possible-race shuffled_by_macro q
// ask {"local": [2], "groups": [1]}
#define SECOND_OF(p, r) __builtin_shufflevector(p, r, 0, 5, 2, 3)
kernel void shuffled_by_macro(global const int4 *p, global int4 *q) {
  if (get_local_id(0) == 0) {
    q[0] = SECOND_OF(p[0], p[1]);
  } else {
    q[0].x = 5;
  }
}

// expect race shuffled_in_place
// ask {"local": [2], "groups": [1]}
kernel void shuffled_in_place(global const int4 *p, global int4 *q) {
  local int4 v;
  if (get_local_id(0) == 0) {
    v = __builtin_shufflevector(v, p[1], 0, 5, 2, 3);
  } else {
    v.x = 5;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  q[get_global_id(0)] = v;
}

// 256 is added 256 times: 0 again, in 16 bits. (C's own types are added in 32 bits at least.)
// expect possible-race comes_round_soon a
// ask {"local": [8], "groups": [1]}
kernel void comes_round_soon(global int *a, unsigned _BitInt(16) pace) {
  unsigned _BitInt(16) at = 0;
  for (int i = 0; i < 1000; i++) {
    if (i > 0 && pace > 0 && pace < 300 && at == 0) a[0] = get_local_id(0);
    at += pace;
  }
}

// It goes on for long, and ends by the other of its two ways out. Clean, and not proved.
// expect possible-race leaves_early a
// ask {"local": [8], "groups": [1]}
kernel void leaves_early(global int *a, global int *log) {
  int i = 0;
  while (1) {
    i++;
    if (i * i == 250000) return;
    if (i * i == 810000) break;
    log[get_global_id(0) * 1000 + i] = i;
  }
  a[0] = get_global_id(0);
}
