/* Figures of code: conditions, lines, metrics with what is covered of them. */
#include "reports/common/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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

const view_line *coverage_line(const view *v, uint32_t file, uint32_t line) {
  for (size_t low = 0, high = v->line_count; low < high;) {
    const size_t middle = low + (high - low) / 2;
    const view_line *l = &v->lines[middle];
    if (l->file == file && l->line == line) return l;
    if (l->file < file || (l->file == file && l->line < line))
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
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
