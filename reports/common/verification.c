/* Counting verdicts. */
#include "reports/common/verification.h"

#include <string.h>

static const struct {
  const char *name;
  bool definite, possible;
} verdicts[PROOF_VERDICTS] = {
    [PROOF_VERIFIED] = {"verified", false, false},
    [PROOF_RACE] = {"race", true, false},
    [PROOF_DIVERGENCE] = {"divergence", true, false},
    [PROOF_OUT_OF_BOUNDS] = {"out-of-bounds", true, false},
    [PROOF_POSSIBLE_RACE] = {"possible-race", false, true},
    [PROOF_POSSIBLE_DIVERGENCE] = {"possible-divergence", false, true},
    [PROOF_UNKNOWN] = {"unknown", false, false},
    [PROOF_UNSUPPORTED] = {"unsupported", false, false},
};

/* What counts of several proofs of a kernel: the first of these. */
static const proof_verdict worst_first[PROOF_VERDICTS] = {
    PROOF_RACE,    PROOF_DIVERGENCE,  PROOF_OUT_OF_BOUNDS, PROOF_POSSIBLE_RACE, PROOF_POSSIBLE_DIVERGENCE,
    PROOF_UNKNOWN, PROOF_UNSUPPORTED, PROOF_VERIFIED,
};

const char *proof_verdict_name(proof_verdict v) { return verdicts[v].name; }

proof_verdict proof_verdict_of(const db_proof *p) {
  for (unsigned i = 0; i < PROOF_VERDICTS; i++) {
    if (strcmp(verdicts[i].name, p->verdict) == 0) {
      return (proof_verdict)i;
    }
  }
  return PROOF_UNKNOWN;
}

bool proof_is_definite(proof_verdict v) { return verdicts[v].definite; }

bool proof_is_possible(proof_verdict v) { return verdicts[v].possible; }

bool verification_is(const view *v) { return v->proof_count > 0 || report_has_run(v, "verify"); }

static bool is_of(const db_finding *f, size_t proof) { return f->proved && f->proof == proof; }

bool verification_held_back(const view *v, size_t proof) {
  size_t found = 0;
  for (size_t i = 0; i < v->finding_count; i++) {
    if (is_of(&v->findings[i], proof)) {
      if (v->findings[i].suppressed == NULL) {
        return false;
      }
      found++;
    }
  }
  return found > 0;
}

static unsigned rank_of(proof_verdict verdict) {
  unsigned rank = 0;
  while (worst_first[rank] != verdict) {
    rank++;
  }
  return rank;
}

/* Proofs of one kernel, built with other options, stand one after the other. */
static bool same_kernel(const db_proof *a, const db_proof *b) {
  return a->file != MODEL_NONE && a->file == b->file && a->line == b->line && strcmp(a->name, b->name) == 0;
}

/* Counts a kernel by the worst of its proofs from `first` to `end`; one that is held back counts as that before a
 * verified one. */
static void count_kernel(const view *v, size_t first, size_t end, verification *out) {
  proof_verdict worst = PROOF_VERIFIED;
  bool apart = false;
  for (size_t i = first; i < end; i++) {
    const proof_verdict verdict = proof_verdict_of(&v->proofs[i]);
    const bool held = verdict != PROOF_VERIFIED && verification_held_back(v, i);
    apart = apart || held;
    worst = !held && rank_of(verdict) < rank_of(worst) ? verdict : worst;
  }
  out->kernels++;
  *(apart && worst == PROOF_VERIFIED ? &out->suppressed : &out->of[worst]) += 1;
}

void verification_totals(const view *v, const report_options *options, verification *out) {
  *out = (verification){0};
  for (size_t i = 0, end = 0; i < v->proof_count; i = end) {
    for (end = i + 1; end < v->proof_count && same_kernel(&v->proofs[i], &v->proofs[end]);) {
      end++;
    }
    if (report_selects(options, v->proofs[i].name)) {
      count_kernel(v, i, end, out);
    }
  }
}

finding_confirmed verification_confirmed(const view *v, size_t proof) {
  static const finding_confirmed best_first[] = {CONFIRMED_YES, CONFIRMED_NO, CONFIRMED_NOT_LAUNCHABLE};
  for (size_t k = 0; k < sizeof best_first / sizeof best_first[0]; k++) {
    for (size_t i = 0; i < v->finding_count; i++) {
      if (is_of(&v->findings[i], proof) && v->findings[i].confirmed == best_first[k]) {
        return best_first[k];
      }
    }
  }
  return CONFIRMED_UNKNOWN;
}

proof_verdict verification_of_kernel(const view *v, uint32_t kernel) {
  for (size_t k = 0; k < PROOF_VERDICTS; k++) {
    for (size_t i = 0; i < v->proof_count; i++) {
      if (v->proofs[i].kernel == kernel && proof_verdict_of(&v->proofs[i]) == worst_first[k]) {
        return worst_first[k];
      }
    }
  }
  return PROOF_VERDICTS;
}
