/* Inputs become the launches of one kernel case, which is the test case of a campaign: what the host reads after them says
 * which launch has made a mutant differ. */
#include "generate/mutants.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "mutate/verdict.h"
#include "runner/campaign/campaign.h"
#include "runner/plan/plan.h"

enum { RUNS = 3, LIMIT = 5, NAMED = 3 };

static bool counts(mutant_status status) {
  return status == MUTANT_PENDING || status == MUTANT_KILLED || status == MUTANT_UNDECIDED ||
         status == MUTANT_SURVIVED || status == MUTANT_NO_COVERAGE;
}

static bool is_wanted(const mutants *m, const aimed_mutant *a) {
  const bool killed = a->status == MUTANT_KILLED;
  return m->again > 0 ? killed && a->owner == m->again : counts(a->status) && !killed;
}

/* --- what a campaign says ----------------------------------------------------------------------------------------- */

static aimed_mutant *find_or_add(mutants *m, const db_mutant *from) {
  for (size_t i = 0; i < m->count; i++)
    if (m->items[i].id == from->id) return &m->items[i];
  buffer words = {0};
  aimed_mutant *to = ARRAY_ADD(m->items, m->count, m->capacity);
  if (from->description != NULL)
    buffer_printf(&words, "%s", from->description);
  else if (from->replacement[0] == '\0')
    buffer_printf(&words, "`%s` deleted", from->original);
  else
    buffer_printf(&words, "`%s` changed to `%s`", from->original, from->replacement);
  buffer_printf(&words, " in line %u", (unsigned)from->line);
  *to = (aimed_mutant){.id = from->id, .line = from->line, .status = from->status, .words = buffer_take(&words)};
  return to;
}

/* What one of the inputs kills is open until it is taken. */
static void take_status(aimed_mutant *to, mutant_status from, bool known) {
  const mutant_status open = from == MUTANT_KILLED ? MUTANT_SURVIVED : from;
  const bool better = open != MUTANT_PENDING && open != MUTANT_NO_COVERAGE;
  to->status =
      !known || (better && (to->status == MUTANT_PENDING || to->status == MUTANT_NO_COVERAGE)) ? open : to->status;
}

static void take_mutant(mutants *m, const db_mutant *from) {
  aimed_mutant *to = find_or_add(m, from);
  if (is_wanted(m, to) || !m->known) {
    to->now = from->status == MUTANT_KILLED;
    if (m->again == 0) take_status(to, from->status, m->known);
  }
}

/* A run of a mutant; all runs have to say the same. */
static void hear(void *context, uint32_t id, uint64_t launch) {
  mutants *m = context;
  for (size_t i = 0; i < m->count; i++) {
    aimed_mutant *a = &m->items[i];
    if (a->id == id) {
      a->say = a->say > 0 && a->by != launch ? UINT_MAX : a->say == UINT_MAX ? UINT_MAX : a->say + 1;
      a->by = (size_t)launch;
    }
  }
}

static int look_at(mutants *m, db *d, int64_t run, error *e) {
  view v;
  if (db_commit(d, e) != 0 || db_load(d, &run, 1, &v, e) != 0) return -1;
  for (size_t i = 0; i < v.mutant_count; i++) take_mutant(m, &v.mutants[i]);
  view_free(&v);
  return 0;
}

/* --- a campaign --------------------------------------------------------------------------------------------------- */

static void ignore_progress(void *context, const experiment_progress *p) { (void)context, (void)p; }
static void ignore_note(void *context, const char *text) { (void)context, (void)text; }
static const experiment_listener nobody = {NULL, ignore_progress, ignore_note};

static void fill_options(bench *b, const plan *p, campaign_options *o) {
  o->common = *b->base;
  o->common.tests = p->tests;
  o->common.test_count = p->count;
  o->common.kernels = (kernel_choice){.wanted = {&b->kernel, 1, 1}};
  o->common.runs = RUNS;
  o->common.limit = LIMIT;
  o->common.max_time = b->until - clock_now() < 1 ? 1 : b->until - clock_now();
  o->common.oracle = ORACLE_READS;
  o->common.shard = o->common.shards = 1;
  o->no_cache = true;
}

