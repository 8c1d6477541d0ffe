/* Finding mutants: a walk over what functions execute gives candidates, which become places and mutants. */
#include "mutate/find.h"

#include <sha2.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "frontend/edits.h"
#include "frontend/facts/launch.h"

/* From candidates to places and mutants: what several uses of a macro share, order, numbers, ids. */

enum { ID_BITS = 31 };

/* A candidate and what makes it the same mutant as another one: the place where its token is spelled. */
typedef struct entry {
  candidate *c;
  uint32_t file, offset;
  uint32_t order; /* among the candidates */
} entry;

typedef struct merger {
  finder *f;
  places *out;
  mutate_result *r;
  entry *entries;
  size_t count, capacity;
  size_t mutant_capacity; /* of the result's list */
  uint32_t *files;        /* model file -> the first one with this name and contents */
  bool **suppressed;
  size_t *suppressed_counts;
  size_t file_count;
} merger;

static const pp_result *text_of_entry(const merger *m, const entry *e) {
  return &m->f->program->units[e->c->unit].text;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

/* A header that several sources include may be in the model once for each. */
static uint32_t first_such_file(const model *m, uint32_t file) {
  for (uint32_t i = 0; i < file; i++)
    if (strcmp(m->files[i].sha256, m->files[file].sha256) == 0 && strcmp(m->files[i].name, m->files[file].name) == 0)
      return i;
  return file;
}

static void read_files(merger *m) {
  const model *known = &m->f->program->out->model;
  m->file_count = known->file_count;
  m->files = mem_calloc(m->file_count, sizeof *m->files);
  m->suppressed = mem_calloc(m->file_count, sizeof *m->suppressed);
  m->suppressed_counts = mem_calloc(m->file_count, sizeof *m->suppressed_counts);
  for (uint32_t i = 0; i < m->file_count; i++) {
    m->files[i] = first_such_file(known, i);
    m->suppressed[i] = suppressed_lines(known->files[i].text, known->files[i].length, &m->suppressed_counts[i]);
  }
}

/* --- the same place ----------------------------------------------------------------------------------------------- */

static void list_entries(merger *m) {
  program *p = m->f->program;
  for (uint32_t i = 0; i < m->f->count; i++) {
    candidate *c = &m->f->candidates[i];
    unit *u = &p->units[c->unit];
    if (stands_in_file(&u->text, c->place.token)) {
      const pp_position *at = &u->text.tokens[c->place.token].spelled;
      entry *e = ARRAY_ADD(m->entries, m->count, m->capacity);
      *e = (entry){.c = c, .file = file_of(p, u, at->file), .offset = at->offset, .order = i};
    }
  }
}

static int compare_numbers(size_t a, size_t b) { return a < b ? -1 : a > b; }

/* By place, then by operator; one token has several places of `fence`. */
static int compare_places(const entry *a, const entry *b) {
  int order = compare_numbers(a->file, b->file);
  order = order != 0 ? order : compare_numbers(a->offset, b->offset);
  order = order != 0 ? order : compare_numbers(a->c->place.op, b->c->place.op);
  bool fence = a->c->place.op == MUTATE_FENCE && b->c->place.op == MUTATE_FENCE;
  return order != 0 || !fence ? order : compare_numbers(a->c->place.kind, b->c->place.kind);
}

static int compare_entries(const void *a, const void *b) {
  int order = compare_places(a, b);
  return order != 0 ? order : compare_numbers(((const entry *)a)->order, ((const entry *)b)->order);
}

static const alternative *find_key(const candidate *c, const char *key) { return NAMED(c->items, c->count, key, key); }

static void drop_alternative(candidate *c, size_t index) {
  alternative *a = &c->items[index];
  free(a->key);
  free(a->text);
  free(a->shown);
  free(a->description);
  memmove(a, a + 1, (c->count - index - 1) * sizeof *a);
  c->count--;
}

/* Drops the alternatives that need one of these parentheses; 0: all. */
static void drop_alternatives(candidate *c, unsigned parentheses) {
  for (size_t i = c->count; i-- > 0;)
    if (parentheses == 0 || (c->items[i].parentheses & parentheses) != 0) drop_alternative(c, i);
}

/* Keeps what two uses have in common; needs the parentheses of both. */
static void intersect(candidate *a, const candidate *b) {
  for (size_t i = a->count; i-- > 0;) {
    const alternative *other = find_key(b, a->items[i].key);
    if (other == NULL)
      drop_alternative(a, i);
    else
      a->items[i].parentheses |= other->parentheses;
  }
}

/* Alternatives of a use in the order of the first use. */
static void sort_alternatives(const candidate *first, candidate *c) {
  for (size_t i = 0; i < first->count; i++) {
    for (size_t k = i + 1; k < c->count; k++) {
      if (strcmp(c->items[k].key, first->items[i].key) == 0) {
        alternative moved = c->items[k];
        c->items[k] = c->items[i];
        c->items[i] = moved;
      }
    }
  }
}

static void merge_group(entry *first, size_t count) {
  for (size_t i = 1; i < count; i++) intersect(first->c, first[i].c);
  for (size_t i = 1; i < count; i++)
    if (first[i].c->place.kind == PLACE_FIXED) /* the tokens around it are not known there */
      drop_alternatives(first->c, AROUND_LEFT | AROUND_RIGHT | AROUND_ALL);
  for (size_t i = 1; i < count; i++) {
    intersect(first[i].c, first->c);
    sort_alternatives(first->c, first[i].c);
  }
}

/* --- mutants ------------------------------------------------------------------------------------------------------ */

static bool any_cloned(const entry *first, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (schema_form(first[i].c->place.kind) == MUTANT_CLONED) return true;
  return false;
}

static bool is_suppressed(const merger *m, uint32_t file, uint32_t line) {
  return line < m->suppressed_counts[file] && m->suppressed[file][line];
}

/* Where an operation stands with its operands; false if that is not one piece, the same for all its uses. */
static bool range_of_uses(const merger *m, const entry *first, size_t count, source_range *out) {
  for (size_t i = 0; i < count; i++) {
    const place *at = &first[i].c->place;
    source_range range;
    if (span_empty(at->left) || !range_of_operation(text_of_entry(m, &first[i]), at->whole, at->token, &range) ||
        (i > 0 && (range.begin.offset != out->begin.offset || range.end.offset != out->end.offset)))
      return false;
    *out = i == 0 ? range : *out;
  }
  return true;
}

/* What alternative `index` of a place does, in all its uses; see mutant.change. */
static char *digest_change(const merger *m, const entry *first, size_t count, size_t index, const reading *shown) {
  const candidate *c = first->c;
  digester d;
  digest_begin(&d);
  digest_text(&d, mutate_operators[c->place.op].name);
  digest_number(&d, (uint64_t)c->place.kind);
  digest_text(&d, c->items[index].key);
  digest_text(&d, shown->original);
  digest_text(&d, shown->replacement);
  for (size_t i = 0; i < count; i++)
    digest_place(&d, m->f->program, first[i].c->place.function, first[i].c->place.token);
  char *out = mem_calloc(1, 65);
  digest_end(&d, out);
  return out;
}

static void add_mutants(merger *m, const entry *first, size_t count) {
  const candidate *c = first->c;
  const pp_result *text = text_of_entry(m, first);
  source_range whole;
  bool one_piece = range_of_uses(m, first, count, &whole);
  mutate_result *r = m->r;
  for (size_t i = 0; i < c->count; i++) {
    mutant *added = ARRAY_ADD(r->mutants, r->mutant_count, m->mutant_capacity);
    reading shown = read_mutant(text, c, i, one_piece ? &whole : NULL);
    *added = (mutant){.number = (uint32_t)r->mutant_count,
                      .op = c->place.op,
                      .form = any_cloned(first, count) ? MUTANT_CLONED : MUTANT_SELECTED,
                      .place = r->place_count,
                      .file = first->file,
                      .line = shown.range.begin.line,
                      .column = shown.range.begin.column,
                      .offset = shown.range.begin.offset,
                      .end_line = shown.range.end.line,
                      .end_column = shown.range.end.column,
                      .end_offset = shown.range.end.offset,
                      .function = m->f->program->functions[c->place.function].model,
                      .original = shown.original,
                      .replacement = shown.replacement,
                      .description = shown.description,
                      .change = digest_change(m, first, count, i, &shown),
                      .suppressed = is_suppressed(m, first->file, shown.range.begin.line) ||
                                    is_suppressed(m, first->file, range_of_candidate(text, c).begin.line)};
  }
}

static void add_place(merger *m, entry *e, uint32_t first) {
  candidate *c = e->c;
  place *added = ARRAY_ADD(m->out->items, m->out->count, m->out->capacity);
  *added = c->place;
  added->number = m->r->place_count;
  added->first = first;
  added->count = (uint32_t)c->count;
  added->replacements = mem_calloc(c->count, sizeof *added->replacements);
  for (size_t i = 0; i < c->count; i++) {
    added->replacements[i] = c->items[i].text;
    c->items[i].text = NULL;
  }
}

static void merge_places(merger *m) {
  for (size_t i = 0, end = 0; i < m->count; i = end) {
    for (end = i + 1; end < m->count && compare_places(&m->entries[i], &m->entries[end]) == 0;) end++;
    merge_group(&m->entries[i], end - i);
    if (m->entries[i].c->count == 0) continue;
    uint32_t first = (uint32_t)m->r->mutant_count;
    add_mutants(m, &m->entries[i], end - i);
    for (size_t k = i; k < end; k++) add_place(m, &m->entries[k], first);
    m->r->place_count++;
  }
}

/* --- ids and kernels ---------------------------------------------------------------------------------------------- */

static uint32_t hash_of(const model *known, const mutant *m) {
  scoped_buffer text =
      buffer_with("%s %u %s", known->files[m->file].sha256, (unsigned)m->offset, mutate_operators[m->op].name);
  const char *described = m->description == NULL ? "" : m->description;
  const char *const parts[] = {m->original, m->replacement, described};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    const char *said = parts[i] == described && m->op == MUTATE_LOOP ? strchr(described, ':') : NULL;
    buffer_append(&text, parts[i], said == NULL ? strlen(parts[i]) : (size_t)(said - parts[i]));
    buffer_append(&text, "", 1);
  }
  uint8_t digest[SHA256_DIGEST_LENGTH];
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, (const uint8_t *)buffer_text(&text), text.length);
  SHA256Final(digest, &context);
  uint32_t id = (uint32_t)digest[0] << 24 | (uint32_t)digest[1] << 16 | (uint32_t)digest[2] << 8 | digest[3];
  return id >> (32 - ID_BITS);
}

