/* A launch is made of what was seen, and words are put in the place of those that were drawn. */
#include "generate/seeds.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "capture/number.h"
#include "cases/cases.h"
#include "generate/draw_internal.h"

enum { NUMBERS_MOST = 256 };

static const observed_argument *find(const observed_launch *l, size_t which) {
  for (size_t i = 0; i < l->argument_count; i++)
    if (l->arguments[i].parameter == which) return &l->arguments[i];
  return NULL;
}

static uint64_t element_of(const parameter *p) { return p->size == 0 ? 1 : p->size; }

/* False: the argument was not seen, or nothing like it can be said. */
static bool make_argument(const parameter *p, const observed_argument *seen, replica_argument *to) {
  to->is = p;
  if (p->kind == PARAMETER_OTHER) return replica_is_sampler(p);
  if (seen == NULL || seen->null || p->kind == PARAMETER_IMAGE) return false;
  if (p->kind == PARAMETER_VALUE) {
    to->size = p->size;
    to->bytes = mem_calloc(p->size + sizeof seen->integer, 1);
    if (seen->kind == OBSERVED_INTEGER)
      memcpy(to->bytes, &seen->integer, sizeof seen->integer);
    else if (seen->size == p->size)
      memcpy(to->bytes, seen->bytes, p->size);
    return seen->kind == OBSERVED_INTEGER || seen->size == p->size;
  }
  to->size = seen->size / element_of(p) * element_of(p);
  return to->size > 0;
}

/* What its bytes are in the words of a case; NULL: there are none. */
static char *words_of(const parameter *p, const unsigned char *bytes, size_t size) {
  size_t lanes = 1;
  const uint32_t kind = draw_kind(p, &lanes);
  buffer text = {0};
  if (kind == NUMBER_KINDS) return NULL;
  if (p->kind == PARAMETER_VALUE) {
    buffer_puts(&text, lanes > 1 ? "[" : "");
    for (size_t i = 0; i < lanes; i++) {
      buffer_puts(&text, i > 0 ? ", " : "");
      number_write(kind, bytes + i * number_size(kind), &text);
    }
    buffer_puts(&text, lanes > 1 ? "]" : "");
    return buffer_take(&text);
  }
  const capture_expectation shape = {
      .number = kind, .lanes = lanes == 3 ? 4 : (uint32_t)lanes, .used = (uint32_t)lanes};
  if (!case_words(&shape, bytes, size, NUMBERS_MOST, false, &text)) {
    buffer_free(&text);
    return NULL;
  }
  return buffer_take(&text);
}

bool seed_of_launch(inputs *in, unsigned number, const observed_launch *l, input *out) {
  const signature *of = in->terms.of;
  replica r = {.source = in->launches.source,
               .kernel = in->launches.kernel,
               .dimensions = l->dimensions,
               .arguments = mem_calloc(of->count + 1, sizeof *r.arguments),
               .count = of->count};
  bool right = true;
  for (size_t d = 0; d < 3; d++) {
    r.local[d] = l->local[d] > 0 ? l->local[d] : 1;
    r.global[d] = r.local[d] * (l->groups[d] > 0 ? l->groups[d] : 1);
    r.offset[d] = l->offset[d];
  }
  for (size_t i = 0; i < of->count && right; i++) {
    r.arguments[i].same_as = i;
    right = make_argument(&of->parameters[i], find(l, i), &r.arguments[i]);
  }
  right = right && inputs_take(in, number, &r, out);
  for (size_t i = 0; i < of->count && right; i++) {
    const parameter *p = &of->parameters[i];
    const observed_argument *seen = find(l, i);
    const bool memory = p->kind == PARAMETER_GLOBAL;
    const unsigned char *bytes = memory ? seen->bytes : p->kind == PARAMETER_VALUE ? r.arguments[i].bytes : NULL;
    char *words = bytes == NULL ? NULL : words_of(p, bytes, (size_t)r.arguments[i].size);
    if (memory) input_set_elements(out, i, r.arguments[i].size / element_of(p));
    if (words != NULL) {
      free(out->words[i]);
      out->words[i] = words;
    }
  }
  replica_free(&r);
  if (right && !inputs_allow(in, out)) {
    input_free(out);
    right = false;
  }
  return right;
}
