/* Opening and removing a test's database, and looking things up in a view. */
#include "tests/db_fixture.h"

#include <stdlib.h>
#include <string.h>

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

uint32_t file_named(const view *v, const char *name) {
  for (uint32_t i = 0; i < v->file_count; i++) {
    if (strcmp(v->files[i].name, name) == 0) {
      return i;
    }
  }
  fail_msg("no file %s", name);
  return 0;
}

const view_kernel *kernel_named(const view *v, const char *name) {
  for (size_t i = 0; i < v->kernel_count; i++) {
    if (strcmp(v->kernels[i].name, name) == 0) {
      return &v->kernels[i];
    }
  }
  fail_msg("no kernel %s", name);
  return NULL;
}
