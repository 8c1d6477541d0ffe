// Components of a vector are places of their own, though LLVM reads and writes the whole vector.

// expect verified two_components
// ask {"local": [8], "groups": [1]}
kernel void two_components(global int2 *a) {
  const int l = get_local_id(0);
  if (l == 0) {
    a[0].x = 1;
  }
  if (l == 1) {
    a[0].y = 2;
  }
}

// expect verified another_component
// ask {"local": [8], "groups": [1]}
kernel void another_component(global int2 *a, global int *out) {
  const int l = get_local_id(0);
  if (l == 0) {
    a[0].x = 1;
  }
  out[l] = a[0].y;
}

// expect race one_component a
// ask {"local": [8], "groups": [1]}
kernel void one_component(global int2 *a) {
  const int l = get_local_id(0);
  if (l < 2) {
    a[0].x = l; //! write write
  }
}

// expect race same_component a
// ask {"local": [8], "groups": [1]}
kernel void same_component(global int2 *a, global int *out) {
  const int l = get_local_id(0);
  if (l == 0) {
    a[0].x = 1; //! write
  }
  out[l] = a[0].x; //! read
}

// A helper that is `inline` has a body all the same.
// expect verified inlined_helper
// ask {"local": [8], "groups": [4]}
inline void put_at(global int *a, int i, int v) { a[i] = v; }
kernel void inlined_helper(global int *a) { put_at(a, get_global_id(0), 1); }

// A load that nobody uses is one of the whole vector.
// expect race load_for_nothing a
// ask {"local": [64], "groups": [2]}
kernel void load_for_nothing(volatile global int4 *a) {
  a[0];
  a[get_global_id(0)].w = 1;
}

// Vectors that were stored are not read again as numbers.
// expect verified vector_kept
// ask {"local": [64], "groups": [2]}
kernel void vector_kept(global int4 *a, global int *out) {
  local int4 t[64];
  const int l = get_local_id(0);
  t[l] = (int4)(l);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[63 - l].x;
}

// expect possible-race vector_as_index out
// ask {"local": [64], "groups": [2]}
kernel void vector_as_index(global int *out) {
  local int4 t[64];
  const int l = get_local_id(0);
  t[l] = (int4)(l);
  out[t[l].x] = l;
}
