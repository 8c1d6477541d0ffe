/* Laying programs over each other: a site is the same where file, offset and kind are, a line where file and number
 * are, a function or kernel where file, line and name are. */
#include "db/view_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* What a key of build.kernel_parts is about. */
enum { PART_FUNCTION, PART_SITE, PART_LINE };

static uint32_t *new_map(size_t count) { return mem_calloc(count, sizeof(uint32_t)); }

static uint32_t through(const uint32_t *map, uint32_t index) { return index == MODEL_NONE ? MODEL_NONE : map[index]; }

/* --- files, functions --------------------------------------------------------------------------------------- */

/* The text moves into the view, but for one whose lines are still to be found in its homes. A file that several programs
 * name differently has its newest name. */
static uint32_t add_file(build *b, model_file *f) {
  view *v = b->v;
  for (size_t i = 0; i < v->file_count; i++) {
    if (strcmp(v->files[i].sha256, f->sha256) == 0) {
      free(v->files[i].name);
      free(v->files[i].root);
      v->files[i].name = mem_strdup(f->name);
      v->files[i].root = mem_strdup(f->root);
      return (uint32_t)i;
    }
  }
  model_file *added = ARRAY_ADD(v->files, v->file_count, b->file_capacity);
  const bool stays = f->home_count > 0;
  *added = *f;
  added->name = mem_strdup(f->name);
  added->root = mem_strdup(f->root);
  added->homes = NULL;
  added->home_count = added->home_capacity = 0;
  if (stays) {
    added->text = mem_strndup(f->text, f->length);
  } else {
    f->text = NULL;
  }
  return (uint32_t)(v->file_count - 1);
}

static uint32_t add_function(build *b, const model_function *f, uint32_t file) {
  view *v = b->v;
  for (uint32_t nth = 0;; nth++) {
    index_key key = {{file, f->line, nth, 0}};
    uint32_t index = index_find_or_add(&b->functions, key, (uint32_t)v->function_count);
    if (index == v->function_count) {
      model_function *added = ARRAY_ADD(v->functions, v->function_count, b->function_capacity);
      *added = *f;
      added->name = mem_strdup(f->name);
      added->file = file;
      added->site = MODEL_NONE;
    }
    if (strcmp(v->functions[index].name, f->name) == 0) {
      v->functions[index].kernel |= f->kernel;
      return index;
    }
  }
}

/* --- sites -------------------------------------------------------------------------------------------------- */

/* How many outcomes before the k-th have its label. */
static size_t occurrence(const model_site *s, size_t k) {
  size_t n = 0;
  for (size_t i = 0; i < k; i++) {
    n += strcmp(s->outcomes[i].label, s->outcomes[k].label) == 0 ? 1 : 0;
  }
  return n;
}

/* The outcome of the view's site that is the k-th of the model's: by label where cases, or ways through a decision, may
 * come and go with the preprocessor, else by number. */
static uint32_t find_outcome(const model_site *in, const model_site *s, size_t k) {
  bool by_label = s->kind == SITE_SWITCH || s->kind == SITE_DECISION;
  size_t skip = by_label ? occurrence(s, k) : 0;
  for (size_t i = 0; i < in->outcome_count; i++) {
    bool same = by_label ? strcmp(in->outcomes[i].label, s->outcomes[k].label) == 0
                         : in->outcomes[i].index == s->outcomes[k].index;
    if (same && skip-- == 0) {
      return (uint32_t)i;
    }
  }
  return MODEL_NONE;
}

static uint32_t add_outcome(model_site *to, const model_site *s, size_t k) {
  uint32_t found = find_outcome(to, s, k);
  if (found != MODEL_NONE) {
    return found;
  }
  to->outcomes = mem_realloc(to->outcomes, (to->outcome_count + 1) * sizeof *to->outcomes);
  to->outcomes[to->outcome_count] = s->outcomes[k];
  to->outcomes[to->outcome_count].label = mem_strdup(s->outcomes[k].label);
  return (uint32_t)to->outcome_count++;
}

