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
  view_skipped s = {sql_text(row, 0), sql_text(row, 1)};
  for (size_t i = 0; i < v->skipped_count; i++) {
    if (strcmp(v->skipped[i].program, s.program) == 0 && strcmp(v->skipped[i].reason, s.reason) == 0) {
      free(s.program);
      free(s.reason);
      return;
    }
  }
  *ARRAY_ADD(v->skipped, v->skipped_count, b->skipped_capacity) = s;
}

static void add_refused(build *b, sqlite3_stmt *row) {
  view *v = b->v;
  view_refused r = {sql_text(row, 0), sql_text(row, 1), sql_text(row, 2), sql_text(row, 3),
                    sqlite3_column_int64(row, 4)};
  for (size_t i = 0; i < v->refused_count; i++) { /* of another run */
    view_refused *known = &v->refused[i];
    if (strcmp(known->call, r.call) == 0 && strcmp(known->kernel, r.kernel) == 0 &&
        strcmp(known->error, r.error) == 0 && strcmp(known->detail, r.detail) == 0) {
      known->count += r.count;
      free(r.call);
      free(r.kernel);
      free(r.error);
      free(r.detail);
      return;
    }
  }
  *ARRAY_ADD(v->refused, v->refused_count, b->refused_capacity) = r;
}

/* --- all together ------------------------------------------------------------------------------------------- */

static int load(build *b, const id_list *runs, error *e) {
  int result = build_read_test_cases(b, runs, e);
  result = result == 0 ? read_programs(b, runs, e) : result;
  if (result == 0) {
    build_start_counting(b);
  }
  id_list test_cases = {0};
  for (size_t i = 0; result == 0 && i < b->test_case_count; i++) {
    *ARRAY_ADD(test_cases.ids, test_cases.count, test_cases.capacity) = b->test_cases[i].id;
    result = build_count_test_case(b, &b->test_cases[i], e);
  }
  result = result == 0 ? build_proofs(b, runs, e) : result;
  result = result == 0 ? build_findings(b, &test_cases, runs, e) : result;
  result = result == 0 ? build_repairs(b, runs, e) : result;
  result = result == 0 ? build_read_rows(b, SQL_SKIPPED, runs, add_skipped, e) : result;
  result = result == 0 ? build_read_rows(b, SQL_REFUSED, runs, add_refused, e) : result;
  result = result == 0 ? build_mutants(b, runs, e) : result;
  if (result == 0) {
    build_finish(b);
    result = build_launches(b, e);
    build_drop_files(b);
  }
  free(test_cases.ids);
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
  result = result == 0 ? load(&b, &chosen, e) : result;
  result = result == 0 ? build_trend(&b, e) : result;
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
