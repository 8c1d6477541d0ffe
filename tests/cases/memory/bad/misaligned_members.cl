// BUFFER: a char 400 zeros
// KERNEL: member
// GLOBAL: 16
// LOCAL: 16
// ARG: a
// KERNEL: through_a_variable
// GLOBAL: 16
// LOCAL: 16
// ARG: a
// KERNEL: whole
// GLOBAL: 16
// LOCAL: 16
// ARG: a
// KERNEL: nested
// GLOBAL: 16
// LOCAL: 16
// ARG: a
// WHY: int members of structures that begin at odd addresses.
typedef struct { char c; int v; } record;
typedef struct { record of[2]; } records;
kernel void member(global char *a) {
  const int i = get_global_id(0);
  ((global record *)(a + 9 * i))->v = i; // ERROR: misaligned
}
kernel void through_a_variable(global char *a) {
  const int i = get_global_id(0);
  global record *r = (global record *)(a + 9 * i);
  r->c = 1;
  a[9 * i] += r->v; // ERROR: misaligned
}
kernel void whole(global char *a) {
  const int i = get_global_id(0);
  record x;
  x.c = 1;
  x.v = i;
  *(global record *)(a + 9 * i) = x; // ERROR: misaligned
}
kernel void nested(global char *a) {
  const int i = get_global_id(0);
  global records *r = (global records *)(a + 18 * i);
  r->of[1].v = i; // ERROR: misaligned
}
