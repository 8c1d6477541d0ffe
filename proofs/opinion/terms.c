/* Conditions that launches are held against: formulas of kernel cases, over the names of a launch. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/scope.h"
#include "proofs/host/host.h"
#include "proofs/opinion/draw.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define DIGITS "0123456789"

static const replica_argument *argument_called(const replica *r, const char *name, size_t length) {
  for (size_t i = 0; i < r->count; i++) {
    const char *known = r->arguments[i].is->name;
    if (strlen(known) == length && strncmp(known, name, length) == 0) return &r->arguments[i];
  }
  return NULL;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static bool integer_of(const replica_argument *a, int64_t *out) {
  if (a->is->kind != PARAMETER_VALUE || !a->is->integer || a->bytes == NULL || a->size > sizeof *out) return false;
  *out = integer_of_bytes(a->bytes, (size_t)a->size, a->is->is_unsigned);
  return true;
}

static bool elements_of(const replica *r, const char *name, size_t length, int64_t *out) {
  const replica_argument *a = argument_called(r, name, length);
  const bool known =
      a != NULL && a->is->size > 0 && (a->is->kind == PARAMETER_GLOBAL || a->is->kind == PARAMETER_LOCAL);
  *out = known ? (int64_t)(a->size / a->is->size) : 0;
  return known;
}

/* What a name, or a function with or without one argument, is in a launch: of a scope. */
static bool value_of(const void *context, const syntax_node *n, number_wide *out) {
  static const char *const sizes[] = {"get_global_size", "get_local_size", "get_num_groups", "get_global_offset"};
  const replica *r = context;
  const syntax_node *argument = n->count == 1 ? n->parts[0] : NULL;
  int64_t is = 0;
  bool known = false;
  if (n->kind == SYNTAX_NAME) {
    const replica_argument *a = argument_called(r, n->text, n->length);
    known = a != NULL && integer_of(a, &is);
  } else if (syntax_is(n, "get_work_dim")) {
    is = r->dimensions;
    known = n->count == 0;
  } else if (argument != NULL && syntax_is(n, "elements")) {
    known = argument->kind == SYNTAX_NAME && elements_of(r, argument->text, argument->length, &is);
  } else if (argument != NULL && syntax_is(n, "power_of_two")) {
    const char *begin = strchr(n->text, '(') + 1;
    known = terms_value(begin, (size_t)(argument->end - begin), r, &is);
    is = is > 0 && (is & (is - 1)) == 0;
  } else if (argument != NULL && argument->length == 1 && *argument->text >= '0' && *argument->text <= '2') {
    const unsigned d = (unsigned)(*argument->text - '0');
    const uint64_t groups = r->local[d] == 0 ? 0 : r->global[d] / r->local[d];
    const uint64_t of[] = {r->global[d], r->local[d], groups, r->offset[d]};
    size_t i = 0;
    while (i < sizeof sizes / sizeof *sizes && !syntax_is(n, sizes[i])) i++;
    known = i < sizeof sizes / sizeof *sizes && (of[i] > 0 || i == 3); /* sizes are drawn one after the other */
    is = known ? (int64_t)of[i] : 0;
  }
  *out = is;
  return known;
}

bool terms_value(const char *expression, size_t length, const replica *launch, int64_t *out) {
  const scope names = {.value = value_of, .context = launch};
  char *text = mem_strndup(expression, length);
  formula_error e;
  formula_value v = {0};
  formula *f = formula_read(text, &names, 0, &e);
  const bool known = f != NULL && formula_at(f, 0, &v, &e) == 0 && !v.real && v.integer <= INT64_MAX;
  formula_free(f);
  free(text);
  *out = (int64_t)v.integer;
  return known;
}

