/* Mutants of a program: found, written, and without those that the front end refuses; their archive and digests. */
#include "mutate/mutate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/memory.h"
#include "base/names.h"
#include "frontend/edits.h"
#include "instrument/archive.h"
#include "instrument/program.h"
#include "mutate/find.h"

/* ---- operators ---- */

enum { WORD = 100 };

/* In the order of enum mutate_operator. */
const mutate_operator_info mutate_operators[MUTATE_OPERATORS] = {
    {"arith", "paper", "+ - * / % exchanged, unary - deleted, ++ and -- exchanged"},
    {"rel", "paper", "< <= > >= == != exchanged"},
    {"logic", "paper", "&& and || exchanged, ! deleted"},
    {"bit", "paper", "& | ^ << >> exchanged, ~ deleted"},
    {"assign", "paper", "operators of compound assignments exchanged"},
    {"barrier", "paper", "barrier deleted"},
    {"image", "paper", "coordinates of image reads and writes moved by one or exchanged"},
    {"loop", "paper", "loop skipped, or run once less or more up to its boundary"},
    {"index", "gpu", "another work-item function or dimension, or its value moved by one"},
    {"atomic", "gpu", "atomic update done non-atomically"},
    {"fence", "gpu", "local and global fence exchanged, fence deleted"},
    {"local", "gpu", "initialisation of local memory deleted"},
    {"const", "gpu", "number replaced by 0, 1, -1, or moved by one"},
    {"dimensions", "launch", "two dimensions of a launch's global size exchanged"},
    {"groups", "launch", "a launch with a work-group more or less in a dimension"},
    {"local-size", "launch", "a launch with half or twice the work-group size in a dimension"},
    {"offset", "launch", "a launch whose global offset is moved by one"},
    {"argument", "launch", "a launch with a scalar argument + 1, - 1 or 0"},
};

static bool is_word(const char *name, const char *word, size_t length) {
  return strlen(name) == length && memcmp(name, word, length) == 0;
}

/* Applies one word of the list; false when nothing has this name. */
static bool select_word(const char *word, size_t length, bool selected[MUTATE_OPERATORS]) {
  bool value = length == 0 || word[0] != '-';
  if (!value) {
    word++;
    length--;
  }
  bool known = false;
  for (size_t i = 0; i < MUTATE_OPERATORS; i++) {
    if (is_word(mutate_operators[i].name, word, length) || is_word(mutate_operators[i].set, word, length)) {
      selected[i] = value;
      known = true;
    }
  }
  return known;
}

static int refuse(const char *word, size_t length, error *e) {
  char name[WORD + 1];
  (void)snprintf(name, sizeof name, "%.*s", (int)(length > WORD ? WORD : length), word);
  suggestion near = {.word = name + (name[0] == '-' ? 1 : 0)};
  scoped_buffer known = {0};
  for (size_t i = 0; i < MUTATE_OPERATORS; i++) {
    buffer_printf(&known, ", %s", mutate_operators[i].name);
    suggest_consider(&near, mutate_operators[i].name);
    suggest_consider(&near, mutate_operators[i].set);
  }
  (void)error_set(e, EXIT_USAGE,
                  "there is no mutation operator \"%s\"%s%s%s; there are the sets paper, gpu and launch, and%s", name,
                  near.best == NULL ? "" : "; did you mean ", near.best == NULL ? "" : near.best,
                  near.best == NULL ? "" : "?", buffer_text(&known) + 1);
  return -1;
}

int mutate_select_operators(const char *list, bool selected[MUTATE_OPERATORS], error *e) {
  memset(selected, 0, MUTATE_OPERATORS * sizeof *selected);
  for (const char *word = list;; word++) {
    size_t length = strcspn(word, ",");
    if (!select_word(word, length, selected)) return refuse(word, length, e);
    word += length;
    if (*word == '\0') return 0;
  }
}

/* ---- mutants ---- */

/* The archive of a program's mutants, and what they own. */

_Static_assert(sizeof(mutate_operator) == sizeof(uint32_t) && sizeof(mutant_form) == sizeof(uint32_t),
               "they are read and written as a u32");

