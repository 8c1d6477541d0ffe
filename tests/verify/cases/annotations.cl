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
