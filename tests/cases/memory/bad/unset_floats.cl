// BUFFER: x float 64 ramp:1
// BUFFER: y float 64 none
// BUFFER: o float 64 zeros
// BUFFER: d double 16 ramp:1
// BUFFER: e double 16 zeros
// KERNEL: sum_of
// GLOBAL: 16
// LOCAL: 16
// ARG: x
// ARG: o
// READ: o
// KERNEL: least_of
// GLOBAL: 16
// LOCAL: 16
// ARG: x
// ARG: o
// READ: o
// KERNEL: greatest_of
// GLOBAL: 16
// LOCAL: 16
// ARG: x
// ARG: o
// READ: o
// KERNEL: tail
// GLOBAL: 16
// LOCAL: 16
// ARG: x
// ARG: o
// ARG: int 13
// READ: o
// KERNEL: beta
// GLOBAL: 64
// LOCAL: 16
// ARG: x
// ARG: y
// ARG: o
// ARG: float 0
// READ: o
// KERNEL: doubles
// GLOBAL: 16
// LOCAL: 16
// ARG: d
// ARG: e
// READ: e
// WHY: sums, least and greatest numbers, a factor of 0: values that nobody wrote show in their type alone.
kernel void sum_of(global const float *x, global float *o) {
  const int g = get_global_id(0);
  float sum;
  for (int i = 0; i < 4; i++)
    sum += x[g * 4 + i]; // ERROR: uninitialized-read
  o[g] = sum;
}
kernel void least_of(global const float *x, global float *o) {
  const int g = get_global_id(0);
  float least;
  for (int i = 0; i < 4; i++)
    least = fmin(least, -x[g * 4 + i]); // ERROR: uninitialized-read
  o[g] = least;
}
kernel void greatest_of(global const float *x, global float *o) {
  const int g = get_global_id(0);
  float most;
  for (int i = 0; i < 4; i++)
    most = fmax(most, x[g * 4 + i]); // ERROR: uninitialized-read
  o[g] = most;
}
kernel void tail(global const float *x, global float *o, const int n) {
  local float s[16];
  const int l = get_local_id(0), g = get_global_id(0);
  if (g < n)
    s[l] = x[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 8; d > 0; d /= 2) {
    if (l < d)
      s[l] = fmax(s[l], s[l + d]); // ERROR: uninitialized-read
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    o[get_group_id(0)] = s[0];
}
kernel void beta(global const float *x, global const float *y, global float *o, const float factor) {
  const int g = get_global_id(0);
  o[g] = 2.0f * x[g] + factor * y[g]; // ERROR: uninitialized-read
}
kernel void doubles(global const double *x, global double *o) {
  const int g = get_global_id(0);
  double sum;
  o[g] = sum + x[g]; // ERROR: uninitialized-read
}
