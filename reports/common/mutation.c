/* Figures of mutants: scores, what each test case is worth, words. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "reports/common/coverage.h"

#define ORIGINAL_WIDTH 30 /* columns of replaced text that is quoted */

/* Statuses that the score counts. */
static const bool counts[MUTANT_STATUSES] = {
    [MUTANT_KILLED] = true, [MUTANT_UNDECIDED] = true, [MUTANT_SURVIVED] = true, [MUTANT_NO_COVERAGE] = true};

bool mutation_is(const view *v) { return v->mutant_count > 0 || report_has_run(v, "mutate"); }

bool mutation_counts_status(mutant_status status) { return counts[status]; }

ratio mutation_score(const mutation_counts *c) { return (ratio){c->of[MUTANT_KILLED], c->total}; }

static bool mutation_by_race(const db_mutant *m);

/* --- totals -------------------------------------------------------------------------------------------------- */

static void count_mutant(mutation_counts *c, const db_mutant *m) {
  c->of[m->status]++;
  c->total += counts[m->status] ? 1 : 0;
  if (m->status == MUTANT_KILLED) {
    const mutant_revealed revealed = mutation_is_revealed(m);
    c->revealed += revealed == REVEALED_YES ? 1 : 0;
    c->unasked += revealed == REVEALED_UNKNOWN && !mutation_by_race(m) ? 1 : 0;
    c->races += mutation_by_race(m) ? 1 : 0;
  }
}

static int compare_names(const void *a, const void *b) {
  return strcmp(((const mutation_group *)a)->name, ((const mutation_group *)b)->name);
}

/* The operators of the selected mutants, each once. */
static void list_operators(const view *v, mutation *m) {
  size_t capacity = 0;
  for (size_t i = 0; i < v->mutant_count; i++) {
    const char *name = v->mutants[i].operator_name;
    bool known = !m->selected[i];
    for (size_t k = 0; !known && k < m->operator_count; k++) known = strcmp(m->operators[k].name, name) == 0;
    if (!known)
      *ARRAY_ADD(m->operators, m->operator_count, capacity) = (mutation_group){.name = name, .kernel = MODEL_NONE};
  }
  if (m->operator_count > 0) qsort(m->operators, m->operator_count, sizeof *m->operators, compare_names);
}

/* Which row of `out->kernels` each kernel of the view has; MODEL_NONE: none. */
static uint32_t *list_kernels(const view *v, const report_options *options, mutation *out) {
  uint32_t *rows = mem_calloc(v->kernel_count, sizeof *rows);
  size_t capacity = 0;
  for (uint32_t i = 0; i < v->kernel_count; i++) {
    rows[i] = MODEL_NONE;
    if (report_selects(options, v->kernels[i].name)) {
      rows[i] = (uint32_t)out->kernel_count;
      *ARRAY_ADD(out->kernels, out->kernel_count, capacity) = (mutation_group){.name = v->kernels[i].name, .kernel = i};
    }
  }
  return rows;
}

void mutation_totals(const view *v, const report_options *options, mutation *out) {
  *out = (mutation){.selected = mem_calloc(v->mutant_count, sizeof *out->selected)};
  uint32_t *rows = list_kernels(v, options, out);
  bool everything = report_everything(options);
  for (size_t i = 0; i < v->mutant_count; i++) {
    const db_mutant *m = &v->mutants[i];
    out->selected[i] = everything;
    for (size_t k = 0; k < m->kernel_count; k++) {
      if (rows[m->kernels[k]] != MODEL_NONE) {
        out->selected[i] = true;
        count_mutant(&out->kernels[rows[m->kernels[k]]].counts, m);
      }
    }
    if (out->selected[i]) count_mutant(&out->all, m);
  }
  free(rows);
  list_operators(v, out);
  for (size_t i = 0; i < v->mutant_count; i++) {
    if (out->selected[i]) {
      const mutation_group key = {.name = v->mutants[i].operator_name};
      mutation_group *g = bsearch(&key, out->operators, out->operator_count, sizeof key, compare_names);
      count_mutant(&g->counts, &v->mutants[i]);
    }
  }
}

void mutation_free(mutation *m) {
  free(m->kernels);
  free(m->operators);
  free(m->selected);
  *m = (mutation){0};
}

/* --- verdicts ------------------------------------------------------------------------------------------------ */

/* How many runs it takes to decide: what some test case made of a mutant that is killed. */
static uint32_t full_runs(const db_mutant *m) {
  uint32_t most = 0;
  for (size_t i = 0; i < m->verdict_count; i++) most = m->verdicts[i].runs > most ? m->verdicts[i].runs : most;
  return most;
}