static void add_sites(build *b, build_program *p) {
  view *v = b->v;
  uint32_t outcomes = 0;
  for (size_t i = 0; i < p->m.site_count; i++) {
    const model_site *s = &p->m.sites[i];
    const bool named = s->kind == SITE_FUNCTION && s->function != MODEL_NONE;
    const uint32_t name = named ? model_name_digest(p->m.functions[s->function].name) : 0;
    index_key key = {{p->files[s->file], s->offset, (uint32_t)s->kind, name}};
    uint32_t index = index_find_or_add(&b->sites, key, (uint32_t)v->site_count);
    if (index == v->site_count) {
      model_site *added = ARRAY_ADD(v->sites, v->site_count, b->site_capacity);
      *added = *s;
      added->file = p->files[s->file];
      added->function = through(p->functions, s->function);
      added->outcomes = NULL;
      added->outcome_count = 0;
    }
    p->sites[i] = index;
    p->first[i] = outcomes;
    p->positions = mem_realloc(p->positions, (outcomes + s->outcome_count) * sizeof *p->positions);
    for (size_t k = 0; k < s->outcome_count; k++) {
      p->positions[outcomes++] = add_outcome(&v->sites[index], s, k);
    }
  }
  p->first[p->m.site_count] = outcomes;
}

/* The place of a program's outcome in its flat arrays, MODEL_NONE when the site does not list it. */
static uint32_t flat_outcome(const build_program *p, uint32_t site, uint32_t number) {
  const model_site *s = &p->m.sites[site];
  for (uint32_t k = 0; k < s->outcome_count; k++) {
    if (s->outcomes[k].index == number) {
      return p->first[site] + k;
    }
  }
  return MODEL_NONE;
}

/* --- lines -------------------------------------------------------------------------------------------------- */

/* Turns the lines' terms round: from an outcome to the lines it executes. */
static void index_terms(build_program *p) {
  uint32_t outcomes = p->first[p->m.site_count];
  uint32_t total = 0;
  p->first_line = new_map((size_t)outcomes + 1);
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < p->m.line_count; i++) {
      for (size_t k = 0; k < p->m.lines[i].term_count; k++) {
        const model_term *t = &p->m.lines[i].terms[k];
        uint32_t flat = flat_outcome(p, t->site, t->outcome);
        if (flat == MODEL_NONE) {
          continue;
        }
        if (pass == 0) {
          p->first_line[flat]++;
          total++;
        } else {
          p->lines_of[--p->first_line[flat]] = (uint32_t)i;
        }
      }
    }
    if (pass == 0) { /* counts become ends, which the second pass moves down to the starts */
      for (uint32_t i = 1; i <= outcomes; i++) {
        p->first_line[i] += p->first_line[i - 1];
      }
      p->lines_of = new_map(total);
    }
  }
}

static void add_lines(build *b, build_program *p) {
  view *v = b->v;
  for (size_t i = 0; i < p->m.line_count; i++) {
    const model_line *l = &p->m.lines[i];
    index_key key = {{p->files[l->file], l->line, 0, 0}};
    p->lines[i] = index_find_or_add(&b->lines, key, (uint32_t)v->line_count);
    if (p->lines[i] == v->line_count) {
      *ARRAY_ADD(v->lines, v->line_count, b->line_capacity) =
          (view_line){.file = p->files[l->file], .line = l->line, .function = through(p->functions, l->function)};
    }
  }
  index_terms(p);
}

/* --- kernels ------------------------------------------------------------------------------------------------ */

/* The place of a part in a kernel of the view; it is appended to `items` when new. */
static uint32_t add_part(build *b, uint32_t kernel, uint32_t tag, uint32_t part, uint32_t **items, size_t *count,
                         size_t *capacity) {
  index_key key = {{kernel, tag, part, 0}};
  uint32_t local = index_find_or_add(&b->kernel_parts, key, (uint32_t)*count);
  if (local == *count) {
    *ARRAY_ADD(*items, *count, *capacity) = part;
  }
  return local;
}

static uint32_t view_kernel_of(build *b, const model_kernel *k, uint32_t function) {
  view *v = b->v;
  uint32_t index = MODEL_NONE;
  for (uint32_t n = 0; index == MODEL_NONE; n++) { /* one macro may define several kernels: same place, other names */
    index = index_find_or_add(&b->kernel_of, (index_key){{function, n, 0, 0}}, (uint32_t)v->kernel_count);
    if (index < v->kernel_count && strcmp(v->kernels[index].name, k->name) != 0) {
      index = MODEL_NONE;
    }
  }
  if (index == v->kernel_count) {
    size_t capacity = b->kernel_capacity;
    b->kernels = mem_grow(b->kernels, &capacity, index + 1, sizeof *b->kernels);
    *ARRAY_ADD(v->kernels, v->kernel_count, b->kernel_capacity) =
        (view_kernel){.name = mem_strdup(k->name), .function = function};
  }
  return index;
}

