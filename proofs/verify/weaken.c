/* Proofs with fewer and fewer of the facts that launches have in common.
 * Soundness: docs/verify.md, Why it is right, Preconditions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/verify/trial.h"

/* --- premises ----------------------------------------------------------------------------------------------------- */

void premise_add(json_t *to, const char *kind, const char *text) {
  json_array_append_new(to, json_pack("{s:s,s:s}", "kind", kind, "text", text));
}

static void premise_add_contents(json_t *to, const char *buffer, const contents_known *c, const char *text) {
  const char *holds = c->distinct ? "distinct" : c->ascending ? "ascending" : c->identity ? "identity" : "values";
  json_t *made = json_pack("{s:s,s:s,s:s,s:s}", "kind", "contents", "text", text, "buffer", buffer, "holds", holds);
  if (c->within) {
    json_object_set_new(made, "low", json_integer(c->low));
    json_object_set_new(made, "high", json_integer(c->high));
  }
  json_array_append_new(to, made);
}

/* --- what launches have in common --------------------------------------------------------------------------------- */

/* From the numbers of launches to expressions and sentences. */

typedef enum fact_kind {
  FACT_DIMENSIONS,
  FACT_OFFSET,
  FACT_EVEN, /* no group is smaller than the others */
  FACT_LOCAL,
  FACT_GROUPS,
  FACT_ARGUMENT,
  FACT_EXPRESSION,
  FACT_CONTENTS
} fact_kind;
/* How much a fact says. */
typedef enum rank { RANK_RELATION, RANK_LOCAL, RANK_CONSTANT, RANKS } rank;

typedef struct fact {
  fact_kind kind;
  rank rank;
  const char *text;
  unsigned dimension;
  const argument_given *argument; /* of FACT_ARGUMENT */
  const char *buffer;             /* of FACT_CONTENTS */
  contents_known contents;
  bool given;  /* the user says so */
  bool varies; /* it is about an argument that is not the same in all launches */
  bool kept;   /* a size that is larger than any that is not given */
  bool on;
} fact;

typedef struct facts {
  const trial *trial;
  struct trial *proved; /* what the last proof that succeeded rests on goes there; NULL: nowhere */
  const launch *launches;
  size_t launch_count;
  fact *items;
  size_t count, capacity;
  bool beyond;      /* launches have several sizes, of which some are larger than any that is not given */
  bool exact, easy; /* a proof needed exact products; they are not tried */
  double patience;  /* seconds of a proof with fewer facts, by what the first one took; 0: not known yet */
} facts;

static fact *add(facts *f, fact_kind kind, rank r, const char *text) {
  fact *made = ARRAY_ADD(f->items, f->count, f->capacity);
  *made = (fact){.kind = kind, .rank = r, .text = text};
  return made;
}

/* --- numbers of a launch ------------------------------------------------------------------------------------------ */

static const argument_given *find_argument(const launch *l, const char *name) {
  for (size_t i = 0; i < l->argument_count; i++)
    if (strcmp(l->arguments[i].name, name) == 0) return &l->arguments[i];
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
    if (a == NULL || !a->integer || !holds(number_of(a), q == NULL ? 0 : q->of(&f->launches[i], q->dimension)))
      return false; /* form: an argument that is an integer in one launch is so in all */
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
  return add(f, FACT_EXPRESSION, RANK_RELATION, mem_arena_copy(f->trial->memory, text));
}

