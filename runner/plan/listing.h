/* Test cases that test frameworks list: pytest, GoogleTest, CTest. */
#ifndef CLTC_RUNNER_PLAN_LISTING_H
#define CLTC_RUNNER_PLAN_LISTING_H

#include "base/buffer.h"
#include "runner/plan/plan.h"

/* Whether --pytest, --gtest or --ctest is given. */
bool plan_is_listed(const plan_words *s);
/* The test cases that it asks for. Errors are EXIT_USAGE, and EXIT_BASELINE where the framework could not list. */
int plan_listed(const plan_words *s, plan *p, error *e);

/* --- for the frameworks' files --- */

/* Runs a program that lists tests; what it prints on standard output is appended to `out`. Returns its exit status as a
 * shell shows it, or -1 with `e` set when it could not be started. */
int listing_run(char *const *argv, buffer *out, error *e);
/* A NULL-terminated copy of `head` with `more` (ended by NULL) after them; free with listing_free. */
char **listing_join(char *const *head, const char *const *more);
void listing_free(char **argv);
/* Says that something that is listed is not run, and why, unless --quiet is given. */
void listing_left_out(const plan_words *s, const char *name, const char *why);

int plan_pytest(const plan_words *s, plan *p, error *e);
int plan_gtest(const plan_words *s, plan *p, error *e);
int plan_ctest(const plan_words *s, plan *p, error *e);

#endif
