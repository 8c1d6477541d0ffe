/* Drawn, and held against the preconditions, until one fits. */
#include "proofs/opinion/draw.h"

#include <CL/cl.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_MOST (UINT64_C(64) << 20)

typedef struct attempt {
  drawing *d;
  replica *r;
  unsigned number; /* of the launch */
  unsigned try;
  uint64_t seed, drawn;
} attempt;

enum { TRIES = 4000, ITEMS_MOST = 262144, GROUP_MOST = 1024, SMALL_MOST = 65536 };

/* --- numbers ---------------------------------------------------------------------------------------------------- */

static uint64_t attempt_draw(attempt *a) { return replica_draw(a->seed, a->drawn++); }

static uint64_t attempt_below(attempt *a, uint64_t n) { return attempt_draw(a) % n; }

static bool attempt_one_in(attempt *a, unsigned n) { return attempt_below(a, n) == 0; }

/* --- what conditions give --- */

/* The value that a condition compares something with: `what`, an operator of this text, and the rest. */
static bool compared(const attempt *a, const char *condition, const char *what, const char *operator, int64_t * out) {
  const char *rest = condition + strlen(what);
  return strncmp(condition, what, strlen(what)) == 0 && strncmp(rest, operator, strlen(operator)) == 0 &&
         strpbrk(rest, "&|?") == NULL && terms_value(rest + 4, strlen(rest + 4), a->r, out);
}

static bool given(const attempt *a, const char *condition, const char *what, int64_t *out) {
  return compared(a, condition, what, " == ", out);
}

/* Of "get_local_size" in a dimension and its like; 0: no condition gives it. */
static uint64_t given_size(const attempt *a, const char *function, unsigned dimension) {
  char what[40];
  (void)snprintf(what, sizeof what, "%s(%u)", function, dimension);
  int64_t n = 0;
  for (size_t i = 0; i < a->d->terms->count; i++)
    if (given(a, a->d->terms->conditions[i], what, &n) && n > 0 && n <= ITEMS_MOST) return (uint64_t)n;
  return 0;
}

/* --- sizes -------------------------------------------------------------------------------------------------------- */

static const uint64_t usual_sizes[] = {4, 3, 8, 2, 16, 5, 1, 32, 6, 64};
enum { USUAL = sizeof usual_sizes / sizeof *usual_sizes };

/* A number that the preconditions, or the kernel, speak of, as far as it can be a size; else a usual one. */
static uint64_t some_size(attempt *a) {
  const drawing *d = a->d;
  const size_t said = d->terms->number_count;
  if (said > 0 && attempt_one_in(a, 2)) {
    const int64_t n = d->terms->numbers[attempt_below(a, said)];
    return n > 0 && n <= GROUP_MOST ? (uint64_t)n : 1;
  }
  if (d->number_count > 0 && attempt_one_in(a, 4)) {
    const int64_t n = d->numbers[attempt_below(a, d->number_count)];
    return n > 0 && n <= 64 ? (uint64_t)n : 1;
  }
  return usual_sizes[attempt_below(a, USUAL)];
}

/* Of the first tries each is a usual one: four work-items before others. Most launches have groups of one size. */
static void draw_group(attempt *a) {
  drawing *d = a->d;
  replica *r = a->r;
  const bool known = d->size_count == DRAW_GROUP_SIZES || (d->size_count > 0 && a->number % DRAW_GROUP_SIZES != 0);
  const uint64_t *from = !known ? NULL : d->sizes[attempt_one_in(a, 3) ? attempt_below(a, d->size_count) : 0];
  for (unsigned i = 0; i < 3; i++) {
    const uint64_t own = a->try < 4 ? usual_sizes[(a->number / DRAW_GROUP_SIZES + a->try) % USUAL] : some_size(a);
    const uint64_t said = d->required[i] > 0 ? d->required[i] : given_size(a, "get_local_size", i);
    r->local[i] = said > 0 ? said : i >= r->dimensions ? 1 : from != NULL ? from[i] : own;
  }
}

/* Those that the kernel asks for, and those in which the preconditions give sizes. */
static uint32_t most_dimensions(const attempt *a, uint32_t *least) {
  static const char *const sizes[] = {"get_local_size", "get_num_groups", "get_global_size"};
  uint32_t most = a->d->of->dimensions;
  *least = 1;
  for (unsigned i = 0; i < 3; i++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) *least = given_size(a, sizes[k], i) > 1 ? i + 1 : *least;
  return most > *least ? most : *least;
}

