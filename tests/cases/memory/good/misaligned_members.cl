// BUFFER: a char 400 zeros
// KERNEL: packed
// GLOBAL: 16
// LOCAL: 16
// ARG: a
// READ: a
// KERNEL: even
// GLOBAL: 16
// LOCAL: 16
// ARG: a
// READ: a
// KERNEL: bytes
// GLOBAL: 16
// LOCAL: 16
// ARG: a
// READ: a
// WHY: packed structures may begin anywhere, those of bytes too, and the members of some lie where their types may.
typedef struct __attribute__((packed)) { char c; int v; } packed_record;
typedef struct { packed_record of[2]; char end; } in_packed;
typedef struct { char c; int v; } record;
typedef struct { char r, g, b; } pixel;
kernel void packed(global char *a) {
  const int i = get_global_id(0);
  ((global packed_record *)(a + 22 * i))->v = i;
  global in_packed *r = (global in_packed *)(a + 22 * i + 5);
  r->of[1].v = i;
}
kernel void even(global char *a) {
  const int i = get_global_id(0);
  global record *r = (global record *)(a + 8 * i);
  r->v = i;
  record x = *r;
  *(global record *)(a + 128 + 8 * i) = x;
}
kernel void bytes(global char *a) {
  const int i = get_global_id(0);
  global pixel *p = (global pixel *)(a + 3 * i + 1);
  p->g = p->r + i;
}
