// Places in the memory of a work-item that are constant, or become so, and lie outside.

// expect out-of-bounds helper_index
// ask {"local": [64], "groups": [2]}
void store(int *s, int i, int v) { s[i] = v; }
kernel void helper_index(global int *a, int n) {
  int s[4] = {0, 0, 0, 0};
  if (n == 77) {
    store(s, 4, n);
  }
  a[get_global_id(0)] = s[1];
}

// expect out-of-bounds index_in_array
// ask {"local": [64], "groups": [2]}
kernel void index_in_array(global int *a, int n) {
  int s[4] = {0, 0, 0, 0}, at[1] = {5};
  if (n == 77) {
    s[at[0]] = n;
  }
  a[get_global_id(0)] = s[1];
}

// expect out-of-bounds below
// ask {"local": [64], "groups": [2]}
kernel void below(global int *a, int n) {
  int s[4] = {0, 0, 0, 0};
  if (n == 77) {
    s[-1] = n;
  }
  a[get_global_id(0)] = s[1];
}

// expect out-of-bounds read_beyond
// ask {"local": [64], "groups": [2]}
kernel void read_beyond(global int *a, int n) {
  int s[4] = {0, 0, 0, 0};
  a[get_global_id(0)] = n == 77 ? s[4] : s[1];
}

// expect out-of-bounds vector_beyond
// ask {"local": [64], "groups": [2]}
kernel void vector_beyond(global int *a, int n) {
  int4 v = (int4)(0);
  if (n == 77) {
    v[4] = n;
  }
  a[get_global_id(0)] = v.x;
}

// expect out-of-bounds vector_by_pointer
// ask {"local": [64], "groups": [2]}
kernel void vector_by_pointer(global int *a, int n) {
  int4 v = (int4)(0);
  if (n == 77) {
    ((int *)&v)[4] = n;
  }
  a[get_global_id(0)] = v.x;
}

// expect out-of-bounds bytes_of_array
// ask {"local": [64], "groups": [2]}
kernel void bytes_of_array(global int *a, int n) {
  int s[4] = {0, 0, 0, 0};
  if (n == 77) {
    ((char *)s)[16] = n;
  }
  a[get_global_id(0)] = s[0];
}

// expect out-of-bounds wider
// ask {"local": [64], "groups": [2]}
kernel void wider(global int *a, int n) {
  int s[4] = {0, 0, 0, 0};
  if (n == 77) {
    *(long *)(s + 3) = n;
  }
  a[get_global_id(0)] = s[0];
}

struct two {
  int x[2], y;
};

// expect out-of-bounds in_structure
// ask {"local": [64], "groups": [2]}
kernel void in_structure(global int *a, int n) {
  struct two s[2] = {{{0, 0}, 0}, {{0, 0}, 0}};
  if (n == 77) {
    s[2].y = n;
  }
  a[get_global_id(0)] = s[0].y;
}

// expect out-of-bounds plain_variable
// ask {"local": [64], "groups": [2]}
kernel void plain_variable(global int *a, int n) {
  int x = 0;
  if (n == 77) {
    (&x)[1] = n;
  }
  a[get_global_id(0)] = x;
}

// expect out-of-bounds unrolled
// ask {"local": [64], "groups": [2]}
kernel void unrolled(global int *a, int n) {
  int s[4] = {0, 0, 0, 0};
  for (int i = 0; i <= 4; i++) {
    s[i] = n;
  }
  a[get_global_id(0)] = s[0];
}

// expect out-of-bounds chosen
// ask {"local": [64], "groups": [2]}
kernel void chosen(global int *a, int n) {
  int s[4] = {0, 0, 0, 0};
  int *p = n == 77 ? &s[4] : &s[1];
  *p = n;
  a[get_global_id(0)] = s[0];
}

// expect verified inside
// ask {"local": [64], "groups": [2]}
kernel void inside(global int *a, int n) {
  int s[4] = {0, 0, 0, 0};
  int4 v = (int4)(1);
  int *p = n == 77 ? &s[3] : &s[1];
  *p = n;
  store(s, 3, n);
  v[3] = 2;
  ((char *)s)[15] = n;
  a[get_global_id(0)] = s[0] + v[3];
}
