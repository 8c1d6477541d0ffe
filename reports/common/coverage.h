/* Figures of reports: coverage of code, mutants, schedules, proofs. */
#ifndef CLTC_REPORTS_COMMON_COVERAGE_H
#define CLTC_REPORTS_COMMON_COVERAGE_H

#include "base/interval.h"
#include "reports/common/report.h"
#include "schedamp/schedule.h"

/* One condition of a decision. Two ways through the decision show that it matters when it is seen true in the one and
 * false in the other, the decision ends differently, and no other condition that is evaluated in both differs
 * (unique-cause MC/DC with masking of what is not evaluated). */
typedef struct mcdc_condition {
  const char *text; /* the view's */
  uint32_t line;
  uint32_t seen_true, seen_false; /* the most test cases of a way that saw it so */
  bool shown;
  /* Two ways that show it, true first: both taken if `shown`, else those of which fewest are missing; NULL where the
   * view does not have two such ways. */
  const model_outcome *pair[2];
} mcdc_condition;

typedef struct mcdc {
  size_t count; /* 0: the decision has too many ways through it, or is none */
  size_t shown;
  mcdc_condition conditions[OUTCOME_PATH];
} mcdc;

/* `decision` is a SITE_DECISION; any other has no conditions. */
void mcdc_read(const model_site *decision, mcdc *out);
/* Has the decision too many ways through it for MC/DC? */
bool mcdc_too_large(const model_site *s);
/* "needs a > 0 true, b > 0 false": the ways that are missing for a condition, in words. */
void mcdc_needs(const mcdc *m, const mcdc_condition *condition, buffer *to);

/* A line has at least as many test cases as each of its branches: some readers take a line that was not executed, with a
 * branch that was taken, for a damaged file. */
typedef struct table_line {
  uint32_t line;
  uint32_t tests;    /* test cases that executed it */
  uint32_t function; /* of the view, or MODEL_NONE */
  uint32_t outcomes, taken;
  uint32_t blocks; /* for the writer: sites of the line written so far */
} table_line;

typedef struct line_table {
  table_line *lines; /* in order */
  size_t count;
} line_table;

/* `reported` is from report_functions, `everything` from report_everything. Release with free(lines). */
line_table line_table_of(const view *v, uint32_t file, const bool *reported, bool everything);
/* NULL when there is no such line. */
table_line *line_table_find(const line_table *t, uint32_t line);

/* Is the site a branch of the file that the report is about? */
bool line_table_branch(const model_site *s, uint32_t file, const bool *reported, bool everything);
/* The highest number of test cases that covered an outcome of the site. */
uint32_t most_tests(const model_site *s);

/* What mutation testing found, counted: totals, by kernel, by operator, and what the test cases are worth. */

/* Mutants by status. `total` is those that the score counts: killed, undecided, survived, no coverage. A duplicate is
 * counted through its original. */
typedef struct mutation_counts {
  unsigned long total;
  unsigned long of[MUTANT_STATUSES]; /* by mutant_status */
  unsigned long revealed;            /* of those killed: the program itself notices them */
  unsigned long unasked;             /* of those killed: it is not known whether it does */
  unsigned long races;               /* of those killed: a race alone tells them, which no program could notice */
} mutation_counts;

/* Some mutants together: a kernel's (`name` and `kernel`, of the view) or an operator's (`kernel` MODEL_NONE). */
typedef struct mutation_group {
  const char *name; /* lent by the view */
  uint32_t kernel;
  mutation_counts counts;
} mutation_group;

typedef struct mutation {
  mutation_counts all;
  mutation_group *kernels; /* every kernel that the options select, in source order */
  size_t kernel_count;
  mutation_group *operators; /* those of the view's mutants, by name */
  size_t operator_count;
  bool *selected; /* mutants: reached by a selected kernel */
} mutation;

/* Counts the mutants that kernels selected by the options reach: a mutant is one in the total, and one in the row of
 * each kernel that reaches it. Release with mutation_free. */
void mutation_totals(const view *v, const report_options *options, mutation *out);
void mutation_free(mutation *m);

/* Does the score count mutants of this status? */
bool mutation_counts_status(mutant_status status);

/* killed of total: the mutation score. */
ratio mutation_score(const mutation_counts *c);

/* Where the score of all mutants lies, of which some were drawn at random: the 95 % interval. False where all are decided,
 * or none. */
bool mutation_interval(const view *v, const mutation_counts *c, interval *out);

/* revealed of total: the score of the program's own checks. Total 0 where it is not known of some mutant. */
ratio mutation_revealed(const mutation_counts *c);
/* Whether the program itself notices a mutant; REVEALED_UNKNOWN: not known, or it is not killed. */
mutant_revealed mutation_is_revealed(const db_mutant *m);

/* Is it known of each killed mutant whether the program notices it? */
bool mutation_asked(const view *v);

/* Is the view one of mutation testing? */
bool mutation_is(const view *v);

