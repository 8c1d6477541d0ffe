/* Equivalent and duplicate mutants: a compiler is asked what it makes of each; what is not known then is simply run.
 *
 * That takes longer than the first verdicts should, so mutants run before it is asked. What counts at the end is the
 * same in any order: of mutants with equal code the first in the source counts, and gets the verdict of the one that
 * has run. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mutate/code.h"
#include "runner/campaign/codes.h"
#include "runner/campaign/reuse.h"

/* --- the items ---------------------------------------------------------------------------------------------------- */

static bool same_kernels(const mutant *a, const mutant *b) {
  return a->kernel_count == b->kernel_count &&
         memcmp(a->kernels, b->kernels, a->kernel_count * sizeof *a->kernels) == 0;
}

static campaign_mutant *mutant_of(const campaign *c, const code_item *i) {
  return &c->programs[i->program]->mutants[i->index];
}

/* The original for this mutant's kernels; NULL if it is not among the items. */
static code_item *original_of(const campaign *c, const code_item *of) {
  for (size_t i = 0; i < c->code_count; i++) {
    code_item *o = &c->codes[i];
    if (o->original && o->program == of->program && same_kernels(mutant_of(c, o)->mutant, mutant_of(c, of)->mutant)) {
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

static void collect_items(campaign *c) {
  for (uint32_t p = 0; p < c->program_count; p++) {
    const campaign_program *program = c->programs[p];
    if (program->reason != NULL || program->request.others > 0 ||
        program->launches != NULL) { /* only a whole program can be built here */
      continue;
    }
    for (uint32_t m = 0; m < program->schema.mutant_count; m++) {
      if (takes_part(&program->mutants[m])) {
        code_item next = {.program = p, .index = m};
        if (original_of(c, &next) == NULL) {
          code_item original = next;
          original.original = true;
          *ARRAY_ADD(c->codes, c->code_count, c->code_capacity) = original;
        }
        *ARRAY_ADD(c->codes, c->code_count, c->code_capacity) = next;
      }
    }
  }
}

/* --- earlier runs ------------------------------------------------------------------------------------------------- */

static int recall_codes(campaign *c, error *e) {
  for (size_t i = 0; i < c->code_count && c->options->reuse; i++) {
    code_item *one = &c->codes[i];
    char key[KEY_SIZE];
    db_code code;
    code_key(c->programs[one->program], one->index, one->original, key);
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
  for (size_t i = 0; i < c->code_count; i++) {
    code_item *one = &c->codes[i];
    char key[KEY_SIZE];
    db_code code = {.built = one->built};
    if (!one->known || one->kept) {
      continue;
    }
    memcpy(code.digest, one->digest, sizeof code.digest);
    code_key(c->programs[one->program], one->index, one->original, key);
    if (db_put_code(c->base.db, key, &code, e) != 0) {
      return -1;
    }
    one->kept = true;
  }
  return 0;
}

/* --- decisions ---------------------------------------------------------------------------------------------------- */

/* The first mutant of the same kernels with the same code; NULL if this is the first. */
static const code_item *earlier_of(const campaign *c, const code_item *of) {
  for (const code_item *i = c->codes; i < of; i++) {
    if (!i->original && i->known && i->program == of->program && strcmp(i->digest, of->digest) == 0 &&
        same_kernels(mutant_of(c, i)->mutant, mutant_of(c, of)->mutant)) {
      return i;
    }
  }
  return NULL;
}

/* What its code says of a mutant; MUTANT_PENDING: it counts for itself. */
static mutant_status status_by_code(const campaign *c, const code_item *i, const code_item **earlier) {
  const code_item *original = original_of(c, i);
  *earlier = NULL;
  if (!i->known || (i->built && i->digest[0] == '\0')) {
    return MUTANT_PENDING;
  }
  if (!i->built) { /* if the original is not built either, something is missing here that the user's process has */
    return original->built ? MUTANT_INVALID : MUTANT_PENDING;
  }
  if (original->known && strcmp(original->digest, i->digest) == 0) {
    return MUTANT_EQUIVALENT;
  }
  *earlier = earlier_of(c, i);
  return *earlier == NULL ? MUTANT_PENDING : MUTANT_DUPLICATE;
}

/* Its verdict goes to the mutant that it is a duplicate of, if that has none. */
static int hand_over(campaign *c, const campaign_mutant *from, campaign_mutant *to, error *e) {
  if (db_hand_over_mutant(c->base.db, c->base.run, from->row, to->row, e) != 0) {
    return -1;
  }
  campaign_count(c, to, from->status);
  return 0;
}

static int decide(campaign *c, const code_item *i, error *e) {
  campaign_program *p = c->programs[i->program];
  campaign_mutant *m = mutant_of(c, i);
  const code_item *earlier = NULL;
  const mutant_status status = status_by_code(c, i, &earlier);
  if (status == MUTANT_PENDING ||
      (m->decided && m->status == status && (earlier == NULL || m->original == earlier->index))) {
    return 0;
  }
  if (decided_by_runs(m)) {
    campaign_mutant *to = earlier == NULL ? NULL : mutant_of(c, earlier);
    if ((to != NULL && !to->decided && hand_over(c, m, to, e) != 0) ||
        db_drop_verdicts(c->base.db, c->base.run, m->row, e) != 0) {
      return -1;
    }
  }
  m->original = earlier == NULL ? 0 : earlier->index;
  return campaign_decide(c, p, i->index, status, "", e);
}

static int decide_all(campaign *c, error *e) {
  int result = 0;
  for (size_t i = 0; i < c->code_count && result == 0; i++) {
    result = c->codes[i].original ? 0 : decide(c, &c->codes[i], e);
  }
  return result;
}

int campaign_equivalence(campaign *c, error *e) {
  if (!c->options->equivalence || c->device_key == NULL) {
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
  bool *chosen = mem_calloc(c->code_count + 1, sizeof *chosen);
  for (size_t i = 0; i < c->code_count; i++) {
    const campaign_mutant *m = mutant_of(c, &c->codes[i]);
    const bool unnoticed = m->decided && (m->status == MUTANT_SURVIVED || m->status == MUTANT_UNDECIDED);
    if (!c->codes[i].original && (all || unnoticed)) {
      chosen[i] = true;
      chosen[original_of(c, &c->codes[i]) - c->codes] = true;
    }
  }
  return chosen;
}

int campaign_compare(campaign *c, bool all, error *e) {
  if (c->code_count == 0) {
    return 0;
  }
  bool *chosen = choose_items(c, all);
  size_t *from = mem_calloc(c->code_count, sizeof *from);
  code_item *some = mem_calloc(c->code_count, sizeof *some);
  size_t some_count = 0;
  for (size_t i = 0; i < c->code_count; i++) {
    if (chosen[i] && !c->codes[i].known && !c->codes[i].asked) {
      from[some_count] = i;
      some[some_count++] = c->codes[i];
    }
  }
  if (some_count > 0) {
    experiment_phase_begin(&c->base, PHASE_EQUIVALENCE, some_count);
    codes_compile(c, some, some_count);
  }
  const bool whole = !experiment_stopped(&c->base);
  for (size_t i = 0; i < some_count; i++) {
    c->codes[from[i]] = some[i];
    c->codes[from[i]].asked = whole;
  }
  free(chosen);
  free(from);
  free(some);
  return keep_codes(c, e) == 0 ? decide_all(c, e) : -1;
}

bool campaign_compared(const campaign *c) {
  for (size_t i = 0; i < c->code_count; i++) {
    if (!c->codes[i].known && !c->codes[i].asked) {
      return false;
    }
  }
  return true;
}
