/* Equivalent and duplicate mutants: a compiler is asked what it makes of each; what is not known then is simply run.
 *
 * That takes longer than the first verdicts should, so mutants run before it is asked. What counts at the end is the
 * same in any order: of mutants with equal code the first in the source counts, and gets the verdict of the one that
 * has run. Of a text with several builds all that are launched decide together (classes.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mutate/code.h"
#include "runner/campaign/classes.h"
#include "runner/campaign/reuse.h"

/* --- the items ---------------------------------------------------------------------------------------------------- */

static bool same_kernels(const mutant *a, const mutant *b) {
  return a->kernel_count == b->kernel_count &&
         memcmp(a->kernels, b->kernels, a->kernel_count * sizeof *a->kernels) == 0;
}

static campaign_mutant *mutant_of(const campaign_programs *all, const code_item *i) {
  return mutant_at(all, i->program, i->index);
}

/* The original for this mutant's kernels; NULL if it is not among the items. */
static code_item *original_of(const campaign *c, const code_item *of) {
  for (size_t i = 0; i < c->codes.count; i++) {
    code_item *o = &c->codes.list[i];
    if (o->original && o->program == of->program &&
        same_kernels(mutant_of(&c->programs, o)->mutant, mutant_of(&c->programs, of)->mutant)) {
      return o;
    }
  }
  return NULL;
}

static bool decided_by_runs(const campaign_mutant *m) { return m->decided && campaign_is_run(m->status); }

/* Those that are to be run, and those of the run that this one goes on with that were. */
static bool takes_part(const campaign_mutant *m) {
  const bool to_run = !m->decided && m->reached;
  return m->chosen && (to_run || decided_by_runs(m) || m->status == MUTANT_DUPLICATE);
}

/* Whether the program is part of what decides: only a whole one can be built here. */
static bool is_compared(const campaign_program *p) { return p->reason == NULL && p->request.others == 0; }

/* Whether the mutant is one in a build that is launched. */
static bool counts(const campaign *c, uint32_t program, const campaign_mutant *m) {
  return m->chosen && c->programs.list[program]->launches == NULL && !m->mutant->suppressed && !m->mutant->invalid &&
         program_is_launched(c, program);
}

/* The changes of which one mutant takes part. */
static code_change *collect_changes(campaign *c) {
  c->codes.changes = changes_number(&c->programs);
  code_change *changes = mem_calloc(c->codes.changes + 1, sizeof *changes);
  for (uint32_t p = 0; p < c->programs.count; p++) {
    for (uint32_t m = 0; m < c->programs.list[p]->schema.mutant_count; m++) {
      const campaign_mutant *one = mutant_at(&c->programs, p, m);
      if (counts(c, p, one)) {
        changes[one->change].wanted = changes[one->change].wanted || takes_part(one);
        changes[one->change].unclear = changes[one->change].unclear || !is_compared(c->programs.list[p]);
      }
    }
  }
  return changes;
}

static void collect_items(campaign *c) {
  code_change *changes = collect_changes(c);
  for (uint32_t p = 0; p < c->programs.count; p++) {
    for (uint32_t m = 0; m < c->programs.list[p]->schema.mutant_count; m++) {
      const campaign_mutant *one = mutant_at(&c->programs, p, m);
      if (counts(c, p, one) && changes[one->change].wanted && !changes[one->change].unclear) {
        code_item next = {.program = p, .index = m};
        if (original_of(c, &next) == NULL) {
          code_item original = next;
          original.original = true;
          *ARRAY_ADD(c->codes.list, c->codes.count, c->codes.capacity) = original;
        }
        *ARRAY_ADD(c->codes.list, c->codes.count, c->codes.capacity) = next;
      }
    }
  }
  free(changes);
}

/* --- earlier runs ------------------------------------------------------------------------------------------------- */

