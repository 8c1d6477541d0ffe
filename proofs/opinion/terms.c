/* Names become numbers, and what is left is a formula of kernel cases. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/scope.h"
#include "proofs/host/host.h"
#include "proofs/opinion/draw.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define DIGITS "0123456789"

static bool is_word(char c) { return isalnum((unsigned char)c) != 0 || c == '_'; }

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
  uint64_t bits = 0;
  memcpy(&bits, a->bytes, (size_t)a->size);
  const unsigned unused = (unsigned)(64 - 8 * a->size);
  *out = a->is->is_unsigned ? (int64_t)bits : (int64_t)(bits << unused) >> unused;
  return true;
}

static bool elements_of(const replica *r, const char *name, size_t length, int64_t *out) {
  const replica_argument *a = argument_called(r, name, length);
  const bool known =
      a != NULL && a->is->size > 0 && (a->is->kind == PARAMETER_GLOBAL || a->is->kind == PARAMETER_LOCAL);
  *out = known ? (int64_t)(a->size / a->is->size) : 0;
  return known;
}

/* What a function without, or with one, argument gives: "0" or the name of a buffer. */
static bool call_of(const replica *r, const char *name, size_t length, const char *argument, size_t size,
                    int64_t *out) {
  static const char *const sizes[] = {"get_global_size", "get_local_size", "get_num_groups", "get_global_offset"};
  if (length == 12 && strncmp(name, "get_work_dim", length) == 0 && size == 0) {
    *out = r->dimensions;
    return true;
  }
  if (length == 8 && strncmp(name, "elements", length) == 0) return elements_of(r, argument, size, out);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && size == 1 && *argument >= '0' && *argument <= '2'; i++) {
    const unsigned d = (unsigned)(*argument - '0');
    const uint64_t groups = r->local[d] == 0 ? 0 : r->global[d] / r->local[d];
    const uint64_t of[] = {r->global[d], r->local[d], groups, r->offset[d]};
    const bool drawn = of[i] > 0 || i == 3; /* sizes are drawn one after the other */
    if (drawn && strlen(sizes[i]) == length && strncmp(sizes[i], name, length) == 0) {
      *out = (int64_t)of[i];
      return true;
    }
  }
  return false;
}

static void put(int64_t n, buffer *out) {
  if (n == INT64_MIN)
    buffer_puts(out, "(-9223372036854775807 - 1)");
  else
    buffer_printf(out, "(%lld)", (long long)n);
}

static const char *closing(const char *at, const char *end) {
  unsigned depth = 0;
  for (; at < end; at++) {
    depth += *at == '(' ? 1 : 0;
    if (*at == ')' && depth-- == 1) return at;
  }
  return NULL;
}

static bool rewrite(const replica *r, const char *at, const char *end, buffer *out);

/* A word at `*at`: a name, or a call. */
static bool rewrite_word(const replica *r, const char **at, const char *end, buffer *out) {
  const char *word = *at;
  const size_t length = strspn(word, LETTERS DIGITS);
  const char *after = word + length + strspn(word + length, " ");
  int64_t n = 0;
  if (after >= end || *after != '(') {
    const replica_argument *a = argument_called(r, word, length);
    *at = word + length;
    if (a == NULL || !integer_of(a, &n)) return false;
    put(n, out);
    return true;
  }
  const char *close = closing(after, end);
  if (close == NULL) return false;
  *at = close + 1;
  if (length == 12 && strncmp(word, "power_of_two", length) == 0) {
    buffer inner = {0};
    const bool known = rewrite(r, after + 1, close, &inner);
    const char *n_text = buffer_text(&inner);
    buffer_printf(out, "((%s) != 0 && ((%s) & ((%s) - 1)) == 0)", n_text, n_text, n_text);
    buffer_free(&inner);
    return known;
  }
  const char *argument = after + 1 + strspn(after + 1, " ");
  size_t size = argument < close ? (size_t)(close - argument) : 0;
  while (size > 0 && argument[size - 1] == ' ') size--;
  const bool known = call_of(r, word, length, argument, size, &n);
  put(n, out);
  return known;
}

static bool rewrite(const replica *r, const char *at, const char *end, buffer *out) {
  bool known = true;
  while (at < end && known) {
    if (isdigit((unsigned char)*at) != 0) {
      const size_t length = strspn(at, LETTERS DIGITS);
      buffer_append(out, at, length);
      at += length;
    } else if (is_word(*at)) {
      known = rewrite_word(r, &at, end, out);
    } else {
      buffer_append(out, at++, 1);
    }
  }
  return known;
}

bool terms_value(const char *expression, size_t length, const replica *launch, int64_t *out) {
  static const scope nothing;
  buffer text = {0};
  formula_error e;
  formula_value v = {0};
  formula *f = NULL;
  if (rewrite(launch, expression, expression + length, &text)) f = formula_read(buffer_text(&text), &nothing, 0, &e);
  const bool known = f != NULL && formula_at(f, 0, &v, &e) == 0 && !v.real && v.integer <= INT64_MAX;
  formula_free(f);
  buffer_free(&text);
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
