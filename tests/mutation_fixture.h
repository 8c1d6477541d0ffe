/* Views of mutants to report on: of fixture_mutation, and made by hand. */
#ifndef CLTC_TESTS_MUTATION_FIXTURE_H
#define CLTC_TESTS_MUTATION_FIXTURE_H

#include "tests/report_checks.h"

/* The view of fixture_mutation. */
void load_mutation(fixture *f, view *v);
/* One file, one kernel, `tests` test cases, no mutants yet. */
void hand_made(view *v, const char *source, size_t tests);
/* A mutant of the text `original` where it stands first in the source. Lent. */
view_mutant *add_by_hand(view *v, const char *original, const char *replacement, mutant_status status);
/* `row[i]` says whether the i-th test case kills the next mutant: 1 if so. All have 20 runs. */
void add_kills(view *v, const char *row);

#endif