ARCHIVE(static, mutants, mutant, U32(mutant, number), U32(mutant, id), U32(mutant, op), U32(mutant, form),
        U32(mutant, place), U32(mutant, file), U32(mutant, line), U32(mutant, column), U32(mutant, offset),
        U32(mutant, end_line), U32(mutant, end_column), U32(mutant, end_offset), U32(mutant, function),
        STRING(mutant, original), STRING(mutant, replacement), STRING(mutant, description),
        ARRAY(mutant, kernels, kernel_count, archive_numbers), STRING(mutant, change), FLAG(mutant, sizes),
        FLAG(mutant, invalid), FLAG(mutant, suppressed));
ARCHIVE(static, results, mutate_result, ARRAY(mutate_result, questions, question_count, archive_questions),
        PART(mutate_result, model, archive_models), ARRAY(mutate_result, mutants, mutant_count, mutants),
        ARRAY(mutate_result, kernel_digests, kernel_digest_count, archive_strings), FLAG(mutate_result, prints),
        ARRAY(mutate_result, kernel_parameters, kernel_parameter_count, archive_strings),
        U32(mutate_result, place_count), U32(mutate_result, flag_words),
        ARRAY(mutate_result, texts, source_count, archive_strings),
        AS_MANY(mutate_result, options, source_count, archive_strings));

void mutate_archive_write(const mutate_result *r, buffer *out) { archive_put(&results, r, out); }

int mutate_archive_read(const void *bytes, size_t length, mutate_result *out) {
  return archive_take(&results, bytes, length, out);
}

void mutate_free(mutate_result *r) {
  archive_free(&results, r);
  model_free(&r->model);
  *r = (mutate_result){0};
}

/* The parameters of a program's kernels, in one text each. */

static char letter_of(const tree_type *t) {
  switch (t->kind) {
    case TREE_TYPE_INTEGER:
    case TREE_TYPE_ENUM: return 'i';
    case TREE_TYPE_FLOAT: return 'f';
    default: return '-';
  }
}

/* Fills r->kernel_parameters. */
static void list_kernel_parameters(const program *p, mutate_result *r) {
  r->kernel_parameters = mem_calloc(p->kernel_count, sizeof *r->kernel_parameters);
  r->kernel_parameter_count = p->kernel_count;
  for (uint32_t k = 0; k < p->kernel_count; k++) {
    const tree_node *f = p->functions[p->kernel_functions[k]].node;
    buffer text = {0};
    for (uint32_t i = 0; i + 1 < f->child_count; i++) {
      const tree_symbol *symbol = f->children[i]->symbol;
      const char *name = symbol == NULL || symbol->name == NULL ? "" : symbol->name;
      buffer_printf(&text, "%c%s\n", letter_of(f->children[i]->type), name);
    }
    r->kernel_parameters[k] = buffer_take(&text);
  }
}

/* A program whose texts are being checked. */
typedef struct checker {
  program *p;
  const places *all;
  mutate_result *r;
  const uint32_t *clones; /* NULL: the schema */
  size_t clone_count;
  const bool *operators; /* whose places are written; NULL: of all */
  const bool *part;      /* [place number]: which places are written; NULL: all */
  bool *fine;            /* [place number]: not refused; false while it is not yet tried */
  error *error;
} checker;

/* --- texts -------------------------------------------------------------------------------------------------------- */

/* Divisions of integers are checked whether they are mutated or not: another mutant may make their divisor zero. */
static bool is_division(const place *at) {
  const bool divides = at->symbol == OP_DIVIDE || at->symbol == OP_REMAINDER;
  return divides && (at->kind == PLACE_BINARY || at->kind == PLACE_ASSIGN) && at->type != NULL &&
         tree_type_is_integer(at->type);
}

static bool is_written(const checker *c, const place *at) {
  const bool chosen = (c->operators == NULL || c->operators[at->op]) && (c->part == NULL || c->part[at->number]);
  return c->fine[at->number] && (chosen || is_division(at));
}

/* The text of a unit with the places that are fine. */
static char *write_unit(const checker *c, uint32_t u) {
  places some = {.program = c->p};
  for (size_t i = 0; i < c->all->count; i++)
    if (is_written(c, &c->all->items[i])) *ARRAY_ADD(some.items, some.count, some.capacity) = c->all->items[i];
  char *text = schema_text(&some, u, c->r, c->clones, c->clone_count);
  free(some.items);
  return text;
}