/* Did every run against this test case differ? Less runs than the mutant had elsewhere decide nothing. */
bool mutation_kills(const db_mutant *m, const mutant_verdict *verdict);
/* Number of test cases that ran the mutant. */
size_t mutation_tests(const db_mutant *m);

/* Verdicts on selected mutants, and how many of them were taken over from earlier runs. */
void mutation_verdicts(const view *v, const mutation *m, size_t *verdicts, size_t *reused);

/* Selected mutants of a status, in the order in which a developer should look: those that most test cases ran first,
 * then source order. Indices of the view; free() it. */
size_t *mutation_order(const view *v, const mutation *m, mutant_status status, size_t *count);
/* The same for killed mutants that the program itself does not notice. */
size_t *mutation_unrevealed(const view *v, const mutation *m, size_t *count);

/* What stands between two words of the settings of the run of mutate; its test cases stand before them. */
void mutation_setting(const view *v, const char *from, const char *to, buffer *value);
/* "20 runs of each mutant, …, revealed by the exit status"; nothing where it is not known. */
void mutation_method(const view *v, buffer *to);

/* The test cases without which all that is killed still is: those outside a set that is made by taking, again and
 * again, the test case that kills most of what is left. One that no mutant was run against is none of them: it may test
 * something else. By index of the view; free() it. NULL when nothing can be said: no kills, one test case, or mutants
 * that are pending. */
bool *mutation_superfluous(const view *v, const mutation *m);

/* "suite/name", or the name alone. */
void mutation_test_name(const view_test_case *t, buffer *to);
/* "< becomes <=", "loop skipped", "barrier(f) deleted": one line, long texts cut. */
void mutation_describe(const db_mutant *m, buffer *to);
/* "the output differed in 20 of 20 runs of suite/small": of a test case that kills the mutant, else of the one in which
 * most runs differed; nothing when none did. */
void mutation_explain(const view *v, const db_mutant *m, buffer *to);

/* What schedule amplification found, counted: totals, by kernel, launches left out by reason; and the words for it. */

/* Schedules by verdict. Those of kernels that say that their order dependence is meant, and those that the
 * configuration suppresses, are counted apart: `schedules` is `of` summed up plus `meant` plus `suppressed`. */
typedef struct amplification_counts {
  unsigned long schedules, runs;
  unsigned long of[VERDICTS]; /* by schedule_verdict, without those counted apart */
  unsigned long meant, suppressed;
} amplification_counts;

/* A kernel with launches, whether they got schedules or not. */
typedef struct amplification_kernel {
  uint32_t kernel;                    /* of the view */
  unsigned long launches;             /* all of them */
  uint32_t groups_least, groups_most; /* work-groups of a launch, where known; 0: of none */
  uint32_t together;                  /* most found in flight together, 0: not known */
  amplification_counts counts;
} amplification_kernel;

/* Launches without schedules for one reason. */
typedef struct amplification_skipped {
  const char *reason; /* lent by the view */
  unsigned long launches;
  uint32_t *kernels; /* of the view, each once, in source order */
  size_t kernel_count;
} amplification_skipped;

typedef struct amplification {
  amplification_counts all;
  unsigned long launches, kernels_with; /* with schedules */
  amplification_kernel *kernels;        /* in source order */
  size_t kernel_count;
  amplification_skipped *skipped; /* most launches first */
  size_t skipped_count;
  bool *selected; /* launches of the view: of a kernel that the options select */
} amplification;

/* Counts the launches of kernels that the options select. Release with amplification_free. */
void amplification_totals(const view *v, const report_options *options, amplification *out);
void amplification_free(amplification *a);

/* What a run of a schedule may give, in the order of legends. */
enum { AMPLIFICATION_OUTCOMES = 5 };
extern const struct amplification_outcome {
  run_outcome outcome;
  const char *meaning;
} amplification_outcomes[AMPLIFICATION_OUTCOMES];
/* Its place among these; AMPLIFICATION_OUTCOMES for a character that is none. */
size_t amplification_outcome_of(char c);

/* Is the view one of schedule amplification? */
bool amplification_is(const view *v);

/* The verdict of a schedule; VERDICT_PENDING for a word that is none. */
schedule_verdict amplification_verdict(const db_schedule *s);
/* Crash, deadlock, race: what the kernel has to answer for. */
bool amplification_fails(schedule_verdict v);
/* One that fails, or a result that depends on the order without one: what reports list. */
bool amplification_is_listed(schedule_verdict v);

/* The lines of the accesses that an explanation names, at most `most`. */
size_t amplification_accesses(const db_explanation *x, uint32_t *lines, size_t most);

/* "17 first", "17 last", "reverse", "random 9"; with ", hardware gate" where it is not the usual one. */
void amplification_label(const db_schedule *s, buffer *to);
/* The same in a sentence: "group 17 first", "reverse order", "random order 9". */
void amplification_describe(const db_schedule *s, buffer *to);
/* "launch 3 of suite/small". */
void amplification_launch_name(const view *v, const db_launch *l, buffer *to);

/* What `verify` says of kernels, counted and in words: verdicts, what a proof rests on, counterexamples. */

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
