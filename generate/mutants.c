/* Inputs become the launches of one kernel case, which is the test case of a campaign. */
#include "generate/mutants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "mutate/verdict.h"
#include "runner/campaign/campaign.h"
#include "runner/plan/plan.h"

enum { RUNS = 2, LIMIT = 5, NAMED = 3 };

static bool counts(const aimed_mutant *a) {
  return a->never == NULL &&
         (a->status == MUTANT_PENDING || a->status == MUTANT_KILLED || a->status == MUTANT_UNDECIDED ||
          a->status == MUTANT_SURVIVED || a->status == MUTANT_NO_COVERAGE);
}

bool mutant_is_open(const aimed_mutant *a) { return counts(a) && a->status != MUTANT_KILLED; }

/* --- what a campaign says ----------------------------------------------------------------------------------------- */

aimed_mutant *mutants_add(mutants *m, uint32_t id, uint32_t line, const char *original, const char *replacement,
                          const char *description) {
  for (size_t i = 0; i < m->count; i++)
    if (m->items[i].id == id) return &m->items[i];
  buffer words = {0};
  aimed_mutant *to = ARRAY_ADD(m->items, m->count, m->capacity);
  if (description != NULL)
    buffer_printf(&words, "%s", description);
  else if (replacement[0] == '\0')
    buffer_printf(&words, "`%s` deleted", original);
  else
    buffer_printf(&words, "`%s` changed to `%s`", original, replacement);
  buffer_printf(&words, " in line %u", (unsigned)line);
  *to = (aimed_mutant){.id = id, .line = line, .status = MUTANT_PENDING, .words = buffer_take(&words)};
  return to;
}

void mutants_tell_apart(mutants *m, const uint32_t *columns) {
  bool *alike = mem_calloc(m->count + 1, sizeof *alike);
  for (size_t i = 0; i < m->count; i++)
    for (size_t k = 0; k < m->count; k++)
      alike[i] = alike[i] || (k != i && columns[i] != 0 && strcmp(m->items[i].words, m->items[k].words) == 0);
  for (size_t i = 0; i < m->count; i++) {
    buffer text = {0};
    buffer_printf(&text, "%s, column %u", m->items[i].words, (unsigned)columns[i]);
    if (alike[i]) {
      free(m->items[i].words);
      m->items[i].words = buffer_take(&text);
    }
    buffer_free(&text);
  }
  free(alike);
}

/* What was run before is not unknown again. */
static void take_mutant(mutants *m, const db_mutant *from) {
  aimed_mutant *to = mutants_add(m, from->id, from->line, from->original, from->replacement, from->description);
  const bool nothing = from->status == MUTANT_PENDING || from->status == MUTANT_NO_COVERAGE;
  if (mutant_is_open(to) && (to->status == MUTANT_PENDING || !nothing)) to->status = from->status;
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
  for (size_t i = 0; i < m->count; i++)
    if (mutant_is_open(&m->items[i])) among[o.among_count++] = m->items[i].id;
  o.among = m->known ? among : NULL;
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
  plan p = {0};
  const plan_words w = {.verb = "generate", .words = *captures, .quiet = true};
  int result = plan_make(&w, &p, e) != 0 ? -1 : run(m, b, &p, e);
  plan_free(&p);
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

char *mutants_reason(const mutants *m, unsigned owner) {
  buffer text = {0};
  size_t count = 0;
  for (size_t i = 0; i < m->count; i++) {
    const aimed_mutant *a = &m->items[i];
    if (a->status == MUTANT_KILLED && a->owner == owner && count++ < NAMED)
      buffer_printf(&text, "%s%s", count == 1 ? "kills " : ", ", a->words);
  }
  if (count > NAMED) buffer_printf(&text, " and %zu more", count - NAMED);
  return count == 0 ? NULL : buffer_take(&text);
}

size_t mutants_of(const mutants *m, mutant_status status) {
  size_t count = 0;
  for (size_t i = 0; i < m->count; i++) {
    const aimed_mutant *a = &m->items[i];
    count += status == MUTANT_STATUSES ? counts(a) : a->never == NULL && a->status == status;
  }
  return count;
}

size_t mutants_proved(const mutants *m) {
  size_t count = 0;
  for (size_t i = 0; i < m->count; i++) count += m->items[i].never != NULL ? 1 : 0;
  return count;
}

void mutants_free(mutants *m) {
  for (size_t i = 0; i < m->count; i++) {
    free(m->items[i].words);
    free(m->items[i].never);
  }
  free(m->items);
  *m = (mutants){0};
}