/* A schema must be clean when it records what is reached, too. */
static front_error *find_errors(const checker *c, uint32_t u, size_t *count) {
  const char *options = c->p->units[u].text.other_options;
  scoped char *text = write_unit(c, u);
  front_error *errors = front_check(text, options, count);
  if (*count == 0 && c->clones == NULL) {
    scoped char *recording = text_of("#define CLTC_REACH\n%s", text);
    front_errors_free(errors, *count);
    errors = front_check(recording, options, count);
  }
  return errors;
}

static bool is_clean(const checker *c, uint32_t u) {
  size_t count = 0;
  front_error *errors = find_errors(c, u, &count);
  front_errors_free(errors, count);
  return count == 0;
}

/* --- what is refused ---------------------------------------------------------------------------------------------- */

static bool stands_on_line(const pp_result *text, const place *at, const char *file, uint32_t line) {
  uint32_t first = UINT32_MAX, last = 0;
  for (uint32_t t = at->whole.first; t <= at->whole.last; t++) {
    const pp_position *where = &text->tokens[t].expanded;
    if (strcmp(text->files[where->file].name, file) == 0) {
      first = where->line < first ? where->line : first;
      last = where->line > last ? where->line : last;
    }
  }
  return first <= line && line <= last;
}

/* The mutant that a clone is for, from the name of a function of it; 0: none. */
static uint32_t number_of_clone(const char *name) {
  const char *infix = strstr(name, MUTANT_CLONE_INFIX);
  return infix == NULL ? 0 : (uint32_t)strtoul(infix + strlen(MUTANT_CLONE_INFIX), NULL, 10);
}

static bool may_cause(const checker *c, const place *at, const front_error *e) {
  uint32_t number = number_of_clone(e->function);
  if (number != 0) return number > at->first && number <= at->first + at->count;
  return stands_on_line(&c->p->units[c->p->functions[at->function].unit].text, at, e->file, e->line);
}

/* Numbers of the places of a unit: those that no error points at first. */
static uint32_t *list_places(const checker *c, uint32_t u, const front_error *errors, size_t error_count,
                             size_t *count) {
  enum { ABSENT, INNOCENT, SUSPECT };
  scoped unsigned char *states = mem_calloc(c->r->place_count, 1);
  for (size_t i = 0; i < c->all->count; i++) {
    const place *at = &c->all->items[i];
    if (c->p->functions[at->function].unit == u && is_written(c, at) && states[at->number] == ABSENT)
      states[at->number] = INNOCENT;
    for (size_t k = 0; k < error_count && states[at->number] == INNOCENT; k++)
      states[at->number] = may_cause(c, at, &errors[k]) ? SUSPECT : INNOCENT;
  }
  uint32_t *list = NULL;
  size_t capacity = 0;
  *count = 0;
  for (unsigned char state = INNOCENT; state <= SUSPECT; state++) {
    for (uint32_t n = 0; n < c->r->place_count; n++)
      if (states[n] == state) *ARRAY_ADD(list, *count, capacity) = n;
  }
  return list;
}

static void set_fine(checker *c, const uint32_t *list, size_t count, bool fine) {
  for (size_t i = 0; i < count; i++) c->fine[list[i]] = fine;
}

/* Adds as many of the places as leave the text clean; the others are refused. */
static void sift(checker *c, uint32_t u, const uint32_t *list, size_t count) {
  set_fine(c, list, count, true);
  if (count == 0 || is_clean(c, u)) return;
  set_fine(c, list, count, false);
  if (count > 1) {
    sift(c, u, list, count / 2);
    sift(c, u, list + count / 2, count - count / 2);
  }
}

/* Writes a unit without what libclang refuses. */
static int check_unit(checker *c, uint32_t u) {
  size_t error_count = 0;
  front_error *errors = find_errors(c, u, &error_count);
  int result = 0;
  if (error_count > 0) {
    size_t count = 0;
    scoped uint32_t *list = list_places(c, u, errors, error_count, &count);
    set_fine(c, list, count, false);
    if (is_clean(c, u)) {
      sift(c, u, list, count);
    } else {
      result = error_set(c->error, EXIT_INTERNAL, "%s:%u: the front end (libclang) cannot read what we made of it: %s",
                         errors[0].file, errors[0].line, errors[0].message);
    }
  }
  front_errors_free(errors, error_count);
  return result;
}

