/* From facts of host code to what is said of a kernel: names for numbers, and only what a proof may use as it computes. */
#include "runner/ways/ways.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "runner/ways/evaluate.h"

/* --- facts -------------------------------------------------------------------------------------------------------- */

/* The number after the `$` at `at`. */
static size_t index_at(const char *at) { return (size_t)strtoul(at + 1, NULL, 10); }

/* Whether the kernel sees the argument as the host passes it, so that the fact says the same of it. */
static bool is_alike(const host_launch *l, const signature *of, size_t index) {
  if (index >= of->count || index >= l->argument_count) {
    return false;
  }
  const parameter *p = &of->parameters[index];
  const host_argument *a = &l->arguments[index];
  return p->integer && a->kind == HOST_ARGUMENT_VALUE && a->size == p->size && a->is_signed == !p->is_unsigned;
}

/* An operator on bits: `&&` and `||` are none. */
static bool has_bits(const char *text) {
  for (const char *at = text; *at != '\0'; at++) {
    if (strchr("&|<", *at) != NULL && at[1] == *at) {
      if (*at == '<') {
        return true;
      }
      at++;
    } else if (strchr("&|^", *at) != NULL) {
      return true;
    }
  }
  return false;
}

/* Unsigned numbers of less than 64 bits wrap in C, and do not in the engine's numbers. */
static bool may_wrap(const host_fact *f, const signature *of) {
  bool small = strstr(f->expression, "(uint)") != NULL || strchr(f->expression, '~') != NULL;
  for (const char *at = strchr(f->expression, '$'); at != NULL; at = strchr(at + 1, '$')) {
    const parameter *p = &of->parameters[index_at(at)];
    small = small || (p->integer && p->is_unsigned && p->size < 8);
  }
  return small && (strpbrk(f->expression, "+-*~") != NULL || has_bits(f->expression));
}

static bool is_usable(const host_launch *l, const signature *of, const host_fact *f) {
  static const char elements[] = "elements(";
  if (f->element_size > 0 && (f->argument >= of->count || of->parameters[f->argument].size != f->element_size)) {
    return false;
  }
  for (const char *at = strchr(f->expression, '$'); at != NULL; at = strchr(at + 1, '$')) {
    const size_t before = (size_t)(at - f->expression), length = sizeof elements - 1;
    const bool counted = before >= length && strncmp(at - length, elements, length) == 0;
    const bool fine = counted ? index_at(at) < of->count : is_alike(l, of, index_at(at));
    if (!fine) {
      return false;
    }
  }
  return !may_wrap(f, of);
}

static char *place_text(const char *file, unsigned line) {
  buffer text = {0};
  const char *slash = strrchr(file, '/');
  buffer_printf(&text, "%s:%u", slash == NULL ? file : slash + 1, line);
  return buffer_take(&text);
}

static bool is_size(const char *text) {
  return strncmp(text, "get_local_size(", 15) == 0 || strncmp(text, "get_num_groups(", 15) == 0;
}

static void add_fact(struct host_way *w, const host_fact *f, const char *const *names, size_t count) {
  buffer text = {0};
  if (!host_write(f->expression, names, count, &text)) {
    buffer_free(&text);
    return;
  }
  for (size_t i = 0; i < w->fact_count; i++) {
    if (strcmp(w->facts[i].text, buffer_text(&text)) == 0) {
      buffer_free(&text);
      return;
    }
  }
  way_fact *to = ARRAY_ADD(w->facts, w->fact_count, w->fact_capacity);
  to->text = buffer_take(&text);
  to->raw = mem_strdup(f->expression);
  to->from = place_text(f->file, f->line);
  to->size = f->kind == HOST_FACT_CONSTANT && is_size(to->text);
}

