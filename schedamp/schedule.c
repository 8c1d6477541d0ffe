/* Schedules: packed, with targets, in words; verdicts, trials and groups of launches; differences of memory. */
#include "schedamp/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/memory.h"
#include "base/names.h"
#include "detectors/gates/record.h"

enum { ORDER_SHIFT = 32, GATE_SHIFT = 35, SEED_SHIFT = 36 };
#define ORDER_MASK UINT64_C(7)
#define SEED_MASK ((UINT64_C(1) << SCHEDULE_SEED_BITS) - 1)

uint64_t schedule_pack(const schedule *s) {
  return (uint64_t)s->target | ((uint64_t)s->order & ORDER_MASK) << ORDER_SHIFT |
         (uint64_t)(s->gate == GATE_HARDWARE) << GATE_SHIFT | ((uint64_t)s->seed & SEED_MASK) << SEED_SHIFT;
}

static const char *const orders[] = {
    [ORDER_NONE] = "none",          [ORDER_FIRST] = "first",   [ORDER_LAST] = "last",
    [ORDER_REVERSE] = "reverse",    [ORDER_RANDOM] = "random", [ORDER_ASCENDING] = "ascending",
    [ORDER_OCCUPANCY] = "occupancy"};
static const char *const gates[] = {[GATE_TICKET] = "ticket", [GATE_HARDWARE] = "hardware"};

const char *schedule_order_name(schedule_order order) { return orders[order]; }
const char *schedule_gate_name(schedule_gate gate) { return gates[gate]; }
int schedule_order_find(const char *name) { return name_number(orders, sizeof orders / sizeof *orders, name); }
int schedule_gate_find(const char *name) { return name_number(gates, sizeof gates / sizeof *gates, name); }

/* splitmix64, of a seed and a counter. */
static uint64_t draw(uint64_t seed, uint64_t number) {
  uint64_t x = seed * UINT64_C(0xD1342543DE82EF95) + (number + 1) * UINT64_C(0x9E3779B97F4A7C15);
  x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
  return x ^ x >> 31;
}

uint32_t *schedule_targets(uint32_t groups, uint32_t set, uint64_t seed, size_t *count) {
  const uint32_t size = set == 0 ? 1 : set;
  *count = groups / size + (groups % size != 0 ? 1 : 0);
  uint32_t *targets = mem_calloc(*count + 1, sizeof *targets);
  for (size_t i = 0; i < *count; i++) {
    const uint32_t begin = (uint32_t)i * size;
    const uint32_t members = groups - begin < size ? groups - begin : size;
    targets[i] = begin + (uint32_t)((draw(seed, i) >> 32) * members >> 32);
  }
  return targets;
}

uint32_t schedule_seed(uint64_t seed, uint64_t number) {
  return (uint32_t)(draw(seed, number) >> (64 - SCHEDULE_SEED_BITS));
}

/* --- words -------------------------------------------------------------------------------------------------------- */

void schedule_describe(const schedule *s, char text[SCHEDULE_TEXT]) {
  const char *gate = schedule_gate_name(s->gate);
  switch (s->order) {
    case ORDER_FIRST:
    case ORDER_LAST:
      (void)snprintf(text, SCHEDULE_TEXT, "group %u %s, %s gate", (unsigned)s->target, schedule_order_name(s->order),
                     gate);
      break;
    case ORDER_REVERSE:
    case ORDER_ASCENDING:
      (void)snprintf(text, SCHEDULE_TEXT, "%s order, %s gate", schedule_order_name(s->order), gate);
      break;
    case ORDER_RANDOM:
      (void)snprintf(text, SCHEDULE_TEXT, "random order (seed %u), %s gate", (unsigned)s->seed, gate);
      break;
    case ORDER_OCCUPANCY: (void)snprintf(text, SCHEDULE_TEXT, "any order, groups in flight counted"); break;
    default: (void)snprintf(text, SCHEDULE_TEXT, "any order"); break;
  }
}