/* What a launch has of what host code says: seen_values. */
static bool seen_of(const void *context, host_seen seen, unsigned index, int64_t *out) {
  const replica *r = context;
  const replica_argument *a = index < r->count ? &r->arguments[index] : NULL;
  if (seen == SEEN_ARGUMENT) return a != NULL && integer_of(a, out);
  if (seen == SEEN_ELEMENTS) return a != NULL && elements_of(r, a->is->name, strlen(a->is->name), out);
  const uint64_t *sizes = seen == SEEN_GLOBAL_SIZE ? r->global : seen == SEEN_LOCAL_SIZE ? r->local : r->offset;
  *out = index < 3 ? (int64_t)sizes[index] : 0;
  return index < 3;
}

bool terms_hold(const terms *t, const replica *launch) {
  const seen_values seen = {launch, seen_of};
  bool hold = true;
  for (size_t i = 0; i < t->count && hold; i++) {
    int64_t is = 0;
    const bool known = t->facts[i] != NULL ? expression_value(t->facts[i], &seen, &is)
                                           : terms_value(t->conditions[i], strlen(t->conditions[i]), launch, &is);
    hold = known && is != 0;
  }
  return hold;
}

bool terms_contents(const terms *t, size_t index, const replica *launch, contents_facts *out) {
  *out = t->contents[index];
  for (size_t i = 0; i < t->each_count; i++) {
    const each_term *e = &t->each[i];
    int64_t bound = 0;
    if (e->parameter != index) continue;
    if (!terms_value(e->bound, e->length, launch, &bound)) return false;
    if (!out->bounded) {
      out->low = INT32_MIN;
      out->high = INT32_MAX;
    }
    out->bounded = true;
    bound += !e->strict ? 0 : e->least ? 1 : -1;
    out->low = e->least && bound > out->low ? bound : out->low;
    out->high = !e->least && bound < out->high ? bound : out->high;
  }
  return !out->bounded || out->low <= out->high;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* "distinct(index)" and its like, as --assume takes them. */
static bool read_call(terms *t, const char *text) {
  static const char *const calls[] = {"distinct(", "ascending("};
  for (size_t c = 0; c < 2; c++) {
    const size_t length = strlen(calls[c]);
    for (size_t i = 0; i < t->of->count && strncmp(text, calls[c], length) == 0; i++) {
      const char *name = t->of->parameters[i].name, *after = text + length + strlen(name);
      if (strncmp(text + length, name, strlen(name)) == 0 && strcmp(after, ")") == 0) {
        t->contents[i].distinct = t->contents[i].distinct || c == 0;
        t->contents[i].ascending = t->contents[i].ascending || c == 1;
        return true;
      }
    }
  }
  return false;
}

static bool read_contents(terms *t, const premise *p) {
  for (size_t i = 0; i < t->of->count; i++) {
    contents_facts *f = &t->contents[i];
    if (strcmp(t->of->parameters[i].name, p->buffer) == 0) {
      f->distinct = f->distinct || p->contents.distinct;
      f->ascending = f->ascending || p->contents.ascending;
      f->identity = f->identity || p->contents.identity;
      if (p->contents.bounded) {
        f->bounded = true;
        f->low = p->contents.low;
        f->high = p->contents.high;
      }
      return true;
    }
  }
  return false;
}

static size_t trimmed(const char **text, size_t length) {
  const size_t space = strspn(*text, " (");
  const size_t skipped = space < length ? space : length;
  *text += skipped;
  length -= skipped;
  while (length > 0 && ((*text)[length - 1] == ' ')) length--;
  return length;
}

/* "x[i]", whole: the parameter x; SIZE_MAX: it is none. */
static size_t buffer_at(const terms *t, const char *text, size_t length) {
  for (size_t i = 0; i < t->of->count; i++) {
    const char *name = t->of->parameters[i].name;
    const size_t size = strlen(name);
    if (strncmp(text, name, size) == 0 && text[size] == '[' && text[length - 1] == ']' &&
        size + 2 + strspn(text + size + 1, LETTERS DIGITS) == length)
      return i;
  }
  return SIZE_MAX;
}

/* One comparison. */
static bool read_comparison(terms *t, const char *text, size_t length) {
  const char *left = text, *right = memchr(text, '<', length);
  const char *greater = memchr(text, '>', length);
  const bool less = right != NULL && greater == NULL;
  right = less ? right : greater;
  if (right == NULL) return false;
  size_t before = (size_t)(right - left);
  const bool strict = right + 1 < text + length && right[1] != '=';
  right += strict ? 1 : 2;
  size_t after = (size_t)(text + length - right);
  before = trimmed(&left, before);
  after = trimmed(&right, after);
  const size_t a = buffer_at(t, left, before), b = buffer_at(t, right, after);
  if ((a == SIZE_MAX) == (b == SIZE_MAX)) return false;
  const bool first = a != SIZE_MAX;
  *ARRAY_ADD(t->each, t->each_count, t->each_capacity) = (each_term){.parameter = first ? a : b,
                                                                     .least = first != less,
                                                                     .strict = strict,
                                                                     .bound = first ? right : left,
                                                                     .length = first ? after : before};
  return true;
}

/* "0 <= index[i] && index[i] < n". */
static bool read_each(terms *t, const char *text) {
  bool all = strchr(text, '[') != NULL;
  for (const char *at = text; all && at != NULL;) {
    const char *end = strstr(at, "&&");
    all = read_comparison(t, at, end == NULL ? strlen(at) : (size_t)(end - at));
    at = end == NULL ? NULL : end + 2;
  }
  return all;
}

static void read_numbers(terms *t, const char *text) {
  for (const char *at = text; *at != '\0';) {
    if (isdigit((unsigned char)*at) != 0) {
      char *end = NULL;
      *ARRAY_ADD(t->numbers, t->number_count, t->number_capacity) = strtoll(at, &end, 0);
      at = end;
    } else {
      const size_t word = strspn(at, LETTERS DIGITS);
      at += word > 0 ? word : 1;
    }
  }
}

static bool read_expression(terms *t, const char *text) {
  if (read_call(t, text) || read_each(t, text)) return true;
  if (strchr(text, '[') != NULL) return false;
  t->conditions[t->count++] = text;
  read_numbers(t, text);
  return true;
}

/* Drawn launches have groups of one size, stay inside, and a value that is no integer is as the base has it. */
static bool read_premise(terms *t, const premise *p) {
  switch (p->kind) {
    case PREMISE_EXPRESSION: return read_expression(t, p->text);
    case PREMISE_CONTENTS: return read_contents(t, p);
    case PREMISE_EVEN:
    case PREMISE_AS_SEEN:
    case PREMISE_INSIDE: return true;
    default: return false;
  }
}

void terms_read(const premises *preconditions, const struct host_way *way, const signature *of, terms *out) {
  const size_t facts = way == NULL ? 0 : way->fact_count;
  *out = (terms){.of = of};
  out->conditions = mem_calloc(preconditions->count + facts + 1, sizeof *out->conditions);
  out->facts = mem_calloc(preconditions->count + facts + 1, sizeof *out->facts);
  out->contents = mem_calloc(of->count + 1, sizeof *out->contents);
  for (size_t i = 0; i < preconditions->count; i++)
    if (!read_premise(out, &preconditions->items[i])) out->foreign = preconditions->items[i].text;
  for (size_t i = 0; i < facts; i++) {
    out->facts[out->count] = way->facts[i].expression;
    out->conditions[out->count++] = way->facts[i].text;
    read_numbers(out, way->facts[i].text);
  }
}

void terms_free(terms *t) {
  free(t->conditions);
  free(t->facts);
  free(t->contents);
  free(t->each);
  free(t->numbers);
  *t = (terms){0};
}

bool terms_size(const terms *t, const char *name) {
  char what[200];
  bool known = false, said = false;
  (void)snprintf(what, sizeof what, "elements(%.150s)", name);
  for (size_t i = 0; i < t->of->count; i++) known = known || strcmp(t->of->parameters[i].name, name) == 0;
  for (size_t i = 0; i < t->count; i++) said = said || strstr(t->conditions[i], what) != NULL;
  return said || !known;
}
