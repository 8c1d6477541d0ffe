// What users say of their kernels: what is required is assumed, all else is checked.

// expect race required_not a
// ask {"local": [64], "groups": [1]}
kernel void required_not(global int *a, int n) {
  a[get_global_id(0) * n] = get_global_id(0); //! write
}

// expect verified required
// ask {"local": [64], "groups": [1]}
kernel void required(global int *a, int n) {
  // cltestcheck: requires n == 3
  a[get_global_id(0) * n] = get_global_id(0);
}

// expect verified required_as_elsewhere
// ask {"local": [64], "groups": [1]}
kernel void required_as_elsewhere(global int *a, int n) {
  __requires(n == 3);
  a[get_global_id(0) * n] = get_global_id(0);
}

// expect verified invariant_holds
// ask {"local": [64], "groups": [1]}
kernel void invariant_holds(global int *a, int n) {
  for (int j = 0; j < n; j++) {
    // cltestcheck: invariant j >= 0
    a[get_global_id(0)] = j;
  }
}

// expect unknown invariant_fails
// ask {"local": [64], "groups": [1]}
// because the annotation at annotations.cl:37
kernel void invariant_fails(global int *a, int n) {
  for (int j = 0; j < n; j++) {
    // cltestcheck: invariant j > 0
    a[get_global_id(0)] = j;
  }
}

// expect unknown assertion_fails
// ask {"local": [64], "groups": [1]}
// because could not be shown
kernel void assertion_fails(global int *a, int n) {
  // cltestcheck: assert n > 0
  a[get_global_id(0)] = n;
}

// A wrong invariant does not hide a race.
// expect race wrong_hides_nothing a
// ask {"local": [4], "groups": [1]}
kernel void wrong_hides_nothing(global int *a) {
  for (int j = 0; j < 4; j++) {
    // cltestcheck: candidate j == 77
    a[j] = get_local_id(0); //! write
  }
}

// A comment that says something else is a comment.
// expect verified other_comment
// ask {"local": [64], "groups": [1]}
kernel void other_comment(global int *a) {
  // cltestcheck: is a tool
  a[get_global_id(0)] = 1;
}

// What is said of accesses is said of all since the last barrier, those of other iterations of a loop, too.
// expect verified own_place
// ask {"local": [64], "groups": [4]}
kernel void own_place(global int *a, int n) {
  for (int j = 0; j < n; j++) {
    __invariant(__write_implies(a, __write_offset_bytes(a) / sizeof(int) % get_global_size(0) == get_global_id(0)));
    a[get_global_id(0)] = j;
  }
}

// expect unknown not_own_place
// ask {"local": [64], "groups": [4]}
// because could not be shown
kernel void not_own_place(global int *a, int n) {
  for (int j = 0; j < n; j++) {
    __invariant(__no_write(a));
    a[get_global_id(0)] = j;
  }
}

// expect unknown was_read
// ask {"local": [64], "groups": [4]}
// because could not be shown
kernel void was_read(global const int *a, global int *b) {
  b[get_global_id(0)] = a[get_global_id(0)];
  __assert(!__read(a));
}

// A barrier ends what is spoken of.
// expect verified read_before_barrier
// ask {"local": [64], "groups": [1]}
kernel void read_before_barrier(global const int *a, global int *b) {
  b[get_global_id(0)] = a[get_global_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  __assert(!__read(a));
}

// What an assertion reads is no access.
// expect verified reads_nothing
// ask {"local": [64], "groups": [1]}
kernel void reads_nothing(local int *a) {
  a[get_local_id(0)] = get_local_id(0);
  __assert(a[__other_int(get_local_id(0))] != a[get_local_id(0)]);
}

// What a work-item has written is known up to the next barrier.
// expect verified before_barrier
// ask {"local": [64], "groups": [1]}
kernel void before_barrier(local int *a) {
  a[get_local_id(0)] = 3;
  __assert(a[get_local_id(0)] == 3);
}

// expect unknown after_barrier
// ask {"local": [64], "groups": [1]}
// because could not be shown
kernel void after_barrier(local int *a) {
  a[get_local_id(0)] = 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  __assert(a[get_local_id(0)] == 3);
}

// What is not understood is not passed over.
// expect unknown postcondition
// ask {"local": [64], "groups": [1]}
// because is not understood
int one_more(int x) {
  __ensures(x > 0);
  return x + 1;
}
kernel void postcondition(global int *a) { a[get_global_id(0)] = one_more(2); }

// Nobody knows what is in a variable without a value.
// expect unknown no_value
// ask {"local": [64], "groups": [1]}
// because could not be shown
kernel void no_value(global int *a) {
  int x;
  __assert(x == 0);
  a[get_global_id(0)] = 1;
}

// A sum that is assumed to fit: the report says so.
// expect verified sum_fits
// ask {"local": [64], "groups": [1]}
// assumes what the call at annotations.cl:155 assumes
kernel void sum_fits(global int *a, uint x, uint y) {
  const uint z = __add_noovfl_unsigned_int(x, y);
  __assert(z >= x);
  a[get_global_id(0)] = z;
}