/* The numbers of gate.cl, which the build embeds, are those of the headers. */

_Static_assert(GATE_TICKET_NEXT == 0 && GATE_STARTED == 1 && GATE_DONE == 2 && GATE_GAVE_UP == 3 && GATE_GROUPS == 4 &&
                   GATE_UNEVEN == 5 && GATE_COUNT == 6 && GATE_LOCK_NEXT == 7 && GATE_LOCK_SERVED == 8 &&
                   GATE_CLOSED == 9 && GATE_LOCAL == 10 && GATE_WORDS == 16,
               "the words of a gate record");
_Static_assert(GATE_UP_ABSENT == 1 && GATE_UP_STUCK == 2, "why the gate gave up");
_Static_assert(GATE_STATE_IN == 1 && GATE_STATE_AT == 2, "the states of a group");
_Static_assert(ORDER_NONE == 0 && ORDER_FIRST == 1 && ORDER_LAST == 2 && ORDER_REVERSE == 3 && ORDER_RANDOM == 4 &&
                   ORDER_ASCENDING == 5 && ORDER_OCCUPANCY == 6,
               "the orders");

/* Verdicts of schedules, from the outcomes of their runs. */

static const char *const names[VERDICTS] = {
    [VERDICT_PENDING] = "pending",       [VERDICT_CONSISTENT] = "consistent",     [VERDICT_RACE] = "race",
    [VERDICT_DEADLOCK] = "deadlock",     [VERDICT_OCCUPANCY] = "occupancy-bound", [VERDICT_CRASH] = "crash",
    [VERDICT_ORDER] = "order-dependent", [VERDICT_DIFFERS] = "differs",
};

/* What one run suffices to prove, the worst first. */
static const struct {
  run_outcome outcome;
  schedule_verdict verdict;
} proofs[] = {
    {RUN_CRASH, VERDICT_CRASH},
    {RUN_DEADLOCK, VERDICT_DEADLOCK},
    {RUN_DIFFERS, VERDICT_RACE},
};

const char *schedule_verdict_name(schedule_verdict v) { return names[v]; }

int schedule_verdict_find(const char *name) { return name_number(names, VERDICTS, name); }

size_t schedule_count(const char *outcomes, run_outcome which) {
  size_t count = 0;
  for (; *outcomes != '\0'; outcomes++) count += *outcomes == (char)which ? 1 : 0;
  return count;
}

schedule_verdict schedule_judge(const char *outcomes) {
  if (*outcomes == '\0') return VERDICT_PENDING;
  for (size_t i = 0; i < sizeof proofs / sizeof *proofs; i++)
    if (schedule_count(outcomes, proofs[i].outcome) > 0) return proofs[i].verdict;
  return schedule_count(outcomes, RUN_OCCUPANCY) == strlen(outcomes) ? VERDICT_OCCUPANCY : VERDICT_CONSISTENT;
}

static double chance(const char *shows, size_t other_runs) {
  const size_t runs = strlen(shows);
  const size_t differ = runs - schedule_count(shows, RUN_REFERENCE) - schedule_count(shows, RUN_OCCUPANCY);
  double all_in_one = 1;
  for (size_t i = 0; i < differ; i++) all_in_one *= (double)(runs - i) / (double)(runs + other_runs - i);
  return all_in_one;
}

bool schedule_agree(const char *outcomes, const char *other) {
  const schedule_verdict one = schedule_judge(outcomes), two = schedule_judge(other);
  if (one == VERDICT_CONSISTENT)
    return two == VERDICT_CONSISTENT || (two != VERDICT_OCCUPANCY && chance(other, strlen(outcomes)) >= 0.01);
  return one == two || (two == VERDICT_CONSISTENT && schedule_agree(other, outcomes));
}

/* Trials: targets and orders, groups of launches that run together, and what further runs mean for a trial. */

enum { ENOUGH_DEADLOCKS = 2, ENOUGH_CRASHES = 2 };

