/* Sizes and arguments as launch mutants have them. */
#include "layer/observe/change.h"

#include <stdint.h>
#include <string.h>

static bool exchange(size_t *a, size_t *b) {
  const size_t kept = *a;
  *a = *b;
  *b = kept;
  return *a != *b;
}

bool change_sizes(const launch_change *c, launch_sizes *s) {
  const uint32_t d = c->first;
  if (d > 2 || c->second > 2) return false;
  switch (c->kind) {
    case CHANGE_EXCHANGED: return exchange(&s->global[d], &s->global[c->second]);
    case CHANGE_MORE: return !__builtin_add_overflow(s->global[d], s->group[d], &s->global[d]);
    case CHANGE_LESS: /* of a single work-group nothing is left, which devices refuse or take for no launch */
      s->global[d] -= s->global[d] < s->group[d] ? s->global[d] : s->group[d];
      return true;
    case CHANGE_HALVED: s->local[d] /= 2; return s->has_local && s->local[d] > 0;
    case CHANGE_DOUBLED: s->local[d] *= 2; return s->has_local;
    case CHANGE_OFFSET: s->offset[d]++; return true;
    default: return false;
  }
}

static bool change_float(const launch_change *c, void *value, size_t size) {
  double d = 0;
  float f = 0;
  const double step = c->kind == CHANGE_ADD ? 1 : -1;
  if (size == sizeof d) {
    memcpy(&d, value, size);
    d = c->kind == CHANGE_ZERO ? 0 : d + step;
    memcpy(value, &d, size);
  } else if (size == sizeof f) {
    memcpy(&f, value, size);
    f = c->kind == CHANGE_ZERO ? 0 : f + (float)step;
    memcpy(value, &f, size);
  }
  return size == sizeof d || size == sizeof f;
}

/* Two's complement, little-endian, whatever the sign. */
static bool change_integer(const launch_change *c, void *value, size_t size) {
  uint64_t number = 0;
  if (size != 1 && size != 2 && size != 4 && size != 8) return false;
  memcpy(&number, value, size);
  number = c->kind == CHANGE_ZERO ? 0 : c->kind == CHANGE_ADD ? number + 1 : number - 1;
  memcpy(value, &number, size);
  return true;
}

bool change_value(const launch_change *c, void *value, size_t size) {
  unsigned char before[sizeof(uint64_t)];
  if (size > sizeof before) return false;
  memcpy(before, value, size);
  const bool known = c->type == LAUNCH_FLOAT     ? change_float(c, value, size)
                     : c->type == LAUNCH_INTEGER ? change_integer(c, value, size)
                                                 : false;
  return known && memcmp(before, value, size) != 0;
}