static int run(mutants *m, bench *b, const plan *p, error *e) {
  uint32_t *among = mem_calloc(m->count + 1, sizeof *among);
  campaign_options o = {0};
  campaign_outcome out = {0};
  buffer path = {0};
  db *d = NULL;
  int64_t id = 0;
  fill_options(b, p, &o);
  o.reads = hear;
  o.context = m;
  for (size_t i = 0; i < m->count; i++)
    if (is_wanted(m, &m->items[i])) among[o.among_count++] = m->items[i].id;
  o.among = m->known ? among : NULL;
  o.no_equivalence = m->known;
  buffer_printf(&path, "%s/mutants.db", b->folder);
  int result = db_open(&d, buffer_text(&path), DB_WRITE, e) != 0 ||
                       db_begin_run(d, "mutate", CLTC_VERSION, &id, e) != 0 ||
                       mutate_select_operators("paper", o.operators, e) != 0
                   ? -1
                   : campaign_run(d, id, &o, &nobody, &out, e);
  if (result == 0 && out.common.interrupted) {
    result = error_set(e, 130, "interrupted");
  } else if (result == 0 && out.common.baseline_failed) {
    (void)snprintf(m->why, sizeof m->why, "%.500s", out.common.why);
  } else if (result == 0) {
    result = look_at(m, d, id, e);
    m->known = m->known || m->count > 0 || !out.common.out_of_time;
  }
  db_close(d);
  (void)unlink(buffer_text(&path));
  buffer_free(&path);
  free(among);
  return result;
}

int mutants_try_captures(mutants *m, bench *b, const word_list *captures, error *e) {
  const double began = clock_now();
  plan p = {0};
  for (size_t i = 0; i < m->count; i++) {
    m->items[i].now = false;
    m->items[i].say = 0;
  }
  const plan_words w = {.verb = "generate", .words = *captures, .quiet = true};
  int result = plan_make(&w, &p, e) != 0 ? -1 : run(m, b, &p, e);
  plan_free(&p);
  m->seconds += clock_now() - began;
  return result;
}

int mutants_try(mutants *m, bench *b, input *const *list, size_t count, error *e) {
  buffer path = {0};
  buffer_printf(&path, "%s/mutants.yaml", b->folder);
  const char *word = buffer_text(&path);
  const int result = bench_write(b, list, count, READS_WRITTEN, word, e) != 0
                         ? -1
                         : mutants_try_captures(m, b, &(word_list){&word, 1, 1}, e);
  buffer_free(&path);
  return result;
}

/* --- what is known of them ---------------------------------------------------------------------------------------- */

static bool dies_by(const aimed_mutant *a, size_t index) {
  return a->now && (index == SIZE_MAX || (a->say > 0 && a->say < UINT_MAX && a->by == index));
}

bool mutants_die(const mutants *m, size_t index) {
  bool any = false;
  for (size_t i = 0; i < m->count; i++) any = any || dies_by(&m->items[i], index);
  return any;
}

size_t mutants_owned(const mutants *m, unsigned owner) {
  size_t count = 0;
  for (size_t i = 0; i < m->count; i++)
    count += m->items[i].status == MUTANT_KILLED && m->items[i].owner == owner ? 1 : 0;
  return count;
}

/* By the inputs that were tried last: the first and the last of those that are first to kill one of the owner's. False: not
 * all of its are killed. */
static bool killers_of(const mutants *m, size_t *first, size_t *last) {
  bool all = true;
  *first = SIZE_MAX;
  *last = 0;
  for (size_t i = 0; i < m->count && all; i++) {
    const aimed_mutant *a = &m->items[i];
    if (is_wanted(m, a)) {
      all = a->now && a->say > 0 && a->say < UINT_MAX;
      *first = a->by < *first ? a->by : *first;
      *last = a->by > *last ? a->by : *last;
    }
  }
  return all && *first != SIZE_MAX;
}

int mutants_kill_again(mutants *m, bench *b, unsigned owner, input *const *list, size_t count, size_t *which,
                       error *e) {
  int result = 0;
  bool found = false;
  m->again = owner;
  for (*which = 0; result == 0 && *which < count && !found;) { /* one is said to be the first to kill each */
    size_t first = 0, last = 0;
    result = mutants_try(m, b, list + *which, count - *which, e);
    const bool all = result == 0 && killers_of(m, &first, &last);
    found = all && first == last;
    *which = all ? *which + last : count;
  }
  m->again = 0;
  return result;
}

char *mutants_take(mutants *m, size_t index, unsigned owner) {
  buffer text = {0};
  size_t count = 0;
  for (size_t i = 0; i < m->count; i++) {
    aimed_mutant *a = &m->items[i];
    if (!dies_by(a, index)) continue;
    a->status = MUTANT_KILLED;
    a->owner = owner;
    a->now = false;
    if (count++ < NAMED) buffer_printf(&text, "%s%s", count == 1 ? "kills " : ", ", a->words);
  }
  if (count > NAMED) buffer_printf(&text, " and %zu more", count - NAMED);
  return count == 0 ? NULL : buffer_take(&text);
}

size_t mutants_of(const mutants *m, mutant_status status) {
  size_t count = 0;
  for (size_t i = 0; i < m->count; i++)
    count += m->items[i].status == status || (status == MUTANT_STATUSES && counts(m->items[i].status)) ? 1 : 0;
  return count;
}

void mutants_free(mutants *m) {
  for (size_t i = 0; i < m->count; i++) free(m->items[i].words);
  free(m->items);
  *m = (mutants){0};
}
