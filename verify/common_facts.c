/* From the numbers of launches to expressions and sentences. */
#include "verify/common_facts.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

static fact *add(facts *f, fact_kind kind, rank r, const char *text) {
  fact *made = ARRAY_ADD(f->items, f->count, f->capacity);
  *made = (fact){.kind = kind, .rank = r, .text = text};
  return made;
}

/* --- numbers of a launch ------------------------------------------------------------------------------------------ */

static const argument_given *find_argument(const launch *l, const char *name) {
  for (size_t i = 0; i < l->argument_count; i++) {
    if (strcmp(l->arguments[i].name, name) == 0) {
      return &l->arguments[i];
    }
  }
  return NULL;
}

static int64_t number_of(const argument_given *a) {
  int64_t number = 0;
  memcpy(&number, a->bytes, sizeof number);
  return number;
}

/* Something that a launch has a number for. */
typedef struct quantity {
  const char *text;
  int64_t (*of)(const launch *l, unsigned d);
  unsigned dimension;
} quantity;

static int64_t global_size(const launch *l, unsigned d) { return (int64_t)(l->local[d] * l->groups[d]); }
static int64_t local_size(const launch *l, unsigned d) { return (int64_t)l->local[d]; }
static int64_t groups_of(const launch *l, unsigned d) { return (int64_t)l->groups[d]; }

static const quantity quantities[] = {{"get_global_size(0)", global_size, 0}, {"get_global_size(1)", global_size, 1},
                                      {"get_global_size(2)", global_size, 2}, {"get_local_size(0)", local_size, 0},
                                      {"get_local_size(1)", local_size, 1},   {"get_local_size(2)", local_size, 2},
                                      {"get_num_groups(0)", groups_of, 0},    {"get_num_groups(1)", groups_of, 1},
                                      {"get_num_groups(2)", groups_of, 2}};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