static bool draw_sizes(attempt *a) {
  replica *r = a->r;
  uint32_t least = 1;
  const uint32_t most = most_dimensions(a, &least);
  r->dimensions = most > least && attempt_one_in(a, 4) ? least + (uint32_t)attempt_below(a, most - least + 1) : most;
  draw_group(a);
  uint64_t items = 1, group = 1;
  for (unsigned i = 0; i < 3; i++) {
    const uint64_t said = given_size(a, "get_num_groups", i), all = given_size(a, "get_global_size", i);
    const uint64_t free = i >= r->dimensions ? 1 : attempt_one_in(a, 6) ? some_size(a) : 2 + attempt_below(a, 3);
    const uint64_t groups = said > 0 ? said : all >= r->local[i] ? all / r->local[i] : free;
    group *= r->local[i];
    items *= r->local[i] * groups;
    r->global[i] = r->local[i] * groups;
    r->offset[i] = i < r->dimensions && a->number % 2 == 1 && !attempt_one_in(a, 3)
                       ? 1 + attempt_below(a, 2 * r->local[i] + 1)
                       : 0;
  }
  return group <= GROUP_MOST && items <= ITEMS_MOST;
}

/* --- scalars ------------------------------------------------------------------------------------------------------ */

static int64_t some_quantity(attempt *a) {
  const replica *r = a->r;
  const unsigned d = (unsigned)attempt_below(a, r->dimensions);
  const uint64_t of[] = {r->global[d],
                         r->local[d],
                         r->global[d] / r->local[d],
                         r->global[0] * r->global[1] * r->global[2],
                         r->local[0] * r->local[1] * r->local[2],
                         2 * r->global[d],
                         r->offset[d] + r->global[d]};
  return (int64_t)of[attempt_below(a, sizeof of / sizeof *of)];
}

static int64_t edge(attempt *a, const parameter *p) {
  const unsigned bits = 8 * (unsigned)p->size - (p->is_unsigned ? 0 : 1);
  const int64_t most = bits >= 63 ? INT64_MAX : ((int64_t)1 << bits) - 1;
  const int64_t edges[] = {-1, 0, 1, -2, p->is_unsigned ? 0 : -most - 1, most, most - 1, most / 2, (most / 2) + 1};
  const size_t count = a->d->small ? (p->is_unsigned ? 3 : 5) : sizeof edges / sizeof *edges;
  const int64_t n = edges[attempt_below(a, count)];
  return a->d->small && p->is_unsigned && n < 0 ? 0 : n;
}

/* Of a few launches, unless the preconditions exclude it, most numbers are the same edge. */
static bool edge_of_launch(attempt *a, const parameter *p, int64_t *out) {
  static const int64_t edges[] = {1, 0, -1, 2};
  enum { EDGES = sizeof edges / sizeof *edges, FIRST = 32 };
  if (a->number == 0 || a->number > EDGES || a->try >= FIRST || (a->try > 0 && attempt_one_in(a, 3))) return false;
  *out = p->is_unsigned && edges[a->number - 1] < 0 ? 3 : edges[a->number - 1];
  return true;
}

/* Of every fourth launch numbers of both signs that lie close together: quotients and remainders differ by them. */
static int64_t of_both_signs(attempt *a, const parameter *p) {
  static const int64_t numbers[] = {-1, -2, -3, -7, -8, 3, 4, 6, 2};
  const int64_t n = numbers[attempt_below(a, sizeof numbers / sizeof *numbers)];
  return p->is_unsigned && n < 0 ? -n : n;
}

/* Of every fourth launch each number of the source comes, with its neighbours. */
static int64_t of_source(attempt *a) {
  const drawing *d = a->d;
  const uint64_t turn = a->number / 4 + attempt_below(a, 2) * d->number_count;
  return d->numbers[turn % d->number_count] + (int64_t)attempt_below(a, 3) - 1;
}

static bool is_name(char c) { return isalnum((unsigned char)c) != 0 || c == '_'; }

/* The number behind an operator that compares, or where that is `<` or `>` the first for which it holds, if `inside`; false:
 * there is none. */
static bool number_behind(const char *at, bool inside, int64_t *out) {
  at += strspn(at, " ");
  const size_t length = strspn(at, "=!<>");
  const bool compares = length == 2 ? at[1] == '=' : length == 1 && (*at == '<' || *at == '>');
  const int64_t step = !inside || length == 2 ? 0 : *at == '<' ? -1 : 1;
  at += length + strspn(at + length, " ");
  char *end = NULL;
  *out = (int64_t)((uint64_t)strtoll(at, &end, 0) + (uint64_t)step);
  return compares && isdigit((unsigned char)at[*at == '-' ? 1 : 0]) != 0 && *end != '.';
}