static int recall_codes(campaign *c, error *e) {
  for (size_t i = 0; i < c->codes.count && c->options->reuse; i++) {
    code_item *one = &c->codes.list[i];
    char key[KEY_SIZE];
    db_code code;
    code_key(c->programs.list[one->program], one->index, one->original, key);
    if (db_find_code(c->base.db, key, &one->known, &code, e) != 0) {
      return -1;
    }
    one->kept = one->known;
    one->built = code.built;
    memcpy(one->digest, code.digest, sizeof one->digest);
  }
  return 0;
}

static int keep_codes(campaign *c, error *e) {
  for (size_t i = 0; i < c->codes.count; i++) {
    code_item *one = &c->codes.list[i];
    char key[KEY_SIZE];
    db_code code = {.built = one->built};
    if (!one->known || one->kept) {
      continue;
    }
    memcpy(code.digest, one->digest, sizeof code.digest);
    code_key(c->programs.list[one->program], one->index, one->original, key);
    if (db_put_code(c->base.db, key, &code, e) != 0) {
      return -1;
    }
    one->kept = true;
  }
  return 0;
}

/* --- decisions ---------------------------------------------------------------------------------------------------- */

static const code_item *const_original(const campaign *c, const code_item *of) { return original_of(c, of); }

static code_change *judge_changes(const campaign *c) {
  code_change *changes = mem_calloc(c->codes.changes + 1, sizeof *changes);
  for (size_t i = 0; i < c->codes.count; i++) {
    if (!c->codes.list[i].original) {
      code_change *of = &changes[mutant_of(&c->programs, &c->codes.list[i])->change];
      *ARRAY_ADD(of->items, of->count, of->capacity) = &c->codes.list[i];
    }
  }
  changes_judge(c, changes, c->codes.changes, const_original);
  return changes;
}

static void free_changes(code_change *changes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(changes[i].items);
  }
  free(changes);
}

/* The item of a change in a program; NULL: it is not there. */
static const code_item *item_in(const code_change *change, uint32_t program) {
  for (size_t i = 0; i < change->count; i++) {
    if (change->items[i]->program == program) {
      return change->items[i];
    }
  }
  return NULL;
}

/* What its code says of a mutant; MUTANT_PENDING: it counts for itself. */
static mutant_status status_by_code(const campaign *c, const code_change *changes, const code_item *i,
                                    const code_item **earlier) {
  const code_item *original = original_of(c, i);
  const uint32_t number = mutant_of(&c->programs, i)->change;
  const code_change *change = &changes[number], *first = &changes[change->first];
  *earlier = NULL;
  if (i->known && !i->built) { /* if the original is not built either, something is missing here that is there */
    return original->built ? MUTANT_INVALID : MUTANT_PENDING;
  }
  if (change->unclear || change->first == number) {
    return change->equivalent ? MUTANT_EQUIVALENT : MUTANT_PENDING;
  }
  *earlier = item_in(first, i->program);
  return *earlier == NULL ? MUTANT_EQUIVALENT : MUTANT_DUPLICATE; /* that one is not in this build */
}

/* Its verdict goes to the mutant that it is a duplicate of, if that has none. */
static int hand_over(campaign *c, const campaign_mutant *from, campaign_mutant *to, error *e) {
  if (db_hand_over_mutant(c->base.db, c->base.run, from->row, to->row, e) != 0) {
    return -1;
  }
  campaign_count(c, to, from->status);
  return 0;
}

static int decide(campaign *c, const code_change *changes, const code_item *i, error *e) {
  campaign_program *p = c->programs.list[i->program];
  campaign_mutant *m = mutant_of(&c->programs, i);
  const code_item *earlier = NULL;
  const mutant_status status = status_by_code(c, changes, i, &earlier);
  if (status == MUTANT_PENDING ||
      (m->decided && m->status == status && (earlier == NULL || m->original == earlier->index))) {
    return 0;
  }
  if (decided_by_runs(m)) {
    campaign_mutant *to = earlier == NULL ? NULL : mutant_of(&c->programs, earlier);
    if ((to != NULL && !to->decided && hand_over(c, m, to, e) != 0) ||
        db_drop_verdicts(c->base.db, c->base.run, m->row, e) != 0) {
      return -1;
    }
  }
  m->original = earlier == NULL ? 0 : earlier->index;
  return campaign_decide(c, p, i->index, status, "", e);
}

