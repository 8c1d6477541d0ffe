// Which barriers can be deleted, one at a time.

// expect verified sum_with_one_too_many
// with {"barriers": true}
// ask {"local": [16], "groups": [4]}
kernel void sum_with_one_too_many(global int *a, local int *t) {
  const int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE); //! needed
  for (int s = 8; s > 0; s >>= 1) {
    if (l < s) {
      t[l] += t[l + s];
    }
    barrier(CLK_LOCAL_MEM_FENCE); //! needed
  }
  barrier(CLK_LOCAL_MEM_FENCE); //! deletable
  if (l == 0) {
    a[get_group_id(0) * 16] = t[0];
  }
}

// Either of the two is enough: one at a time can go.
// expect verified twice
// with {"barriers": true}
// ask {"local": [16], "groups": [4]}
kernel void twice(global int *a, local int *t) {
  const int l = get_local_id(0);
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE); //! deletable
  barrier(CLK_LOCAL_MEM_FENCE); //! deletable
  a[get_global_id(0)] = t[15 - l];
}