static void add_kernel(build *b, size_t program, size_t i) {
  build_program *p = &b->programs[program];
  const model *m = &p->m;
  const model_kernel *k = &m->kernels[i];
  uint32_t index = view_kernel_of(b, k, p->functions[k->function]);
  build_kernel *to = &b->kernels[index];
  build_launcher *launcher = ARRAY_ADD(b->launchers, b->launcher_count, b->launcher_capacity);
  *launcher = (build_launcher){p->ids.kernels[i], program, index, new_map(m->site_count), new_map(m->line_count)};
  p->kernels[i] = index;
  bool *reached = mem_calloc(m->function_count, sizeof *reached);
  for (size_t f = 0; f < k->function_count; f++) {
    reached[k->functions[f]] = true;
    (void)add_part(b, index, PART_FUNCTION, p->functions[k->functions[f]], &to->functions, &to->function_count,
                   &to->function_capacity);
  }
  bool *used = mem_calloc(m->site_count, sizeof *used);
  for (size_t s = 0; s < k->site_count; s++) {
    used[k->sites[s]] = true;
  }
  for (size_t s = 0; s < m->site_count; s++) {
    uint32_t function = m->sites[s].function;
    used[s] = used[s] || (function != MODEL_NONE && reached[function]);
    launcher->sites[s] =
        !used[s] ? MODEL_NONE
                 : add_part(b, index, PART_SITE, p->sites[s], &to->sites, &to->site_count, &to->site_capacity);
  }
  free(used);
  for (size_t l = 0; l < m->line_count; l++) {
    uint32_t function = m->lines[l].function;
    launcher->lines[l] =
        function == MODEL_NONE || !reached[function]
            ? MODEL_NONE
            : add_part(b, index, PART_LINE, p->lines[l], &to->lines, &to->line_count, &to->line_capacity);
  }
  free(reached);
}

void build_add_program(build *b, size_t i) {
  build_program *p = &b->programs[i];
  model *m = &p->m;
  p->functions = new_map(m->function_count);
  p->sites = new_map(m->site_count);
  p->lines = new_map(m->line_count);
  p->kernels = new_map(m->kernel_count);
  build_move_home(p);
  p->files = new_map(m->file_count);
  p->first = new_map(m->site_count + 1);
  for (size_t f = 0; f < m->file_count; f++) {
    p->files[f] = add_file(b, &m->files[f]);
  }
  for (size_t f = 0; f < m->function_count; f++) {
    p->functions[f] = add_function(b, &m->functions[f], p->files[m->functions[f].file]);
  }
  add_sites(b, p);
  for (size_t f = 0; f < m->function_count; f++) {
    b->v->functions[p->functions[f]].site = through(p->sites, m->functions[f].site);
  }
  add_lines(b, p);
  for (size_t k = 0; k < m->kernel_count; k++) {
    add_kernel(b, i, k);
  }
}

void build_free(build *b) {
  for (size_t i = 0; i < b->program_count; i++) {
    build_program *p = &b->programs[i];
    build_free_homes(p);
    model_free(&p->m);
    db_program_free(&p->ids);
    uint32_t *const maps[] = {p->files, p->functions, p->sites,      p->lines,   p->kernels,
                              p->first, p->positions, p->first_line, p->lines_of};
    for (size_t k = 0; k < sizeof maps / sizeof maps[0]; k++) {
      free(maps[k]);
    }
  }
  for (size_t i = 0; i < b->v->kernel_count; i++) {
    build_kernel *k = &b->kernels[i];
    free(k->functions);
    free(k->sites);
    free(k->lines);
    free(k->first);
    free(k->outcomes);
    free(k->line_counters);
  }
  for (size_t i = 0; i < b->launcher_count; i++) {
    free(b->launchers[i].sites);
    free(b->launchers[i].lines);
  }
  index_map *const maps[] = {&b->functions, &b->sites, &b->lines, &b->kernel_of, &b->kernel_parts, &b->sets};
  for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
    index_free(maps[i]);
  }
  free(b->test_cases);
  free(b->proofs);
  free(b->programs);
  free(b->kernels);
  free(b->launchers);
  free(b->first);
  free(b->outcomes);
  free(b->line_counters);
}