/* Of the numbers that the text holds a name against ("n == 77") the one whose turn it is; false: there are none. What stands
 * behind several conditions wants all of them at once. */
static bool compared_number(const char *text, const char *name, uint64_t turn, int64_t *out) {
  enum { MOST = 8 };
  int64_t found[MOST];
  size_t count = 0;
  const size_t length = strlen(name);
  for (const char *at = strstr(text, name); length > 0 && at != NULL && count < MOST; at = strstr(at + length, name)) {
    const bool alone = !is_name(at[length]) && (at == text || !is_name(at[-1]));
    count += alone && number_behind(at + length, turn % 2 == 1, &found[count]) ? 1 : 0;
  }
  if (count > 0) *out = found[turn / 2 % count];
  return count > 0;
}

static int64_t some_number(attempt *a, const parameter *p) {
  const drawing *d = a->d;
  int64_t same = 0;
  if (edge_of_launch(a, p, &same)) return same;
  if (a->number % 4 == 3 && compared_number(asked_text(d->source)->text, p->name, a->number / 4, &same) &&
      (!d->small || (same >= -SMALL_MOST && same <= SMALL_MOST)))
    return same + (attempt_one_in(a, 4) ? (int64_t)attempt_below(a, 3) - 1 : 0);
  if (a->number % 4 == 2 && attempt_one_in(a, 2)) return of_both_signs(a, p);
  if (a->number % 4 == 3 && d->number_count > 0 && attempt_one_in(a, 2)) return of_source(a);
  const uint64_t way = attempt_below(a, 16);
  if (way < 5) return some_quantity(a) + (attempt_one_in(a, 3) ? (int64_t)attempt_below(a, 3) - 1 : 0);
  if (way < 8) return (int64_t)attempt_below(a, 9);
  if (way < 10 && d->terms->number_count > 0)
    return d->terms->numbers[attempt_below(a, d->terms->number_count)] + (int64_t)attempt_below(a, 3) - 1;
  if (way < 13 && d->number_count > 0)
    return d->numbers[attempt_below(a, d->number_count)] + (int64_t)attempt_below(a, 3) - 1;
  if (way < 15 && !p->is_unsigned) return -1 - (int64_t)attempt_below(a, 9);
  return a->number % 2 == 1 ? edge(a, p) : (int64_t)attempt_below(a, 70);
}

/* The argument as the base has it; NULL: there is none, or it has none. */
static const observed_argument *attempt_base(const drawing *d, size_t index) {
  for (size_t i = 0; d->base != NULL && i < d->base->argument_count; i++)
    if (d->base->arguments[i].parameter == index) return &d->base->arguments[i];
  return NULL;
}

static void put_integer(replica_argument *to, int64_t n) { memcpy(to->bytes, &n, to->size < 8 ? to->size : 8); }

/* Whether the kernel divides by an argument of this name, which it may convert first: 0 is none that it is given. */
static bool divides_by(const char *text, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = strstr(text, name); length > 0 && at != NULL; at = strstr(at + length, name)) {
    const char *before = at;
    while (before > text && strchr(" (\n", before[-1]) != NULL) before--;
    while (before > text && before[-1] == ')') { /* a conversion */
      do before--;
      while (before > text && *before != '(');
      while (before > text && before[-1] == ' ') before--;
    }
    const bool alone = !is_name(at[length]) && (at == text || !is_name(at[-1]));
    if (alone && before > text && (before[-1] == '/' || before[-1] == '%')) return true;
  }
  return false;
}

static void draw_value(attempt *a, size_t index) {
  replica_argument *to = &a->r->arguments[index];
  const observed_argument *seen = attempt_base(a->d, index);
  to->size = to->is->size;
  to->bytes = mem_calloc(to->size + 1, 1);
  if (to->is->integer) {
    const int64_t n = some_number(a, to->is);
    put_integer(to, n == 0 && divides_by(asked_text(a->d->source)->text, to->is->name) ? 1 : n);
  } else if (seen != NULL && seen->bytes != NULL) {
    memcpy(to->bytes, seen->bytes, to->size < seen->size ? to->size : seen->size);
  } else { /* numbers of floating point, vectors, structures */
    replica_argument like = {.is = to->is, .size = to->size, .fill = FILL_DRAWN, .to = 8, .seed = attempt_draw(a)};
    replica_fill(&like, to->bytes);
  }
}

