// Products and quotients of sizes that are not known.

// expect verified row_and_column
// slow
// ask {"dimensions": 2, "assume": ["n == get_global_size(0)"]}
kernel void row_and_column(global float *c, global const float *a, int n) {
  const int row = get_global_id(1), column = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++) {
    sum += a[row * n + k];
  }
  c[row * n + column] = sum;
}

// The guard keeps columns below the width.
// expect verified guarded
// ask {"dimensions": 2}
kernel void guarded(global float *c, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) {
    c[y * width + x] = 1;
  }
}

// A guard that lets one column too many through.
// expect race guarded_wrong c
// ask {"local": [4, 4], "groups": [2, 2]}
kernel void guarded_wrong(global int *c, int width) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x <= width) {
    c[y * width + x] = y; //! write
  }
}

// Row and column from one number, and back.
// expect verified there_and_back
// ask {"assume": ["width > 0"]}
kernel void there_and_back(global float *c, int width) {
  const int i = get_global_id(0);
  const int y = i / width, x = i % width;
  c[y * width + x] = 1;
}

// expect verified three_sizes
// ask {"dimensions": 3}
kernel void three_sizes(global float *c, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x < width && y < height) {
    c[(z * height + y) * width + x] = 1;
  }
}

// Tiles of the local size, which is free.
// expect verified tiles
// ask {}
kernel void tiles(global int *a, local int *t) {
  const int l = get_local_id(0);
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_group_id(0) * get_local_size(0) + l] = t[get_local_size(0) - 1 - l];
}

// Tiles overlap by one.
// expect race tiles_overlap a
// ask {}
kernel void tiles_overlap(global int *a) {
  if (get_local_size(0) > 1) {
    a[get_group_id(0) * (get_local_size(0) - 1) + get_local_id(0)] = get_group_id(0); //! write
  }
}

// Operators on bits in what is assumed, as tight as in C: the first four say that n is a multiple of 4.
// expect verified multiple
// ask {"local": [64], "assume": ["(n & 3) == 0"]}
// expect verified multiple
// ask {"local": [64], "assume": ["n >> 2 << 2 == n"]}
// expect verified multiple
// ask {"local": [64], "assume": ["(n | 3) == 3 && (n ^ 3) == 3"]}
// expect verified multiple
// ask {"local": [64], "assume": ["(n & 3) == 1 || n == 8", "n > 0", "n % 4 != 1"]}
// expect race multiple out
// ask {"local": [64], "assume": ["(n ^ 1) == 3"]}
kernel void multiple(global int *out, int n) {
  out[(n & 3) == 0 ? get_global_id(0) : 0] = get_global_id(0); //! write
}
