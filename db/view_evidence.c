/* Counting evidence: by how many test cases each outcome and line was covered, in all and by each kernel alone. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "db/view_build.h"

/* --- room for counting -------------------------------------------------------------------------------------- */

static void start_kernel(build *b, build_kernel *k) {
  size_t outcomes = 0;
  k->first = mem_calloc(k->site_count, sizeof *k->first);
  for (size_t i = 0; i < k->site_count; i++) {
    k->first[i] = outcomes;
    outcomes += b->v->sites[k->sites[i]].outcome_count;
  }
  k->outcomes = mem_calloc(outcomes, sizeof *k->outcomes);
  k->line_counters = mem_calloc(k->line_count, sizeof *k->line_counters);
}

/* Marks the outcomes that the kernel's own programs have. */
static void list_outcomes(build *b, const build_launcher *launcher) {
  const build_program *p = &b->programs[launcher->program];
  build_kernel *k = &b->kernels[launcher->kernel];
  for (size_t s = 0; s < p->m.site_count; s++) {
    for (uint32_t o = p->first[s]; launcher->sites[s] != MODEL_NONE && o < p->first[s + 1]; o++) {
      k->outcomes[k->first[launcher->sites[s]] + p->positions[o]].listed = true;
    }
  }
}

static int compare_launchers(const void *a, const void *b) {
  const build_launcher *x = a;
  const build_launcher *y = b;
  return (x->id > y->id) - (x->id < y->id);
}

void build_start_counting(build *b) {
  const view *v = b->v;
  size_t outcomes = 0;
  b->first = mem_calloc(v->site_count, sizeof *b->first);
  for (size_t i = 0; i < v->site_count; i++) {
    b->first[i] = outcomes;
    outcomes += v->sites[i].outcome_count;
  }
  b->outcomes = mem_calloc(outcomes, sizeof *b->outcomes);
  b->line_counters = mem_calloc(v->line_count, sizeof *b->line_counters);
  for (size_t i = 0; i < v->kernel_count; i++) {
    start_kernel(b, &b->kernels[i]);
  }
  if (b->launcher_count > 0) {
    qsort(b->launchers, b->launcher_count, sizeof *b->launchers, compare_launchers);
  }
  for (size_t i = 0; i < b->launcher_count; i++) {
    list_outcomes(b, &b->launchers[i]);
  }
}

/* --- counting ----------------------------------------------------------------------------------------------- */

/* Whether it is the first time in this test case. */
static bool count(const build *b, counter *c) {
  const bool first = c->last != b->test_case;
  c->first = c->tests == 0 ? b->test_case - 1 : c->first;
  c->tests += first ? 1 : 0;
  c->last = b->test_case;
  return first;
}

/* The same of a line. Test cases come in order, so it goes from one set to that with one more; there are few sets. */
static bool count_line(build *b, line_counter *c) {
  if (!count(b, &c->count)) {
    return false;
  }
  view *v = b->v;
  const view_test_set next = {c->set == 0 ? MODEL_NONE : c->set - 1, b->test_case - 1};
  uint32_t found = index_find_or_add(&b->sets, (index_key){{c->set, next.last, 0, 0}}, (uint32_t)v->set_count);
  if (found == v->set_count) {
    *ARRAY_ADD(v->sets, v->set_count, b->set_capacity) = next;
  }
  c->set = found + 1;
  return true;
}

static bool is_branch(site_kind kind) { return kind == SITE_IF || kind == SITE_CONDITIONAL || kind == SITE_SWITCH; }

build_launcher *build_find_launcher(const build *b, int64_t id) {
  const build_launcher key = {.id = id};
  return b->launcher_count == 0
             ? NULL
             : bsearch(&key, b->launchers, b->launcher_count, sizeof *b->launchers, compare_launchers);
}

