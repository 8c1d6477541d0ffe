/* The metrics: what counts where (docs/coverage.md), as tables. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "reports/common/mcdc.h"
#include "reports/common/mutation.h"
#include "reports/common/verification.h"
#include "reports/common/writers.h"

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

static void add(ratio *r, bool covered) {
  r->total++;
  r->covered += covered ? 1 : 0;
}

static void add_at(coverage *c, size_t member, bool covered) {
  if (member != NOWHERE) {
    add((ratio *)((char *)c + member), covered);
  }
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
    if (kinds[s->kind].loop && s->outcomes[i].index <= OUTCOME_BOUNDARY) {
      add_at(c, loop_members[s->outcomes[i].index], covered);
    }
  }
}

static bool site_covered(const model_site *s) {
  for (size_t i = 0; i < s->outcome_count; i++) {
    if (s->outcomes[i].tests > 0) {
      return true;
    }
  }
  return false;
}

/* Where something of a file counts: in the one total, or in its file's. */
static coverage *counted_in(coverage *out, bool by_file, uint32_t file) { return by_file ? &out[file] : out; }

static void count_all(const view *v, const report_options *options, bool by_file, coverage *out) {
  bool *reported = report_functions(v, options);
  bool everything = report_everything(options);
  for (size_t i = 0; i < v->kernel_count; i++) {
    if (report_selects(options, v->kernels[i].name)) {
      add(&counted_in(out, by_file, v->functions[v->kernels[i].function].file)->kernel, v->kernels[i].launches > 0);
    }
  }
  for (size_t i = 0; i < v->function_count; i++) {
    uint32_t site = v->functions[i].site;
    if (reported[i]) {
      add(&counted_in(out, by_file, v->functions[i].file)->function,
          site != MODEL_NONE && site_covered(&v->sites[site]));
    }
  }
  for (size_t i = 0; i < v->site_count; i++) {
    if (report_has(reported, everything, v->sites[i].function)) {
      add_site(counted_in(out, by_file, v->sites[i].file), &v->sites[i]);
    }
  }
  for (size_t i = 0; i < v->line_count; i++) {
    if (report_has(reported, everything, v->lines[i].function)) {
      add(&counted_in(out, by_file, v->lines[i].file)->line, v->lines[i].tests > 0);
    }
  }
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
    bool counts = mutants.selected[i] && mutation_counts_status(v->mutants[i].status);
    score->total += counts ? 1 : 0;
    score->covered += counts && v->mutants[i].status == MUTANT_KILLED ? 1 : 0;
  }
  mutation_free(&mutants);
}

/* The kernel's own copy of a site of the view. */
static const model_site *own_site(const view_kernel *k, const model_site *site) {
  for (size_t i = 0; i < k->site_count; i++) {
    const model_site *s = &k->sites[i];
    if (s->kind == site->kind && s->file == site->file && s->offset == site->offset) {
      return s;
    }
  }
  return NULL;
}

void coverage_kernel(const view *v, const view_kernel *k, coverage *out) {
  *out = (coverage){0};
  add(&out->kernel, k->launches > 0);
  for (size_t i = 0; i < k->function_count; i++) {
    uint32_t site = v->functions[k->functions[i]].site;
    const model_site *own = site == MODEL_NONE ? NULL : own_site(k, &v->sites[site]);
    add(&out->function, own != NULL && site_covered(own));
  }
  for (size_t i = 0; i < k->site_count; i++) {
    add_site(out, &k->sites[i]);
  }
  for (size_t i = 0; i < k->line_count; i++) {
    add(&out->line, k->lines[i].tests > 0);
  }
}

int coverage_get(const coverage *c, const char *metric, ratio *out) {
  *out = (ratio){0};
  for (size_t i = 0; i < sizeof metric_members / sizeof metric_members[0]; i++) {
    if (strcmp(coverage_metrics[i].name, metric) == 0) {
      *out = *(const ratio *)((const char *)c + metric_members[i]);
      return 0;
    }
  }
  if (strcmp(metric, LOOP) != 0) {
    return -1;
  }
  for (size_t i = 0; i < sizeof loop_members / sizeof loop_members[0]; i++) {
    const ratio *r = (const ratio *)((const char *)c + loop_members[i]);
    out->covered += r->covered;
    out->total += r->total;
  }
  return 0;
}

unsigned ratio_thousandths(const ratio *r) {
  unsigned thousandths = (unsigned)(((unsigned long long)r->covered * 1000 + r->total / 2) / r->total);
  if (thousandths == 1000 && r->covered < r->total) {
    return 999;
  }
  return thousandths == 0 && r->covered > 0 ? 1 : thousandths;
}