static int check_units(checker *c) {
  int result = 0;
  for (uint32_t u = 0; u < c->p->unit_count && result == 0; u++) result = check_unit(c, u);
  return result;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static int check_clones(checker *c, const uint32_t *clones, size_t count) {
  c->clones = clones;
  c->clone_count = count;
  int result = count == 0 ? 0 : check_units(c);
  c->clones = NULL;
  c->clone_count = 0;
  return result;
}

/* Does the front end take the program with all clones together? Then it takes each of them alone. */
static bool are_clean(checker *c, const uint32_t *clones, size_t count) {
  bool clean = true;
  c->clones = clones;
  c->clone_count = count;
  for (uint32_t u = 0; u < c->p->unit_count && clean; u++) clean = is_clean(c, u);
  c->clones = NULL;
  c->clone_count = 0;
  return clean;
}

/* Which of these mutants, each alone, the front end refuses. */
static void sift_invalid(checker *c, const uint32_t *numbers, size_t count) {
  if (count == 0 || are_clean(c, numbers, count)) return;
  if (count == 1) {
    c->r->mutants[numbers[0] - 1].invalid = true;
    return;
  }
  sift_invalid(c, numbers, count / 2);
  sift_invalid(c, numbers + count / 2, count - count / 2);
}

/* A macro's text may be refused where it is the size of an array, and be fine where it is computed with. */
static void check_fixed(checker *c) {
  scoped bool *fixed = mem_calloc(c->r->place_count + 1, sizeof *fixed);
  scoped uint32_t *numbers = NULL;
  size_t count = 0, capacity = 0;
  for (size_t i = 0; i < c->all->count; i++) fixed[c->all->items[i].number] |= c->all->items[i].kind == PLACE_FIXED;
  for (size_t i = 0; i < c->r->mutant_count; i++) {
    mutant *m = &c->r->mutants[i];
    m->sizes = fixed[m->place];
    if (m->sizes && m->kernel_count > 0 && c->fine[m->place]) *ARRAY_ADD(numbers, count, capacity) = m->number;
  }
  sift_invalid(c, numbers, count);
}

/* Clones of all mutants that are in no schema. */
static int check_cloned(checker *c) {
  scoped uint32_t *numbers = NULL;
  size_t count = 0, capacity = 0;
  for (size_t i = 0; i < c->r->mutant_count; i++) {
    const mutant *m = &c->r->mutants[i];
    if (m->form == MUTANT_CLONED && !m->invalid && m->kernel_count > 0 && c->fine[m->place])
      *ARRAY_ADD(numbers, count, capacity) = m->number;
  }
  return check_clones(c, numbers, count);
}

static void write_units(const checker *c, mutate_result *r) {
  r->source_count = c->p->unit_count;
  r->texts = mem_calloc(r->source_count, sizeof *r->texts);
  r->options = mem_calloc(r->source_count, sizeof *r->options);
  for (uint32_t u = 0; u < r->source_count; u++) {
    r->texts[u] = write_unit(c, u);
    r->options[u] = mem_strdup(c->p->units[u].text.other_options);
  }
}

static void leave_out_refused(const checker *c) {
  mutate_result *r = c->r;
  size_t kept = 0;
  for (size_t i = 0; i < r->mutant_count; i++)
    if (!c->fine[r->mutants[i].place])
      archive_free(&mutants, &r->mutants[i]);
    else
      r->mutants[kept++] = r->mutants[i];
  r->mutant_count = kept;
}

/* The list is to be the same for all choices of operators, so that all are tried, whichever are written. */
static int check_schema(checker *c) {
  const bool *chosen = c->operators;
  c->operators = NULL;
  int result = check_units(c);
  if (result == 0) {
    check_fixed(c);
    result = check_cloned(c);
  }
  c->operators = chosen;
  return result == 0 && chosen != NULL ? check_units(c) : result;
}

static int check_texts(checker *c, const uint32_t *clones, size_t clone_count) {
  if (clones == NULL) return check_schema(c);
  int result = check_units(c);
  return result == 0 ? check_clones(c, clones, clone_count) : result;
}

/* What is written of a program whose mutants are found. */
typedef struct order {
  const uint32_t *part; /* numbers of mutants: nothing but a schema of these; NULL: as `clones` says */
  size_t part_count;
  const uint32_t *clones;
  size_t clone_count;
  const bool *operators;
  const size_t *sizes; /* how many of `clones` are written together */
  size_t group_count;
  mutate_clones each; /* NULL: all clones (or the schema) into the result */
  void *context;
} order;

/* One after another; what is refused of one is not refused of the next. */
static void write_each(checker *c, const order *o) {
  scoped bool *fine = mem_calloc(c->r->place_count, sizeof *fine);
  memcpy(fine, c->fine, c->r->place_count * sizeof *fine);
  error refused;
  c->error = &refused;
  const bool all_clean = are_clean(c, o->clones, o->clone_count);
  for (size_t g = 0, first = 0; g < o->group_count; first += o->sizes[g++]) {
    mutate_result texts = {0};
    bool clean = all_clean || check_clones(c, &o->clones[first], o->sizes[g]) == 0;
    if (clean) {
      c->clones = &o->clones[first];
      c->clone_count = o->sizes[g];
      write_units(c, &texts);
      c->clones = NULL;
      c->clone_count = 0;
    }
    o->each(o->context, g, clean ? &texts : NULL);
    mutate_free(&texts);
    memcpy(c->fine, fine, c->r->place_count * sizeof *fine);
  }
}

static int compare_numbers(const void *key, const void *item) {
  const uint32_t number = *(const uint32_t *)key;
  const mutant *m = item;
  return number < m->number ? -1 : number > m->number;
}

/* The schema of some mutants alone. */
static int write_part(checker *c, const order *o) {
  scoped bool *part = mem_calloc(c->r->place_count, sizeof *part);
  for (size_t i = 0; i < o->part_count; i++) {
    const mutant *m = bsearch(&o->part[i], c->r->mutants, c->r->mutant_count, sizeof *c->r->mutants, compare_numbers);
    if (m != NULL) part[m->place] = true;
  }
  c->part = part;
  const int result = check_units(c);
  if (result == 0) write_units(c, c->r);
  c->part = NULL;
  return result;
}

static int write_texts(checker *c, const order *o) {
  if (o->part != NULL) return write_part(c, o);
  if (o->each != NULL) {
    int result = check_units(c);
    if (result == 0) write_each(c, o);
    return result;
  }
  int result = check_texts(c, o->clones, o->clone_count);
  if (result == 0 && o->clones == NULL) {
    digest_kernels(c->p, c->r);
    list_kernel_parameters(c->p, c->r);
  }
  if (result == 0) {
    c->clones = o->clones;
    c->clone_count = o->clone_count;
    write_units(c, c->r);
  }
  return result;
}

static int write_program(program *p, const order *o, mutate_result *out, error *e) {
  places all = {0};
  find_places(p, &all, out);
  out->flag_words = MUTATE_WORD_REACHED + (out->place_count + 31) / 32;
  checker c = {.p = p, .all = &all, .r = out, .operators = o->operators, .error = e};
  c.fine = mem_calloc(out->place_count, sizeof *c.fine);
  memset(c.fine, true, out->place_count * sizeof *c.fine);
  const int result = write_texts(&c, o);
  leave_out_refused(&c);
  free(c.fine);
  places_free(&all);
  return result;
}

static int mutate_sources(const pp_input *sources, size_t source_count, const order *o, mutate_result *out, error *e) {
  *out = (mutate_result){0};
  instrument_result found;
  program p;
  int result = program_prepare(&p, sources, source_count, &found, e);
  if (result == 0 && found.question_count == 0) result = write_program(&p, o, out, e);
  program_free(&p);
  out->questions = found.questions;
  out->question_count = found.question_count;
  out->model = found.model;
  found.questions = NULL;
  found.question_count = 0;
  found.model = (model){0};
  instrument_free(&found);
  return result;
}

int mutate_program(const pp_input *sources, size_t source_count, const uint32_t *clones, size_t clone_count,
                   const bool *operators, mutate_result *out, error *e) {
  const order o = {.clones = clones, .clone_count = clone_count, .operators = operators};
  return mutate_sources(sources, source_count, &o, out, e);
}

int mutate_part(const pp_input *sources, size_t source_count, const uint32_t *numbers, size_t count,
                const bool *operators, mutate_result *out, error *e) {
  const order o = {.part = numbers, .part_count = count, .operators = operators};
  return mutate_sources(sources, source_count, &o, out, e);
}

int mutate_groups(const pp_input *sources, size_t source_count, const uint32_t *clones, const size_t *sizes,
                  size_t group_count, const bool *operators, mutate_clones each, void *context, error *e) {
  size_t count = 0;
  for (size_t g = 0; g < group_count; g++) count += sizes[g];
  const order o = {.clones = clones,
                   .clone_count = count,
                   .operators = operators,
                   .sizes = sizes,
                   .group_count = group_count,
                   .each = each,
                   .context = context};
  mutate_result found;
  int result = mutate_sources(sources, source_count, &o, &found, e);
  if (result == 0 && found.question_count > 0)
    result = error_set(e, EXIT_INTERNAL, "the device has not answered all questions");
  mutate_free(&found);
  return result;
}

char *mutant_clone_name(const char *kernel, uint32_t number) {
  return text_of("%s" MUTANT_CLONE_INFIX "%u", kernel, number);
}

/* Digests of kernels and places. */

/* For each token of a unit the function in whose definition it is, NONE if in none. To be freed. */
static uint32_t *list_owners(const program *p, uint32_t unit_index) {
  const pp_result *text = &p->units[unit_index].text;
  uint32_t *owners = mem_calloc(text->token_count, sizeof *owners);
  for (size_t t = 0; t < text->token_count; t++) owners[t] = NONE;
  for (uint32_t f = 0; f < p->function_count; f++) {
    const span tokens = p->functions[f].node->tokens;
    for (uint32_t t = tokens.first; p->functions[f].unit == unit_index && t <= tokens.last; t++) owners[t] = f;
  }
  return owners;
}

/* A name that macros have brought counts, one in a comment does not. */
static bool names(const unit *u, const char *name) {
  const size_t length = strlen(name);
  bool found = false;
  for (size_t t = 0; t < u->text.token_count && !found; t++) {
    const pp_token *token = &u->text.tokens[t];
    found = token->end - token->begin == length && memcmp(u->text.text + token->begin, name, length) == 0;
  }
  return found;
}

static void digest_unit(digester *d, const unit *u, const uint32_t *owners, const bool *reached) {
  digest_text(d, u->text.other_options);
  for (size_t t = 0; t < u->text.token_count; t++) {
    const pp_token *token = &u->text.tokens[t];
    /* a pragma in a function may hold after it, too */
    if (owners[t] == NONE || reached[owners[t]] || token->kind == PP_PRAGMA)
      digest_bytes(d, u->text.text + token->begin, token->end - token->begin);
  }
  digest_text(d, ""); /* no token: the end of the unit */
}

static char *digest_kernel(const program *p, uint32_t kernel, uint32_t *const *owners) {
  size_t count = 0;
  scoped uint32_t *reach = reachable_functions(p, p->kernel_functions[kernel], &count);
  scoped bool *reached = mem_calloc(p->function_count, sizeof *reached);
  for (size_t i = 0; i < count; i++) reached[reach[i]] = true;
  digester d;
  digest_begin(&d);
  for (uint32_t u = 0; u < p->unit_count; u++) digest_unit(&d, &p->units[u], owners[u], reached);
  char *out = mem_calloc(1, 65);
  digest_end(&d, out);
  return out;
}

void digest_kernels(const program *p, mutate_result *r) {
  uint32_t **owners = mem_calloc(p->unit_count, sizeof *owners);
  for (uint32_t u = 0; u < p->unit_count; u++) {
    owners[u] = list_owners(p, u);
    r->prints = r->prints || names(&p->units[u], "printf");
  }
  r->kernel_digests = mem_calloc(p->kernel_count, sizeof *r->kernel_digests);
  r->kernel_digest_count = p->kernel_count;
  for (uint32_t k = 0; k < p->kernel_count; k++) r->kernel_digests[k] = digest_kernel(p, k, owners);
  mem_free_all(owners, p->unit_count);
}

void digest_place(digester *d, const program *p, uint32_t function_index, uint32_t token) {
  const function *f = &p->functions[function_index];
  uint64_t overloads = 0; /* before it */
  for (uint32_t g = 0; g < function_index; g++) {
    const function *other = &p->functions[g];
    overloads += other->unit == f->unit && strcmp(other->node->symbol->name, f->node->symbol->name) == 0 ? 1 : 0;
  }
  digest_number(d, f->unit);
  digest_text(d, f->node->symbol->name);
  digest_number(d, overloads);
  digest_number(d, token - f->node->tokens.first);
}
