/* Loading a view of some runs together. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "db/view_build.h"

/* --- programs ------------------------------------------------------------------------------------------------ */

static int compare_ids(const void *a, const void *b) {
  const int64_t *x = a;
  const int64_t *y = b;
  return (*x > *y) - (*x < *y);
}

static void sort_unique(id_list *list) {
  if (list->count == 0) {
    return;
  }
  qsort(list->ids, list->count, sizeof *list->ids, compare_ids);
  size_t kept = 1;
  for (size_t i = 1; i < list->count; i++) {
    if (list->ids[i] != list->ids[i - 1]) {
      list->ids[kept++] = list->ids[i];
    }
  }
  list->count = kept;
}

static int read_programs(build *b, const id_list *runs, error *e) {
  id_list programs = {0};
  int result = 0;
  for (size_t i = 0; result == 0 && i < runs->count; i++) {
    result = db_read_ids(b->d, SQL_RUN_PROGRAMS, runs->ids[i], &programs, e);
  }
  sort_unique(&programs);
  b->programs = mem_calloc(programs.count, sizeof *b->programs);
  for (size_t i = 0; result == 0 && i < programs.count; i++) {
    b->program_count = i + 1;
    result = db_read_program(b->d, programs.ids[i], &b->programs[i].m, &b->programs[i].ids, e);
    if (result == 0) {
      build_add_program(b, i);
    }
  }
  free(programs.ids);
  return result;
}

/* --- skipped programs, refused calls ---------------------------------------------------------------------------- */

static void add_skipped(build *b, sqlite3_stmt *row) {
  view *v = b->v;
  view_skipped s;
  (void)sql_read(row, 1, &view_skipped_columns, &s);
  for (size_t i = 0; i < v->skipped_count; i++) {
    if (strcmp(v->skipped[i].program, s.program) == 0 && strcmp(v->skipped[i].reason, s.reason) == 0) {
      sql_free(&view_skipped_columns, &s);
      return;
    }
  }
  *ARRAY_ADD(v->skipped, v->skipped_count, b->skipped_capacity) = s;
}

static void add_refused(build *b, sqlite3_stmt *row) {
  view *v = b->v;
  db_refused r;
  (void)sql_read(row, 1, &db_refused_columns, &r);
  for (size_t i = 0; i < v->refused_count; i++) { /* of another run */
    db_refused *known = &v->refused[i];
    if (strcmp(known->call, r.call) == 0 && strcmp(known->kernel, r.kernel) == 0 &&
        strcmp(known->error, r.error) == 0 && strcmp(known->detail, r.detail) == 0) {
      known->count = known->count > r.count ? known->count : r.count; /* each run of a program meets them again */
      sql_free(&db_refused_columns, &r);
      return;
    }
  }
  *ARRAY_ADD(v->refused, v->refused_count, b->refused_capacity) = r;
}

/* --- all together ------------------------------------------------------------------------------------------- */

static int load(build *b, const id_list *runs, error *e) {
  if (build_read_test_cases(b, runs, e) != 0 || read_programs(b, runs, e) != 0) {
    return -1;
  }
  build_start_counting(b);
  id_list test_cases = {0};
  bool fails = false;
  for (size_t i = 0; !fails && i < b->test_case_count; i++) {
    *ARRAY_ADD(test_cases.ids, test_cases.count, test_cases.capacity) = b->test_cases[i].id;
    fails = build_count_test_case(b, &b->test_cases[i], e) != 0;
  }
  fails = fails || build_proofs(b, runs, e) != 0 || build_findings(b, &test_cases, runs, e) != 0 ||
          build_repairs(b, runs, e) != 0 || build_read_rows(b, SQL_SKIPPED, runs, add_skipped, e) != 0 ||
          build_read_rows(b, SQL_REFUSED, runs, add_refused, e) != 0 || build_mutants(b, runs, e) != 0;
  free(test_cases.ids);
  if (fails) {
    return -1;
  }
  build_finish(b);
  const int result = build_launches(b, e);
  build_drop_files(b);
  return result;
}

int db_load(db *d, const int64_t *runs, size_t run_count, view *out, error *e) {
  *out = (view){0};
  id_list chosen = {0};
  if (db_begin_read(d, e) != 0) {
    return -1;
  }
  build b = {.d = d, .v = out};
  int result = build_choose_runs(&b, runs, run_count, &chosen, e);
  if (result == 0) {
    result = load(&b, &chosen, e);
  }
  db_end_read(d);
  build_free(&b);
  free(chosen.ids);
  if (result == 0) {
    view_sort(out);
  } else {
    view_free(out);
  }
  return result;
}