/* Ids of a program's sites follow each other. */
uint32_t build_find_site(const build_program *p, int64_t id) {
  if (p->m.site_count == 0 || id < p->ids.sites[0] || id - p->ids.sites[0] >= (int64_t)p->m.site_count) {
    return MODEL_NONE;
  }
  return (uint32_t)(id - p->ids.sites[0]);
}

uint32_t build_find_outcome(const model_site *s, uint32_t number) {
  if (number < s->outcome_count && s->outcomes[number].index == number) {
    return number;
  }
  for (uint32_t k = 0; k < s->outcome_count; k++) {
    if (s->outcomes[k].index == number) {
      return k;
    }
  }
  return MODEL_NONE;
}

/* One piece of evidence. What the site does not list (OUTCOME_DIVERGED, say) is nothing to cover. */
static void count_outcome(build *b, const build_launcher *launcher, int64_t site_id, uint32_t number) {
  const build_program *p = &b->programs[launcher->program];
  build_kernel *k = &b->kernels[launcher->kernel];
  uint32_t site = build_find_site(p, site_id);
  uint32_t outcome = site == MODEL_NONE ? MODEL_NONE : build_find_outcome(&p->m.sites[site], number);
  if (outcome == MODEL_NONE) {
    return;
  }
  b->v->covers = true;
  uint32_t flat = p->first[site] + outcome;
  view_test_case *test_case = &b->v->test_cases[b->test_case - 1];
  if (count(b, &b->outcomes[b->first[p->sites[site]] + p->positions[flat]]) && is_branch(p->m.sites[site].kind)) {
    test_case->branches++;
  }
  if (launcher->sites[site] != MODEL_NONE) {
    (void)count(b, &k->outcomes[k->first[launcher->sites[site]] + p->positions[flat]]);
  }
  for (uint32_t i = p->first_line[flat]; i < p->first_line[flat + 1]; i++) {
    uint32_t line = p->lines_of[i];
    if (launcher->lines[line] != MODEL_NONE) { /* else the site stands in a macro, and the line in another use of it */
      test_case->lines += count_line(b, &b->line_counters[p->lines[line]]) ? 1 : 0;
      (void)count(b, &k->line_counters[launcher->lines[line]]);
    }
  }
}

/* Launches of a kernel in an execution of a test case. Its executions in several runs are the same one again: the most
 * count. */
static void count_launches(build *b, uint32_t kernel, int64_t execution, uint64_t launches) {
  build_kernel *k = &b->kernels[kernel];
  if (k->execution != execution) {
    k->execution = execution;
    k->launches = 0;
  }
  if (k->test_case != b->test_case) {
    k->test_case = b->test_case;
    k->most_launches = 0;
  }
  k->launches += launches;
  if (k->launches > k->most_launches) {
    uint64_t more = k->launches - k->most_launches;
    b->v->kernels[kernel].launches += more;
    b->v->test_cases[b->test_case - 1].launches += more;
    k->most_launches = k->launches;
  }
  (void)count(b, &k->launched);
}

int build_count_test_case(build *b, const build_test_case *test_case, error *e) {
  b->test_case = test_case->index + 1;
  int step = 0;
  sqlite3_stmt *row = sql_rows(b->d, SQL_LAUNCHES, &step, e, "i", test_case->id);
  for (; step == 1; step = sql_step(b->d, row, e)) {
    const build_launcher *launcher = build_find_launcher(b, sqlite3_column_int64(row, 0));
    if (launcher != NULL) {
      count_launches(b, launcher->kernel, test_case->id, (uint64_t)sqlite3_column_int64(row, 1));
    }
  }
  row = step != 0 ? NULL : sql_bind(b->d, SQL_EVIDENCE, e, "i", test_case->id);
  step = row == NULL ? -1 : sql_step(b->d, row, e);
  const build_launcher *launcher = NULL;
  for (; step == 1; step = sql_step(b->d, row, e)) {
    int64_t kernel = sqlite3_column_int64(row, 0);
    if (launcher == NULL || launcher->id != kernel) {
      launcher = build_find_launcher(b, kernel);
    }
    if (launcher != NULL) {
      count_outcome(b, launcher, sqlite3_column_int64(row, 1), sql_u32(row, 2));
    }
  }
  return step;
}