/* For runs with another part of the mutants: which of these are the same as one of those. */
static int keep_class(campaign *c, const code_change *changes, const code_item *i, error *e) {
  campaign_mutant *m = mutant_of(&c->programs, i);
  const code_change *change = &changes[m->change];
  if (m->coded || !decided_by_runs(m) || change->unclear || change->equivalent) {
    return 0;
  }
  char code[33]; /* half of a digest is enough to tell mutants apart */
  (void)snprintf(code, sizeof code, "%.32s", change->key);
  m->coded = true;
  return db_set_mutant_code(c->base.db, c->base.run, m->row, code, e);
}

static int decide_all(campaign *c, error *e) {
  int result = 0;
  code_change *changes = judge_changes(c);
  for (size_t i = 0; i < c->codes.count && result == 0; i++) {
    result = c->codes.list[i].original ? 0 : decide(c, changes, &c->codes.list[i], e);
  }
  for (size_t i = 0; i < c->codes.count && result == 0; i++) {
    result = c->codes.list[i].original ? 0 : keep_class(c, changes, &c->codes.list[i], e);
  }
  free_changes(changes, c->codes.changes);
  return result;
}

int campaign_equivalence(campaign *c, error *e) {
  if (!c->options->equivalence || c->codes.device == NULL) {
    return 0;
  }
  if (!mutate_code_available()) {
    experiment_note(&c->base, "equivalent mutants are not looked for: clang-19 is not installed");
    return 0;
  }
  collect_items(c);
  return recall_codes(c, e) == 0 ? decide_all(c, e) : -1;
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

/* Marks the items of mutants that are asked for, and their originals. */
static bool *choose_items(const campaign *c, bool all) {
  bool *chosen = mem_calloc(c->codes.count + 1, sizeof *chosen);
  bool *unnoticed = mem_calloc(c->codes.changes + 1, sizeof *unnoticed);
  for (size_t i = 0; i < c->codes.count; i++) {
    const campaign_mutant *m = mutant_of(&c->programs, &c->codes.list[i]);
    unnoticed[m->change] =
        unnoticed[m->change] || (m->decided && (m->status == MUTANT_SURVIVED || m->status == MUTANT_UNDECIDED));
  }
  for (size_t i = 0; i < c->codes.count; i++) {
    if (!c->codes.list[i].original && (all || unnoticed[mutant_of(&c->programs, &c->codes.list[i])->change])) {
      chosen[i] = true;
      chosen[original_of(c, &c->codes.list[i]) - c->codes.list] = true;
    }
  }
  free(unnoticed);
  return chosen;
}

int campaign_compare(campaign *c, bool all, error *e) {
  if (c->codes.count == 0) {
    return 0;
  }
  bool *chosen = choose_items(c, all);
  size_t *from = mem_calloc(c->codes.count, sizeof *from);
  code_item *some = mem_calloc(c->codes.count, sizeof *some);
  size_t some_count = 0;
  for (size_t i = 0; i < c->codes.count; i++) {
    if (chosen[i] && !c->codes.list[i].known && !c->codes.list[i].asked) {
      from[some_count] = i;
      some[some_count++] = c->codes.list[i];
    }
  }
  if (some_count > 0) {
    experiment_phase_begin(&c->base, PHASE_EQUIVALENCE, some_count);
    codes_compile(c, some, some_count);
  }
  const bool whole = !experiment_stopped(&c->base);
  for (size_t i = 0; i < some_count; i++) {
    c->codes.list[from[i]] = some[i];
    c->codes.list[from[i]].asked = whole;
  }
  free(chosen);
  free(from);
  free(some);
  return keep_codes(c, e) == 0 ? decide_all(c, e) : -1;
}

bool campaign_compared(const campaign_codes *codes) {
  for (size_t i = 0; i < codes->count; i++) {
    if (!codes->list[i].known && !codes->list[i].asked) {
      return false;
    }
  }
  return true;
}