static bool varies(const facts *f, const char *name) {
  const argument_given *first = find_argument(&f->launches[0], name);
  for (size_t i = 1; i < f->launch_count; i++) {
    const argument_given *a = find_argument(&f->launches[i], name);
    if (a == NULL || number_of(a) != number_of(first)) return true;
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
    if (quantities[q].dimension >= dimensions) continue;
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
  if (always(f, name, NULL, power)) add_relation(f, "power", name, "");
  if (always(f, name, NULL, positive))
    add_relation(f, " > ", name, "0");
  else if (always(f, name, NULL, not_negative))
    add_relation(f, " >= ", name, "0");
  const bool differs = varies(f, name);
  for (size_t i = before; i < f->count; i++) f->items[i].varies = differs;
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
  if (at_most_it) add_relation(f, below ? " < " : " <= ", a, b)->varies = true;
}

/* Where launches differ in an argument, how it lies to the others: `k < n`. */
static void add_orders(facts *f) {
  enum { MOST = 4 };
  const launch *first = &f->launches[0];
  const char *names[MOST];
  size_t count = 0;
  for (size_t i = 0; i < first->argument_count && count < MOST; i++)
    if (first->arguments[i].integer) names[count++] = first->arguments[i].name;
  for (size_t i = 0; i < count && f->launch_count > 1; i++) {
    for (size_t k = 0; k < count; k++)
      if (i != k && (varies(f, names[i]) || varies(f, names[k]))) add_order(f, names[i], names[k]);
  }
}

static void add_argument_constant(facts *f, const argument_given *a) {
  for (size_t i = 0; i < f->launch_count; i++) {
    const argument_given *other = find_argument(&f->launches[i], a->name);
    if (other == NULL || other->length != a->length || memcmp(other->bytes, a->bytes, a->length) != 0) return;
  }
  char text[300];
  if (a->integer)
    (void)snprintf(text, sizeof text, "%.200s == %lld", a->name, (long long)number_of(a));
  else
    (void)snprintf(text, sizeof text, "%.200s as it was", a->name);
  add(f, FACT_ARGUMENT, RANK_CONSTANT, mem_arena_copy(f->trial->memory, text))->argument = a;
}

static void add_size(facts *f, fact_kind kind, unsigned d) {
  const quantity *q = &quantities[(kind == FACT_LOCAL ? 3 : 6) + d];
  const int64_t first = q->of(&f->launches[0], d);
  bool same = first != SIZE_FREE, powers = true, large = false;
  for (size_t i = 0; i < f->launch_count; i++) {
    same = same && q->of(&f->launches[i], d) == first;
    powers = powers && is_power(q->of(&f->launches[i], d));
    large = large || q->of(&f->launches[i], d) > (kind == FACT_LOCAL ? MOST_LOCAL : MOST_GROUPS);
  }
  if (powers) add_relation(f, "power", q->text, "");
  if (same) {
    const char *text = mem_arena_printf(f->trial->memory, "%s == %lld", q->text, (long long)first);
    fact *made = add(f, kind, kind == FACT_LOCAL ? RANK_LOCAL : RANK_CONSTANT, text);
    made->dimension = d;
    made->kept = large;
  }
  f->beyond = f->beyond || (large && !same);
}

/* What is known of a buffer's contents in all launches. */
static contents_known common_contents(const facts *f, const char *name) {
  contents_known all = {
      .distinct = true, .ascending = true, .identity = true, .within = true, .low = INT64_MAX, .high = INT64_MIN};
  for (size_t i = 0; i < f->launch_count; i++) {
    contents_known here = {0};
    for (size_t b = 0; b < f->launches[i].buffer_count; b++)
      if (strcmp(f->launches[i].buffers[b].name, name) == 0) here = f->launches[i].buffers[b].contents;
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
  mem_arena *m = f->trial->memory;
  const struct {
    bool known;
    const char *says;
    contents_known alone;
  } parts[] = {
      {c.distinct, "holds distinct values", {.distinct = true}},
      {c.ascending, "holds ascending values", {.ascending = true}},
      {c.identity, "holds its own indices", {.identity = true}},
      {c.within,
       c.within ? mem_arena_printf(m, "holds values from %lld to %lld", (long long)c.low, (long long)c.high) : "",
       {.within = true, .low = c.low, .high = c.high}}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (parts[i].known) {
      fact *made = add(f, FACT_CONTENTS, RANK_RELATION, mem_arena_printf(m, "%s %s", name, parts[i].says));
      made->buffer = name;
      made->contents = parts[i].alone;
    }
  }
}

/* Where ids begin, unless what the user says speaks of it. */
static void add_offset(facts *f, unsigned d) {
  const launch *first = &f->launches[0];
  bool same = !first->any_offset[d];
  for (size_t i = 0; i < f->launch_count; i++) same = same && f->launches[i].offset[d] == first->offset[d];
  if (same) {
    const char *text =
        mem_arena_printf(f->trial->memory, "get_global_offset(%u) == %llu", d, (unsigned long long)first->offset[d]);
    add(f, FACT_OFFSET, RANK_RELATION, text)->dimension = d;
  }
}

/* OpenCL C 2.0 and later lets the last group be smaller. */
static bool facts_uneven(const trial *t) {
  return t->kernel->module->language >= 200 && strstr(t->request->options, "-cl-uniform-work-group-size") == NULL;
}

/* All that hold in each of the launches: `f` has trial and launches. Its items are to be freed. */
static void facts_collect(facts *f) {
  const launch *first = &f->launches[0];
  const unsigned dimensions = first->dimensions == 0 ? 1 : first->dimensions;
  if (dimensions < DIMENSIONS && first->dimensions > 0) {
    const char *text = mem_arena_printf(f->trial->memory, "get_work_dim() == %u", dimensions);
    add(f, FACT_DIMENSIONS, RANK_RELATION, text)->dimension = dimensions;
  }
  for (size_t i = 0; i < first->assume_count; i++)
    add(f, FACT_EXPRESSION, RANK_RELATION, first->assume[i])->given = true;
  if (facts_uneven(f->trial)) (void)add(f, FACT_EVEN, RANK_RELATION, "all work-groups have the same size");
  for (unsigned d = 0; d < dimensions; d++) {
    add_offset(f, d);
    add_size(f, FACT_LOCAL, d);
    add_size(f, FACT_GROUPS, d);
  }
  for (size_t i = 0; i < first->argument_count; i++) {
    if (first->arguments[i].integer) add_argument_relations(f, first->arguments[i].name);
    add_argument_constant(f, &first->arguments[i]);
  }
  add_orders(f);
  for (size_t i = 0; i < first->buffer_count; i++)
    if (!first->buffers[i].local) add_contents(f, first->buffers[i].name);
}

/* --- a proof with some of them ------------------------------------------------------------------------------------ */

static void apply_fact(const fact *x, const launch *first, launch *l) {
  switch (x->kind) {
    case FACT_LOCAL: l->local[x->dimension] = first->local[x->dimension]; return;
    case FACT_GROUPS: l->groups[x->dimension] = first->groups[x->dimension]; return;
    case FACT_OFFSET:
      l->offset[x->dimension] = first->offset[x->dimension];
      l->any_offset[x->dimension] = false;
      return;
    case FACT_EVEN: l->uneven = false; return;
    case FACT_ARGUMENT: l->arguments[l->argument_count++] = *x->argument; return;
    case FACT_EXPRESSION: l->assume[l->assume_count++] = x->text; return;
    case FACT_CONTENTS:
      for (size_t i = 0; i < l->buffer_count; i++) {
        contents_known *c = &l->buffers[i].contents;
        if (strcmp(l->buffers[i].name, x->buffer) == 0) {
          c->distinct = c->distinct || x->contents.distinct;
          c->ascending = c->ascending || x->contents.ascending;
          c->identity = c->identity || x->contents.identity;
          if (x->contents.within) {
            c->within = true;
            c->low = x->contents.low;
            c->high = x->contents.high;
          }
        }
      }
      return;
    default: return;
  }
}

/* A launch of which only these facts are known. */
static void make_launch(const facts *f, launch *l) {
  const launch *first = &f->launches[0];
  unsigned flat = DIMENSIONS;
  *l = (launch){.count = 1};
  l->assume = mem_calloc(f->count + 1, sizeof *l->assume);
  l->arguments = mem_calloc(f->count + 1, sizeof *l->arguments);
  l->buffers = mem_calloc(first->buffer_count + 1, sizeof *l->buffers);
  for (size_t i = 0; i < first->buffer_count; i++) { /* what is one memory stays so */
    l->buffers[i] = first->buffers[i];
    l->buffers[i].bytes = 0;
    l->buffers[i].contents = (contents_known){.is_unsigned = first->buffers[i].contents.is_unsigned};
    l->buffers[i].held = NULL;
  }
  l->buffer_count = first->buffer_count;
  for (size_t i = 0; i < f->count; i++)
    flat = f->items[i].on && f->items[i].kind == FACT_DIMENSIONS ? f->items[i].dimension : flat;
  l->dimensions = flat < DIMENSIONS ? flat : 0;
  const unsigned free_dimensions = flat < DIMENSIONS ? flat : first->dimensions == 0 ? 1 : DIMENSIONS;
  for (unsigned d = 0; d < DIMENSIONS; d++) {
    l->local[d] = l->groups[d] = d < free_dimensions ? SIZE_FREE : 1;
    l->any_offset[d] = d < free_dimensions;
  }
  l->uneven = facts_uneven(f->trial);
  for (size_t i = 0; i < f->count; i++)
    if (f->items[i].on) apply_fact(&f->items[i], first, l);
}

static void free_launch(launch *l) {
  free((void *)l->assume);
  free(l->arguments);
  free(l->buffers);
}

static bool is_proved(facts *f, double deadline) {
  launch l;
  make_launch(f, &l);
  trial t = *f->trial;
  const double soon = effort_now() + f->patience;
  deadline = f->patience > 0 && soon < deadline ? soon : deadline;
  const double left = deadline - effort_now();
  t.launch = &l;
  t.finding = NULL;
  t.invariants = NULL;
  t.no_overflow = false;
  t.overflows.count = 0;
  t.easy_products = f->easy;
  t.exact_products = false;
  t.effort.deadline = deadline;
  t.effort.query_seconds = left / 2 < t.effort.query_seconds ? left / 2 : t.effort.query_seconds;
  if (left > 0) trial_prove(&t);
  json_decref(t.finding);
  free_launch(&l);
  if (left > 0 && t.verdict == VERIFIED && f->proved != NULL) {
    f->proved->no_overflow = t.no_overflow;
    f->proved->overflows = t.overflows;
  }
  f->exact = f->exact || t.exact_products;
  return left > 0 && t.verdict == VERIFIED;
}

/* Some are left out together where the proof holds without them; else each half of them is tried. */
static void drop_some(facts *f, size_t *which, size_t count, double deadline) {
  if (count == 0 || effort_now() > deadline) return;
  for (size_t i = 0; i < count; i++) f->items[which[i]].on = false;
  if (is_proved(f, deadline)) return;
  for (size_t i = 0; i < count; i++) f->items[which[i]].on = true;
  if (count > 1) {
    drop_some(f, which, count / 2, deadline);
    drop_some(f, which + count / 2, count - count / 2, deadline);
  }
}

/* What the proof does not need is left out, what says most first. */
static void drop(facts *f, double deadline) {
  size_t *which = mem_calloc(f->count + 1, sizeof *which);
  for (unsigned r = RANKS; r-- > 0;) {
    size_t count = 0;
    for (size_t i = 0; i < f->count; i++)
      if (f->items[i].on && !f->items[i].kept && f->items[i].rank == (rank)r) which[count++] = i;
    drop_some(f, which, count, deadline);
  }
  free(which);
}

static void add_premise(const fact *x, json_t *to) {
  switch (x->kind) {
    case FACT_CONTENTS: premise_add_contents(to, x->buffer, &x->contents, x->text); return;
    case FACT_EVEN: premise_add(to, "even", x->text); return;
    default: break;
  }
  if (x->kind == FACT_ARGUMENT && !x->argument->integer)
    premise_add(to, "as-seen", x->text);
  else
    json_array_append_new(to, json_string(x->text));
}

static json_t *premises_of(const facts *f) {
  json_t *premises = json_array();
  for (size_t i = 0; i < f->count; i++)
    if (f->items[i].on) add_premise(&f->items[i], premises);
  return premises;
}

/* What is tried, from what says least: nothing but the dimensions, relations, sizes of groups, too, and last the launch as it
 * was, to which relations add nothing but of arguments that differ. */
enum { LEVELS = 4 };

static bool is_on(const fact *x, unsigned level) {
  const bool relation = x->kind == FACT_EXPRESSION;
  switch (level) {
    case 0: return x->kind == FACT_DIMENSIONS;
    case 1: return x->rank == RANK_RELATION;
    case 2: return x->rank <= RANK_LOCAL;
    default: return !relation || x->given || x->varies;
  }
}

/* Whether that says anything else than before. */
static bool take_level(facts *f, unsigned level) {
  bool changed = false;
  for (size_t i = 0; i < f->count; i++) {
    const bool on = f->items[i].kept || is_on(&f->items[i], level);
    changed = changed || on != f->items[i].on;
    f->items[i].on = on;
  }
  return changed;
}

#define LEAST_SECONDS 0.2

/* What says most first: where that is no proof there is none, and what it takes is the measure for others. Of these the first that
 * succeeds is the measure for those with a fact less. */
json_t *weaken(trial *t, const launch *launches, size_t count, double deadline) {
  const trial asked = *t;
  const double began = effort_now();
  facts f = {.trial = &asked, .proved = t, .launches = launches, .launch_count = count};
  json_t *found = NULL;
  facts_collect(&f);
  (void)take_level(&f, LEVELS - 1);
  if (!f.beyond && is_proved(&f, began + (deadline - began) * 0.5)) {
    bool weaker = false;
    f.easy = !f.exact;
    f.patience = 2 * (effort_now() - began) + 1;
    for (unsigned level = 0; level + 1 < LEVELS && !weaker; level++) {
      const double before = effort_now();
      weaker = take_level(&f, level) && is_proved(&f, deadline);
      f.patience = weaker ? 4 * (effort_now() - before) + LEAST_SECONDS : f.patience;
    }
    if (!weaker) (void)take_level(&f, LEVELS - 1);
    drop(&f, deadline);
    found = premises_of(&f);
  }
  free(f.items);
  return found;
}

/* Each buffer as small as in any of the launches. */
static uint64_t least_bytes(const facts *f, const char *name) {
  uint64_t least = UINT64_MAX;
  for (size_t n = 0; n < f->launch_count; n++) {
    const launch *l = &f->launches[n];
    for (size_t i = 0; i < l->buffer_count; i++) {
      const bool less = strcmp(l->buffers[i].name, name) == 0 && l->buffers[i].bytes < least;
      least = less ? l->buffers[i].bytes : least;
    }
  }
  return least;
}

bool weaken_ends(const trial *t, const launch *launches, size_t count, double deadline) {
  facts f = {.trial = t, .launches = launches, .launch_count = count};
  launch l;
  trial all = *t;
  facts_collect(&f);
  (void)take_level(&f, LEVELS - 1);
  make_launch(&f, &l);
  for (size_t i = 0; i < l.buffer_count; i++) l.buffers[i].bytes = least_bytes(&f, l.buffers[i].name);
  all.launch = &l;
  all.finding = NULL;
  all.effort.deadline = deadline;
  trial_ends(&all);
  json_decref(all.finding);
  free_launch(&l);
  free(f.items);
  return all.verdict == VERIFIED && all.inside == INSIDE_SHOWN;
}

json_t *weaken_nothing(const trial *t, const launch *l) {
  facts f = {.trial = t, .launches = l, .launch_count = 1};
  facts_collect(&f);
  for (size_t i = 0; i < f.count; i++) {
    const bool usual = f.items[i].kind == FACT_DIMENSIONS || f.items[i].kind == FACT_EVEN ||
                       (f.items[i].kind == FACT_OFFSET && l->offset[f.items[i].dimension] == 0);
    f.items[i].on = is_on(&f.items[i], LEVELS - 1) && (!usual || t->verdict == VERIFIED);
  }
  json_t *premises = premises_of(&f);
  free(f.items);
  return premises;
}