/* A buffer that must have so many elements has no more of them in every third launch: what leaves it shows. */
static void follow_elements(const attempt *a, const char *condition, replica_argument *to) {
  char what[200];
  int64_t n = 0;
  (void)snprintf(what, sizeof what, "elements(%.150s)", to->is->name);
  const bool least = a->number % 3 == 2 && compared(a, condition, what, " >= ", &n);
  if ((least || given(a, condition, what, &n)) && n > 0 && n <= (int64_t)(MEMORY_MOST / 64) && to->is->size > 0)
    to->size = (uint64_t)n * to->is->size;
}

bool draw_elements(const drawing *d, const replica *r, size_t index, int64_t *least) {
  const attempt a = {.d = (drawing *)d, .r = (replica *)r};
  char what[200];
  bool known = false;
  (void)snprintf(what, sizeof what, "elements(%.150s)", r->arguments[index].is->name);
  *least = 1;
  for (size_t i = 0; i < d->terms->count; i++) {
    int64_t n = 0;
    const char *condition = d->terms->conditions[i];
    if ((compared(&a, condition, what, " >= ", &n) || given(&a, condition, what, &n)) && n >= 0 && n <= INT32_MAX) {
      known = true;
      *least = n > *least ? n : *least;
    }
  }
  return known;
}

