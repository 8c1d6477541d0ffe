/* Figures of mutants, and of code: lines, decisions, what is missed. */
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

/* MC/DC: which conditions of a decision were shown to matter, and what is missing for the others. */

/* The conditions of a way: "TF-" of "TF- F". */
static size_t width_of(const model_outcome *way) { return strcspn(way->label, " "); }

static bool is_way(const model_outcome *o) {
  size_t width = width_of(o);
  return o->index >= OUTCOME_PATH && width > 0 && width < OUTCOME_PATH && o->label[width] == ' ';
}

static bool value_of(const model_outcome *way) { return way->label[width_of(way) + 1] == 'T'; }

/* Does the first way see the condition true, the second false, with another outcome and nothing else different? */
static bool shows(const model_outcome *yes, const model_outcome *no, size_t condition) {
  size_t width = width_of(yes);
  if (width != width_of(no) || condition >= width || yes->label[condition] != 'T' || no->label[condition] != 'F' ||
      value_of(yes) == value_of(no))
    return false;
  for (size_t i = 0; i < width; i++) {
    const char a = yes->label[i], b = no->label[i];
    if (i != condition && a != b && a != '-' && b != '-') return false;
  }
  return true;
}

static unsigned taken(const model_outcome *way) { return way->tests > 0 ? 1 : 0; }

static void read_condition(const model_site *s, size_t number, mcdc_condition *c) {
  for (size_t i = 0; i < s->outcome_count; i++) {
    const model_outcome *way = &s->outcomes[i];
    if (!is_way(way) || number >= width_of(way)) continue;
    uint32_t *seen = way->label[number] == 'T' ? &c->seen_true : &c->seen_false;
    if (way->label[number] != '-' && way->tests > *seen) *seen = way->tests;
    for (size_t k = 0; k < s->outcome_count; k++)
      if (is_way(&s->outcomes[k]) && shows(way, &s->outcomes[k], number)) {
        /* Keeps the pair if more of it was taken than of the one before. */
        if (c->pair[0] == NULL || taken(way) + taken(&s->outcomes[k]) > taken(c->pair[0]) + taken(c->pair[1])) {
          c->pair[0] = way;
          c->pair[1] = &s->outcomes[k];
          c->shown = way->tests > 0 && s->outcomes[k].tests > 0;
        }
      }
  }
}

void mcdc_read(const model_site *decision, mcdc *out) {
  *out = (mcdc){0};
  for (size_t i = 0; decision->kind == SITE_DECISION && i < decision->outcome_count; i++) {
    const model_outcome *o = &decision->outcomes[i];
    size_t needed = o->index < OUTCOME_PATH ? o->index + 1 : is_way(o) ? width_of(o) : 0;
    out->count = needed > out->count ? needed : out->count;
  }
  for (size_t i = 0; i < out->count; i++) {
    out->conditions[i] = (mcdc_condition){.text = "", .line = decision->line};
    read_condition(decision, i, &out->conditions[i]);
    out->shown += out->conditions[i].shown ? 1 : 0;
  }
  for (size_t i = 0; i < decision->outcome_count && out->count > 0; i++) {
    const model_outcome *o = &decision->outcomes[i];
    if (o->index < OUTCOME_PATH) {
      out->conditions[o->index].text = o->label;
      out->conditions[o->index].line = o->line;
    }
  }
}

bool mcdc_too_large(const model_site *s) { return s->kind == SITE_DECISION && s->outcome_count == 0; }

static void describe_way(const mcdc *m, const model_outcome *way, buffer *to) {
  const char *before = "";
  for (size_t i = 0; i < width_of(way); i++) {
    if (way->label[i] != '-') {
      buffer_printf(to, "%s`%s` %s", before, m->conditions[i].text, way->label[i] == 'T' ? "true" : "false");
      before = ", ";
    }
  }
}

void mcdc_needs(const mcdc *m, const mcdc_condition *condition, buffer *to) {
  const char *before = "needs ";
  if (condition->pair[0] == NULL) {
    buffer_puts(to, "no two ways are known that would show it");
    return;
  }
  for (size_t i = 0; i < 2; i++) {
    if (condition->pair[i]->tests == 0) {
      buffer_puts(to, before);
      describe_way(m, condition->pair[i], to);
      before = "; and ";
    }
  }
}

