/* The findings of a view, each once, with places and witness. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "db/view_build.h"

int build_read_rows(build *b, sql which, const id_list *keys, void (*add)(build *, sqlite3_stmt *), error *e) {
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

static bool same_finding(const build *b, size_t index, const view_finding *f, const char *places) {
  const view_finding *known = &b->v->findings[index];
  return known->file == f->file && known->line == f->line && strcmp(known->rule, f->rule) == 0 &&
         strcmp(known->kernel, f->kernel) == 0 && strcmp(b->findings[index].places, places) == 0;
}

static uint32_t file_of(const view *v, const char *sha256) {
  for (size_t i = 0; i < v->file_count; i++) {
    if (strcmp(v->files[i].sha256, sha256) == 0) {
      return (uint32_t)i;
    }
  }
  return MODEL_NONE;
}

static void add_finding(build *b, sqlite3_stmt *row) {
  view *v = b->v;
  view_finding f = {.rule = sql_text(row, 3), .message = sql_text(row, 4), .kernel = sql_text(row, 6)};
  char *places = sql_text(row, 5);
  char *sha256 = sql_text(row, 7);
  f.file = file_of(v, sha256);
  f.line = f.file == MODEL_NONE ? 0 : sql_u32(row, 8);
  build_place_line(b, sha256, &f.file, &f.line);
  free(sha256);
  for (size_t i = 0; i < v->finding_count; i++) {
    if (same_finding(b, i, &f, places)) {
      view_free_finding(&f);
      free(places);
      return;
    }
  }
  *ARRAY_ADD(v->findings, v->finding_count, b->finding_capacity) = f;
  size_t count = v->finding_count - 1;
  b->findings = mem_grow(b->findings, &b->kept_capacity, v->finding_count, sizeof *b->findings);
  b->findings[count] = (build_finding){sqlite3_column_int64(row, 0), places};
}

/* --- places, witness ------------------------------------------------------------------------------------------ */

static int add_places(build *b, size_t index, error *e) {
  view_finding *f = &b->v->findings[index];
  size_t capacity = 0;
  sqlite3_stmt *row = sql_bind(b->d, SQL_FINDING_PLACES, e, "i", b->findings[index].id);
  int step = row == NULL ? -1 : sql_step(b->d, row, e);
  for (; step == 1; step = sql_step(b->d, row, e)) {
    char *sha256 = sql_text(row, 2);
    view_place p = {.file = file_of(b->v, sha256), .line = sql_u32(row, 3), .column = sql_u32(row, 4)};
    build_place_point(b, sha256, &p.file, &p.line, &p.column);
    free(sha256);
    if (p.file != MODEL_NONE) {
      p.role = sql_text(row, 0);
      p.access = sql_text(row, 1);
      *ARRAY_ADD(f->places, f->place_count, capacity) = p;
    }
  }
  return step;
}

static int add_witness(build *b, size_t index, error *e) {
  view_finding *f = &b->v->findings[index];
  size_t capacity = 0;
  sqlite3_stmt *row = sql_bind(b->d, SQL_FINDING_WITNESS, e, "i", b->findings[index].id);
  int step = row == NULL ? -1 : sql_step(b->d, row, e);
  for (; step == 1; step = sql_step(b->d, row, e)) {
    *ARRAY_ADD(f->witness, f->witness_count, capacity) = (view_witness){sql_text(row, 0), sql_text(row, 1)};
  }
  return step;
}

int build_findings(build *b, const id_list *test_cases, const id_list *runs, error *e) {
  int result = build_read_rows(b, SQL_FINDINGS, test_cases, add_finding, e);
  result = result == 0 ? build_read_rows(b, SQL_RUN_FINDINGS, runs, add_finding, e) : result;
  for (size_t i = 0; result == 0 && i < b->v->finding_count; i++) {
    result = add_places(b, i, e);
    result = result == 0 ? add_witness(b, i, e) : result;
  }
  for (size_t i = 0; i < b->v->finding_count; i++) {
    free(b->findings[i].places);
  }
  free(b->findings);
  b->findings = NULL;
  return result;
}

void view_free_finding(view_finding *f) {
  for (size_t i = 0; i < f->place_count; i++) {
    free(f->places[i].role);
    free(f->places[i].access);
  }
  for (size_t i = 0; i < f->witness_count; i++) {
    free(f->witness[i].what);
    free(f->witness[i].value);
  }
  char *const texts[] = {f->rule, f->message, f->kernel, f->suppressed};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    free(texts[i]);
  }
  free(f->places);
  free(f->witness);
}