void launch_add_trial(gated_launch *l, const schedule *s, unsigned runs) {
  trial *t = ARRAY_ADD(l->trials, l->trial_count, l->trial_capacity);
  t->schedule = *s;
  t->outcomes = mem_calloc(runs + 1, 1);
}

static void forget_watched(trial *t) {
  if (t->watched != NULL) {
    (void)unlink(t->watched);
    free(t->watched);
    t->watched = NULL;
  }
}

void launch_free(gated_launch *l) {
  for (size_t t = 0; t < l->trial_count; t++) {
    free(l->trials[t].outcomes);
    free(l->trials[t].shown);
    forget_watched(&l->trials[t]);
  }
  free(l->trials);
  *l = (gated_launch){0};
}

bool launch_same_kernel(const gated_launch *one, const gated_launch *other) {
  return one->program == other->program && one->kernel == other->kernel;
}

void trial_forget(trial *t, unsigned runs) {
  memset(t->outcomes, 0, runs + 1);
  free(t->shown);
  t->shown = NULL;
  forget_watched(t);
  t->count = 0;
  t->settled = t->recorded = false;
}

static bool has_deadlock(const gated_launch *l) {
  for (size_t i = 0; i < l->trial_count; i++)
    if (schedule_count(l->trials[i].outcomes, RUN_DEADLOCK) >= ENOUGH_DEADLOCKS) return true;
  return false;
}

/* Of a launch that is known to hang one deadlock of a schedule is enough. */
static void settle_hung(const gated_launch *l) {
  for (size_t i = 0; i < l->trial_count; i++) {
    trial *t = &l->trials[i];
    t->settled = t->settled || schedule_count(t->outcomes, RUN_DEADLOCK) > 0;
  }
}

bool trial_is_last_hang(const gated_launch *l, const trial *t) {
  return !has_deadlock(l) && schedule_count(t->outcomes, RUN_DEADLOCK) == ENOUGH_DEADLOCKS - 1;
}

void trial_add(const gated_launch *l, trial *t, run_outcome outcome, unsigned runs) {
  if (t->count >= runs) return;
  t->outcomes[t->count++] = (char)outcome;
  t->recorded = false;
  t->slow = t->slow || outcome == RUN_DEADLOCK;
  const size_t enough_deadlocks = has_deadlock(l) ? 1 : ENOUGH_DEADLOCKS;
  t->settled = t->count == runs || schedule_count(t->outcomes, RUN_DEADLOCK) >= enough_deadlocks ||
               schedule_count(t->outcomes, RUN_CRASH) >= ENOUGH_CRASHES;
  if (has_deadlock(l)) settle_hung(l);
}

void trial_leave_out_slow(const gated_launch *l, trial *t) {
  char *at = strchr(t->outcomes, RUN_DEADLOCK);
  if (at != NULL && t->count > 1 && !has_deadlock(l) && schedule_count(t->outcomes, RUN_DEADLOCK) == 1) {
    memmove(at, at + 1, strlen(at));
    t->count--;
    t->recorded = false;
  }
}

schedule_verdict trial_judge(const gated_launch *l, const trial *t) {
  static const schedule_verdict differing[] = {
      [ACCESSES_UNCHECKED] = VERDICT_DIFFERS, [ACCESSES_RACE] = VERDICT_RACE, [ACCESSES_RACELESS] = VERDICT_ORDER};
  const schedule_verdict v = schedule_judge(t->outcomes);
  return v == VERDICT_RACE ? differing[l->accesses] : v;
}

trial *trial_with(const gated_launch *l, schedule_verdict v) {
  trial *found = NULL;
  for (size_t i = 0; i < l->trial_count; i++) {
    trial *t = &l->trials[i];
    if (trial_judge(l, t) == v && (found == NULL || t->schedule.order < found->schedule.order)) found = t;
  }
  return found;
}

size_t trials_count(const gated_launch *launches, size_t count, schedule_verdict v, bool meant) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t t = 0; t < launches[i].trial_count && (meant || !launches[i].meant); t++)
      found += trial_judge(&launches[i], &launches[i].trials[t]) == v ? 1 : 0;
  return found;
}

