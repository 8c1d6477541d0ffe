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

proof_verdict proof_verdict_of(const view_proof *p) {
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

static bool is_of(const view_finding *f, size_t proof) { return f->proved && f->proof == proof; }

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

void verification_totals(const view *v, const report_options *options, verification *out) {
  *out = (verification){0};
  for (size_t i = 0; i < v->proof_count; i++) {
    if (!report_selects(options, v->proofs[i].name)) {
      continue;
    }
    const proof_verdict verdict = proof_verdict_of(&v->proofs[i]);
    const bool apart = verdict != PROOF_VERIFIED && verification_held_back(v, i);
    out->kernels++;
    *(apart ? &out->suppressed : &out->of[verdict]) += 1;
  }
}

size_t verification_found(const view *v, const report_options *options, bool possible) {
  size_t count = 0;
  for (size_t i = 0; i < v->finding_count; i++) {
    const view_finding *f = &v->findings[i];
    count +=
        f->proved && f->suppressed == NULL && f->possible == possible && report_selects(options, f->kernel) ? 1 : 0;
  }
  return count;
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
