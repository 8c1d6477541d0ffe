/* From facts of host code to what is said of a kernel: names for numbers, and only what a proof may use as it computes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "proofs/host/host.h"
#include "proofs/sources/source.h"

/* --- facts -------------------------------------------------------------------------------------------------------- */

/* Whether the kernel sees the argument as the host passes it, so that the fact says the same of it. */
static bool is_alike(const host_launch *l, const signature *of, size_t index) {
  if (index >= of->count || index >= l->argument_count) return false;
  const parameter *p = &of->parameters[index];
  const host_argument *a = &l->arguments[index];
  return p->integer && a->kind == HOST_ARGUMENT_VALUE && a->size == p->size && a->is_signed == !p->is_unsigned;
}

/* Unsigned numbers of less than 64 bits wrap in C, and do not in the engine's numbers. */
typedef struct wrapping {
  bool small;    /* there is one */
  bool computed; /* with an operator that may wrap */
} wrapping;

static void look_for_wrapping(const host_expression *e, const signature *of, wrapping *w) {
  if (e == NULL) return;
  if (e->kind == EXPRESSION_SEEN && (e->seen == SEEN_ARGUMENT || e->seen == SEEN_ELEMENTS)) {
    const parameter *p = &of->parameters[e->index];
    w->small = w->small || (p->integer && p->is_unsigned && p->size < 8);
  }
  const bool to_uint = e->kind == EXPRESSION_CAST && e->type.bits == 32 && !e->type.is_signed;
  w->small = w->small || to_uint || e->op == OP_COMPLEMENT;
  w->computed = w->computed || e->op == OP_ADD || e->op == OP_SUBTRACT || e->op == OP_MULTIPLY ||
                e->op == OP_SHIFT_LEFT || e->op == OP_AND || e->op == OP_OR || e->op == OP_XOR || e->op == OP_NEGATE ||
                e->op == OP_COMPLEMENT || (e->kind == EXPRESSION_NUMBER && e->type.is_signed && e->value < 0);
  look_for_wrapping(e->a, of, w);
  look_for_wrapping(e->b, of, w);
  look_for_wrapping(e->c, of, w);
}

/* Whether the kernel has all that an expression is about. */
static bool is_of_kernel(const host_launch *l, const signature *of, const host_expression *e) {
  if (e == NULL) return true;
  if (e->kind == EXPRESSION_SEEN && (e->seen == SEEN_ARGUMENT || e->seen == SEEN_ELEMENTS))
    return e->seen == SEEN_ELEMENTS ? e->index < of->count : is_alike(l, of, e->index);
  return is_of_kernel(l, of, e->a) && is_of_kernel(l, of, e->b) && is_of_kernel(l, of, e->c);
}

static bool is_usable(const host_launch *l, const signature *of, const host_fact *f) {
  if (f->element_size > 0 && (f->argument >= of->count || of->parameters[f->argument].size != f->element_size))
    return false;
  wrapping w = {false, false};
  if (!is_of_kernel(l, of, f->expression)) return false;
  look_for_wrapping(f->expression, of, &w);
  return !w.small || !w.computed;
}

static char *place_text(const char *file, unsigned line) {
  buffer text = {0};
  buffer_printf(&text, "%s:%u", path_end(file), line);
  return buffer_take(&text);
}

/* That something that is seen equals a value. */
static bool is_equality_of(const host_expression *e, host_seen seen) {
  return e->op == OP_EQUAL && e->a->kind == EXPRESSION_SEEN && e->a->seen == seen;
}

