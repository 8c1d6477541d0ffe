/* Opening and removing a test's database. */
#include "tests/db_fixture.h"

#include <stdlib.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/memory.h"
#include "tests/ok.h"
#include "tests/report_fixture.h"

int setup(void **state) {
  fixture *f = mem_calloc(1, sizeof *f);
  error e;
  f->path = fixture_path("results.db");
  OK(db_open(&f->d, f->path, DB_WRITE, &e));
  *state = f;
  return 0;
}

int teardown(void **state) {
  fixture *f = *state;
  db_close(f->d);
  fixture_forget(f->path);
  free(f);
  return 0;
}
