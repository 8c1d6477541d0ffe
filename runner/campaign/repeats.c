/* Where repeats of a replay cannot differ, so that one stands for all: nothing in a launch depends on the order in which
 * its work-groups run. Launches are noted while a capture is read, and then looked at together in a process of its own,
 * as libclang reads the sources again. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/build/disjoint.h"
#include "runner/campaign/reuse.h"
#include "runner/isolate.h"

static bool has_one_group(const capture_command *l) {
  bool one = true;
  for (uint32_t d = 0; d < l->u.launch.dimensions; d++) {
    one = one && l->u.launch.global[d] <= (l->u.launch.has_local ? l->u.launch.local[d] : 1);
  }
  return one;
}

/* The value of an integer of so many bytes, if it is the same with a sign and without. */
static bool read_integer(const unsigned char *bytes, uint64_t size, int64_t *value) {
  int32_t four = -1;
  *value = -1;
  if (size == sizeof four) {
    memcpy(&four, bytes, sizeof four);
    *value = four;
  } else if (size == sizeof *value) {
    memcpy(value, bytes, sizeof *value);
  }
  return *value >= 0 && *value <= INT32_MAX;
}

static facts_argument argument_of(const launch_setting *s, uint32_t index) {
  facts_argument a = {.buffer = FACTS_NO_BUFFER};
  const capture_command *set = s->arguments[index];
  if (set != NULL && set->u.argument.kind == CAPTURE_VALUE) {
    a.known = read_integer(set->u.argument.bytes, set->u.argument.size, &a.value);
  }
  if (set != NULL && set->u.argument.kind == CAPTURE_MEMORY && set->u.argument.object != CAPTURE_NONE) {
    a.buffer = s->stored->items[set->u.argument.object].owner;
  }
  return a;
}

/* --- launches that are asked about ----------------------------------------------------------------------------------- */

enum { MOST_NOTED = 4096 };

typedef struct noted_launch {
  uint32_t kernel;
  facts_launch launch;
  facts_argument *arguments;
  bool asked;            /* since the last answer */
  bool looked, disjoint; /* it was looked at, and that was seen */
} noted_launch;

static noted_launch make_note(uint32_t kernel, const launch_setting *s) {
  const capture_command *l = s->launch;
  noted_launch n = {.kernel = kernel, .asked = true};
  n.arguments = mem_calloc(s->argument_count + 1, sizeof *n.arguments);
  for (uint32_t i = 0; i < s->argument_count; i++) {
    n.arguments[i] = argument_of(s, i);
  }
  n.launch = (facts_launch){
      .dimensions = l->u.launch.dimensions, .arguments = n.arguments, .argument_count = s->argument_count};
  for (uint32_t d = 0; d < n.launch.dimensions && d < 3; d++) {
    n.launch.global[d] = l->u.launch.global[d];
    n.launch.offset[d] = l->u.launch.has_offset ? l->u.launch.offset[d] : 0;
  }
  return n;
}

static bool is_same(const noted_launch *a, const noted_launch *b) {
  bool same = a->kernel == b->kernel && a->launch.dimensions == b->launch.dimensions &&
              a->launch.argument_count == b->launch.argument_count &&
              memcmp(a->launch.global, b->launch.global, sizeof a->launch.global) == 0 &&
              memcmp(a->launch.offset, b->launch.offset, sizeof a->launch.offset) == 0;
  for (size_t i = 0; i < a->launch.argument_count && same; i++) {
    const facts_argument *x = &a->arguments[i], *y = &b->arguments[i];
    same = x->known == y->known && x->value == y->value && x->buffer == y->buffer;
  }
  return same;
}

bool note_launch(campaign_program *p, uint32_t kernel, const launch_setting *s) {
  if (has_one_group(s->launch)) {
    return true;
  }
  noted_launch n = make_note(kernel, s);
  for (size_t i = 0; i < p->noted_count; i++) {
    if (is_same(&p->noted[i], &n)) {
      free(n.arguments);
      p->noted[i].asked = true;
      return !p->noted[i].looked || p->noted[i].disjoint;
    }
  }
  if (p->noted_count == MOST_NOTED) {
    free(n.arguments);
    return false;
  }
  *ARRAY_ADD(p->noted, p->noted_count, p->noted_capacity) = n;
  return true;
}

static bool is_open(const noted_launch *n) { return n->asked && !n->looked; }

/* A byte a launch that is looked at, and what all of them rest on. */
static int look(void *context, buffer *out, error *e) {
  const campaign_program *p = context;
  pp_input *inputs = request_inputs(&p->request);
  disjoint *d = disjoint_read(inputs, p->request.source_count);
  if (d == NULL) {
    return error_set(e, EXIT_INTERNAL, "the sources cannot be read");
  }
  for (size_t i = 0; i < p->noted_count; i++) {
    const noted_launch *n = &p->noted[i];
    if (is_open(n)) {
      buffer_putc(out, disjoint_holds(d, p->schema.model.kernels[n->kernel].name, &n->launch) ? 1 : 0);
    }
  }
  disjoint_write(d, out);
  return 0;
}

static int take(void *context, const void *bytes, size_t length) {
  campaign_program *p = context;
  size_t at = 0;
  for (size_t i = 0; i < p->noted_count; i++) {
    if (is_open(&p->noted[i])) {
      p->noted[i].disjoint = at < length && ((const char *)bytes)[at] == 1;
      at++;
    }
  }
  return at > length ? -1 : disjoint_add(&p->disjoint, (const char *)bytes + at, length - at);
}

static bool answer(campaign_program *p, bool wanted) {
  bool all = true;
  bool any = false;
  for (size_t i = 0; i < p->noted_count; i++) {
    any = any || is_open(&p->noted[i]);
  }
  error ignored;
  const bool failed = wanted && any && isolated(&(isolated_work){p, look, take}, &ignored) != 0;
  for (size_t i = 0; i < p->noted_count; i++) {
    noted_launch *n = &p->noted[i];
    n->disjoint = n->disjoint && !(failed && is_open(n));
    n->looked = n->looked || (wanted && n->asked);
    all = all && (!n->asked || n->disjoint);
    n->asked = false;
  }
  return all;
}

bool noted_are_steady(const campaign_programs *among, bool wanted) {
  bool all = wanted;
  for (size_t i = 0; i < among->count; i++) {
    all = answer(among->list[i], all) && all;
  }
  return all;
}

void noted_free(campaign_program *p) {
  for (size_t i = 0; i < p->noted_count; i++) {
    free(p->noted[i].arguments);
  }
  free(p->noted);
}

/* --- mutants --------------------------------------------------------------------------------------------------------- */

/* What is in doubt when the mutant takes an order away. */
static bool takes_order(const mutant *m) {
  return m->op == MUTATE_BARRIER || m->op == MUTATE_FENCE || m->op == MUTATE_ATOMIC;
}

bool campaign_is_steady(const campaign *c, size_t test, size_t program, uint32_t index) {
  const case_inputs *i = c->tests[test].inputs;
  const campaign_program *p = c->programs.list[program];
  const mutant *m = p->mutants[index].mutant;
  return i != NULL && i->steady && p->launches == NULL && !takes_order(m) && !m->sizes &&
         (p->disjoint == NULL || !disjoint_rests_on(p->disjoint, &p->schema.model, m));
}