/* Lines of a file, from lines with code and from branches. */

bool line_table_branch(const model_site *s, uint32_t file, const bool *reported, bool everything) {
  return s->file == file && s->line > 0 &&
         (s->kind == SITE_IF || s->kind == SITE_CONDITIONAL || s->kind == SITE_SWITCH) &&
         report_has(reported, everything, s->function);
}

uint32_t most_tests(const model_site *s) {
  uint32_t most = 0;
  for (size_t i = 0; i < s->outcome_count; i++) most = s->outcomes[i].tests > most ? s->outcomes[i].tests : most;
  return most;
}

static int compare_lines(const void *a, const void *b) {
  const table_line *x = a, *y = b;
  return (x->line > y->line) - (x->line < y->line);
}

static void add_line(line_table *t, size_t *capacity, table_line line) {
  *ARRAY_ADD(t->lines, t->count, *capacity) = line;
}

static table_line branch_line(const model_site *s) {
  table_line l = {.line = s->line, .tests = most_tests(s), .function = s->function};
  l.outcomes = (uint32_t)s->outcome_count;
  for (size_t i = 0; i < s->outcome_count; i++) l.taken += s->outcomes[i].tests > 0 ? 1 : 0;
  return l;
}

/* Makes entries of one line one. */
static void unite(line_table *t) {
  size_t kept = 0;
  qsort(t->lines, t->count, sizeof *t->lines, compare_lines);
  for (size_t i = 1; i < t->count; i++) {
    table_line *to = &t->lines[kept];
    const table_line *l = &t->lines[i];
    if (l->line != to->line) {
      t->lines[++kept] = *l;
      continue;
    }
    to->tests = l->tests > to->tests ? l->tests : to->tests;
    to->function = to->function == MODEL_NONE || l->function < to->function ? l->function : to->function;
    to->outcomes += l->outcomes;
    to->taken += l->taken;
  }
  t->count = kept + 1;
}

line_table line_table_of(const view *v, uint32_t file, const bool *reported, bool everything) {
  line_table t = {0};
  size_t capacity = 0;
  EACH(const view_line, l, v->lines, v->line_count) {
    if (l->file == file && l->line > 0 && report_has(reported, everything, l->function))
      add_line(&t, &capacity, (table_line){.line = l->line, .tests = l->tests, .function = l->function});
  }
  for (size_t i = 0; i < v->site_count; i++)
    if (line_table_branch(&v->sites[i], file, reported, everything)) add_line(&t, &capacity, branch_line(&v->sites[i]));
  if (t.count > 0) unite(&t);
  return t;
}

table_line *line_table_find(const line_table *t, uint32_t line) {
  const table_line key = {.line = line};
  return t->count == 0 ? NULL : bsearch(&key, t->lines, t->count, sizeof key, compare_lines);
}

/* name on the command line, member of coverage, what it says. */
#define METRICS(X)                                                                                \
  X("kernel", kernel, "kernels that were launched")                                               \
  X("function", function, "functions that some work-item entered")                                \
  X("line", line, "lines that some work-item executed")                                           \
  X("branch", branch, "outcomes of if, switch and ?: that were taken")                            \
  X("if", branch_if, "outcomes of if alone")                                                      \
  X("switch", branch_switch, "cases of switch alone")                                             \
  X("conditional", branch_conditional, "outcomes of ?: alone")                                    \
  X("condition", condition, "conditions seen true, and seen false")                               \
  X("mcdc", mcdc, "conditions of && and || that were shown to matter alone (MC/DC)")              \
  X("loop-zero", loop_zero, "loops whose body was executed 0 times")                              \
  X("loop-one", loop_one, "loops whose body was executed exactly once")                           \
  X("loop-many", loop_many, "loops whose body was executed more than once")                       \
  X("loop-boundary", loop_boundary, "loops that their own condition ended")                       \
  X("barrier", barrier, "barriers that every work-item of some work-group executed")              \
  X("mutation", mutation, "mutants that the tests kill, of those that count: the mutation score") \
  X("revealed", revealed, "mutants that make the program fail, of those that count")              \
  X("verified", verified, "kernels that are proved free of races and divergence")

