// What is not known is refused by name: functions of pipes, of kernels that start others, of assembly, and bodies that are not there.

// expect unsupported pipes
// with {"options": "-cl-std=CL2.0"}
#if __OPENCL_C_VERSION__ >= 200
kernel void pipes(read_only pipe int from, global int *a) {
  int x = 0;
  read_pipe(from, &x);
  a[get_global_id(0)] = x;
}

// expect unsupported reserved
// with {"options": "-cl-std=CL2.0"}
kernel void reserved(write_only pipe int to, global int *a) {
  reserve_id_t r = work_group_reserve_write_pipe(to, get_local_id(0));
  work_group_commit_write_pipe(to, r);
  a[get_global_id(0)] = 1;
}

// expect unsupported starts_another
// with {"options": "-cl-std=CL2.0"}
kernel void starts_another(global int *a) {
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{
    a[0] = 1;
  });
}

// expect unsupported own_atomics
// with {"options": "-cl-std=CL2.0"}
kernel void own_atomics(global int *a) {
  __opencl_atomic_fetch_add((global atomic_int *)a, 1, memory_order_relaxed, memory_scope_work_group);
}
#endif

// expect unsupported assembly
// ask {"local": [64], "groups": [2]}
kernel void assembly(global int *a) {
  __asm__ volatile("nop" ::: "memory");
  a[get_global_id(0)] = 1;
}

void put(global int *p, int i);
void __attribute__((overloadable)) put_there(local int *p);
void __attribute__((overloadable)) atomic_twice(volatile global int *p);
int __attribute__((overloadable)) get_image_dust(read_only image2d_t i);
global int *__attribute__((overloadable)) place_of(int i);

// expect unsupported body_elsewhere
kernel void body_elsewhere(global int *a) { put(a, 4 * get_global_id(0)); }

// expect unsupported body_elsewhere_local
kernel void body_elsewhere_local(local int *a) { put_there(a); }

// expect unsupported looks_atomic
kernel void looks_atomic(global int *a) { atomic_twice(a); }

// expect unsupported looks_like_a_question
kernel void looks_like_a_question(read_only image2d_t i, global int *a) { a[get_global_id(0)] = get_image_dust(i); }

// A pointer of unknown origin is not null.
// expect unsupported unknown_pointer
// ask {"local": [64], "groups": [2]}
kernel void unknown_pointer(global int *a) { *place_of(get_global_id(0)) = 1; }

// expect unsupported unknown_pointer_read
// ask {"local": [64], "groups": [2]}
kernel void unknown_pointer_read(global int *a) { a[get_global_id(0)] = *place_of(1); }

// expect unsupported rounded_far
// ask {"local": [64], "groups": [2]}
kernel void rounded_far(global int *a) {
  *(global int *)__builtin_align_down((global char *)(a + get_global_id(0)), 4096) = 1;
}

// Rounded to 8 bytes two work-items meet; an int has 4.
// expect unsupported rounded_beyond_type
// ask {"local": [64], "groups": [2]}
kernel void rounded_beyond_type(global int *a) {
  *(global int *)__builtin_align_down((global char *)(a + get_global_id(0)), 8) = get_global_id(0);
}

// expect race rounded_to_pairs a
// ask {"local": [64], "groups": [2]}
kernel void rounded_to_pairs(global int2 *a) {
  *(global int *)__builtin_align_down((global char *)a + 4 * get_global_id(0), 8) = get_global_id(0); //! write
}

// expect verified rounded_to_own
// ask {"local": [64], "groups": [2]}
kernel void rounded_to_own(global int *a) {
  *(global int *)__builtin_align_down((global char *)a + 4 * get_global_id(0) + 3, 4) = get_global_id(0);
}

// expect verified rounded_up
// ask {"local": [64], "groups": [2]}
kernel void rounded_up(global int *a) {
  *(global int *)__builtin_align_up((global char *)a + 4 * get_global_id(0) + 1, 4) = get_global_id(0);
}

// What a pointer of unknown origin leads to is not known: nothing is read, written or copied there. Those that stand in memory are such.
// expect unsupported copies_anywhere
// ask {"local": [8], "groups": [1]}
kernel void copies_anywhere(local int *t) {
  event_t e = async_work_group_copy(place_of(1), t, 8, 0);
  wait_group_events(1, &e);
}

// expect unsupported adds_anywhere
kernel void adds_anywhere(global int *a) { atomic_add(place_of(1), 1); }

// expect unsupported through_private
// ask {"local": [8], "groups": [1]}
kernel void through_private(global int *a, global int *b, int n) {
  global int *p[2] = {a, b};
  p[n & 1][0] = get_global_id(0);
}

struct node {
  int x;
  global struct node *next;
};

// expect unsupported through_structure
// with {"options": "-cl-std=CL2.0"}
#if __OPENCL_C_VERSION__ >= 200
kernel void through_structure(global struct node *n) {
  struct node own = n[get_global_id(0)];
  own.next->x = 1;
}

// expect unsupported copies_to_structure
// ask {"local": [8], "groups": [1]}
// with {"options": "-cl-std=CL2.0"}
kernel void copies_to_structure(global const struct node *n, local int *t) {
  event_t e = async_work_group_copy(&n[0].next->x, t, 8, 0);
  wait_group_events(1, &e);
}
#endif
