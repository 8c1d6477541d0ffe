// Indices: in 64 bits, of several dimensions, with offsets, by shifts and masks, modulo something.

// expect verified wide
// ask {"local": [64], "groups": [1024]}
kernel void wide(global int *a) {
  const size_t i = get_global_id(0);
  a[i * 0x100000000ul] = 1;
}

// In 32 bits the same product is 0 for all.
// expect race narrow a[0]
// ask {"local": [64], "groups": [4]}
kernel void narrow(global int *a) {
  const uint i = get_global_id(0);
  a[i * 0x10000u * 0x10000u] = i; //! write
}

// expect verified two_dimensions
// ask {"local": [8, 8], "groups": [4, 4]}
kernel void two_dimensions(global int *a) { a[get_global_id(1) * get_global_size(0) + get_global_id(0)] = 1; }

// Rows are too short by one.
// expect race short_rows a
// ask {"local": [8, 8], "groups": [4, 4]}
kernel void short_rows(global int *a) {
  a[get_global_id(1) * (get_global_size(0) - 1) + get_global_id(0)] = get_global_id(1); //! write
}

// expect verified three_dimensions
// ask {"local": [4, 4, 4], "groups": [2, 2, 2]}
kernel void three_dimensions(global int *a) {
  a[(get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0)] = 1;
}

// The second dimension is forgotten.
// expect race forgotten_dimension a
// ask {"local": [4, 4], "groups": [1, 1]}
kernel void forgotten_dimension(global int *a) {
  a[get_global_id(0)] = get_global_id(1); //! write
}

// Free sizes, two dimensions.
// expect verified free_two_dimensions
// ask {"dimensions": 2}
kernel void free_two_dimensions(global int *a) { a[get_global_id(1) * get_global_size(0) + get_global_id(0)] = 1; }

#if __OPENCL_C_VERSION__ >= 200
// expect verified linear
// with {"options": "-cl-std=CL2.0"}
// ask {"local": [4, 4], "groups": [2, 3]}
kernel void linear(global int *a) { a[get_global_linear_id()] = 1; }
#endif

// Where the ids begin moves both.
// expect verified with_offset
// ask {"local": [64], "groups": [4], "offset": [100]}
kernel void with_offset(global int *a) { a[get_global_id(0) - get_global_offset(0)] = 1; }

// The element 100 is the first work-item's; nobody else has it.
// expect race offset_meets a[100]
// ask {"local": [64], "groups": [1], "offset": [100]}
kernel void offset_meets(global int *a) {
  a[get_global_id(0)] = 1; //! write
  if (get_local_id(0) == 9) {
    a[100] = 2; //! write
  }
}

// The kernel says its own size.
// expect verified required_size
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void required_size(global int *a) {
  a[get_group_id(0) * 16 + get_local_id(0)] = 1;
}

// Without it the ids of a group may go beyond 16.
// expect race not_required a
kernel void not_required(global int *a) {
  a[get_group_id(0) * 16 + get_local_id(0)] = get_local_id(0); //! write
}

// The bits of an id, in another order.
// expect verified bits_turned
// ask {"local": [8], "groups": [1]}
kernel void bits_turned(global int *a) {
  const uint l = get_local_id(0);
  a[(l & 1) << 2 | (l & 2) | l >> 2] = l;
}

// expect race bits_lost a
// ask {"local": [8], "groups": [1]}
kernel void bits_lost(global int *a) {
  const uint l = get_local_id(0);
  a[(l & 1) << 2 | l >> 2] = l; //! write
}

// expect verified modulo_all
// ask {"local": [64], "groups": [1]}
kernel void modulo_all(global int *a, int n) {
  a[(get_local_id(0) + (uint)n) % 64] = 1;
}

// expect race modulo_less a
// slow
// ask {"local": [64], "groups": [1]}
kernel void modulo_less(global int *a, int n) {
  a[(get_local_id(0) + (uint)n) % 63] = get_local_id(0); //! write
}

// A butterfly: each has two elements, and nobody else has them.
// expect verified butterfly
// slow
// ask {"local": [32], "groups": [1], "assume": ["power_of_two(s)", "s <= 32"]}
kernel void butterfly(global float *a, uint s) {
  const uint l = get_local_id(0);
  const uint low = 2 * s * (l / s) + l % s;
  const float x = a[low], y = a[low + s];
  a[low] = x + y;
  a[low + s] = x - y;
}

// Beyond the dimensions of the launch ids are 0.
// expect race beyond_dimensions a[0]
// ask {"local": [8], "groups": [1], "dimensions": 1}
kernel void beyond_dimensions(global int *a) {
  a[get_global_id(1)] = get_global_id(0); //! write
}