/* Targets, orders, and what a kernel says of itself. */

enum { TARGET_SET = 10 }; /* as in the paper */

#define MEANT_COMMENT "cltestcheck: order-dependent"

/* The line before the one that `at` is in; NULL if that is the first. */
static const char *line_before(const char *text, const char *at) {
  const char *end = memrchr(text, '\n', (size_t)(at - text));
  if (end == NULL) return NULL;
  const char *begin = memrchr(text, '\n', (size_t)(end - text));
  return begin == NULL ? text : begin + 1;
}

bool schedule_is_meant(const model *m, uint32_t kernel) {
  const model_function *f = &m->functions[m->kernels[kernel].function];
  const char *text = m->files[f->file].text;
  const char *line = text;
  for (uint32_t n = 1; n < f->line && line != NULL; n++) {
    line = strchr(line, '\n');
    line = line == NULL ? NULL : line + 1;
  }
  while (line != NULL) {
    size_t length = strcspn(line, "\n");
    if (memmem(line, length, MEANT_COMMENT, strlen(MEANT_COMMENT)) != NULL) return true;
    line = line_before(text, line);
    /* an empty line, or the end of another function, ends what belongs to this one */
    if (line != NULL && (line[strspn(line, " \t\r")] == '\n' || line[0] == '}')) return false;
  }
  return false;
}

/* --- schedules ---------------------------------------------------------------------------------------------------- */

const char *schedule_obstacle(const gated_launch *l) {
  if (!l->seen) return "it ran without the gate, or the device refused it";
  if (l->groups == 1) return "one work-group";
  if (l->uneven) return "its last work-groups are smaller than the others: no group can stand for another";
  return l->groups >= SCHEDULE_GROUPS_CAP ? "too many work-groups" : "";
}

/* The targets of a launch, to be freed. */
static uint32_t *targets_of(const schedule_plan *p, const gated_launch *l, uint64_t seed, size_t *count) {
  if (p->targets == TARGETS_SETS || p->targets == TARGETS_ALL)
    return schedule_targets(l->groups, p->targets == TARGETS_ALL ? 1 : TARGET_SET, seed, count);
  if (p->targets == TARGETS_COUNT) {
    const size_t wanted = p->target_count < l->groups ? p->target_count : l->groups;
    return schedule_targets(l->groups, (uint32_t)((l->groups + wanted - 1) / wanted), seed, count);
  }
  uint32_t *targets = mem_calloc(p->target_count + 1, sizeof *targets);
  *count = 0;
  for (size_t i = 0; i < p->target_count; i++)
    if (p->target_list[i] < l->groups) targets[(*count)++] = p->target_list[i];
  return targets;
}

void schedule_add_trials(const schedule_plan *p, gated_launch *l, uint64_t seed, unsigned runs) {
  size_t count = 0;
  if (p->orders[ORDER_REVERSE]) launch_add_trial(l, &(schedule){ORDER_REVERSE, p->gate, 0, 0}, runs);
  if (p->orders[ORDER_RANDOM]) launch_add_trial(l, &(schedule){ORDER_RANDOM, p->gate, 0, schedule_seed(seed, 0)}, runs);
  if (p->orders[ORDER_ASCENDING]) launch_add_trial(l, &(schedule){ORDER_ASCENDING, p->gate, 0, 0}, runs);
  scoped uint32_t *targets = targets_of(p, l, seed, &count);
  for (int order = ORDER_FIRST; order <= ORDER_LAST; order++)
    for (size_t i = 0; i < count && p->orders[order]; i++)
      launch_add_trial(l, &(schedule){(schedule_order)order, p->gate, targets[i], 0}, runs);
}

uint64_t schedule_launch_seed(uint64_t seed, const char *kernel, uint32_t number) {
  return hash_more(seed * UINT64_C(0x9E3779B97F4A7C15) + number, kernel, strlen(kernel));
}