static bool kills_in(const db_mutant *m, const mutant_verdict *verdict, uint32_t full) {
  return m->status == MUTANT_KILLED && verdict->runs > 0 && verdict->runs == full &&
         view_differed(verdict) >= verdict->runs;
}

bool mutation_kills(const db_mutant *m, const mutant_verdict *verdict) { return kills_in(m, verdict, full_runs(m)); }

/* Whether it is killed, by nothing but races that checked replays show. */
static bool mutation_by_race(const db_mutant *m) {
  const uint32_t full = full_runs(m);
  bool race = false, other = false;
  for (size_t i = 0; i < m->verdict_count; i++) {
    const bool kills = kills_in(m, &m->verdicts[i], full);
    race = race || (kills && m->verdicts[i].race > 0);
    other = other || (kills && m->verdicts[i].race == 0);
  }
  return race && !other;
}

mutant_revealed mutation_is_revealed(const db_mutant *m) {
  const uint32_t full = full_runs(m);
  bool unknown = m->status != MUTANT_KILLED, no = false, yes = false;
  for (size_t i = 0; i < m->verdict_count; i++) {
    if (kills_in(m, &m->verdicts[i], full) && m->verdicts[i].race == 0) { /* no program could notice a race */
      const mutant_revealed revealed = m->verdicts[i].revealed;
      yes = yes || revealed == REVEALED_YES;
      no = no || revealed == REVEALED_NO;
      unknown = unknown || revealed == REVEALED_UNKNOWN;
    }
  }
  return yes ? REVEALED_YES : no && !unknown ? REVEALED_NO : REVEALED_UNKNOWN;
}

bool mutation_asked(const view *v) {
  bool asked = true;
  EACH(const db_mutant, m, v->mutants, v->mutant_count) {
    asked = asked && (m->status != MUTANT_KILLED || mutation_by_race(m) || mutation_is_revealed(m) != REVEALED_UNKNOWN);
  }
  return asked;
}

ratio mutation_revealed(const mutation_counts *c) {
  return c->unasked > 0 ? (ratio){0, 0} : (ratio){c->revealed, c->total};
}

size_t mutation_tests(const db_mutant *m) {
  size_t tests = 0;
  for (size_t i = 0; i < m->verdict_count; i++) tests += m->verdicts[i].runs > 0 ? 1 : 0;
  return tests;
}

void mutation_verdicts(const view *v, const mutation *m, size_t *verdicts, size_t *reused) {
  *verdicts = *reused = 0;
  for (size_t i = 0; i < v->mutant_count; i++) {
    for (size_t k = 0; k < v->mutants[i].verdict_count && m->selected[i]; k++) {
      *verdicts += 1;
      *reused += v->mutants[i].verdicts[k].reused ? 1 : 0;
    }
  }
}

/* A mutant and by how many test cases it was run. */
typedef struct looked_at {
  size_t mutant, tests;
} looked_at;

static int compare_looks(const void *a, const void *b) {
  const looked_at *x = a, *y = b;
  return x->tests != y->tests ? (x->tests < y->tests ? 1 : -1) : (x->mutant > y->mutant) - (x->mutant < y->mutant);
}

static bool is_unrevealed(const db_mutant *m, mutant_status status) {
  (void)status;
  return mutation_is_revealed(m) == REVEALED_NO;
}

static bool has_status(const db_mutant *m, mutant_status status) { return m->status == status; }

static size_t *order_of(const view *v, const mutation *m, bool (*wanted)(const db_mutant *, mutant_status),
                        mutant_status status, size_t *found) {
  scoped looked_at *list = mem_calloc(v->mutant_count, sizeof *list);
  *found = 0;
  for (size_t i = 0; i < v->mutant_count; i++)
    if (m->selected[i] && wanted(&v->mutants[i], status))
      list[(*found)++] = (looked_at){i, mutation_tests(&v->mutants[i])};
  if (*found > 0) qsort(list, *found, sizeof *list, compare_looks);
  size_t *order = mem_calloc(*found, sizeof *order);
  for (size_t i = 0; i < *found; i++) order[i] = list[i].mutant;
  return order;
}

size_t *mutation_order(const view *v, const mutation *m, mutant_status status, size_t *found) {
  return order_of(v, m, has_status, status, found);
}

size_t *mutation_unrevealed(const view *v, const mutation *m, size_t *found) {
  return order_of(v, m, is_unrevealed, MUTANT_KILLED, found);
}