/* --- into the view ------------------------------------------------------------------------------------------ */

static bool ascending(const model_site *s) {
  for (size_t i = 1; i < s->outcome_count; i++) {
    if (s->outcomes[i].index <= s->outcomes[i - 1].index) {
      return false;
    }
  }
  return true;
}

static bool goes_before(const model_outcome *a, const model_outcome *b) {
  bool a_default = strcmp(a->label, "default") == 0;
  bool b_default = strcmp(b->label, "default") == 0;
  return a_default != b_default ? b_default : a->line < b->line;
}

/* Cases of several programs together get numbers of their own: in order of line, default last. */
static void renumber(model_site *s) {
  if (s->kind != SITE_SWITCH || ascending(s)) {
    return;
  }
  for (size_t i = 0; i < s->outcome_count; i++) {
    uint32_t before = 0;
    for (size_t k = 0; k < s->outcome_count; k++) {
      const model_outcome *mine = &s->outcomes[i];
      const model_outcome *other = &s->outcomes[k];
      before += goes_before(other, mine) || (k < i && !goes_before(mine, other)) ? 1 : 0;
    }
    s->outcomes[i].index = before;
  }
}

/* A copy of the site with what the kernel alone did. */
static model_site kernel_site(const model_site *site, const counter *outcomes) {
  model_site copy = *site;
  copy.outcomes = mem_calloc(site->outcome_count, sizeof *copy.outcomes);
  copy.outcome_count = 0;
  for (size_t i = 0; i < site->outcome_count; i++) {
    if (outcomes[i].listed) {
      model_outcome *o = &copy.outcomes[copy.outcome_count++];
      *o = site->outcomes[i];
      o->label = mem_strdup(site->outcomes[i].label);
      o->tests = outcomes[i].tests;
      o->first = outcomes[i].first;
    }
  }
  return copy;
}

static void finish_kernel(const view *v, build_kernel *from, view_kernel *to) {
  to->tests = from->launched.tests;
  to->functions = from->functions;
  to->function_count = from->function_count;
  from->functions = NULL;
  to->sites = mem_calloc(from->site_count, sizeof *to->sites);
  to->site_count = from->site_count;
  for (size_t i = 0; i < from->site_count; i++) {
    to->sites[i] = kernel_site(&v->sites[from->sites[i]], &from->outcomes[from->first[i]]);
  }
  to->lines = mem_calloc(from->line_count, sizeof *to->lines);
  to->line_count = from->line_count;
  for (size_t i = 0; i < from->line_count; i++) {
    to->lines[i] = v->lines[from->lines[i]];
    to->lines[i].tests = from->line_counters[i].tests;
    to->lines[i].set = MODEL_NONE; /* of a kernel alone that is not asked */
  }
}

void build_finish(build *b) {
  view *v = b->v;
  for (size_t i = 0; i < v->site_count; i++) {
    renumber(&v->sites[i]);
  }
  for (size_t i = 0; i < v->kernel_count; i++) {
    finish_kernel(v, &b->kernels[i], &v->kernels[i]);
  }
  for (size_t i = 0; i < v->site_count; i++) {
    for (size_t k = 0; k < v->sites[i].outcome_count; k++) {
      v->sites[i].outcomes[k].tests = b->outcomes[b->first[i] + k].tests;
      v->sites[i].outcomes[k].first = b->outcomes[b->first[i] + k].first;
    }
  }
  for (size_t i = 0; i < v->line_count; i++) {
    v->lines[i].tests = b->line_counters[i].count.tests;
    v->lines[i].set = b->line_counters[i].set == 0 ? MODEL_NONE : b->line_counters[i].set - 1;
  }
}