static uint32_t together(const gated_launch *launches, size_t count, const gated_launch *l) {
  uint32_t most = l->together;
  for (size_t i = 0; i < count && l->together == 0; i++) {
    const gated_launch *other = &launches[i];
    if (launch_same_kernel(other, l) && other->together > most) most = other->together;
  }
  return most < l->groups ? most : l->groups;
}

void schedule_fill_together(gated_launch *launches, size_t count) {
  for (size_t i = 0; i < count; i++) launches[i].together = together(launches, count, &launches[i]);
}

/* Groups of launches: taken apart where something shows, run by turns. */

static void add_group(launch_groups *set, const size_t *launches, size_t count) {
  launch_group *g = ARRAY_ADD(set->items, set->count, set->capacity);
  g->launches = mem_calloc(count, sizeof *g->launches);
  memcpy(g->launches, launches, count * sizeof *launches);
  g->count = count;
  for (size_t i = 0; i < count; i++) {
    size_t trials = set->launches[launches[i]].trial_count;
    g->width = trials > g->width ? trials : g->width;
  }
}

static bool is_one_kernel(const gated_launch *all, const size_t *launches, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (!launch_same_kernel(&all[launches[0]], &all[launches[i]])) return false;
  return true;
}

static void split_by_kernel(launch_groups *set, const size_t *launches, size_t count) {
  scoped size_t *some = mem_calloc(count, sizeof *some);
  scoped bool *taken = mem_calloc(count, sizeof *taken);
  for (size_t i = 0; i < count; i++) {
    size_t found = 0;
    for (size_t k = i; k < count && !taken[i]; k++) {
      if (!taken[k] && launch_same_kernel(&set->launches[launches[i]], &set->launches[launches[k]])) {
        some[found++] = launches[k];
        taken[k] = k != i;
      }
    }
    if (found > 0) add_group(set, some, found);
  }
}

/* What earlier runs cleared was in company: alone, a launch begins anew. */
static void split_by_launch(launch_groups *set, const size_t *launches, size_t count) {
  for (size_t i = 0; i < count; i++) {
    gated_launch *l = &set->launches[launches[i]];
    for (size_t t = 0; t < l->trial_count; t++) trial_forget(&l->trials[t], set->runs);
    add_group(set, &launches[i], 1);
  }
}

void groups_split(launch_groups *set, size_t index) {
  const size_t *launches = set->items[index].launches; /* stays where it is when the groups move */
  size_t count = set->items[index].count;
  set->items[index].guilty = true;
  if (is_one_kernel(set->launches, launches, count))
    split_by_launch(set, launches, count);
  else
    split_by_kernel(set, launches, count);
}

void groups_begin(launch_groups *set, gated_launch *launches, size_t count, unsigned runs) {
  *set = (launch_groups){.launches = launches, .runs = runs};
  scoped size_t *all = mem_calloc(count + 1, sizeof *all);
  size_t chosen = 0;
  for (size_t i = 0; i < count; i++)
    if (launches[i].trial_count > 0) all[chosen++] = i;
  if (chosen > 0) add_group(set, all, chosen);
}

static bool is_wanted(const launch_groups *set, const launch_group *g) {
  for (size_t i = 0; i < g->count; i++) {
    const gated_launch *l = &set->launches[g->launches[i]];
    if (g->schedule < l->trial_count && !l->trials[g->schedule].settled) return true;
  }
  return false;
}

void groups_step(launch_group *g) {
  g->schedule++;
  if (g->schedule >= g->width) {
    g->schedule = 0;
    g->repeat++;
  }
}

/* Goes on to the next run that is wanted; false: there is none. */
static bool find_next(const launch_groups *set, launch_group *g) {
  while (!g->guilty && g->repeat < set->runs) {
    if (is_wanted(set, g)) return true;
    groups_step(g);
  }
  return false;
}

