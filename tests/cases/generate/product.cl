/* Products of 32 bits need 64. */
kernel void reference(global const int *a, global const int *b, global long *out) {
  int i = get_global_id(0);
  out[i] = (long)a[i] * b[i];
}

kernel void right_swapped(global const int *a, global const int *b, global long *out) {
  int i = get_global_id(0);
  out[i] = convert_long(b[i]) * convert_long(a[i]);
}

kernel void right_halves(global const int *a, global const int *b, global long *out) {
  int i = get_global_id(0);
  long low = b[i] & 65535, high = b[i] >> 16;
  out[i] = a[i] * low + a[i] * high * 65536;
}

/* An overflow of int. */
kernel void faulty_int(global const int *a, global const int *b, global long *out) {
  int i = get_global_id(0);
  out[i] = (int)((uint)a[i] * (uint)b[i]);
}
