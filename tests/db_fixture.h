/* The set-up of the tests of db/: a database in a directory of its own. */
#ifndef CLTC_TESTS_DB_FIXTURE_H
#define CLTC_TESTS_DB_FIXTURE_H

#include "db/db.h"

typedef struct fixture {
  char *path;
  db *d;
} fixture;

int setup(void **state);
int teardown(void **state);

/* Of a view: a file's index, and a kernel; the test fails where there is none. */
uint32_t file_named(const view *v, const char *name);
const view_kernel *kernel_named(const view *v, const char *name);

/* A test that gets one as its state. */
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
