// Divisions by the constant 0, and quotients of quotients.

// expect race zero_signed
// ask {"local": [64], "groups": [2]}
kernel void zero_signed(global int *a) { a[(int)get_global_id(0) / 0] = get_global_id(0); }

// expect race zero_vector
// ask {"local": [64], "groups": [2]}
kernel void zero_vector(global int *a) {
  int2 v = (int2)(get_global_id(0)) % (int2)(5, 0);
  a[v.y] = get_global_id(0);
}

// expect divergence zero_decides
// ask {"local": [64], "groups": [2]}
kernel void zero_decides(global int *a, int n) {
  if (n % 0 == 3) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = 1;
}

// expect race products_come_round a
// ask {"local": [64], "groups": [4]}
kernel void products_come_round(global int *a) {
  uint g = get_global_id(0);
  a[g / 65537u / 65537u * 131073u + g % 1u] = g;
}

// expect verified rounded
// ask {"local": [64], "groups": [4]}
kernel void rounded(global int *a) {
  uint g = get_global_id(0);
  a[g / 7 / 9 * 63 + g % 63] = g;
}
