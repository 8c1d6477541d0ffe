/* Equivalent and duplicate mutants: the device's compiler is asked what it makes of each; what is not known then is
 * simply run. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/campaign/codes.h"
#include "runner/campaign/reuse.h"

typedef struct comparison {
  campaign *campaign;
  code_item *items;
  size_t count, capacity;
} comparison;

/* --- the items ------------------------------------------------------------------------------------------------------
 */

static bool same_kernels(const mutant *a, const mutant *b) {
  return a->kernel_count == b->kernel_count &&
         memcmp(a->kernels, b->kernels, a->kernel_count * sizeof *a->kernels) == 0;
}

static const mutant *mutant_of(const comparison *q, const code_item *i) {
  return q->campaign->programs[i->program]->mutants[i->index].is;
}

/* The original for this mutant's kernels; NULL if it is not among the items. */
static code_item *original_of(comparison *q, const code_item *of) {
  for (size_t i = 0; i < q->count; i++) {
    code_item *o = &q->items[i];
    if (o->original && o->program == of->program && same_kernels(mutant_of(q, o), mutant_of(q, of))) {
      return o;
    }
  }
  return NULL;
}

static void collect_items(comparison *q) {
  campaign *c = q->campaign;
  for (uint32_t p = 0; p < c->program_count; p++) {
    const campaign_program *program = c->programs[p];
    if (program->reason != NULL || program->request.others > 0) { /* only a whole program can be built here */
      continue;
    }
    for (uint32_t m = 0; m < program->schema.mutant_count; m++) {
      if (program->mutants[m].chosen && !program->mutants[m].decided) {
        code_item next = {.program = p, .index = m};
        if (original_of(q, &next) == NULL) {
          code_item original = next;
          original.original = true;
          *ARRAY_ADD(q->items, q->count, q->capacity) = original;
        }
        *ARRAY_ADD(q->items, q->count, q->capacity) = next;
      }
    }
  }
}

/* --- earlier runs ----------------------------------------------------------------------------------------------------
 */

static int recall_codes(comparison *q, error *e) {
  campaign *c = q->campaign;
  for (size_t i = 0; i < q->count && c->options->reuse; i++) {
    code_item *one = &q->items[i];
    char key[KEY_SIZE];
    db_code code;
    code_key(c, c->programs[one->program], one->index, one->original, key);
    if (db_find_code(c->db, key, &one->known, &code, e) != 0) {
      return -1;
    }
    one->kept = one->known;
    one->built = code.built;
    memcpy(one->digest, code.digest, sizeof one->digest);
    c->progress.done += one->known ? 1 : 0;
  }
  return 0;
}

static int keep_codes(const comparison *q, error *e) {
  const campaign *c = q->campaign;
  for (size_t i = 0; i < q->count; i++) {
    const code_item *one = &q->items[i];
    char key[KEY_SIZE];
    db_code code = {.built = one->built};
    memcpy(code.digest, one->digest, sizeof code.digest);
    code_key(c, c->programs[one->program], one->index, one->original, key);
    if (one->known && !one->kept && db_put_code(c->db, key, &code, e) != 0) {
      return -1;
    }
  }
  return 0;
}

/* --- decisions
 * -------------------------------------------------------------------------------------------------------- */

/* The first mutant of the same kernels with the same code. */
static const code_item *earlier_of(const comparison *q, const code_item *of) {
  for (const code_item *i = q->items; i < of; i++) {
    if (!i->original && i->known && i->program == of->program && strcmp(i->digest, of->digest) == 0 &&
        same_kernels(mutant_of(q, i), mutant_of(q, of)) &&
        q->campaign->programs[i->program]->mutants[i->index].status != MUTANT_DUPLICATE) {
      return i;
    }
  }
  return NULL;
}

static int decide(comparison *q, const code_item *i, error *e) {
  campaign *c = q->campaign;
  campaign_program *p = c->programs[i->program];
  const code_item *original = original_of(q, i);
  if (!i->known || (i->built && i->digest[0] == '\0')) {
    return 0;
  }
  if (!i->built && !original->built) { /* it lacks something here that it has in the user's process */
    return 0;
  }
  if (!i->built) {
    return campaign_decide(c, p, i->index, MUTANT_INVALID, "", e);
  }
  if (original->known && strcmp(original->digest, i->digest) == 0) {
    return campaign_decide(c, p, i->index, MUTANT_EQUIVALENT, "", e);
  }
  const code_item *earlier = earlier_of(q, i);
  if (earlier == NULL) {
    return 0;
  }
  p->mutants[i->index].original = earlier->index;
  return campaign_decide(c, p, i->index, MUTANT_DUPLICATE, "", e);
}

int campaign_equivalence(campaign *c, error *e) {
  if (!c->options->equivalence || c->device_key == NULL) {
    return 0;
  }
  comparison q = {.campaign = c};
  collect_items(&q);
  campaign_phase_begin(c, PHASE_EQUIVALENCE, q.count);
  int result = recall_codes(&q, e);
  if (result == 0) {
    codes_compile(c, q.items, q.count);
    result = keep_codes(&q, e);
  }
  for (size_t i = 0; i < q.count && result == 0; i++) {
    result = q.items[i].original ? 0 : decide(&q, &q.items[i], e);
  }
  free(q.items);
  return result;
}