static int compare_ids(const void *a, const void *b) {
  const mutant *const *left = a;
  const mutant *const *right = b;
  int order = compare_numbers((*left)->id, (*right)->id);
  return order != 0 ? order : compare_numbers((*left)->number, (*right)->number);
}

/* Two mutants with one hash: the later one takes the next number that is free. */
static void give_ids(const model *known, mutate_result *r) {
  scoped mutant **sorted = mem_calloc(r->mutant_count, sizeof *sorted);
  for (size_t i = 0; i < r->mutant_count; i++) {
    r->mutants[i].id = hash_of(known, &r->mutants[i]);
    sorted[i] = &r->mutants[i];
  }
  if (r->mutant_count > 1) qsort(sorted, r->mutant_count, sizeof(mutant *), compare_ids);
  for (size_t i = 1; i < r->mutant_count; i++)
    if (sorted[i]->id <= sorted[i - 1]->id) sorted[i]->id = sorted[i - 1]->id + 1;
}

static void add_kernel(mutant *m, uint32_t kernel) {
  if (m->kernel_count == 0 || m->kernels[m->kernel_count - 1] != kernel) {
    size_t capacity = m->kernel_count;
    *ARRAY_ADD(m->kernels, m->kernel_count, capacity) = kernel;
  }
}

