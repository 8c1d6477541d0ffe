/* Uses of a macro's text that no schema can switch: sizes of arrays, case labels, operands of sizeof, attributes. A
 * mutant changes the text, so it must change these uses, too: as text, in a clone. Where it cannot be a clone (a use
 * outside of functions, in an #if, in what ## makes), or where more than one token is replaced, there is no such
 * mutant. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/edits.h"
#include "mutate/find.h"

/* A token and where its characters stand; `token` NONE: in an #if. */
typedef struct use {
  uint32_t file, offset; /* file: see same_files */
  uint32_t unit, token;
  uint32_t done; /* operators (bits) that were looked at, of the first use of a place */
} use;

typedef struct uses {
  use *items;
  size_t count, capacity;
  const candidate **sorted; /* by unit and token */
  size_t sorted_count;
  uint32_t **files; /* [unit][file of its text]: the first one with this name and contents */
} uses;

static int compare_numbers(size_t a, size_t b) { return a < b ? -1 : a > b; }

static int compare_uses(const void *a, const void *b) {
  const use *left = a;
  const use *right = b;
  int order = compare_numbers(left->file, right->file);
  order = order != 0 ? order : compare_numbers(left->offset, right->offset);
  order = order != 0 ? order : compare_numbers(left->unit, right->unit);
  return order != 0 ? order : compare_numbers(left->token, right->token);
}

static int compare_candidates(const void *a, const void *b) {
  const candidate *const *left = a;
  const candidate *const *right = b;
  int order = compare_numbers((*left)->unit, (*right)->unit);
  order = order != 0 ? order : compare_numbers((*left)->place.token, (*right)->place.token);
  return order != 0 ? order : compare_numbers((*left)->place.op, (*right)->place.op);
}

/* --- what stands where -------------------------------------------------------------------------------------------- */

static bool same_file(const pp_file *a, const pp_file *b) {
  return a->length == b->length && strcmp(a->name, b->name) == 0 && memcmp(a->text, b->text, a->length) == 0;
}

/* Numbers files over all units; a header that several units include has one number. */
static uint32_t **number_files(const program *p) {
  uint32_t **files = mem_calloc(p->unit_count, sizeof *files);
  uint32_t next = 0;
  for (uint32_t u = 0; u < p->unit_count; u++) {
    const pp_result *text = &p->units[u].text;
    files[u] = mem_calloc(text->file_count, sizeof *files[u]);
    for (size_t i = 0; i < text->file_count; i++) {
      files[u][i] = next++;
      for (uint32_t v = 0; v < u; v++) {
        const pp_result *other = &p->units[v].text;
        for (size_t k = 0; k < other->file_count; k++) {
          files[u][i] = same_file(&text->files[i], &other->files[k]) ? files[v][k] : files[u][i];
        }
      }
    }
  }
  return files;
}

static void add_use(uses *s, uint32_t u, uint32_t token, const pp_position *at) {
  *ARRAY_ADD(s->items, s->count, s->capacity) =
      (use){.file = s->files[u][at->file], .offset = at->offset, .unit = u, .token = token};
}

static void list_uses(const finder *f, uses *s) {
  for (uint32_t u = 0; u < f->program->unit_count; u++) {
    const pp_result *text = &f->program->units[u].text;
    for (uint32_t t = 0; t < text->token_count; t++) {
      add_use(s, u, t, &text->tokens[t].spelled);
    }
    for (size_t i = 0; i < text->condition_count; i++) {
      add_use(s, u, NONE, &text->conditions[i]);
    }
  }
  if (s->count > 1) {
    qsort(s->items, s->count, sizeof *s->items, compare_uses);
  }
  s->sorted = mem_calloc(f->count + 1, sizeof *s->sorted);
  for (; s->sorted_count < f->count; s->sorted_count++) {
    s->sorted[s->sorted_count] = &f->candidates[s->sorted_count];
  }
  qsort(s->sorted, s->sorted_count, sizeof *s->sorted, compare_candidates);
}

/* The first use of the text at a candidate's token. */
static use *first_use(const uses *s, const finder *f, const candidate *c) {
  const pp_position *at = &f->program->units[c->unit].text.tokens[c->place.token].spelled;
  const use key = {.file = s->files[c->unit][at->file], .offset = at->offset};
  size_t low = 0;
  for (size_t high = s->count; low < high;) {
    const size_t middle = low + (high - low) / 2;
    if (compare_uses(&s->items[middle], &key) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return &s->items[low];
}

/* --- uses that are not found yet ---------------------------------------------------------------------------------- */

static bool has_candidate(const uses *s, const use *at, mutate_operator op) {
  const candidate key = {.unit = at->unit, .place = {.token = at->token, .op = op}};
  const candidate *wanted = &key;
  return bsearch(&wanted, s->sorted, s->sorted_count, sizeof *s->sorted, compare_candidates) != NULL;
}

/* The function in whose body a token is; NONE if in none. */
static uint32_t owner_of(const program *p, const use *at) {
  for (uint32_t i = 0; i < p->function_count; i++) {
    if (p->functions[i].unit == at->unit && span_has(p->functions[i].body, at->token)) {
      return i;
    }
  }
  return NONE;
}

static bool replaces_token(const candidate *c) {
  return c->replaced.first == c->place.token && c->replaced.last == c->place.token && !c->is_argument &&
         c->place.kind != PLACE_LOOP;
}

/* Adds the use as a candidate of its own, in which the mutants of candidate `index` are text. */
static void add_fixed(finder *f, const use *at, uint32_t owner, size_t index) {
  const mutate_operator op = f->candidates[index].place.op;
  f->unit = at->unit;
  f->u = &f->program->units[at->unit];
  f->function = owner;
  candidate *c = add_candidate(f, op, PLACE_FIXED, at->token, (span){at->token, at->token});
  for (size_t i = 0; i < f->candidates[index].count; i++) {
    const alternative *a = &f->candidates[index].items[i];
    add_alternative(c, mem_strdup(a->key), text_of(" %s ", a->shown), mem_strdup(a->shown), NULL);
  }
}

static void find_uses(finder *f, uses *s, size_t index) {
  const candidate *c = &f->candidates[index];
  const mutate_operator op = c->place.op;
  use *first = first_use(s, f, c);
  if ((first->done >> op & 1u) != 0) {
    return;
  }
  first->done |= 1u << op;
  const bool simple = replaces_token(c);
  for (use *at = first; at < s->items + s->count && at->file == first->file && at->offset == first->offset; at++) {
    const bool whole = at->token != NONE && stands_in_file(&f->program->units[at->unit].text, at->token);
    if (whole && has_candidate(s, at, op)) {
      continue;
    }
    const uint32_t owner = simple && whole ? owner_of(f->program, at) : NONE;
    if (owner == NONE) {
      drop_alternatives(&f->candidates[index], 0);
      return;
    }
    add_fixed(f, at, owner, index);
  }
}

void find_fixed(finder *f) {
  if (f->count == 0) {
    return;
  }
  uses s = {.files = number_files(f->program)};
  list_uses(f, &s);
  const size_t count = f->count;
  candidate *before = f->candidates;
  candidate *copy = mem_calloc(count + 1, sizeof *copy);
  memcpy(copy, before, count * sizeof *copy);
  for (size_t i = 0; i < s.sorted_count; i++) { /* the list moves when it grows */
    s.sorted[i] = copy + (s.sorted[i] - before);
  }
  for (size_t i = 0; i < count; i++) {
    find_uses(f, &s, i);
  }
  mem_free_all(s.files, f->program->unit_count);
  free(s.items);
  free(s.sorted);
  free(copy);
}
