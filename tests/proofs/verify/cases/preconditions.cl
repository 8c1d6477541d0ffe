// What is said to hold, and what a proof needs of it: the weakest that was found is printed.

// expect verified nothing_needed ; none
// ask {"local": [64], "groups": [16], "assume": ["n == get_global_size(0)"]}
kernel void nothing_needed(global int *a, int n) {
  if ((int)get_global_id(0) < n) {
    a[get_global_id(0)] = 1;
  }
}

// One group, or the two write the same.
// expect verified one_group ; get_num_groups(0) == 1
// ask {"local": [64], "groups": [1]}
kernel void one_group(global int *a) { a[get_local_id(0)] = get_group_id(0); }

// expect verified enough_room ; get_local_size(0) == 64
// ask {"local": [64], "groups": [8]}
kernel void enough_room(global int *a) { a[get_group_id(0) * 64 + get_local_id(0)] = get_group_id(0); }

// Expressions: each of these alone is enough.
// expect verified expressions
// ask {"local": [8], "groups": [1], "assume": ["n > 0"]}
// expect verified expressions
// ask {"local": [8], "groups": [1], "assume": ["n >= 1 && 1"]}
// expect verified expressions
// ask {"local": [8], "groups": [1], "assume": ["!(n <= 0)"]}
// expect verified expressions
// ask {"local": [8], "groups": [1], "assume": ["n * 2 == 6 || n - 1 == -1 + 5"]}
// expect verified expressions
// ask {"local": [8], "groups": [1], "assume": ["n == get_local_size(0) % 5"]}
// expect verified expressions
// ask {"local": [8], "groups": [1], "assume": ["(n + 1) / 2 == 0x4"]}
// expect race expressions a[0]
// ask {"local": [8], "groups": [1], "assume": ["n > -1"]}
// expect race expressions a[0]
// ask {"local": [8], "groups": [1], "assume": ["n != 5"]}
kernel void expressions(global int *a, int n) {
  if (n == 0) {
    a[0] = get_local_id(0); //! write
  }
}

// Elements of a buffer are a number like others.
// expect verified in_elements
// ask {"local": [8], "groups": [4], "assume": ["n <= elements(a)", "elements(a) <= 32", "step == 1"]}
kernel void in_elements(global int *a, int n, int step) {
  for (int i = get_global_id(0) * step; i < n; i += get_global_size(0)) {
    a[i] = i;
  }
}

// expect unsupported misspelt
// ask {"local": [8], "groups": [4], "assume": ["m > 0"]}
// because names something that is no argument
// expect unsupported misspelt
// ask {"local": [8], "groups": [4], "assume": ["n >"]}
// because operand is missing
// expect unsupported misspelt
// ask {"local": [8], "groups": [4], "assume": ["n > 0 0"]}
// because something follows its end
// expect unsupported misspelt
// ask {"local": [8], "groups": [4], "assume": ["(n > 0"]}
// because a ) is missing
// expect unsupported misspelt
// ask {"local": [8], "groups": [4], "assume": ["get_local_size(3) > 0"]}
// because a dimension is 0, 1 or 2
// expect unsupported misspelt
// ask {"local": [8], "groups": [4], "assume": ["get_it(0) > 0"]}
// because calls a function that is not known
// expect unsupported misspelt
// ask {"local": [8], "groups": [4], "assume": ["elements(n) > 0"]}
// because elements() takes the name of a pointer argument
kernel void misspelt(global int *a, int n) { a[get_global_id(0)] = n; }
