/* What buffers of a launch hold at first. */
#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

#include "runner/counterexample/replica.h"

/* A type is of such numbers: "float4" of floats. */
typedef struct numbers {
  uint64_t width; /* bytes */
  bool real;
} numbers;

static numbers numbers_of(const parameter *p) {
  static const struct {
    const char *name;
    numbers are;
  } known[] = {{"char", {1, false}},   {"uchar", {1, false}}, {"bool", {1, false}},  {"short", {2, false}},
               {"ushort", {2, false}}, {"half", {2, false}},  {"int", {4, false}},   {"uint", {4, false}},
               {"float", {4, true}},   {"long", {8, false}},  {"ulong", {8, false}}, {"size_t", {8, false}},
               {"double", {8, true}}};
  const size_t letters = strspn(p->type, "abcdefghijklmnopqrstuvwxyz_");
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strlen(known[i].name) == letters && strncmp(known[i].name, p->type, letters) == 0 &&
        strspn(p->type + letters, "0123456789") == strlen(p->type + letters)) {
      return known[i].are;
    }
  }
  return (numbers){p->integer && p->size <= 8 ? p->size : p->size % 4 == 0 && p->size > 0 ? 4 : 1, false};
}

uint64_t replica_draw(uint64_t seed, uint64_t number) {
  uint64_t x = seed + (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
  while (b != 0) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static int64_t number_at(const replica_argument *a, uint64_t i, uint64_t step, uint64_t count) {
  const uint64_t most = (uint64_t)a->to - (uint64_t)a->from;
  uint64_t up = 0; /* from `from` */
  if (a->fill == FILL_DRAWN) {
    up = replica_draw(a->seed, i);
    up = most == UINT64_MAX ? up : up % (most + 1);
  } else if (a->fill == FILL_SHUFFLED) {
    up = (i * step + a->seed % count) % count;
  } else {
    up = i / 2 < most ? i / 2 : most;
  }
  return (int64_t)((uint64_t)a->from + up);
}

static void put_number(numbers n, int64_t value, unsigned char *to) {
  if (n.real && n.width == 4) {
    const float real = (float)value / 4;
    memcpy(to, &real, sizeof real);
  } else if (n.real) {
    const double real = (double)value / 4;
    memcpy(to, &real, sizeof real);
  } else {
    memcpy(to, &value, (size_t)n.width);
  }
}

static void fill_numbers(const replica_argument *a, unsigned char *bytes) {
  const bool image = a->picture.object != 0;
  const numbers n = image ? (numbers){sizeof(cl_float), a->picture.data == CL_FLOAT} : numbers_of(a->is);
  const uint64_t count = a->size / n.width;
  uint64_t step = count > 2 ? 1 + a->seed % (count - 2) : 1;
  while (common_divisor(step, count == 0 ? 1 : count) != 1) {
    step++;
  }
  for (uint64_t i = 0; i < count; i++) {
    put_number(n, number_at(a, i, step, count), bytes + i * n.width);
  }
}

void replica_fill(const replica_argument *a, unsigned char *bytes) {
  const uint64_t element = a->is->size, count = element == 0 ? 0 : a->size / element;
  const uint64_t width = element < sizeof(int64_t) ? element : sizeof(int64_t);
  if (a->fill >= FILL_DRAWN) {
    fill_numbers(a, bytes);
    return;
  }
  for (uint64_t i = 0; a->fill != FILL_ZERO && i < count; i++) {
    const int64_t n = a->from + (a->fill == FILL_COUNTING ? (int64_t)i : 0);
    memcpy(bytes + i * element, &n, width);
  }
  for (size_t i = 0; i < a->cell_count; i++) {
    const answer_cell *c = &a->cells[i];
    if (c->element < a->size / c->size) {
      memcpy(bytes + c->element * c->size, &c->value, c->size);
    }
  }
}

/* --- images ------------------------------------------------------------------------------------------------------- */

bool replica_is_sampler(const parameter *p) {
  return p->kind == PARAMETER_OTHER && strstr(p->type, "sampler_t") != NULL;
}

unsigned replica_image_dimensions(const parameter *p, uint32_t *object) {
  static const struct {
    const char *type;
    uint32_t object;
    unsigned dimensions;
  } known[] = {{"image2d_t", CL_MEM_OBJECT_IMAGE2D, 2},
               {"image3d_t", CL_MEM_OBJECT_IMAGE3D, 3},
               {"image1d_t", CL_MEM_OBJECT_IMAGE1D, 1},
               {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, 3},
               {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, 2}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strstr(p->type, known[i].type) != NULL) {
      *object = known[i].object;
      return known[i].dimensions;
    }
  }
  return 0;
}