bool metric_of_mutants(const char *name) { return strcmp(name, "mutation") == 0 || strcmp(name, "revealed") == 0; }

bool metric_of_proofs(const char *name) { return strcmp(name, "verified") == 0; }

const char *metric_noun(const char *name) {
  return metric_of_mutants(name) ? "score" : metric_of_proofs(name) ? "share" : "coverage";
}

/* The four loop cases together; not a member. */
#define LOOP "loop"

const coverage_metric coverage_metrics[] = {
#define ROW(name, member, summary) {name, summary},
    METRICS(ROW)
#undef ROW
        {LOOP, "the four loop cases together"},
    {NULL, NULL},
};

static const size_t metric_members[] = {
#define ROW(name, member, summary) offsetof(coverage, member),
    METRICS(ROW)
#undef ROW
};

static const size_t loop_members[] = {
    [OUTCOME_ZERO] = offsetof(coverage, loop_zero),
    [OUTCOME_ONE] = offsetof(coverage, loop_one),
    [OUTCOME_MANY] = offsetof(coverage, loop_many),
    [OUTCOME_BOUNDARY] = offsetof(coverage, loop_boundary),
};

/* Where the outcomes of a kind of site count: up to two members of coverage; `loop`: by the outcome. Functions count by
 * function, regions by line and decisions by condition, not here. */
#define NOWHERE ((size_t)-1)
static const struct {
  size_t members[2];
  bool loop;
} kinds[SITE_KIND_COUNT] = {
    [SITE_FUNCTION] = {{NOWHERE, NOWHERE}, false},
    [SITE_IF] = {{offsetof(coverage, branch), offsetof(coverage, branch_if)}, false},
    [SITE_CONDITIONAL] = {{offsetof(coverage, branch), offsetof(coverage, branch_conditional)}, false},
    [SITE_SWITCH] = {{offsetof(coverage, branch), offsetof(coverage, branch_switch)}, false},
    [SITE_FOR] = {{NOWHERE, NOWHERE}, true},
    [SITE_WHILE] = {{NOWHERE, NOWHERE}, true},
    [SITE_DO] = {{NOWHERE, NOWHERE}, true},
    [SITE_BARRIER] = {{offsetof(coverage, barrier), NOWHERE}, false},
    [SITE_REGION] = {{NOWHERE, NOWHERE}, false},
    [SITE_CONDITION] = {{offsetof(coverage, condition), NOWHERE}, false},
    [SITE_ASYNC] = {{NOWHERE, NOWHERE}, false},
    [SITE_DECISION] = {{NOWHERE, NOWHERE}, false},
};

static void coverage_add(ratio *r, bool covered) {
  r->total++;
  r->covered += covered ? 1 : 0;
}

static void add_at(coverage *c, size_t member, bool covered) {
  if (member != NOWHERE) coverage_add((ratio *)((char *)c + member), covered);
}

static void add_site(coverage *c, const model_site *s) {
  if (s->kind == SITE_DECISION) {
    mcdc m;
    mcdc_read(s, &m);
    c->mcdc.covered += m.shown;
    c->mcdc.total += m.count;
    return;
  }
  for (size_t i = 0; i < s->outcome_count; i++) {
    bool covered = s->outcomes[i].tests > 0;
    add_at(c, kinds[s->kind].members[0], covered);
    add_at(c, kinds[s->kind].members[1], covered);
    if (kinds[s->kind].loop && s->outcomes[i].index <= OUTCOME_BOUNDARY)
      add_at(c, loop_members[s->outcomes[i].index], covered);
  }
}

static bool site_covered(const model_site *s) {
  for (size_t i = 0; i < s->outcome_count; i++)
    if (s->outcomes[i].tests > 0) return true;
  return false;
}

/* Where something of a file counts: in the one total, or in its file's. */
static coverage *counted_in(coverage *out, bool by_file, uint32_t file) { return by_file ? &out[file] : out; }

