/* What buffers and images of a drawn launch hold, and which of them are one memory. */
#include <CL/cl.h>
#include <string.h>

#include "runner/opinion/draw_internal.h"

enum { ELEMENTS = 16384, LOCAL_BYTES = 4096 };

static void fill_by_facts(const contents_facts *f, replica_argument *to) {
  to->from = f->bounded ? f->low : to->from;
  to->to = f->bounded ? f->high : to->to;
  if (f->identity || (f->distinct && f->ascending)) {
    to->fill = FILL_COUNTING;
    to->from = f->identity ? 0 : to->from;
  } else if (f->distinct) {
    to->fill = FILL_SHUFFLED;
  } else if (f->ascending) {
    to->fill = FILL_RISING;
  } else if (f->bounded) {
    to->fill = FILL_DRAWN;
  }
}

/* Few different numbers, as many as there are work-items, or negative ones, too. */
static void fill_freely(attempt *a, replica_argument *to) {
  const int64_t items = (int64_t)(a->r->global[0] * a->r->global[1] * a->r->global[2]);
  to->fill = FILL_DRAWN;
  switch (attempt_below(a, 5)) {
    case 0:
      to->fill = FILL_ALIKE;
      to->from = (int64_t)attempt_below(a, 3);
      return;
    case 1:
      to->fill = FILL_COUNTING;
      return;
    case 2:
      to->to = items;
      return;
    case 3:
      to->from = -2;
      to->to = 2;
      return;
    default:
      to->to = 3;
      return;
  }
}

/* Elements that hold as many different values as the facts allow. */
static uint64_t fitting(const contents_facts *f, uint64_t elements) {
  const uint64_t values = f->bounded ? (uint64_t)f->high - (uint64_t)f->low + 1 : 0;
  return f->bounded && (f->distinct || f->identity) && values > 0 && elements > values ? values : elements;
}

void size_memory(attempt *a, size_t index) {
  replica_argument *to = &a->r->arguments[index];
  const uint64_t element = to->is->size == 0 ? 16 : to->is->size;
  if (to->is->kind == PARAMETER_LOCAL) {
    const uint64_t group = a->r->local[0] * a->r->local[1] * a->r->local[2], least = LOCAL_BYTES / element;
    to->size = (4 * group > least ? 4 * group : least) * element;
  } else {
    const uint64_t items = a->r->global[0] * a->r->global[1] * a->r->global[2];
    to->size = (2 * items > ELEMENTS ? 2 * items : ELEMENTS) * element;
  }
}

/* What is said of the memory of an argument, also by others that share it. False: that cannot all be so. */
static bool facts_said(const attempt *a, size_t index, contents_facts *out) {
  const replica *r = a->r;
  bool can = terms_contents(a->d->terms, index, r, out);
  for (size_t i = 0; i < r->count && can; i++) {
    contents_facts other;
    if (i == index || r->arguments[i].same_as != r->arguments[index].same_as) {
      continue;
    }
    can = terms_contents(a->d->terms, i, r, &other);
    const bool says = other.distinct || other.ascending || other.identity || other.bounded;
    can = can && (!says || r->arguments[i].is->size == r->arguments[index].is->size);
    out->distinct = out->distinct || other.distinct;
    out->ascending = out->ascending || other.ascending;
    out->identity = out->identity || other.identity;
    if (other.bounded) {
      out->low = out->bounded && out->low > other.low ? out->low : other.low;
      out->high = out->bounded && out->high < other.high ? out->high : other.high;
      out->bounded = true;
    }
  }
  return can && (!out->bounded || out->low <= out->high);
}

void share_memory(attempt *a) {
  replica_share(a->r, a->d->base);
  for (size_t i = 0; i < a->r->count; i++) {
    replica_argument *to = &a->r->arguments[i], *first = &a->r->arguments[to->same_as];
    to->offset = 0; /* draw_obstacle: none are apart */
    if (to->picture.object != 0 && first != to) {
      to->picture.extent[0] = first->picture.extent[0];
      to->picture.extent[1] = first->picture.extent[1];
      to->picture.extent[2] = first->picture.extent[2];
    }
  }
}

bool draw_contents(attempt *a) {
  for (size_t i = 0; i < a->r->count; i++) {
    replica_argument *to = &a->r->arguments[i];
    contents_facts f;
    if (to->is->kind != PARAMETER_GLOBAL || to->null) {
      continue;
    }
    if (!facts_said(a, i, &f)) {
      return false;
    }
    to->seed = attempt_draw(a);
    fill_freely(a, to);
    fill_by_facts(&f, to);
    to->size = to->is->size > 0 ? fitting(&f, to->size / to->is->size) * to->is->size : to->size;
    to->fill = to->same_as == i ? to->fill : FILL_ZERO; /* the first one's */
  }
  return true;
}

/* Each has an extent of its own: as many pixels as there are work-items, or one less or more, or few. */
void draw_image(attempt *a, size_t index) {
  replica_argument *to = &a->r->arguments[index];
  const char *text = asked_text(a->d->source)->text;
  const unsigned dimensions = replica_image_dimensions(to->is, &to->picture.object);
  to->picture.data = strstr(text, "imageui") != NULL  ? CL_UNSIGNED_INT32
                     : strstr(text, "imagei") != NULL ? CL_SIGNED_INT32
                                                      : CL_FLOAT;
  to->size = 4 * sizeof(cl_float);
  for (unsigned i = 0; i < dimensions; i++) {
    const uint64_t items = a->r->global[i] > 64 ? 64 : a->r->global[i];
    const uint64_t near = attempt_one_in(a, 3) ? items + 2 - attempt_below(a, 4) : items;
    to->picture.extent[i] = attempt_one_in(a, 6) ? 1 + attempt_below(a, 9) : near < 1 ? 1 : near;
    to->size *= to->picture.extent[i];
  }
  to->fill = FILL_DRAWN;
  to->to = 9;
  to->seed = attempt_draw(a);
}
