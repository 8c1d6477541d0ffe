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
// GLOBAL: 16
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
// KERNEL: from_its_end
// GLOBAL: 16
// LOCAL: 4
// ARG: a
// ARG: out
// KERNEL: own_parameter
// GLOBAL: 8
// LOCAL: 4
// ARG: a
// ARG: out
// KERNEL: tested
// GLOBAL: 4
// LOCAL: 4
// ARG: null
// ARG: out
// KERNEL: in_a_structure
// GLOBAL: 16
// LOCAL: 4
// ARG: a
// ARG: b
// ARG: out
// KERNEL: address_only
// GLOBAL: 4
// LOCAL: 4
// ARG: a
// ARG: out
// READ: out
// WHY: the twins of bad/pointers.cl. A pointer may leave its object as long as nothing is accessed there.
kernel void copied(global const int *a, global int *out) {
  const int i = get_global_id(0);
  global const int *p = a;
  global const int *q = p + 2;
  out[i] = i < 14 ? q[i] : 0;
}

kernel void chosen(global const int *a, global const int *b, global int *out) {
  const int i = get_global_id(0);
  global const int *p = i < 16 ? a : b;
  if (i < 32)
    out[i] = p[i];
}

kernel void chosen_late(global const int *a, global const int *b, global int *out) {
  const int i = get_global_id(0);
  global const int *p = b;
  p = b[i] >= 8 ? a : p;
  out[i] = p[i] + (b[i + 16] > 0 ? a : b)[i];
}

kernel void walked(global const int *a, global int *out) {
  int sum = 0;
  for (global const int *p = a + get_global_id(0); p < a + 16;)
    sum += *p++;
  out[get_global_id(0)] = sum;
}

kernel void exchanged(global int *a, global int *b, global int *out) {
  const int i = get_global_id(0);
  global int *from = a, *to = b;
  for (int k = 0; k < 2; k++) {
    global int *t = from;
    from = to;
    to = t;
  }
  if (i < 16)
    out[i] = from[i];
  else
    out[i] = to[i];
}

static global const int *later(global const int *p, int n) { return p + n; }

kernel void given_back(global const int *a, global int *out) {
  const int i = get_global_id(0);
  global const int *p = later(a, 20);
  p = p - 20;
  out[i] = p[i] + *later(a, i) + later(a, 12)[i];
}

kernel void from_its_end(global const int *a, global int *out) {
  const int i = get_global_id(0);
  global const int *end = a + 16;
  out[i] = end[-1 - i];
}

kernel void own_parameter(global const int *a, global int *out) {
  const int i = get_global_id(0);
  a += 8;
  out[i] = a[i] + a[-8];
}

kernel void tested(global const int *maybe, global int *out) {
  const int i = get_global_id(0);
  out[i] = maybe ? maybe[i] : 7;
}

typedef struct {
  global const int *from;
  global int *to;
  int count;
} work;

kernel void in_a_structure(global const int *a, global const int *b, global int *out) {
  const int i = get_global_id(0);
  work w = {a, out, 16};
  if (i & 1)
    w.from = b + 4;
  global const int *all[2] = {a, b};
  if (i < w.count)
    w.to[i] = w.from[i] + all[i & 1][i];
}

kernel void address_only(global int *a, global int *out) {
  const int i = get_global_id(0);
  global int *p = &a[100 + i];
  out[i] = (int)(p - a) + (int)sizeof(a[1000]);
}
