/* Which mutants take part, in which form, and how they are decided. */
#include <stdlib.h>
#include <string.h>

#include "base/home.h"
#include "base/memory.h"
#include "runner/campaign/launches.h"
#include "runner/campaign/reuse.h"

/* --- filters ------------------------------------------------------------------------------------------------------ */

static bool kernel_selected(const campaign_options *o, const char *name) {
  return kernel_chosen(&o->common.kernels, name);
}

static bool kernels_selected(const campaign_options *o, const model *of, const mutant *m) {
  bool any = o->common.kernels.wanted_count == 0 && m->kernel_count == 0;
  for (size_t k = 0; k < m->kernel_count; k++) {
    any = any || kernel_selected(o, of->kernels[m->kernels[k]].name);
  }
  return any;
}

/* Whether one path ends in the other, by whole names. */
static bool same_file(const char *a, const char *b) {
  size_t long_one = strlen(a);
  size_t short_one = strlen(b);
  if (long_one < short_one) {
    return same_file(b, a);
  }
  const char *tail = a + long_one - short_one;
  return strcmp(tail, b) == 0 && (tail == a || tail[-1] == '/');
}

static home_shown shown(const model *of, const mutant *m) {
  return home_show(&of->files[m->file], m->offset, m->end_offset, m->line, m->column, m->end_line);
}

static bool lines_selected(const campaign_options *o, const model *of, const mutant *m) {
  home_shown at = shown(of, m);
  for (size_t i = 0; i < o->line_count; i++) {
    const line_range *r = &o->lines[i];
    if (at.line <= r->last && at.end_line >= r->first && (r->file == NULL || same_file(at.name, r->file))) {
      return true;
    }
  }
  return o->lines == NULL;
}

bool campaign_selects(const campaign_options *o, const model *of, const mutant *m) {
  return (o->mutant == 0 || m->id == o->mutant) && o->operators[m->op] && kernels_selected(o, of, m) &&
         lines_selected(o, of, m);
}

static void choose(campaign *c) {
  const campaign_options *o = c->options;
  selection *all = NULL;
  size_t count = 0;
  size_t capacity = 0;
  c->queue.selected = true;
  campaign_take_launches(&c->programs);
  for (size_t p = 0; p < c->programs.count; p++) {
    campaign_program *q = c->programs.list[p];
    for (size_t m = 0; m < q->schema.mutant_count && q->reason == NULL; m++) {
      campaign_mutant *one = &q->mutants[m];
      one->chosen = campaign_selects(o, &q->schema.model, one->mutant);
      *ARRAY_ADD(all, count, capacity) = (selection){one->mutant->id, one->mutant->suppressed, &one->chosen};
    }
  }
  campaign_draw(o, all, count);
  for (size_t i = 0; i < count; i++) {
    c->out->mutants += *all[i].chosen ? 1 : 0;
  }
  c->progress.mutants = c->out->mutants;
  free(all);
}

/* --- decisions ---------------------------------------------------------------------------------------------------- */

bool campaign_reached(const campaign *c, size_t test, size_t program, uint32_t index) {
  const test_state *t = &c->tests[test];
  if (c->programs.list[program]->launches != NULL) {
    return launch_reached(&c->sites, test, c->programs.list[program], index);
  }
  if (program >= t->reached_count || t->reached[program] == NULL) {
    return false;
  }
  uint32_t place = c->programs.list[program]->schema.mutants[index].place;
  return (t->reached[program][MUTATE_WORD_REACHED + place / 32] >> (place % 32) & 1u) != 0;
}

/* A verdict for a person who watches. */
static void tell(experiment *x, const campaign_program *p, const mutant *m, mutant_status status) {
  home_shown at = shown(&p->schema.model, m);
  if (m->description != NULL) {
    experiment_note(x, "%s:%u:%u: %s %s: %s", at.name, (unsigned)at.line, (unsigned)at.column,
                    mutate_operators[m->op].name, m->description, mutant_status_name(status));
  } else {
    experiment_note(x, "%s:%u:%u: %s %s -> %s: %s", at.name, (unsigned)at.line, (unsigned)at.column,
                    mutate_operators[m->op].name, m->original, m->replacement[0] == '\0' ? "(deleted)" : m->replacement,
                    mutant_status_name(status));
  }
}

bool campaign_is_run(mutant_status status) {
  return status == MUTANT_KILLED || status == MUTANT_UNDECIDED || status == MUTANT_SURVIVED;
}

void campaign_count(campaign *c, campaign_mutant *m, mutant_status status) {
  c->progress.of[m->status] -= m->decided ? 1 : 0;
  m->decided = status != MUTANT_PENDING;
  m->status = status;
  c->progress.of[status] += m->decided ? 1 : 0;
  if (m->passed && m->decided && !campaign_is_run(status)) {
    m->passed = false;
    c->queue.passed--;
  }
}

