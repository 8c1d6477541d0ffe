/* What the model says, else what was observed at a launch of these sizes, else something that does no harm. */
#include "runner/counterexample/replica.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"

enum { ELEMENTS_LEAST = 65536, ELEMENTS_AN_ITEM = 4, ELEMENTS_BEHIND = 64 };

#define ITEMS_MOST (UINT64_C(1) << 20)
#define GROUP_MOST 4096

/* --- sizes -------------------------------------------------------------------------------------------------------- */

static const char *take_sizes(const answer_finding *f, replica *out) {
  uint64_t items = 1, group = 1;
  if (!f->has_sizes) {
    return "the counterexample has no sizes";
  }
  out->dimensions = 1;
  for (uint32_t i = 0; i < 3; i++) {
    const uint64_t local = f->local_size[i], groups = f->groups[i];
    if (local == 0 || groups == 0 || local > ITEMS_MOST || groups > ITEMS_MOST || local * groups > ITEMS_MOST / items) {
      return "it needs more than a million work-items";
    }
    items *= local * groups;
    group *= local;
    out->local[i] = local;
    out->global[i] = local * groups;
    out->offset[i] = f->offset[i];
    out->dimensions = out->global[i] > 1 || out->offset[i] > 0 ? i + 1 : out->dimensions;
  }
  return group > GROUP_MOST ? "its work-groups are larger than devices take" : NULL;
}

/* --- observed launches -------------------------------------------------------------------------------------------- */

static const answer_argument *said(const answer_finding *f, const char *name) {
  return NAMED(f->arguments, f->argument_count, name, name);
}

static bool fits(const observed_launch *l, const signature *of, const answer_finding *f) {
  if (memcmp(l->local, f->local_size, sizeof l->local) != 0 || memcmp(l->groups, f->groups, sizeof l->groups) != 0 ||
      memcmp(l->offset, f->offset, sizeof l->offset) != 0) {
    return false;
  }
  for (size_t i = 0; i < l->argument_count; i++) {
    const observed_argument *a = &l->arguments[i];
    const answer_argument *s = said(f, of->parameters[a->parameter].name);
    if (a->kind == OBSERVED_INTEGER && s != NULL && s->is_integer && s->integer != a->integer) {
      return false;
    }
  }
  return true;
}

static const observed_launch *find_launch(const asked_source *s, const char *kernel, const signature *of,
                                          const answer_finding *f) {
  const asked_kernel *k = asked_kernel_find(s, kernel);
  for (size_t i = 0; k != NULL && i < k->launch_count; i++) {
    if (fits(&k->launches[i], of, f)) {
      return &k->launches[i];
    }
  }
  return NULL;
}

static const observed_argument *observed(const observed_launch *l, size_t index) {
  for (size_t i = 0; l != NULL && i < l->argument_count; i++) {
    if (l->arguments[i].parameter == index) {
      return &l->arguments[i];
    }
  }
  return NULL;
}

/* --- arguments ---------------------------------------------------------------------------------------------------- */

static int digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

static void take_bytes(const char *hexadecimal, unsigned char *to, uint64_t size) {
  for (uint64_t i = 0; i < size; i++) {
    const int high = hexadecimal[2 * i] == '\0' ? -1 : digit(hexadecimal[2 * i]);
    const int low = high < 0 ? -1 : digit(hexadecimal[2 * i + 1]);
    if (low < 0) {
      return;
    }
    to[i] = (unsigned char)(high * 16 + low);
  }
}

static const char *take_value(const answer_finding *f, const observed_argument *seen, replica_argument *to) {
  const answer_argument *given = said(f, to->is->name);
  to->size = to->is->size;
  if (to->size == 0) {
    return "the size of an argument is not known";
  }
  to->bytes = mem_calloc(to->size, 1);
  if (given != NULL && !given->is_integer) {
    take_bytes(given->hexadecimal, to->bytes, to->size);
  } else if (given != NULL || (seen != NULL && seen->kind == OBSERVED_INTEGER)) {
    const int64_t n = given != NULL ? given->integer : seen->integer;
    memcpy(to->bytes, &n, to->size < sizeof n ? to->size : sizeof n);
  } else if (seen != NULL && seen->kind == OBSERVED_BYTES) {
    memcpy(to->bytes, seen->bytes, to->size < seen->size ? to->size : seen->size);
  }
  return NULL;
}

static uint64_t product(const uint64_t *n) { return n[0] * n[1] * n[2]; }

/* Elements that the counterexample touches, as far as it says so. */
static uint64_t elements_touched(const answer_finding *f, const replica_argument *a) {
  uint64_t most = 0;
  if (strcmp(f->array, a->is->name) == 0 && f->has_element) {
    most = f->element < REPLICA_MEMORY_MOST ? f->element + 1 : REPLICA_MEMORY_MOST;
  }
  for (size_t i = 0; i < a->cell_count; i++) {
    const uint64_t cell = a->cells[i].element < REPLICA_MEMORY_MOST ? a->cells[i].element : REPLICA_MEMORY_MOST;
    const uint64_t element = cell * a->cells[i].size / (a->is->size == 0 ? 1 : a->is->size);
    most = element >= most ? element + 1 : most;
  }
  return most;
}

