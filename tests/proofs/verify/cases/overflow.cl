// Signed arithmetic does not overflow (C11, 6.5); unsigned arithmetic wraps.

// Only with overflow the condition holds: there is no such launch.
// expect verified never_signed
// ask {"local": [64], "groups": [1]}
kernel void never_signed(global int *a, int n) {
  const int l = get_local_id(0);
  if (n + l < n) {
    a[0] = l;
  }
}

// expect race wraps_unsigned a[0]
// ask {"local": [64], "groups": [1]}
kernel void wraps_unsigned(global int *a, uint n) {
  const uint l = get_local_id(0);
  if (n + l < n) {
    a[0] = l; //! write
  }
}

// Three times a number that is another for each.
// expect verified thrice
// ask {"local": [64], "groups": [4]}
kernel void thrice(global int *a, int n) {
  const int i = (n + (int)get_global_id(0)) * 3;
  a[i] = 1;
  a[i + 1] = 2;
}