launch_group *groups_next(launch_groups *set) {
  launch_group *found = NULL;
  for (size_t i = 0; i < set->count; i++) {
    launch_group *g = &set->items[i];
    if (find_next(set, g) &&
        (found == NULL || g->repeat < found->repeat || (g->repeat == found->repeat && g->schedule < found->schedule)))
      found = g;
  }
  return found;
}

size_t groups_left(const launch_groups *set) {
  size_t runs = 0;
  EACH(const launch_group, g, set->items, set->count) {
    for (size_t k = 0; k < g->width && !g->guilty; k++) {
      size_t most = 0;
      for (size_t n = 0; n < g->count; n++) {
        const gated_launch *l = &set->launches[g->launches[n]];
        size_t left = k < l->trial_count && !l->trials[k].settled ? set->runs - l->trials[k].count : 0;
        most = left > most ? left : most;
      }
      runs += most;
    }
  }
  return runs;
}

void groups_free(launch_groups *set) {
  for (size_t i = 0; i < set->count; i++) free(set->items[i].launches);
  free(set->items);
  *set = (launch_groups){0};
}

/* Types that values can be shown of. */
typedef struct scalar_type {
  const char *name;
  size_t size;
  char kind; /* i: signed, u: unsigned, f: floating */
} scalar_type;

static const scalar_type scalars[] = {
    {"char", 1, 'i'},         {"uchar", 1, 'u'},         {"unsigned char", 1, 'u'}, {"short", 2, 'i'},
    {"ushort", 2, 'u'},       {"int", 4, 'i'},           {"uint", 4, 'u'},          {"unsigned short", 2, 'u'},
    {"unsigned int", 4, 'u'}, {"long", 8, 'i'},          {"ulong", 8, 'u'},         {"float", 4, 'f'},
    {"double", 8, 'f'},       {"unsigned long", 8, 'u'}, {"bool", 1, 'u'},          {"atomic_int", 4, 'i'},
    {"atomic_uint", 4, 'u'},  {"atomic_long", 8, 'i'},   {"atomic_ulong", 8, 'u'},  {"atomic_float", 4, 'f'},
};

/* The scalar type and number of components of "float4"; NULL when values of the type cannot be shown. */
static const scalar_type *find_type(const char *name, size_t *components) {
  for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++) {
    size_t length = strlen(scalars[i].name);
    if (strncmp(name, scalars[i].name, length) == 0 && strspn(name + length, "0123456789") == strlen(name + length)) {
      *components = name[length] == '\0' ? 1 : strtoul(name + length, NULL, 10);
      return &scalars[i];
    }
  }
  return NULL;
}

/* The type of an image's channels by its number in OpenCL (CL_SNORM_INT8 …). Normalised numbers are shown as they are
 * stored. NULL: several channels share a byte. */
static const scalar_type *find_channel(uint32_t number) {
  static const struct {
    uint32_t number;
    const char *type;
  } channels[] = {{0x10D0, "char"},   {0x10D1, "short"}, {0x10D2, "uchar"},  {0x10D3, "ushort"},
                  {0x10D7, "char"},   {0x10D8, "short"}, {0x10D9, "int"},    {0x10DA, "uchar"},
                  {0x10DB, "ushort"}, {0x10DC, "uint"},  {0x10DD, "ushort"}, {0x10DE, "float"}}; /* half: by its bits */
  size_t components = 0;
  for (size_t i = 0; i < sizeof channels / sizeof channels[0]; i++)
    if (channels[i].number == number) return find_type(channels[i].type, &components);
  return NULL;
}

static long long signed_value(const char *at, size_t size) {
  signed char c = 0;
  short s = 0;
  int i = 0;
  long long l = 0;
  memcpy(size == 1 ? (void *)&c : size == 2 ? (void *)&s : size == 4 ? (void *)&i : (void *)&l, at, size);
  return size == 1 ? c : size == 2 ? s : size == 4 ? i : l;
}