static void take_contents(const answer_finding *f, const observed_argument *seen, replica_argument *to) {
  for (size_t i = 0; i < f->contents_count; i++) {
    if (strcmp(f->contents[i].buffer, to->is->name) == 0) {
      to->cells = f->contents[i].cells;
      to->cell_count = f->contents[i].count;
      if (to->cell_count > 0 && to->cells[0].size == to->is->size) { /* others do what the first work-item does */
        to->fill = FILL_ALIKE;
        to->from = to->cells[0].value;
      }
    }
  }
  if (seen != NULL && to->is->integer && (seen->facts.identity || seen->facts.distinct)) {
    to->fill = FILL_COUNTING;
    to->from = seen->facts.identity ? 0 : seen->facts.low;
  }
}

/* An access past the end is seen where the end is as the proof has it; else there is room for all that may follow. */
static const char *take_memory(const replica *r, const answer_finding *f, const observed_argument *seen,
                               replica_argument *to) {
  const uint64_t element = to->is->size == 0 ? 16 : to->is->size;
  const bool local = to->is->kind == PARAMETER_LOCAL;
  const uint64_t items = product(local ? r->local : r->global);
  take_contents(f, seen, to);
  if (seen != NULL && seen->size > 0) {
    to->size = seen->size;
    return NULL;
  }
  if (strcmp(f->rule, "out-of-bounds") == 0 && strcmp(f->array, to->is->name) == 0) {
    to->size = f->object_size;
    return f->object_size == 0 ? "the size of the buffer that is left is not known" : NULL;
  }
  const uint64_t least = local ? 0 : ELEMENTS_LEAST, behind = local ? 0 : ELEMENTS_BEHIND;
  const uint64_t touched = elements_touched(f, to) + behind, usual = items * (local ? 1 : ELEMENTS_AN_ITEM);
  uint64_t elements = touched > usual ? touched : usual;
  elements = elements > least ? elements : least;
  if (elements > REPLICA_MEMORY_MOST / element) {
    return "it needs a buffer that is larger than 256 MiB";
  }
  to->size = elements * element;
  return NULL;
}

static const char *take_argument(replica *r, const answer_finding *f, const observed_launch *l, size_t index) {
  replica_argument *to = &r->arguments[index];
  switch (to->is->kind) {
    case PARAMETER_VALUE:
      return take_value(f, observed(l, index), to);
    case PARAMETER_GLOBAL:
    case PARAMETER_LOCAL:
      return take_memory(r, f, observed(l, index), to);
    case PARAMETER_IMAGE:
      return "it needs images";
    default:
      return "an argument is neither a value nor memory";
  }
}

static bool is_there(const observed_argument *a) {
  return a != NULL && a->kind == OBSERVED_BUFFER && !a->null && a->size > 0;
}

void replica_share(replica *r, const observed_launch *l) {
  for (size_t i = 0; i < r->count; i++) {
    const observed_argument *a = observed(l, i);
    replica_argument *to = &r->arguments[i];
    to->same_as = i;
    to->null = to->is->kind == PARAMETER_GLOBAL && a != NULL && a->null;
    to->size = to->null ? 0 : to->size;
    for (size_t k = 0; k < i && is_there(a) && to->same_as == i; k++) {
      const observed_argument *b = observed(l, k);
      if (is_there(b) && b->memory == a->memory) {
        to->same_as = r->arguments[k].same_as;
        to->offset = a->offset;
        r->arguments[k].offset = b->offset;
      }
    }
  }
}

const char *replica_make(const asked_source *s, const char *kernel, const answer_finding *f, replica *out) {
  *out = (replica){.source = s, .finding = f, .kernel = kernel};
  const signature *of = asked_signature(s, kernel);
  if (of == NULL) {
    return "the kernel's parameters are not known";
  }
  const char *problem = take_sizes(f, out);
  const observed_launch *l = find_launch(s, kernel, of, f);
  out->arguments = mem_calloc(of->count + 1, sizeof *out->arguments);
  out->count = of->count;
  uint64_t memory = 0;
  for (size_t i = 0; i < of->count; i++) {
    out->arguments[i].is = &of->parameters[i];
    problem = problem == NULL ? take_argument(out, f, l, i) : problem;
    memory += out->arguments[i].is->kind == PARAMETER_GLOBAL ? out->arguments[i].size : 0;
    if (problem == NULL && memory > REPLICA_MEMORY_MOST) {
      problem = "it needs buffers that are larger than 256 MiB";
    }
  }
  replica_share(out, l);
  return problem;
}

void replica_free(replica *r) {
  for (size_t i = 0; i < r->count; i++) {
    free(r->arguments[i].bytes);
  }
  free(r->arguments);
  *r = (replica){0};
}
