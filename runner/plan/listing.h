/* Test cases that test frameworks list: pytest, GoogleTest, CTest. */
#ifndef CLTC_RUNNER_PLAN_LISTING_H
#define CLTC_RUNNER_PLAN_LISTING_H

#include "base/buffer.h"
#include "runner/plan/plan.h"

/* Whether --pytest, --gtest or --ctest is given. */
bool plan_is_listed(const plan_words *s);
/* The test cases that it asks for. Errors are EXIT_USAGE, and EXIT_BASELINE where the framework could not list. */
int plan_listed(const plan_words *s, plan *p, error *e);

#endif