static int print_scalar(const scalar_type *t, const char *at, char *out, size_t room) {
  float f = 0;
  double d = 0;
  unsigned long long u = 0;
  switch (t->kind) {
    case 'f':
      memcpy(t->size == 4 ? (void *)&f : (void *)&d, at, t->size);
      return snprintf(out, room, "%.9g", t->size == 4 ? (double)f : d);
    case 'u': memcpy(&u, at, t->size); return snprintf(out, room, "%llu", u);
    default: return snprintf(out, room, "%lld", signed_value(at, t->size));
  }
}

/* "(1, 2, 3, 4)" for vectors; of which as many components as fit are written. */
static void print_value(const scalar_type *t, size_t components, const char *at, char *out, size_t room) {
  size_t n = 0;
  if (components > 1) out[n++] = '(';
  for (size_t i = 0; i < components && n + 24 < room; i++) {
    n += (size_t)snprintf(out + n, room - n, "%s", i > 0 ? ", " : "");
    n += (size_t)print_scalar(t, at + i * t->size, out + n, room - n);
  }
  (void)snprintf(out + n, room - n, "%s", components > 1 ? ")" : "");
}

static const memory_image *image_of(const memory_images *all, uint32_t argument) {
  for (size_t i = 0; i < all->count; i++)
    if (all->items[i].argument == argument) return &all->items[i];
  return NULL;
}

/* Of two images of the same length, by elements of `size` bytes. */
static void find_differences(const memory_image *a, const memory_image *b, size_t size, memory_difference *out) {
  size_t length = a->length < b->length ? a->length : b->length;
  for (size_t at = 0; at + size <= length; at += size) {
    if (memcmp(a->data + at, b->data + at, size) != 0) {
      out->first = out->differing == 0 ? at / size : out->first;
      out->last = at / size;
      out->differing++;
    }
  }
}

/* How an argument is cut into elements. */
typedef struct layout {
  const scalar_type *type;
  size_t components, stride;
  const char *unit;
} layout;

static layout layout_of(const memory_image *i, const char *name) {
  static const scalar_type byte = {"uchar", 1, 'u'};
  size_t components = 1;
  const scalar_type *type = i->width > 0 ? find_channel(i->channel) : find_type(name, &components);
  if (i->width > 0 && i->pixel > 0) {
    type = type == NULL || i->pixel % type->size != 0 ? &byte : type;
    return (layout){type, i->pixel / type->size, i->pixel, "pixel"};
  }
  if (type == NULL) return (layout){&byte, 1, 1, "byte"};
  /* a vector of three takes the room of four */
  return (layout){type, components, type->size * (components == 3 ? 4 : components), "element"};
}

void memory_pixel(const memory_difference *d, uint64_t number, char text[MEMORY_PLACE]) {
  const uint64_t width = d->width > 0 ? d->width : 1, height = d->height > 0 ? d->height : 1;
  const unsigned long long x = number % width, y = number / width % height, z = number / width / height;
  if (d->last >= width * height)
    (void)snprintf(text, MEMORY_PLACE, "(%llu, %llu, %llu)", x, y, z);
  else
    (void)snprintf(text, MEMORY_PLACE, "(%llu, %llu)", x, y);
}

bool memory_compare(const memory_images *reference, const memory_images *seen, const char *const *types,
                    size_t type_count, memory_difference *out) {
  EACH(const memory_image, a, reference->items, reference->count) {
    const memory_image *b = image_of(seen, a->argument);
    const layout l = layout_of(a, a->argument < type_count ? types[a->argument] : "");
    *out = (memory_difference){.argument = a->argument, .unit = l.unit, .width = a->width, .height = a->height};
    if (b == NULL || l.stride == 0) continue;
    find_differences(a, b, l.stride, out);
    if (out->differing > 0) {
      print_value(l.type, l.components, a->data + out->first * l.stride, out->reference, sizeof out->reference);
      print_value(l.type, l.components, b->data + out->first * l.stride, out->seen, sizeof out->seen);
      return true;
    }
  }
  return false;
}