int campaign_decide(campaign *c, campaign_program *p, uint32_t index, mutant_status status, const char *reason,
                    error *e) {
  campaign_mutant *m = &p->mutants[index];
  campaign_count(c, m, status);
  if (m->decided && c->options->verbose) {
    tell(&c->base, p, m->mutant, status);
  }
  int64_t original = status == MUTANT_DUPLICATE ? p->mutants[m->original].row : 0;
  return db_set_mutant(c->base.db, c->base.run, m->row, status, reason, original, e);
}

static bool reached_by_any(const campaign *c, size_t program, uint32_t index) {
  for (size_t t = 0; t < c->base.options->test_count; t++) {
    if (campaign_reached(c, t, program, index)) {
      return true;
    }
  }
  return false;
}

/* So many turns in the schema cost more than they would in a clone, about as much as building that costs. Few mutants
 * need more than their first runs: these are killed, or not worth a clone. */
static const double turns_of_a_build = 1 << 25;
enum { RUNS_OF_MOST = 4 };

static mutant_form cheaper_form(const campaign *c, const campaign_program *p, size_t program, uint32_t index) {
  const mutant *m = p->mutants[index].mutant;
  double turns = 0;
  for (size_t t = 0; t < c->base.options->test_count && !p->divided; t++) {
    for (size_t k = 0; k < m->kernel_count && campaign_reached(c, t, program, index); k++) {
      turns += campaign_turns(c, t, program, m->kernels[k]);
    }
  }
  const unsigned runs = c->base.options->runs < RUNS_OF_MOST ? c->base.options->runs : RUNS_OF_MOST;
  return turns * runs > turns_of_a_build * (double)m->kernel_count ? MUTANT_CLONED : MUTANT_SELECTED;
}

static int start_mutant(campaign *c, size_t program, uint32_t index, error *e) {
  campaign_program *p = c->programs.list[program];
  campaign_mutant *m = &p->mutants[index];
  mutant_status known = MUTANT_PENDING;
  m->reached = reached_by_any(c, program, index);
  if (db_get_mutant(c->base.db, c->base.run, m->row, &known, e) != 0) {
    return -1;
  }
  if (known != MUTANT_PENDING) { /* by a run that this one goes on with */
    campaign_count(c, m, known);
    return 0;
  }
  if (m->mutant->suppressed) {
    return campaign_decide(c, p, index, MUTANT_SUPPRESSED, "", e);
  }
  if (m->mutant->invalid) {
    return campaign_decide(c, p, index, MUTANT_INVALID, "", e);
  }
  if (!m->reached) { /* decided when its turn comes */
    return campaign_decide(c, p, index, MUTANT_PENDING, "", e);
  }
  if (p->cloned) {
    m->form = MUTANT_CLONED;
  } else if (m->form == MUTANT_SELECTED) {
    m->form = cheaper_form(c, p, program, index);
  }
  return campaign_decide(c, p, index, MUTANT_PENDING, "", e);
}

int campaign_select(campaign *c, error *e) {
  for (size_t t = 0; t < c->base.options->test_count; t++) {
    c->tests[t].inputs = case_inputs_read(c, t);
  }
  choose(c);
  for (size_t p = 0; p < c->programs.count; p++) {
    if (c->programs.list[p]->mutants != NULL && campaign_store_mutants(&c->base, c->programs.list[p], e) != 0) {
      return -1;
    }
    for (uint32_t m = 0; m < c->programs.list[p]->schema.mutant_count; m++) {
      if (mutant_at(&c->programs, p, m)->chosen && start_mutant(c, p, m, e) != 0) {
        return -1;
      }
    }
  }
  campaign_order(c);
  campaign_cut(c);
  campaign_expect(c);
  return 0;
}

/* Mutants that nothing is known of are undecided until a run that goes on has decided them. */
static int list_mutant(campaign *c, campaign_program *p, uint32_t index, error *e) {
  const bool suppressed = p->mutants[index].mutant->suppressed;
  return campaign_decide(c, p, index, suppressed ? MUTANT_SUPPRESSED : MUTANT_PENDING, "", e);
}

int campaign_list(campaign *c, error *e) {
  if (c->queue.selected || c->resumed || c->out->common.baseline_failed) {
    return 0;
  }
  choose(c);
  for (size_t p = 0; p < c->programs.count; p++) {
    if (c->programs.list[p]->mutants != NULL && campaign_store_mutants(&c->base, c->programs.list[p], e) != 0) {
      return -1;
    }
    for (uint32_t m = 0; m < c->programs.list[p]->schema.mutant_count; m++) {
      if (mutant_at(&c->programs, p, m)->chosen && list_mutant(c, c->programs.list[p], m, e) != 0) {
        return -1;
      }
    }
  }
  return 0;
}