static void list_kernels(const program *p, const places *all, mutate_result *r) {
  scoped bool *reached = mem_calloc(p->function_count, sizeof *reached);
  for (uint32_t k = 0; k < p->kernel_count; k++) {
    memset(reached, 0, p->function_count * sizeof *reached);
    size_t count = 0;
    scoped uint32_t *reach = reachable_functions(p, p->kernel_functions[k], &count);
    for (size_t i = 0; i < count; i++) reached[reach[i]] = true;
    for (size_t i = 0; i < all->count; i++) {
      const place *at = &all->items[i];
      for (uint32_t n = 0; n < at->count && reached[at->function]; n++) add_kernel(&r->mutants[at->first + n], k);
    }
  }
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

/* By first token, outer ones first; functions are in the order of units and tokens. */
static int compare_tokens(const void *a, const void *b) {
  const place *left = a;
  const place *right = b;
  int order = compare_numbers(left->function, right->function);
  order = order != 0 ? order : compare_numbers(left->whole.first, right->whole.first);
  order = order != 0 ? order : compare_numbers(right->whole.last, left->whole.last);
  order = order != 0 ? order : compare_numbers(left->op, right->op);
  return order != 0 ? order : compare_numbers(left->kind, right->kind);
}

/* Makes places and mutants of the candidates (whose contents it takes). */
static void merge_candidates(finder *f, places *out, mutate_result *r) {
  merger m = {.f = f, .out = out, .r = r};
  list_entries(&m);
  read_files(&m);
  for (size_t i = 0; i < m.count; i++) m.entries[i].file = m.files[m.entries[i].file];
  if (m.count > 1) qsort(m.entries, m.count, sizeof *m.entries, compare_entries);
  merge_places(&m);
  if (out->count > 1) qsort(out->items, out->count, sizeof *out->items, compare_tokens);
  give_ids(&f->program->out->model, r);
  list_kernels(f->program, out, r);
  mem_free_all(m.suppressed, m.file_count);
  free(m.suppressed_counts);
  free(m.files);
  free(m.entries);
}

/* Uses of a macro's text that no schema can switch: sizes of arrays, case labels, operands of sizeof, attributes. A
 * mutant changes the text, so it must change these uses, too: as text, in a clone. Where it cannot be a clone (a use
 * outside of functions, in an #if, in what ## makes), or where more than one token is replaced, there is no such
 * mutant. */

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
        for (size_t k = 0; k < other->file_count; k++)
          files[u][i] = same_file(&text->files[i], &other->files[k]) ? files[v][k] : files[u][i];
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
    for (uint32_t t = 0; t < text->token_count; t++) add_use(s, u, t, &text->tokens[t].spelled);
    for (size_t i = 0; i < text->condition_count; i++) add_use(s, u, NONE, &text->conditions[i]);
  }
  if (s->count > 1) qsort(s->items, s->count, sizeof *s->items, compare_uses);
  s->sorted = mem_calloc(f->count + 1, sizeof *s->sorted);
  for (; s->sorted_count < f->count; s->sorted_count++) s->sorted[s->sorted_count] = &f->candidates[s->sorted_count];
  qsort(s->sorted, s->sorted_count, sizeof *s->sorted, compare_candidates);
}