static void add_fact(struct host_way *w, const host_fact *f, const char *const *names) {
  const host_expression *e = f->expression;
  buffer text = {0};
  expression_write(e, names, &text);
  for (size_t i = 0; i < w->fact_count; i++) {
    if (strcmp(w->facts[i].text, buffer_text(&text)) == 0) {
      buffer_free(&text);
      return;
    }
  }
  const bool size = f->kind == HOST_FACT_CONSTANT && is_equality_of(e, SEEN_LOCAL_SIZE);
  *ARRAY_ADD(w->facts, w->fact_count, w->fact_capacity) = (way_fact){.text = buffer_take(&text),
                                                                     .expression = e,
                                                                     .from = place_text(f->file, f->line),
                                                                     .size = size,
                                                                     .allocation = f->kind == HOST_FACT_ALLOCATION,
                                                                     .offset = is_equality_of(e, SEEN_GLOBAL_OFFSET)};
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static bool is_pointer(const parameter *p) { return p->kind == PARAMETER_GLOBAL || p->kind == PARAMETER_IMAGE; }

/* Two pointers through which nothing is written may well be the same memory. */
static bool matters(const signature *of, size_t a, size_t b) {
  return is_pointer(&of->parameters[a]) && is_pointer(&of->parameters[b]) &&
         !(of->parameters[a].read_only && of->parameters[b].read_only);
}

static void add_memory(struct host_way *w, const host_launch *l, const signature *of) {
  w->memory = mem_calloc(of->count + 1, sizeof *w->memory);
  w->parameter_count = of->count;
  for (size_t i = 0; i < of->count; i++) {
    const bool known = i < l->argument_count && l->arguments[i].kind == HOST_ARGUMENT_MEMORY;
    w->memory[i] = known ? l->arguments[i].memory : -1;
    for (size_t k = 0; k < i; k++) {
      if (!matters(of, i, k)) continue;
      if (w->memory[i] < 0 || w->memory[k] < 0) {
        if (w->unsure == NULL) {
          buffer text = {0};
          buffer_printf(&text, "%s and %s", of->parameters[k].name, of->parameters[i].name);
          w->unsure = buffer_take(&text);
        }
      } else if (w->memory[i] == w->memory[k]) {
        w->shared = true;
      }
    }
  }
}

static bool is_sized(const struct host_way *w, const char *pointer) {
  buffer text = {0};
  bool found = false;
  buffer_printf(&text, "elements(%s)", pointer);
  for (size_t i = 0; i < w->fact_count; i++) found = found || strstr(w->facts[i].text, buffer_text(&text)) != NULL;
  buffer_free(&text);
  return found;
}

static void add_ends(struct host_way *w, const signature *of) {
  buffer text = {0};
  for (size_t i = 0; i < of->count; i++) {
    const parameter *p = &of->parameters[i];
    if (p->kind == PARAMETER_GLOBAL && !is_sized(w, p->name))
      buffer_printf(&text, "%s%s", text.length > 0 ? ", " : "", p->name);
  }
  w->ends = text.length > 0 ? buffer_take(&text) : NULL;
  buffer_free(&text);
}

/* --- ways --------------------------------------------------------------------------------------------------------- */

static bool same_facts(const struct host_way *a, const struct host_way *b) {
  if (a->fact_count != b->fact_count) return false;
  for (size_t i = 0; i < a->fact_count; i++)
    if (strcmp(a->facts[i].text, b->facts[i].text) != 0) return false;
  return true;
}

static bool says_the_same(const struct host_way *a, const struct host_way *b) {
  return a->dimensions == b->dimensions && memcmp(a->local, b->local, sizeof a->local) == 0 &&
         memcmp(a->groups, b->groups, sizeof a->groups) == 0 && memcmp(a->offset, b->offset, sizeof a->offset) == 0 &&
         a->offset_known == b->offset_known && a->open == b->open && a->parameter_count == b->parameter_count &&
         memcmp(a->memory, b->memory, a->parameter_count * sizeof *a->memory) == 0 && same_facts(a, b);
}

static bool is_open(const host_facts *facts, const host_launch *l, const signature *of) {
  bool open = !facts->complete || facts->note_count > 0 || l->argument_count < of->count || !l->followed;
  for (size_t i = 0; i < l->argument_count; i++) open = open || l->arguments[i].kind == HOST_ARGUMENT_UNKNOWN;
  return open;
}

static void keep_way(asked_kernel *k, struct host_way *w) {
  for (size_t i = 0; i < k->way_count; i++) {
    if (says_the_same(&k->ways[i], w)) {
      host_way_free(w);
      return;
    }
  }
  *ARRAY_ADD(k->ways, k->way_count, k->way_capacity) = *w;
}

/* A launch of which it is not known which kernel it is of may be of this one, with anything. */
static void add_unknown_way(asked_kernel *k, const host_launch *l, const signature *of) {
  const host_launch nothing = {0};
  struct host_way w = {.open = true, .from = place_text(l->file, l->line)};
  add_memory(&w, &nothing, of);
  add_ends(&w, of);
  keep_way(k, &w);
}

static void add_way(asked_kernel *k, const host_facts *facts, const host_launch *l, const signature *of) {
  struct host_way w = {.dimensions = l->dimensions,
                       .offset_known = true,
                       .open = is_open(facts, l, of),
                       .from = place_text(l->file, l->line)};
  for (unsigned d = 0; d < 3; d++) {
    w.local[d] = l->local[d];
    w.groups[d] = l->groups[d];
    w.offset[d] = l->offset[d];
    w.offset_known = w.offset_known && (l->offset_known[d] || (l->dimensions > 0 && d >= l->dimensions));
  }
  const char **names = mem_calloc(of->count + 1, sizeof *names);
  for (size_t i = 0; i < of->count; i++) names[i] = of->parameters[i].name;
  for (size_t i = 0; i < l->fact_count; i++)
    if (is_usable(l, of, &l->facts[i]))
      add_fact(&w, &l->facts[i], names);
    else if (l->facts[i].kind != HOST_FACT_ELEMENTS) /* a counterexample need not keep to it */
      w.open = true;
  free(names);
  add_memory(&w, l, of);
  add_ends(&w, of);
  keep_way(k, &w);
}

void ways_add(asked_source *s, const host_facts *facts, const char *host) {
  for (size_t i = 0; i < s->kernel_count; i++) {
    asked_kernel *k = &s->kernels[i];
    const signature *of = asked_signature(s, k->name);
    for (size_t n = 0; n < facts->launch_count && of != NULL; n++) {
      const host_launch *l = &facts->launches[n];
      if (l->kernel == NULL)
        add_unknown_way(k, l, of);
      else if (strcmp(l->kernel, k->name) == 0)
        add_way(k, facts, l, of);
    }
    if (k->way_count > WAYS_MOST) { /* what holds for some of them holds not for every run */
      host_ways_free(k);
      add_unknown_way(k, &facts->launches[0], of);
    }
    k->host = k->way_count > 0 ? mem_strdup(host) : NULL;
  }
}

/* --- launches that were seen -------------------------------------------------------------------------------------- */

static const observed_argument *argument_of(const observed_launch *l, size_t index) {
  for (size_t i = 0; i < l->argument_count; i++)
    if (l->arguments[i].parameter == index) return &l->arguments[i];
  return NULL;
}

static const observed_argument *buffer_of(const observed_launch *l, size_t index) {
  const observed_argument *a = argument_of(l, index);
  return a != NULL && a->kind == OBSERVED_BUFFER ? a : NULL;
}

typedef struct launch_seen {
  const signature *of;
  const observed_launch *launch;
} launch_seen;

static bool value_of_argument(const launch_seen *s, host_seen seen, unsigned index, int64_t *out) {
  const observed_argument *a = argument_of(s->launch, index);
  if (a == NULL || index >= s->of->count) return false;
  if (seen == SEEN_ARGUMENT) {
    *out = a->integer;
    return a->kind == OBSERVED_INTEGER;
  }
  const unsigned size = s->of->parameters[index].size;
  *out = size == 0 ? 0 : (int64_t)(a->size / size);
  return size > 0 && (a->kind == OBSERVED_BUFFER || a->kind == OBSERVED_LOCAL);
}

static bool value_of_seen(const void *context, host_seen seen, unsigned index, int64_t *out) {
  const launch_seen *s = context;
  const observed_launch *l = s->launch;
  if (seen == SEEN_ARGUMENT || seen == SEEN_ELEMENTS) return value_of_argument(s, seen, index, out);
  *out = (int64_t)(seen == SEEN_GLOBAL_SIZE  ? l->local[index] * l->groups[index]
                   : seen == SEEN_LOCAL_SIZE ? l->local[index]
                                             : l->offset[index]);
  return seen != SEEN_LOCAL_SIZE || !l->local_chosen;
}

static way_fit memory_fits(const struct host_way *w, const signature *of, const observed_launch *l) {
  way_fit fit = WAY_FITS;
  for (size_t i = 0; i < w->parameter_count; i++) {
    for (size_t k = 0; k < i; k++) {
      const observed_argument *a = buffer_of(l, i), *b = buffer_of(l, k);
      if (a == NULL || b == NULL || !matters(of, i, k)) continue;
      const bool known = w->memory[i] >= 0 && w->memory[k] >= 0;
      if (known && (w->memory[i] == w->memory[k]) != (a->memory == b->memory)) return WAY_CONTRADICTS;
      fit = !known && a->memory == b->memory ? WAY_MAY_FIT : fit;
    }
  }
  return fit;
}

static bool sizes_fit(const struct host_way *w, const observed_launch *l) {
  bool fit = w->dimensions == 0 || w->dimensions == l->dimensions;
  for (unsigned d = 0; d < 3; d++) {
    fit = fit && (w->local[d] == 0 || l->local_chosen || w->local[d] == l->local[d]);
    fit = fit && (w->groups[d] == 0 || l->local_chosen || w->groups[d] == l->groups[d]);
    fit = fit && (!w->offset_known || w->offset[d] == l->offset[d]);
  }
  return fit;
}

way_fit way_fits(const struct host_way *w, const signature *of, const observed_launch *l, const way_fact **fact) {
  const launch_seen seen = {of, l};
  const seen_values values = {&seen, value_of_seen};
  way_fit fit = memory_fits(w, of, l);
  *fact = NULL;
  for (size_t i = 0; i < w->fact_count; i++) {
    int64_t holds = 0;
    const bool known = expression_value(w->facts[i].expression, &values, &holds);
    if (known && holds == 0) {
      *fact = &w->facts[i];
      return WAY_CONTRADICTS;
    }
    fit = !known && fit == WAY_FITS ? WAY_MAY_FIT : fit;
  }
  return sizes_fit(w, l) ? fit : WAY_CONTRADICTS;
}
