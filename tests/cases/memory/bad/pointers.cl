// BUFFER: a int 16 ramp
// BUFFER: b int 32 ramp
// BUFFER: out int 64 zeros
// KERNEL: copied
// GLOBAL: 20
// LOCAL: 4
// ARG: a
// ARG: out
// KERNEL: chosen
// GLOBAL: 40
// LOCAL: 8
// ARG: a
// ARG: b
// ARG: out
// KERNEL: chosen_late
// GLOBAL: 40
// LOCAL: 8
// ARG: a
// ARG: b
// ARG: out
// KERNEL: walked
// GLOBAL: 4
// LOCAL: 4
// ARG: a
// ARG: out
// KERNEL: exchanged
// GLOBAL: 32
// LOCAL: 8
// ARG: a
// ARG: b
// ARG: out
// KERNEL: given_back
// GLOBAL: 4
// LOCAL: 4
// ARG: a
// ARG: out
// KERNEL: before
// GLOBAL: 16
// LOCAL: 4
// ARG: a
// ARG: out
// KERNEL: unsigned_before
// GLOBAL: 16
// LOCAL: 4
// ARG: a
// ARG: out
// KERNEL: own_parameter
// GLOBAL: 16
// LOCAL: 4
// ARG: a
// ARG: out
// KERNEL: of_nothing
// GLOBAL: 4
// LOCAL: 4
// ARG: out
// READ: out
// WHY: a pointer is in a variable, chosen, moved, or made from another one: it stays one to the object that it was made from.
kernel void copied(global const int *a, global int *out) {
  const int i = get_global_id(0);
  global const int *p = a;
  global const int *q = p + 2;
  out[i] = q[i]; // ERROR: out-of-bounds
}

kernel void chosen(global const int *a, global const int *b, global int *out) {
  const int i = get_global_id(0);
  global const int *p = i < 36 ? b : a;
  if (i < 32 || i >= 36)
    out[i] = p[i]; // ERROR: out-of-bounds
}

kernel void chosen_late(global const int *a, global const int *b, global int *out) {
  const int i = get_global_id(0);
  global const int *p;
  p = b[i & 31] >= 0 ? a : b;
  out[i] = p[i]; // ERROR: out-of-bounds
}

kernel void walked(global const int *a, global int *out) {
  int sum = 0;
  for (global const int *p = a + get_global_id(0); p <= a + 16; p++)
    sum += *p; // ERROR: out-of-bounds
  out[get_global_id(0)] = sum;
}

kernel void exchanged(global int *a, global int *b, global int *out) {
  const int i = get_global_id(0);
  global int *from = a, *to = b;
  for (int k = 0; k < 3; k++) {
    global int *t = from;
    from = to;
    to = t;
  }
  if (i < 16)
    to[i] = from[i];
  else
    out[i] = to[i]; // ERROR: out-of-bounds
}

static global const int *later(global const int *p, int n) { return p + n; }

kernel void given_back(global const int *a, global int *out) {
  const int i = get_global_id(0);
  global const int *p = a;
  p = later(p, i);
  p = a + 13;
  out[i] = p[i]; // ERROR: out-of-bounds
}

kernel void before(global const int *a, global int *out) {
  const int i = get_global_id(0);
  out[i] = a[i - 1]; // ERROR: out-of-bounds
}

kernel void unsigned_before(global const int *a, global int *out) {
  const uint i = get_global_id(0);
  out[i] = a[i - 1]; // ERROR: out-of-bounds
}

kernel void own_parameter(global const int *a, global int *out) {
  const int i = get_global_id(0);
  a += 8;
  out[i] = a[i] + a[-8]; // ERROR: out-of-bounds
}

kernel void of_nothing(global int *out) {
  global int *p = 0;
  const int i = get_global_id(0);
  if (i == 3)
    out[i] = p[i]; // ERROR: null-pointer
}