/* `n == …` gives its value, so that it need not be met by chance. */
static void follow_conditions(attempt *a) {
  for (size_t i = 0; i < a->d->terms->count; i++) {
    const char *text = a->d->terms->conditions[i];
    for (size_t k = 0; k < a->r->count; k++) {
      replica_argument *to = &a->r->arguments[k];
      const bool integer = to->is->kind == PARAMETER_VALUE && to->is->integer;
      int64_t n = 0;
      if (integer && given(a, text, to->is->name, &n))
        put_integer(to, n);
      else if (to->is->kind == PARAMETER_GLOBAL || to->is->kind == PARAMETER_LOCAL)
        follow_elements(a, text, to);
    }
  }
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* What buffers and images of a drawn launch hold, and which of them are one memory. */

enum { ELEMENTS = 16384, LOCAL_BYTES = 4096 };

static void fill_by_facts(const contents_facts *f, replica_argument *to) {
  to->from = f->bounded ? f->low : to->from;
  to->to = f->bounded ? f->high : to->to;
  if (f->identity || (f->distinct && f->ascending)) {
    to->fill = FILL_COUNTING;
    to->from = f->identity ? 0 : to->from;
  } else if (f->distinct) {
    to->fill = FILL_SHUFFLED;
  } else if (f->ascending) {
    to->fill = FILL_RISING;
  } else if (f->bounded) {
    to->fill = FILL_DRAWN;
  }
}

/* Few different numbers, as many as there are work-items, or negative ones, too. */
static void fill_freely(attempt *a, replica_argument *to) {
  const int64_t items = (int64_t)(a->r->global[0] * a->r->global[1] * a->r->global[2]);
  to->fill = FILL_DRAWN;
  switch (attempt_below(a, 5)) {
    case 0:
      to->fill = FILL_ALIKE;
      to->from = (int64_t)attempt_below(a, 3);
      return;
    case 1: to->fill = FILL_COUNTING; return;
    case 2: to->to = items; return;
    case 3:
      to->from = -2;
      to->to = 2;
      return;
    default: to->to = 3; return;
  }
}

/* Elements that hold as many different values as the facts allow. */
static uint64_t fitting(const contents_facts *f, uint64_t elements) {
  const uint64_t values = f->bounded ? (uint64_t)f->high - (uint64_t)f->low + 1 : 0;
  return f->bounded && (f->distinct || f->identity) && values > 0 && elements > values ? values : elements;
}

/* A buffer, or local memory, of a size; its contents are drawn later. */
static void size_memory(attempt *a, size_t index) {
  replica_argument *to = &a->r->arguments[index];
  const uint64_t element = to->is->size == 0 ? 16 : to->is->size;
  if (to->is->kind == PARAMETER_LOCAL) {
    const uint64_t group = a->r->local[0] * a->r->local[1] * a->r->local[2], least = LOCAL_BYTES / element;
    to->size = (4 * group > least ? 4 * group : least) * element;
  } else {
    const uint64_t items = a->r->global[0] * a->r->global[1] * a->r->global[2];
    to->size = (2 * items > ELEMENTS ? 2 * items : ELEMENTS) * element;
  }
}

/* What is said of the memory of an argument, also by others that share it. False: that cannot all be so. */
static bool facts_said(const attempt *a, size_t index, contents_facts *out) {
  const replica *r = a->r;
  bool can = terms_contents(a->d->terms, index, r, out);
  for (size_t i = 0; i < r->count && can; i++) {
    contents_facts other;
    if (i == index || r->arguments[i].same_as != r->arguments[index].same_as) continue;
    can = terms_contents(a->d->terms, i, r, &other);
    const bool says = other.distinct || other.ascending || other.identity || other.bounded;
    can = can && (!says || r->arguments[i].is->size == r->arguments[index].is->size);
    out->distinct = out->distinct || other.distinct;
    out->ascending = out->ascending || other.ascending;
    out->identity = out->identity || other.identity;
    if (other.bounded) {
      out->low = out->bounded && out->low > other.low ? out->low : other.low;
      out->high = out->bounded && out->high < other.high ? out->high : other.high;
      out->bounded = true;
    }
  }
  return can && (!out->bounded || out->low <= out->high);
}

/* Null as in the base, and in one memory with others as there. */
static void share_memory(attempt *a) {
  replica_share(a->r, a->d->base);
  for (size_t i = 0; i < a->r->count; i++) {
    replica_argument *to = &a->r->arguments[i], *first = &a->r->arguments[to->same_as];
    to->offset = 0; /* draw_obstacle: none are apart */
    if (to->picture.object != 0 && first != to) {
      to->picture.extent[0] = first->picture.extent[0];
      to->picture.extent[1] = first->picture.extent[1];
      to->picture.extent[2] = first->picture.extent[2];
    }
  }
}

/* After all numbers, on which the contents may depend. False: no contents satisfy what is said. */
static bool draw_contents(attempt *a) {
  for (size_t i = 0; i < a->r->count; i++) {
    replica_argument *to = &a->r->arguments[i];
    contents_facts f;
    if (to->is->kind != PARAMETER_GLOBAL || to->null) continue;
    if (!facts_said(a, i, &f)) return false;
    to->seed = attempt_draw(a);
    fill_freely(a, to);
    fill_by_facts(&f, to);
    to->size = to->is->size > 0 ? fitting(&f, to->size / to->is->size) * to->is->size : to->size;
    to->fill = to->same_as == i ? to->fill : FILL_ZERO; /* the first one's */
  }
  return true;
}

/* Each has an extent of its own: as many pixels as there are work-items, or one less or more, or few. */
static void draw_image(attempt *a, size_t index) {
  replica_argument *to = &a->r->arguments[index];
  const char *text = asked_text(a->d->source)->text;
  const unsigned dimensions = replica_image_dimensions(to->is, &to->picture.object);
  to->picture.data = strstr(text, "imageui") != NULL  ? CL_UNSIGNED_INT32
                     : strstr(text, "imagei") != NULL ? CL_SIGNED_INT32
                                                      : CL_FLOAT;
  to->size = 4 * sizeof(cl_float);
  for (unsigned i = 0; i < dimensions; i++) {
    const uint64_t items = a->r->global[i] > 64 ? 64 : a->r->global[i];
    const uint64_t near = attempt_one_in(a, 3) ? items + 2 - attempt_below(a, 4) : items;
    to->picture.extent[i] = attempt_one_in(a, 6) ? 1 + attempt_below(a, 9) : near < 1 ? 1 : near;
    to->size *= to->picture.extent[i];
  }
  to->fill = FILL_DRAWN;
  to->to = 9;
  to->seed = attempt_draw(a);
}

/* --- a launch ----------------------------------------------------------------------------------------------------- */

static bool attempt_made(attempt *a) {
  replica *r = a->r;
  const signature *of = a->d->of;
  *r = (replica){.source = a->d->source, .kernel = a->d->kernel, .count = of->count};
  r->arguments = mem_calloc(of->count + 1, sizeof *r->arguments);
  for (size_t i = 0; i < of->count; i++) {
    r->arguments[i].is = &of->parameters[i];
    r->arguments[i].same_as = i;
  }
  const bool fits = draw_sizes(a);
  uint64_t memory = 0;
  for (size_t i = 0; i < of->count; i++) {
    if (of->parameters[i].kind == PARAMETER_VALUE) {
      draw_value(a, i);
    } else if (of->parameters[i].kind == PARAMETER_IMAGE) {
      draw_image(a, i);
    } else if (!replica_is_sampler(&of->parameters[i])) {
      size_memory(a, i);
      memory += r->arguments[i].size;
    }
  }
  follow_conditions(a);
  share_memory(a);
  a->d->fitted = a->d->fitted || fits;
  return fits && memory <= MEMORY_MOST && draw_contents(a) && terms_hold(a->d->terms, r);
}

static void note_size(drawing *d, const replica *r) {
  for (size_t i = 0; i < d->size_count; i++)
    if (memcmp(d->sizes[i], r->local, sizeof r->local) == 0) return;
  if (d->size_count < DRAW_GROUP_SIZES) memcpy(d->sizes[d->size_count++], r->local, sizeof r->local);
}

bool draw_launch(drawing *d, unsigned number, replica *out) {
  for (unsigned i = 0; i < TRIES; i++) {
    attempt a = {
        .d = d, .r = out, .number = number, .try = i, .seed = replica_draw(d->seed, (uint64_t)number * TRIES + i)};
    if (attempt_made(&a)) {
      note_size(d, out);
      return true;
    }
    replica_free(out);
  }
  return false;
}

/* Whether the base has two parts of one memory that do not begin at one place: how long they are matters then. */
static bool has_parts(const drawing *d) {
  bool parts = false;
  for (size_t i = 0; d->base != NULL && i < d->base->argument_count; i++) {
    const observed_argument *a = &d->base->arguments[i];
    for (size_t k = 0; k < i && a->kind == OBSERVED_BUFFER && !a->null && a->size > 0; k++) {
      const observed_argument *b = &d->base->arguments[k];
      parts = parts || (b->kind == OBSERVED_BUFFER && !b->null && b->size > 0 && b->memory == a->memory &&
                        b->offset != a->offset);
    }
  }
  return parts;
}

const char *draw_none(const drawing *d) {
  return d->fitted
             ? "no launch was found that satisfies the preconditions"
             : "the launches that satisfy the preconditions have more than 262,144 work-items, or 1,024 in a group";
}

const char *draw_obstacle(const drawing *d) {
  for (size_t i = 0; i < d->of->count; i++) {
    const parameter *p = &d->of->parameters[i];
    uint32_t object = 0;
    const bool image = p->kind == PARAMETER_IMAGE && replica_image_dimensions(p, &object) > 0;
    if ((p->kind == PARAMETER_IMAGE && !image) || (p->kind == PARAMETER_OTHER && !replica_is_sampler(p)))
      return "it takes images of an unusual kind, pipes or the like";
    if (p->kind == PARAMETER_VALUE && p->size == 0) return "the size of an argument is not known";
  }
  return has_parts(d) ? "two arguments are parts of one memory" : d->terms->foreign;
}

/* --- the text ----------------------------------------------------------------------------------------------------- */

/* It stands before the kernel's name and after what comes before the kernel. */
void draw_required(const char *kernel, const char *text, uint64_t sizes[3]) {
  static const char attribute[] = "reqd_work_group_size";
  const size_t length = strlen(kernel);
  for (const char *at = strstr(text, kernel); at != NULL; at = strstr(at + length, kernel)) {
    const char *begin = at;
    while (begin > text && begin[-1] != '}' && begin[-1] != ';') begin--;
    const char *found = strstr(begin, attribute);
    if (found != NULL && found < at && at[length + strspn(at + length, " \n")] == '(') {
      const char *c = found + sizeof attribute - 1 + strspn(found + sizeof attribute - 1, " (");
      for (unsigned i = 0; i < 3 && isdigit((unsigned char)*c) != 0; i++) {
        char *end = NULL;
        sizes[i] = strtoull(c, &end, 0);
        c = end + strspn(end, " ,");
      }
    }
  }
}

static void read_numbers(drawing *d, const char *text) {
  enum { MOST = 64 };
  for (const char *at = text; *at != '\0' && d->number_count < MOST;) {
    if (isdigit((unsigned char)*at) != 0) {
      char *end = NULL;
      const int64_t n = strtoll(at, &end, 0);
      if (n > 2 && n <= 4096) *ARRAY_ADD(d->numbers, d->number_count, d->number_capacity) = n;
      at = end;
    } else {
      const bool word = isalpha((unsigned char)*at) != 0 || *at == '_';
      at += word ? strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") : 1;
    }
  }
}

void draw_begin(drawing *d) {
  const char *text = asked_text(d->source)->text;
  d->of = d->terms->of;
  draw_required(d->kernel, text, d->required);
  read_numbers(d, text);
}

void draw_end(drawing *d) { free(d->numbers); }
