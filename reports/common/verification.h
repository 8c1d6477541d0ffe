/* What `verify` says of kernels, counted and in words: verdicts, what a proof rests on, counterexamples. */
#ifndef CLTC_REPORTS_COMMON_VERIFICATION_H
#define CLTC_REPORTS_COMMON_VERIFICATION_H

#include "base/buffer.h"
#include "reports/common/report.h"

typedef enum proof_verdict {
  PROOF_VERIFIED,
  PROOF_RACE,
  PROOF_DIVERGENCE,
  PROOF_OUT_OF_BOUNDS,
  PROOF_POSSIBLE_RACE,
  PROOF_POSSIBLE_DIVERGENCE,
  PROOF_UNKNOWN,
  PROOF_UNSUPPORTED,
  PROOF_VERDICTS
} proof_verdict;

/* "verified", "possible-race", … */
const char *proof_verdict_name(proof_verdict v);
/* PROOF_UNKNOWN for a word that is none. */
proof_verdict proof_verdict_of(const db_proof *p);
/* A counterexample that depends on nothing abstract; one that does. */
bool proof_is_definite(proof_verdict v);
bool proof_is_possible(proof_verdict v);

/* Is the view one of `verify`? */
bool verification_is(const view *v);

/* Kernels with proofs that the options select, each once, by the worst verdict of its proofs (it may be built with several
 * sets of options). Those of which every finding is suppressed are counted apart:
 * `kernels` is `of` summed up plus `suppressed`. */
typedef struct verification {
  unsigned long kernels, of[PROOF_VERDICTS], suppressed;
} verification;
void verification_totals(const view *v, const report_options *options, verification *out);
/* Has the proof findings, and is every one of them suppressed? */
bool verification_held_back(const view *v, size_t proof);
/* Whether a device has shown any of the proof's findings: the best that is known of them. */
finding_confirmed verification_confirmed(const view *v, size_t proof);
/* The worst proof of a kernel of the view, PROOF_VERDICTS when it has none. */
proof_verdict verification_of_kernel(const view *v, uint32_t kernel);

/* What a proof rests on: "if n == get_global_size(0) and m > 0", "for all sizes and arguments"; the launches that were
 * asked about: ", for 3 launches". Of what is not verified, its reason. */
void verification_basis(const db_proof *p, buffer *to);
/* "built with -DN=4" where the view has another proof of the same kernel; else nothing. */
void verification_variant(const view *v, size_t proof, buffer *to);

/* Whether its places say what happened: of a proof, between commands of a program, or a race that was seen. */
bool verification_shows(const db_finding *f);
/* "data race", "possible data race", "out of bounds" of a finding. */
void verification_title(const db_finding *f, buffer *to);
/* A race that was seen and proved is two findings of the view, and reports tell it once: with the one that was seen. */
/* The other of the two; NULL: there is none. */
const db_finding *verification_twin(const view *v, const db_finding *f);
/* The one by which a finding of a proof is told; NULL: it is told by itself. */
const db_finding *verification_told_with(const view *v, const db_finding *f);
/* What of a finding is proved: itself, or its twin; NULL: nothing is. */
const db_finding *verification_proof(const view *v, const db_finding *f);
/* "proved, too: work-item …" */
void verification_twin_words(const view *v, const db_finding *twin, buffer *to);
/* "first write by work-item 0 of work-group 3, where i < n". */
void verification_place(const db_finding *f, size_t place, buffer *to);
/* The place of a work-item (1 or 2) of the path. */
bool verification_place_of_thread(const db_finding *f, uint32_t thread, size_t *place);
/* "work-item 0 of work-group 3" of a step of the path; "both work-items". */
void verification_thread(const db_finding *f, uint32_t thread, buffer *to);
/* "array: a; element: 12; local size: 64; argument n: 5". */
void verification_witness(const db_finding *f, buffer *to);
/* Why one that is only possible may be none; nothing of others. */
void verification_doubt(const db_finding *f, buffer *to);
/* "confirmed on the device", with what there is to say; nothing when it was not tried. */
void verification_confirmation(const db_finding *f, buffer *to);
#endif