/* The first use of the text at a candidate's token. */
static use *first_use(const uses *s, const finder *f, const candidate *c) {
  const pp_position *at = &f->program->units[c->unit].text.tokens[c->place.token].spelled;
  const use key = {.file = s->files[c->unit][at->file], .offset = at->offset};
  size_t low = 0;
  for (size_t high = s->count; low < high;) {
    const size_t middle = low + (high - low) / 2;
    if (compare_uses(&s->items[middle], &key) < 0)
      low = middle + 1;
    else
      high = middle;
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
  for (uint32_t i = 0; i < p->function_count; i++)
    if (p->functions[i].unit == at->unit && span_has(p->functions[i].body, at->token)) return i;
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
  if ((first->done >> op & 1u) != 0) return;
  first->done |= 1u << op;
  const bool simple = replaces_token(c);
  for (use *at = first; at < s->items + s->count && at->file == first->file && at->offset == first->offset; at++) {
    const bool whole = at->token != NONE && stands_in_file(&f->program->units[at->unit].text, at->token);
    if (whole && has_candidate(s, at, op)) continue;
    const uint32_t owner = simple && whole ? owner_of(f->program, at) : NONE;
    if (owner == NONE) {
      drop_alternatives(&f->candidates[index], 0);
      return;
    }
    add_fixed(f, at, owner, index);
  }
}

/* Adds the uses of places that have no candidate, because nothing is executed there; once all others are found. */
static void find_fixed(finder *f) {
  if (f->count == 0) return;
  uses s = {.files = number_files(f->program)};
  list_uses(f, &s);
  const size_t count = f->count;
  candidate *before = f->candidates;
  scoped candidate *copy = mem_calloc(count + 1, sizeof *copy);
  memcpy(copy, before, count * sizeof *copy);
  for (size_t i = 0; i < s.sorted_count; i++) /* the list moves when it grows */
    s.sorted[i] = copy + (s.sorted[i] - before);
  for (size_t i = 0; i < count; i++) find_uses(f, &s, i);
  mem_free_all(s.files, f->program->unit_count);
  free(s.items);
  free(s.sorted);
}

/* --- candidates --------------------------------------------------------------------------------------------------- */

candidate *add_candidate(finder *f, mutate_operator op, place_kind kind, uint32_t token, span whole) {
  candidate *c = ARRAY_ADD(f->candidates, f->count, f->capacity);
  c->place.kind = kind;
  c->place.op = op;
  c->place.function = f->function;
  c->place.token = token;
  c->place.whole = whole;
  c->place.left = c->place.right = (span){1, 0};
  c->unit = f->unit;
  c->replaced = (span){token, token};
  return c;
}

void add_alternative(candidate *c, char *key, char *text, char *shown, char *description) {
  alternative *a = ARRAY_ADD(c->items, c->count, c->capacity);
  *a = (alternative){key, text, shown, description, 0};
}

void add_replacement(candidate *c, const char *text) {
  add_alternative(c, mem_strdup(text), mem_strdup(text), mem_strdup(text), NULL);
}

bool is_number(const tree_type *t) { return t != NULL && (tree_type_is_integer(t) || tree_type_is_float(t)); }

bool is_pointer(const tree_type *t) { return t != NULL && t->kind == TREE_TYPE_POINTER; }

/* --- loops -------------------------------------------------------------------------------------------------------- */

/* Whether a loop's condition never ends it: there is none, or a literal that is true. */
static bool is_endless(const tree_node *loop) {
  const tree_node *decides = condition_node(loop);
  if (decides == NULL) return true;
  while (decides->kind == TREE_CONVERT) decides = decides->children[0];
  const tree_constant *c = &decides->constant;
  const bool literal = decides->kind == TREE_LITERAL || decides->kind == TREE_MACRO;
  return literal &&
         ((c->kind == TREE_INTEGER_CONSTANT && c->integer != 0) || (c->kind == TREE_FLOAT_CONSTANT && c->real != 0));
}

/* The header; of a `do` its keyword alone, for the header stands after the body. */
static span loop_header(const tree_node *loop) {
  const uint32_t begin = statement_begin(loop);
  return (span){begin, loop->kind == TREE_DO ? begin : loop->parts->close};
}

/* Whether n-1 iterations can be had. */
static bool can_look_ahead(const statements *s, const tree_node *loop) {
  look_ahead l;
  const bool can = find_look_ahead(s, loop, &l);
  look_ahead_free(&l);
  return can;
}

static void add_turns(candidate *c, const char *key, char *description) {
  add_alternative(c, mem_strdup(key), mem_strdup(key), mem_strdup(""), description);
}

static void find_loops(finder *f) {
  const statements *s = &f->program->functions[f->function].statements;
  for (size_t i = 0; i < s->count; i++) {
    const tree_node *loop = s->items[i];
    if (!tree_is_loop(loop->kind) || is_done_once(loop)) continue;
    candidate *c = add_candidate(f, MUTATE_LOOP, PLACE_LOOP, statement_begin(loop), statement_tokens(loop));
    c->place.loop = loop;
    c->replaced = loop_header(loop);
    add_turns(c, "skip", mem_strdup("loop skipped"));
    if (is_endless(loop)) continue;
    if (can_look_ahead(s, loop)) add_turns(c, "n-1", describe_turns(f, loop, false));
    add_turns(c, "n+1", describe_turns(f, loop, true));
  }
}

/* --- expressions -------------------------------------------------------------------------------------------------- */

static void find_expression(finder *f, const tree_node *x) {
  switch (x->kind) {
    case TREE_CALL: find_call(f, x); break;
    case TREE_LITERAL: find_literal(f, x); break;
    default: find_operator(f, x); break;
  }
}

static void find_in_function(finder *f) {
  const tree_node *root = tree_function_of(tree_innermost(f->u->tree, f->program->functions[f->function].body.first));
  const tree_node *n = tree_body(root);
  while (n != NULL) {
    const bool left_out = n->not_executed || is_fixed(n);
    if (!left_out) find_expression(f, n);
    n = left_out ? tree_next_beyond(root, n) : tree_next(root, n);
  }
}

static void free_candidates(finder *f) {
  for (size_t i = 0; i < f->count; i++) {
    candidate *c = &f->candidates[i];
    for (size_t k = 0; k < c->count; k++) {
      free(c->items[k].key);
      free(c->items[k].text);
      free(c->items[k].shown);
      free(c->items[k].description);
    }
    free(c->items);
  }
  free(f->candidates);
}

void find_places(program *p, places *out, mutate_result *r) {
  *out = (places){.program = p};
  finder f = {.program = p};
  for (f.function = 0; f.function < p->function_count; f.function++) {
    f.unit = p->functions[f.function].unit;
    f.u = &p->units[f.unit];
    find_in_function(&f);
    find_loops(&f);
  }
  find_fixed(&f);
  merge_candidates(&f, out, r);
  free_candidates(&f);
}

void places_free(places *p) {
  for (size_t i = 0; i < p->count; i++) {
    place *at = &p->items[i];
    mem_free_all(at->replacements, at->count);
  }
  free(p->items);
  *p = (places){0};
}
