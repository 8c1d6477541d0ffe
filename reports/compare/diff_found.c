/* Findings that are new or gone, proofs that are won or lost. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reports/common/memory.h"
#include "reports/common/verification.h"
#include "reports/compare/comparison.h"

uint32_t comparison_old_line(const comparison *c, uint32_t file, uint32_t line) {
  return file == MODEL_NONE ? 0 : line_map_old(&c->files[file].lines, line);
}

uint32_t comparison_old_file(const comparison *c, uint32_t file) {
  return file == MODEL_NONE ? MODEL_NONE : c->files[file].old;
}

void comparison_add(diff *d, diff_entry entry) {
  *ARRAY_ADD(d->entries, d->count, d->capacity) = entry;
  *(entry.worse ? &d->worse[entry.kind] : &d->better[entry.kind]) += 1;
}

/* --- findings ------------------------------------------------------------------------------------------------ */

/* Whether both have looked for what a rule says. */
static bool both_looked(const diff *d, const char *rule) {
  const struct {
    const char *rule;
    bool both;
  } rules[] = {{"race", d->schedules},
               {"deadlock", d->schedules},
               {"crash", d->schedules},
               {"differs", d->schedules},
               {"order-dependent", d->schedules},
               {"data-race", d->races},
               {"benign-race", d->races},
               {"api-error", d->coverage || d->memory}};
  for (size_t k = 0; k < sizeof rules / sizeof rules[0]; k++) {
    if (strcmp(rule, rules[k].rule) == 0) {
      return rules[k].both;
    }
  }
  return memory_knows(rule) ? d->memory : d->coverage;
}

/* Findings of proofs are compared where both have proofs. */
static bool is_finding(const diff *d, const issue *i) {
  if (i->finding != NULL && (i->finding->proved || (i->finding->twin != 0 && d->verification))) {
    return i->suppressed == NULL && d->verification;
  }
  return i->mutant == NULL && i->suppressed == NULL && both_looked(d, i->rule);
}

/* Neither is a proof, or both are, and say as much; what was seen as well as proved is both. */
static bool same_kind(const db_finding *a, const db_finding *b) {
  return a == NULL || b == NULL || a->twin != 0 || b->twin != 0 ||
         (a->proved == b->proved && a->possible == b->possible);
}

static bool same_issue(const comparison *c, const issue *old, const issue *new, bool by_place) {
  if (!same_kind(old->finding, new->finding) || strcmp(old->rule, new->rule) != 0 ||
      strcmp(old->kernel, new->kernel) != 0 || old->file != comparison_old_file(c, new->file)) {
    return false;
  }
  uint32_t line = comparison_old_line(c, new->file, new->line);
  return !by_place || new->file == MODEL_NONE || old->line == line;
}

static void add_finding(diff *d, const view *v, const issue *i, bool worse) {
  comparison_add(
      d,
      (diff_entry){
          .kind = DIFF_FINDING, .worse = worse, .fresh = worse, .v = v, .file = i->file, .line = i->line, .issue = i});
}

/* First those of lines that were left alone, then those that only rule and kernel tell. */
void compare_findings(comparison *c) {
  const issues *old = &c->d->old_issues;
  const issues *new = &c->d->new_issues;
  bool *gone = mem_calloc(old->count, sizeof *gone);
  bool *known = mem_calloc(new->count, sizeof *known);
  for (size_t i = 0; i < old->count; i++) {
    gone[i] = is_finding(c->d, &old->list[i]);
  }
  for (int by_place = 1; by_place >= 0; by_place--) {
    for (size_t i = 0; i < new->count; i++) {
      for (size_t k = 0; k < old->count && is_finding(c->d, &new->list[i]) && !known[i]; k++) {
        if (gone[k] && same_issue(c, &old->list[k], &new->list[i], by_place == 1)) {
          known[i] = true;
          gone[k] = false;
        }
      }
    }
  }
  for (size_t i = 0; i < new->count; i++) {
    if (is_finding(c->d, &new->list[i]) && !known[i]) {
      add_finding(c->d, c->d->new, &new->list[i], true);
    }
  }
  for (size_t i = 0; i < old->count; i++) {
    if (gone[i]) {
      add_finding(c->d, c->d->old, &old->list[i], false);
    }
  }
  free(gone);
  free(known);
}

/* --- proofs -------------------------------------------------------------------------------------------------- */

/* The proof of the same kernel, built with the same options. */
static const db_proof *old_proof(const comparison *c, const db_proof *p) {
  const view *old = c->d->old;
  const uint32_t file = comparison_old_file(c, p->file);
  for (size_t i = 0; i < old->proof_count; i++) {
    const db_proof *was = &old->proofs[i];
    if (was->file == file && strcmp(was->name, p->name) == 0 && strcmp(was->options, p->options) == 0) {
      return was;
    }
  }
  return NULL;
}

static bool holds(const db_proof *p) { return p != NULL && proof_verdict_of(p) == PROOF_VERIFIED; }

/* What is suppressed is not missed. */
void compare_proofs(comparison *c) {
  const view *new = c->d->new;
  for (size_t i = 0; i < new->proof_count; i++) {
    const db_proof *p = &new->proofs[i];
    const db_proof *was = old_proof(c, p);
    const bool worse = !holds(p) && (was == NULL || holds(was)) && !verification_held_back(new, i);
    const bool better = holds(p) && was != NULL && !holds(was);
    if (report_selects(c->options, p->name) && (worse || better)) {
      comparison_add(c->d, (diff_entry){.kind = DIFF_PROOF,
                                        .worse = worse,
                                        .fresh = worse && was == NULL,
                                        .v = new,
                                        .file = p->file,
                                        .line = p->line,
                                        .proof = p,
                                        .was = was});
    }
  }
}