static void add_facts(struct host_way *w, const host_launch *l, const signature *of) {
  const char **names = mem_calloc(of->count + 1, sizeof *names);
  for (size_t i = 0; i < of->count; i++) {
    names[i] = of->parameters[i].name;
  }
  for (size_t i = 0; i < l->fact_count; i++) {
    if (is_usable(l, of, &l->facts[i])) {
      add_fact(w, &l->facts[i], names, of->count);
    } else if (l->facts[i].kind != HOST_FACT_ELEMENTS) { /* a counterexample need not keep to it */
      w->open = true;
    }
  }
  free(names);
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
      if (!matters(of, i, k)) {
        continue;
      }
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

/* --- ways --------------------------------------------------------------------------------------------------------- */

static bool same_facts(const struct host_way *a, const struct host_way *b) {
  if (a->fact_count != b->fact_count) {
    return false;
  }
  for (size_t i = 0; i < a->fact_count; i++) {
    if (strcmp(a->facts[i].text, b->facts[i].text) != 0) {
      return false;
    }
  }
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
  for (size_t i = 0; i < l->argument_count; i++) {
    open = open || l->arguments[i].kind == HOST_ARGUMENT_UNKNOWN;
  }
  return open;
}

static void keep_way(verify_kernel *k, struct host_way *w) {
  for (size_t i = 0; i < k->way_count; i++) {
    if (says_the_same(&k->ways[i], w)) {
      host_way_free(w);
      return;
    }
  }
  *ARRAY_ADD(k->ways, k->way_count, k->way_capacity) = *w;
}

/* A launch of which it is not known which kernel it is of may be of this one, with anything. */
static void add_unknown_way(verify_kernel *k, const host_launch *l, const signature *of) {
  const host_launch nothing = {0};
  struct host_way w = {.open = true, .from = place_text(l->file, l->line)};
  add_memory(&w, &nothing, of);
  keep_way(k, &w);
}

static void add_way(verify_kernel *k, const host_facts *facts, const host_launch *l, const signature *of) {
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
  add_facts(&w, l, of);
  add_memory(&w, l, of);
  keep_way(k, &w);
}

void ways_add(verify_source *s, const host_facts *facts, const char *host) {
  for (size_t i = 0; i < s->kernel_count; i++) {
    verify_kernel *k = &s->kernels[i];
    const signature *of = verify_signature(s, k->name);
    for (size_t n = 0; n < facts->launch_count && of != NULL; n++) {
      const host_launch *l = &facts->launches[n];
      if (l->kernel == NULL) {
        add_unknown_way(k, l, of);
      } else if (strcmp(l->kernel, k->name) == 0) {
        add_way(k, facts, l, of);
      }
    }
    if (k->way_count > WAYS_MOST) { /* what holds for some of them holds not for every run */
      host_ways_free(k);
      add_unknown_way(k, &facts->launches[0], of);
    }
    k->host = k->way_count > 0 ? mem_strdup(host) : NULL;
  }
}

/* --- launches that were seen -------------------------------------------------------------------------------------- */

static const observed_argument *buffer_of(const observed_launch *l, size_t index) {
  for (size_t i = 0; i < l->argument_count; i++) {
    if (l->arguments[i].parameter == index && l->arguments[i].kind == OBSERVED_BUFFER) {
      return &l->arguments[i];
    }
  }
  return NULL;
}

static way_fit memory_fits(const struct host_way *w, const signature *of, const observed_launch *l) {
  way_fit fit = WAY_FITS;
  for (size_t i = 0; i < w->parameter_count; i++) {
    for (size_t k = 0; k < i; k++) {
      const observed_argument *a = buffer_of(l, i), *b = buffer_of(l, k);
      if (a == NULL || b == NULL || !matters(of, i, k)) {
        continue;
      }
      const bool known = w->memory[i] >= 0 && w->memory[k] >= 0;
      if (known && (w->memory[i] == w->memory[k]) != (a->memory == b->memory)) {
        return WAY_CONTRADICTS;
      }
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
  way_fit fit = memory_fits(w, of, l);
  *fact = NULL;
  for (size_t i = 0; i < w->fact_count; i++) {
    const truth holds = evaluate(w->facts[i].raw, of, l);
    if (holds == TRUTH_NO) {
      *fact = &w->facts[i];
      return WAY_CONTRADICTS;
    }
    fit = holds == TRUTH_UNKNOWN && fit == WAY_FITS ? WAY_MAY_FIT : fit;
  }
  return sizes_fit(w, l) ? fit : WAY_CONTRADICTS;
}