static bool is_power(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

static bool always(const facts *f, const char *name, const quantity *q, bool (*holds)(int64_t, int64_t)) {
  for (size_t i = 0; i < f->launch_count; i++) {
    const argument_given *a = find_argument(&f->launches[i], name);
    if (a == NULL || !a->integer || !holds(number_of(a), q == NULL ? 0 : q->of(&f->launches[i], q->dimension))) {
      return false;
    }
  }
  return true;
}

static bool equal(int64_t a, int64_t b) { return a == b; }
static bool at_most(int64_t a, int64_t b) { return a <= b; }
static bool at_least(int64_t a, int64_t b) { return a >= b; }
static bool multiple(int64_t a, int64_t b) { return b > 1 && a % b == 0; }
static bool power(int64_t a, int64_t b) {
  (void)b;
  return is_power(a);
}
static bool not_negative(int64_t a, int64_t b) {
  (void)b;
  return a >= 0;
}
static bool positive(int64_t a, int64_t b) {
  (void)b;
  return a > 0;
}

/* --- collecting --------------------------------------------------------------------------------------------------- */

static fact *add_relation(facts *f, const char *format, const char *a, const char *b) {
  /* the formats are those below */
  char text[400];
  (void)snprintf(text, sizeof text, "%s%s%s%s", strcmp(format, "power") == 0 ? "power_of_two(" : "", a,
                 strcmp(format, "power") == 0 ? ")" : format, b);
  return add(f, FACT_EXPRESSION, RANK_RELATION, arena_text(f->trial->memory, text));
}

static bool varies(const facts *f, const char *name) {
  const argument_given *first = find_argument(&f->launches[0], name);
  for (size_t i = 1; i < f->launch_count; i++) {
    const argument_given *a = find_argument(&f->launches[i], name);
    if (a == NULL || number_of(a) != number_of(first)) {
      return true;
    }
  }
  return false;
}

static void add_argument_relations(facts *f, const char *name) {
  static const struct {
    const char *between;
    bool (*holds)(int64_t, int64_t);
  } relations[] = {{" == ", equal}, {" <= ", at_most}, {" >= ", at_least}};
  unsigned dimensions = f->launches[0].dimensions == 0 ? 1 : f->launches[0].dimensions;
  const size_t before = f->count;
  for (size_t q = 0; q < QUANTITIES; q++) {
    if (quantities[q].dimension >= dimensions) {
      continue;
    }
    for (size_t r = 0; r < sizeof relations / sizeof *relations; r++) {
      if (always(f, name, &quantities[q], relations[r].holds)) {
        add_relation(f, relations[r].between, name, quantities[q].text);
        break;
      }
    }
    if (quantities[q].of == local_size && always(f, name, &quantities[q], multiple)) {
      char remainder[200];
      (void)snprintf(remainder, sizeof remainder, "%.150s %% %s", name, quantities[q].text);
      add_relation(f, " == ", remainder, "0");
    }
  }
  if (always(f, name, NULL, power)) {
    add_relation(f, "power", name, "");
  }
  if (always(f, name, NULL, positive)) {
    add_relation(f, " > ", name, "0");
  } else if (always(f, name, NULL, not_negative)) {
    add_relation(f, " >= ", name, "0");
  }
  const bool differs = varies(f, name);
  for (size_t i = before; i < f->count; i++) {
    f->items[i].varies = differs;
  }
}

/* Of two arguments that are not the same in all launches, or one of which is not. */
static void add_order(facts *f, const char *a, const char *b) {
  bool below = true, at_most_it = true;
  for (size_t i = 0; i < f->launch_count && at_most_it; i++) {
    const argument_given *one = find_argument(&f->launches[i], a), *other = find_argument(&f->launches[i], b);
    const bool both = one != NULL && other != NULL && one->integer && other->integer;
    below = below && both && number_of(one) < number_of(other);
    at_most_it = both && number_of(one) <= number_of(other);
  }
  if (at_most_it) {
    add_relation(f, below ? " < " : " <= ", a, b)->varies = true;
  }
}

/* Where launches differ in an argument, how it lies to the others: `k < n`. */
static void add_orders(facts *f) {
  enum { MOST = 4 };
  const launch *first = &f->launches[0];
  const char *names[MOST];
  size_t count = 0;
  for (size_t i = 0; i < first->argument_count && count < MOST; i++) {
    if (first->arguments[i].integer) {
      names[count++] = first->arguments[i].name;
    }
  }
  for (size_t i = 0; i < count && f->launch_count > 1; i++) {
    for (size_t k = 0; k < count; k++) {
      if (i != k && (varies(f, names[i]) || varies(f, names[k]))) {
        add_order(f, names[i], names[k]);
      }
    }
  }
}

static void add_argument_constant(facts *f, const argument_given *a) {
  for (size_t i = 0; i < f->launch_count; i++) {
    const argument_given *other = find_argument(&f->launches[i], a->name);
    if (other == NULL || other->length != a->length || memcmp(other->bytes, a->bytes, a->length) != 0) {
      return;
    }
  }
  char text[300];
  if (a->integer) {
    (void)snprintf(text, sizeof text, "%.200s == %lld", a->name, (long long)number_of(a));
  } else {
    (void)snprintf(text, sizeof text, "%.200s as it was", a->name);
  }
  add(f, FACT_ARGUMENT, RANK_CONSTANT, arena_text(f->trial->memory, text))->argument = a;
}

static void add_size(facts *f, fact_kind kind, unsigned d) {
  const quantity *q = &quantities[(kind == FACT_LOCAL ? 3 : 6) + d];
  const int64_t first = q->of(&f->launches[0], d);
  bool same = first != SIZE_FREE, powers = true;
  for (size_t i = 0; i < f->launch_count; i++) {
    same = same && q->of(&f->launches[i], d) == first;
    powers = powers && is_power(q->of(&f->launches[i], d));
  }
  if (powers) {
    add_relation(f, "power", q->text, "");
  }
  if (same) {
    const char *text = arena_printf(f->trial->memory, "%s == %lld", q->text, (long long)first);
    add(f, kind, kind == FACT_LOCAL ? RANK_LOCAL : RANK_CONSTANT, text)->dimension = d;
  }
}

/* What is known of a buffer's contents in all launches. */
static contents_known common_contents(const facts *f, const char *name) {
  contents_known all = {
      .distinct = true, .ascending = true, .identity = true, .within = true, .low = INT64_MAX, .high = INT64_MIN};
  for (size_t i = 0; i < f->launch_count; i++) {
    contents_known here = {0};
    for (size_t b = 0; b < f->launches[i].buffer_count; b++) {
      if (strcmp(f->launches[i].buffers[b].name, name) == 0) {
        here = f->launches[i].buffers[b].contents;
      }
    }
    all.distinct = all.distinct && here.distinct;
    all.ascending = all.ascending && here.ascending;
    all.identity = all.identity && here.identity;
    all.within = all.within && here.within;
    all.low = here.low < all.low ? here.low : all.low;
    all.high = here.high > all.high ? here.high : all.high;
  }
  return all;
}

static void add_contents(facts *f, const char *name) {
  const contents_known c = common_contents(f, name);
  arena *m = f->trial->memory;
  const struct {
    bool known;
    const char *says;
    contents_known alone;
  } parts[] = {{c.distinct, "holds distinct values", {.distinct = true}},
               {c.ascending, "holds ascending values", {.ascending = true}},
               {c.identity, "holds its own indices", {.identity = true}},
               {c.within,
                c.within ? arena_printf(m, "holds values from %lld to %lld", (long long)c.low, (long long)c.high) : "",
                {.within = true, .low = c.low, .high = c.high}}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (parts[i].known) {
      fact *made = add(f, FACT_CONTENTS, RANK_RELATION, arena_printf(m, "%s %s", name, parts[i].says));
      made->buffer = name;
      made->contents = parts[i].alone;
    }
  }
}

/* Where ids begin, unless what the user says speaks of it. */
static void add_offset(facts *f, unsigned d) {
  const launch *first = &f->launches[0];
  bool same = !first->any_offset[d];
  for (size_t i = 0; i < f->launch_count; i++) {
    same = same && f->launches[i].offset[d] == first->offset[d];
  }
  if (same) {
    const char *text =
        arena_printf(f->trial->memory, "get_global_offset(%u) == %llu", d, (unsigned long long)first->offset[d]);
    add(f, FACT_OFFSET, RANK_RELATION, text)->dimension = d;
  }
}

/* OpenCL C 2.0 and later lets the last group be smaller. */
bool facts_uneven(const trial *t) {
  return t->kernel->module->language >= 200 && strstr(t->request->options, "-cl-uniform-work-group-size") == NULL;
}

void facts_collect(facts *f) {
  const launch *first = &f->launches[0];
  const unsigned dimensions = first->dimensions == 0 ? 1 : first->dimensions;
  if (dimensions < DIMENSIONS && first->dimensions > 0) {
    const char *text = arena_printf(f->trial->memory, "get_work_dim() == %u", dimensions);
    add(f, FACT_DIMENSIONS, RANK_RELATION, text)->dimension = dimensions;
  }
  for (size_t i = 0; i < first->assume_count; i++) {
    add(f, FACT_EXPRESSION, RANK_RELATION, first->assume[i])->given = true;
  }
  if (facts_uneven(f->trial)) {
    (void)add(f, FACT_EVEN, RANK_RELATION, "all work-groups have the same size");
  }
  for (unsigned d = 0; d < dimensions; d++) {
    add_offset(f, d);
    add_size(f, FACT_LOCAL, d);
    add_size(f, FACT_GROUPS, d);
  }
  for (size_t i = 0; i < first->argument_count; i++) {
    if (first->arguments[i].integer) {
      add_argument_relations(f, first->arguments[i].name);
    }
    add_argument_constant(f, &first->arguments[i]);
  }
  add_orders(f);
  for (size_t i = 0; i < first->buffer_count; i++) {
    if (!first->buffers[i].local) {
      add_contents(f, first->buffers[i].name);
    }
  }
}
