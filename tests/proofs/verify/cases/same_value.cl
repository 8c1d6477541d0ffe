// Several work-items that write the same value to the same place do no harm, unless --no-benign asks (docs/verify.md).

// expect verified all_write_one
// ask {"local": [64], "groups": [4]}
// expect race all_write_one found[0]
// ask {"local": [64], "groups": [4]}
// with {"benign": false}
kernel void all_write_one(global int *found, global const int *a) {
  if (a[get_global_id(0)] > 0) {
    found[0] = 1; //! write
  }
}

// expect race two_values found[0]
// ask {"local": [64], "groups": [4]}
kernel void two_values(global int *found) {
  found[0] = get_global_id(0) < 3 ? 1 : 2; //! write
}

// Not the same value where n is not 0.
// expect race argument_value found[0]
// ask {"local": [64], "groups": [1]}
kernel void argument_value(global int *found, int n) {
  found[0] = get_local_id(0) == 0 ? n : 0; //! write
}

// expect verified argument_value_known
// ask {"local": [64], "groups": [1], "assume": ["n == 0"]}
kernel void argument_value_known(global int *found, int n) {
  found[0] = get_local_id(0) == 0 ? n : 0;
}

// A write of what was read there is a write, and others read.
// expect race write_and_read found[0]
// ask {"local": [64], "groups": [1]}
kernel void write_and_read(global int *found, global int *b) {
  b[get_local_id(0)] = found[0]; //! read
  found[0] = 1; //! write
}

// Vectors: all elements are the same.
// expect verified same_vectors
// ask {"local": [64], "groups": [1]}
kernel void same_vectors(global int4 *a, int n) { a[0] = (int4)(1, 2, 3, n); }

// expect race one_element_differs a[0]
// ask {"local": [64], "groups": [1]}
kernel void one_element_differs(global int4 *a) {
  a[0] = (int4)(1, 2, get_local_id(0), 4); //! write
}

// All write what they have just read back from memory of their own: the same.
// expect verified through_memory
// ask {"local": [4], "groups": [1]}
kernel void through_memory(global int *a, local int *t) {
  const int l = get_local_id(0);
  t[l] = 3;
  a[0] = t[l];
}

// A sine is never above 2: all write 0. What a function gives is not known.
// expect possible-race sine a[0]
// ask {"local": [64], "groups": [1]}
kernel void sine(global int *a) {
  a[0] = sin((float)get_local_id(0)) > 2.0f; //! write
}

// Vectors at neighbouring elements: each writes the same vector, but not the same to an element.
// expect possible-race same_vector_shifted a
// ask {"local": [8], "groups": [1]}
// expect race same_vector_shifted a
// ask {"local": [8], "groups": [1]}
// with {"benign": false}
kernel void same_vector_shifted(global int *a) {
  vstore4((int4)(1, 2, 3, 4), 0, a + get_local_id(0)); //! write
}

// Each element gets its own number from all that write it. That is not seen, as the writes begin at different places.
// expect possible-race own_numbers
// ask {"local": [8], "groups": [1]}
kernel void own_numbers(global int *a) {
  const int l = get_local_id(0);
  vstore4((int4)(l, l + 1, l + 2, l + 3), 0, a + l);
}

// Each group has local memory of its own, whatever is in it: the two groups need not write the same.
// expect possible-race own_local_memory a
// ask {"local": [4], "groups": [2]}
kernel void own_local_memory(global uint *a, local uint *t) {
  const uint l = get_local_id(0);
  a[l] = t[l]; //! write
}
