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

/* --- findings, skipped programs ----------------------------------------------------------------------------- */

static bool same_finding(const view_finding *a, const view_finding *b) {
  return a->file == b->file && a->line == b->line && strcmp(a->rule, b->rule) == 0 && strcmp(a->kernel, b->kernel) == 0;
}

static void free_finding(view_finding *f) {
  free(f->rule);
  free(f->message);
  free(f->kernel);
}

static void add_finding(build *b, sqlite3_stmt *row) {
  view *v = b->v;
  view_finding f = {
      .rule = sql_text(row, 2), .message = sql_text(row, 3), .kernel = sql_text(row, 4), .file = MODEL_NONE};
  char *sha256 = sql_text(row, 5);
  for (size_t i = 0; i < v->file_count; i++) {
    if (strcmp(v->files[i].sha256, sha256) == 0) {
      f.file = (uint32_t)i;
      f.line = sql_u32(row, 6);
    }
  }
  build_place_line(b, sha256, &f.file, &f.line);
  free(sha256);
  for (size_t i = 0; i < v->finding_count; i++) {
    if (same_finding(&v->findings[i], &f)) {
      free_finding(&f);
      return;
    }
  }
  *ARRAY_ADD(v->findings, v->finding_count, b->finding_capacity) = f;
}

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

/* Gives every row of a statement, for each of some keys, to `add`. */
static int read_rows(build *b, sql which, const id_list *keys, void (*add)(build *, sqlite3_stmt *), error *e) {
  for (size_t i = 0; i < keys->count; i++) {
    sqlite3_stmt *row = sql_bind(b->d, which, e, "i", keys->ids[i]);
    int step = row == NULL ? -1 : sql_step(b->d, row, e);
    for (; step == 1; step = sql_step(b->d, row, e)) {
      add(b, row);
    }
    if (step < 0) {
      return -1;
    }
  }
  return 0;
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
  result = result == 0 ? read_rows(b, SQL_FINDINGS, &test_cases, add_finding, e) : result;
  result = result == 0 ? read_rows(b, SQL_SKIPPED, runs, add_skipped, e) : result;
  result = result == 0 ? read_rows(b, SQL_REFUSED, runs, add_refused, e) : result;
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