/* --- how it was done ------------------------------------------------------------------------------------------ */

/* A sample of more than there are has them all. */
static bool has_sample(const view *v, const char *size) {
  const unsigned long most = strtoul(size, NULL, 10);
  unsigned long drawn = 0;
  for (size_t i = 0; i < v->mutant_count; i++) drawn += v->mutants[i].status != MUTANT_SUPPRESSED ? 1 : 0;
  return most > 0 && drawn >= most;
}

/* Whether the mutants are a sample (--sample) or a part (--shard) of those that there are: how many is not known. */
static bool is_drawn(const view *v) {
  scoped_buffer shard = {0}, sample = {0};
  mutation_setting(v, " shard ", " sample ", &shard);
  mutation_setting(v, " sample ", " seed ", &sample);
  const char *parts = strchr(buffer_text(&shard), '/');
  const bool part = parts != NULL && strtoul(parts + 1, NULL, 10) > v->run_count;
  return part || has_sample(v, buffer_text(&sample));
}

bool mutation_interval(const view *v, const mutation_counts *c, interval *out) {
  const bool endless = is_drawn(v);
  const unsigned long left = c->of[MUTANT_PENDING];
  if (c->total == 0 || (left == 0 && !endless)) return false;
  *out = interval_of(c->of[MUTANT_KILLED], c->total, endless ? 0 : c->total + left);
  return true;
}

void mutation_setting(const view *v, const char *from, const char *to, buffer *value) {
  const char *settings = v->settings == NULL ? "" : v->settings;
  for (const char *next = settings; (next = strstr(next, "\nruns ")) != NULL; next++) settings = next;
  const char *at = strstr(settings, from);
  at = at == NULL ? NULL : at + strlen(from);
  const char *end = at == NULL ? NULL : strstr(at, to);
  if (end != NULL) buffer_append(value, at, (size_t)(end - at));
}

void mutation_method(const view *v, buffer *to) {
  static const struct {
    const char *oracle, *words;
  } all[] = {{"exit", "revealed by the exit status"}, {"output", "revealed by the exit status or standard output"}};
  scoped_buffer runs = {0}, oracle = {0};
  mutation_setting(v, "\nruns ", " operators ", &runs);
  mutation_setting(v, " oracle ", " device ", &oracle);
  if (runs.length > 0) {
    buffer_printf(to,
                  "%s run%s of each mutant, 3 fillings of memory that nobody wrote; killed by the data that the "
                  "host reads back%s",
                  buffer_text(&runs), strcmp(buffer_text(&runs), "1") == 0 ? "" : "s",
                  oracle.length > 0 && strstr(buffer_text(&oracle), ",races") != NULL
                      ? ", or by a race that a checked replay shows"
                      : "");
  }
  for (size_t i = 0; i < sizeof all / sizeof all[0] && runs.length > 0; i++)
    if (oracle.length > 0 && strncmp(buffer_text(&oracle), all[i].oracle, strlen(all[i].oracle)) == 0)
      buffer_printf(to, ", %s", all[i].words);
}

/* --- test cases that add nothing ----------------------------------------------------------------------------- */

/* The kill matrix, test case by test case. */
typedef struct kills {
  size_t **mutants; /* of each test case: what it kills */
  size_t *counts, *capacities;
  size_t *left; /* of those: how many nothing chosen kills */
} kills;

static void read_kills(const view *v, const mutation *m, kills *k) {
  k->mutants = mem_calloc(v->test_case_count, sizeof *k->mutants);
  k->counts = mem_calloc(v->test_case_count, sizeof *k->counts);
  k->capacities = mem_calloc(v->test_case_count, sizeof *k->capacities);
  k->left = mem_calloc(v->test_case_count, sizeof *k->left);
  for (size_t i = 0; i < v->mutant_count; i++) {
    const db_mutant *mutant = &v->mutants[i];
    uint32_t full = full_runs(mutant);
    for (size_t n = 0; m->selected[i] && n < mutant->verdict_count; n++) {
      if (kills_in(mutant, &mutant->verdicts[n], full)) {
        uint32_t t = mutant->verdicts[n].test_case;
        *ARRAY_ADD(k->mutants[t], k->counts[t], k->capacities[t]) = i;
        k->left[t]++;
      }
    }
  }
}

static void free_kills(const view *v, kills *k) {
  mem_free_all(k->mutants, v->test_case_count);
  free(k->counts);
  free(k->capacities);
  free(k->left);
}

