/* A hint: a program of a test framework that runs as one test case could be many. */
#ifndef CLTC_CLI_FRAMEWORK_H
#define CLTC_CLI_FRAMEWORK_H

#include "cli/settings.h"

/* Says on standard error which option tells its tests apart, if the program after -- is one of pytest, GoogleTest or CTest
 * and none of these options is given. */
void framework_hint(const test_settings *s, char *const *program);

#endif