static void count_all(const view *v, const report_options *options, bool by_file, coverage *out) {
  bool *reported = report_functions(v, options), everything = report_everything(options);
  for (size_t i = 0; i < v->kernel_count; i++) {
    if (report_selects(options, v->kernels[i].name)) {
      coverage_add(&counted_in(out, by_file, v->functions[v->kernels[i].function].file)->kernel,
                   v->kernels[i].launches > 0);
    }
  }
  for (size_t i = 0; i < v->function_count; i++) {
    uint32_t site = v->functions[i].site;
    if (reported[i]) {
      coverage_add(&counted_in(out, by_file, v->functions[i].file)->function,
                   site != MODEL_NONE && site_covered(&v->sites[site]));
    }
  }
  for (size_t i = 0; i < v->site_count; i++)
    if (report_has(reported, everything, v->sites[i].function))
      add_site(counted_in(out, by_file, v->sites[i].file), &v->sites[i]);
  for (size_t i = 0; i < v->line_count; i++)
    if (report_has(reported, everything, v->lines[i].function))
      coverage_add(&counted_in(out, by_file, v->lines[i].file)->line, v->lines[i].tests > 0);
  free(reported);
}

void coverage_total(const view *v, const report_options *options, coverage *out) {
  *out = (coverage){0};
  count_all(v, options, false, out);
  mutation mutants;
  mutation_totals(v, options, &mutants);
  out->mutation = mutation_score(&mutants.all);
  out->revealed = mutation_revealed(&mutants.all);
  mutation_free(&mutants);
  verification proofs;
  verification_totals(v, options, &proofs);
  out->verified = (ratio){proofs.of[PROOF_VERIFIED], proofs.kernels};
}

void coverage_by_file(const view *v, const report_options *options, coverage *out) {
  memset(out, 0, v->file_count * sizeof *out);
  count_all(v, options, true, out);
  mutation mutants;
  mutation_totals(v, options, &mutants);
  for (size_t i = 0; i < v->mutant_count; i++) {
    ratio *score = &out[v->mutants[i].file].mutation;
    bool counted = mutants.selected[i] && mutation_counts_status(v->mutants[i].status);
    score->total += counted ? 1 : 0;
    score->covered += counted && v->mutants[i].status == MUTANT_KILLED ? 1 : 0;
  }
  mutation_free(&mutants);
}

/* The kernel's own copy of a site of the view. */
static const model_site *own_site(const view_kernel *k, const model_site *site) {
  EACH(const model_site, s, k->sites, k->site_count) {
    if (s->kind == site->kind && s->file == site->file && s->offset == site->offset) return s;
  }
  return NULL;
}

void coverage_kernel(const view *v, const view_kernel *k, coverage *out) {
  *out = (coverage){0};
  coverage_add(&out->kernel, k->launches > 0);
  for (size_t i = 0; i < k->function_count; i++) {
    uint32_t site = v->functions[k->functions[i]].site;
    const model_site *own = site == MODEL_NONE ? NULL : own_site(k, &v->sites[site]);
    coverage_add(&out->function, own != NULL && site_covered(own));
  }
  for (size_t i = 0; i < k->site_count; i++) add_site(out, &k->sites[i]);
  for (size_t i = 0; i < k->line_count; i++) coverage_add(&out->line, k->lines[i].tests > 0);
}

int coverage_get(const coverage *c, const char *metric, ratio *out) {
  *out = (ratio){0};
  for (size_t i = 0; i < sizeof metric_members / sizeof metric_members[0]; i++) {
    if (strcmp(coverage_metrics[i].name, metric) == 0) {
      *out = *(const ratio *)((const char *)c + metric_members[i]);
      return 0;
    }
  }
  if (strcmp(metric, LOOP) != 0) return -1;
  for (size_t i = 0; i < sizeof loop_members / sizeof loop_members[0]; i++) {
    const ratio *r = (const ratio *)((const char *)c + loop_members[i]);
    out->covered += r->covered;
    out->total += r->total;
  }
  return 0;
}

unsigned ratio_thousandths(const ratio *r) {
  unsigned thousandths = (unsigned)(((unsigned long long)r->covered * 1000 + r->total / 2) / r->total);
  if (thousandths == 1000 && r->covered < r->total) return 999;
  return thousandths == 0 && r->covered > 0 ? 1 : thousandths;
}