/* Takes a test case: what it kills need not be killed by others any more. */
static void take_test_case(const view *v, kills *k, size_t test_case, bool *killed) {
  for (size_t i = 0; i < k->counts[test_case]; i++) {
    size_t index = k->mutants[test_case][i];
    const db_mutant *m = &v->mutants[index];
    uint32_t full = full_runs(m);
    for (size_t n = 0; !killed[index] && n < m->verdict_count; n++)
      if (kills_in(m, &m->verdicts[n], full)) k->left[m->verdicts[n].test_case]--;
    killed[index] = true;
  }
}

/* Marks the test cases that mutants were run against: what reaches none, such as a test of the host, is not judged. */
static void mark_judged(const view *v, const mutation *m, bool *judged) {
  for (size_t i = 0; i < v->mutant_count; i++)
    for (size_t n = 0; m->selected[i] && n < v->mutants[i].verdict_count; n++)
      judged[v->mutants[i].verdicts[n].test_case] = true;
}

bool *mutation_superfluous(const view *v, const mutation *m) {
  if (v->test_case_count < 2 || m->all.of[MUTANT_KILLED] == 0 || m->all.of[MUTANT_PENDING] > 0) return NULL;
  kills k = {0};
  read_kills(v, m, &k);
  bool *superfluous = mem_calloc(v->test_case_count, sizeof *superfluous);
  scoped bool *killed = mem_calloc(v->mutant_count, sizeof *killed);
  mark_judged(v, m, superfluous);
  for (;;) {
    size_t best = 0;
    for (size_t t = 1; t < v->test_case_count; t++) best = k.left[t] > k.left[best] ? t : best;
    if (k.left[best] == 0) break;
    superfluous[best] = false;
    take_test_case(v, &k, best, killed);
  }
  free_kills(v, &k);
  return superfluous;
}

/* --- words --------------------------------------------------------------------------------------------------- */

void mutation_test_name(const view_test_case *t, buffer *to) {
  buffer_printf(to, "%s%s%s", t->suite, t->suite[0] == '\0' ? "" : "/", t->name);
}

static void quote(buffer *to, const char *s) {
  scoped_buffer clean = {0};
  utf8_line(&clean, s, strlen(s));
  utf8_shorten(to, buffer_text(&clean), ORIGINAL_WIDTH);
}

void mutation_describe(const db_mutant *m, buffer *to) {
  if (m->description != NULL) {
    buffer_puts(to, m->description);
    return;
  }
  quote(to, m->original);
  if (m->replacement[0] == '\0') {
    buffer_puts(to, " deleted");
  } else {
    buffer_puts(to, " becomes ");
    quote(to, m->replacement);
  }
}

static const mutant_verdict *telling_verdict(const db_mutant *m) {
  const mutant_verdict *best = NULL;
  uint32_t full = full_runs(m);
  EACH(const mutant_verdict, verdict, m->verdicts, m->verdict_count) {
    if (view_differed(verdict) == 0) continue;
    if (kills_in(m, verdict, full)) return verdict;
    best = best == NULL || view_differed(verdict) > view_differed(best) ? verdict : best;
  }
  return best;
}

void mutation_explain(const view *v, const db_mutant *m, buffer *to) {
  const mutant_verdict *verdict = telling_verdict(m);
  if (verdict == NULL) return;
  char unwritten[80];
  (void)snprintf(unwritten, sizeof unwritten, "it reads memory that nobody wrote (line %u), and differed in",
                 (unsigned)m->line);
  const struct {
    const char *words;
    uint32_t runs;
  } parts[] = {{"the output differed in", verdict->output},
               {"it crashed in", verdict->crash},
               {"it ran out of time in", verdict->timeout},
               {"it wrote outside of a buffer in", verdict->outside},
               {unwritten, verdict->unwritten}};
  if (verdict->race > 0) {
    buffer_puts(to, "a checked replay of ");
    mutation_test_name(&v->test_cases[verdict->test_case], to);
    buffer_puts(to, " shows a race or divergence that the original does not have");
    return;
  }
  const char *before = "";
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    if (parts[i].runs > 0) {
      buffer_printf(to, "%s%s %u", before, parts[i].words, parts[i].runs);
      before = ", ";
    }
  }
  const char *what = verdict->replayed >= verdict->runs ? "replay" : "run"; /* of which there may be more than --runs */
  buffer_printf(to, " of %u %s%s of ", verdict->runs, what, verdict->runs == 1 ? "" : "s");
  mutation_test_name(&v->test_cases[verdict->test_case], to);
}
