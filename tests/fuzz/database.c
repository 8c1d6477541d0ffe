/* Databases with random changes, of bytes and of values: opening and loading one ends well or with a sentence; of what
 * is loaded every report, annotated source, comparison and merge is written. By hand: fuzz_database SEED SECONDS
 * DATABASE…, besides databases of made-up runs; changed copies lie in /tmp. */
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/buffer.h"
#include "base/memory.h"
#include "db/db.h"
#include "random.h"
#include "reports/common/report.h"
#include "reports/compare/diff.h"
#include "reports/formats.h"
#include "tests/fixtures/amplify_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_fixture.h"

enum { FIRST_PAGE = 120 };

static random_state numbers;
static size_t opened, loaded, written;

static size_t below(size_t n) { return fuzz_below(&numbers, n); }

/* --- databases to begin with --- */

typedef struct original {
  buffer bytes;
} original;

static original *originals;
static size_t original_count, original_capacity;

static void read_original(const char *path) {
  char part[4096];
  size_t n = 0;
  original *o = ARRAY_ADD(originals, original_count, original_capacity);
  FILE *f = fopen(path, "rb");
  while (f != NULL && (n = fread(part, 1, sizeof part, f)) > 0) buffer_append(&o->bytes, part, n);
  if (f == NULL || o->bytes.length < 1024) {
    fprintf(stderr, "%s is no database\n", path);
    exit(2);
  }
  fclose(f);
}

static void make_coverage(db *d) { (void)fixture_run(d); }

static void make_mutation(db *d) {
  (void)fixture_mutation(d, 0, 2);
  (void)fixture_mutation(d, 1, 2);
}

static void make_amplify(db *d) {
  error e;
  amplify_fixture f;
  amplify_begin(&f, d, "small");
  const int64_t conv = amplify_launch(&f, f.conv.kernels[0], 0, 8, "");
  (void)amplify_launch(&f, f.conv.kernels[1], 0, 1, "one work-group");
  const int64_t race = amplify_schedule(&f, conv, "first", 3, ".xx");
  const int64_t stuck = amplify_schedule(&f, conv, "reverse", 0, "ddd");
  (void)amplify_schedule(&f, conv, "random", 9, "cx.");
  (void)amplify_schedule_meant(&f, amplify_launch(&f, f.scan.kernels[0], 1, 4, ""), "last", 2, "xxx");
  amplify_explain(&f, race,
                  &(db_explanation){.why = {.kind = "memory", .unit = "pixel", .width = 2, .height = 2, .race = "seen"},
                                    .places = (const db_explained[]){{.role = "write", .line = 3},
                                                                     {.role = "group", .construct = "loop", .line = 5}},
                                    .place_count = 2,
                                    .other = stuck,
                                    .argument = "out",
                                    .first = 1,
                                    .last = 3,
                                    .differing = 2,
                                    .reference = "1",
                                    .seen = "2",
                                    .file_name = "conv.cl",
                                    .line = 3,
                                    .unfinished = ""});
  amplify_explain(
      &f, stuck,
      &(db_explanation){
          .text = "", .argument = "", .reference = "", .seen = "", .file_name = "", .unfinished = "groups 2 to 7"});
  OK(db_add_reached(d, race, f.conv.sites[CONV_WHILE], OUTCOME_TRUE, &e));
  amplify_end(&f);
}

static void make_all(db *d) {
  error e;
  make_coverage(d);
  make_mutation(d);
  make_amplify(d);
  OK(db_set_revision(d, 1, "0123456789abcdef+", &e));
  OK(db_add_refused(d, 1, &(db_refused){"clEnqueueNDRangeKernel", "scan", "CL_INVALID_WORK_GROUP_SIZE", "", 3}, &e));
}

/* The source of conv stands in two strings of a Python file, with an escape sequence between its halves. */
static void add_home(model_file *f) {
  const uint32_t half = (uint32_t)f->length / 2, rest = (uint32_t)f->length - half - 1;
  model_home *h = ARRAY_ADD(f->homes, f->home_count, f->home_capacity);
  buffer text = {0};
  buffer_puts(&text, "import x\nfirst = '''");
  const model_span first = {0, half, (uint32_t)text.length, half};
  buffer_append(&text, f->text, half);
  const model_span escape = {half, 1, (uint32_t)text.length, 2};
  buffer_puts(&text, "\\n'''\n\nsecond = '''");
  const model_span second = {half + 1, rest, (uint32_t)text.length, rest};
  buffer_append(&text, f->text + half + 1, rest);
  buffer_puts(&text, "'''\n");
  *h = (model_home){.name = mem_strdup("src/host.py"), .root = mem_strdup("/home/me/project"), .length = text.length};
  h->text = buffer_take(&text);
  memset(h->sha256, 'f', sizeof h->sha256 - 1);
  *ARRAY_ADD(h->spans, h->span_count, h->span_capacity) = first;
  *ARRAY_ADD(h->spans, h->span_count, h->span_capacity) = escape;
  *ARRAY_ADD(h->spans, h->span_count, h->span_capacity) = second;
}

static void make_homes(db *d) {
  error e;
  int64_t again;
  model m;
  db_program p;
  make_all(d);
  fixture_conv(&m);
  add_home(&m.files[0]);
  OK(db_begin_run(d, "coverage", "0.1", &again, &e));
  OK(db_add_program(d, again, &m, &p, &e));
  OK(db_end_run(d, again, "Test Device", 0, &e));
  db_program_free(&p);
  model_free(&m);
}

static void make_originals(void) {
  static void (*const makers[])(db *) = {make_coverage, make_mutation, make_amplify, make_all, make_homes};
  for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
    error e;
    db *d = NULL;
    char *path = fixture_path("made.db");
    OK(db_open(&d, path, DB_WRITE, &e));
    makers[i](d);
    db_close(d);
    read_original(path);
    fixture_forget(path);
  }
}

/* --- changes --- */

static void write_file(const char *path, const char *bytes, size_t length) {
  FILE *f = fopen(path, "wb");
  if (f == NULL || fwrite(bytes, 1, length, f) != length || fclose(f) != 0) abort();
}

static void change_bytes(const char *path, const buffer *whole) {
  char *bytes = mem_strndup(whole->data, whole->length);
  for (size_t n = 1 + below(12); n > 0; n--) {
    const size_t at = below(below(3) == 0 ? FIRST_PAGE : whole->length);
    const uint64_t flip = below(2) == 0 ? random_next(&numbers) : UINT64_C(1) << below(8);
    bytes[at] = (char)((uint64_t)(unsigned char)bytes[at] ^ (flip & 0xff));
  }
  write_file(path, bytes, below(8) == 0 ? below(whole->length) : whole->length);
  free(bytes);
}

/* A text of the database itself, chosen by chance; to be freed, NULL: nothing there. */
static char *pick(sqlite3 *handle, const char *query) {
  sqlite3_stmt *row = NULL;
  char *text = NULL;
  if (sqlite3_prepare_v2(handle, query, -1, &row, NULL) == SQLITE_OK) {
    size_t count = 0;
    while (sqlite3_step(row) == SQLITE_ROW) count++;
    (void)sqlite3_reset(row);
    const size_t chosen = below(count);
    for (size_t i = 0; i <= chosen && sqlite3_step(row) == SQLITE_ROW; i++)
      if (i == chosen && sqlite3_column_text(row, 0) != NULL)
        text = mem_strdup((const char *)sqlite3_column_text(row, 0));
  }
  (void)sqlite3_finalize(row);
  return text;
}

static const char *const values[] = {"NULL",
                                     "-1",
                                     "0",
                                     "1",
                                     "2",
                                     "7",
                                     "65536",
                                     "2147483648",
                                     "4294967295",
                                     "4294967296",
                                     "9223372036854775807",
                                     "(-9223372036854775807 - 1)",
                                     "1.5",
                                     "9e999",
                                     "''",
                                     "'race'",
                                     "'mutate'",
                                     "'coverage'",
                                     "'amplify'",
                                     "x'00ff'",
                                     "x'0a0d1b5b31'",
                                     "'<a href=\"x\">]]>&amp;'",
                                     "zeroblob(300)",
                                     "'2020-01-01T00:00:00Z'",
                                     "printf('%.*c', 5000, 'x')"};

/* One column of a table, in one row, some or all. */
static void change_value(sqlite3 *handle) {
  buffer sql = {0};
  char *table = pick(handle, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
  buffer_printf(&sql, "SELECT name FROM pragma_table_info('%s')", table == NULL ? "" : table);
  char *column = pick(handle, buffer_text(&sql));
  buffer_free(&sql);
  const char *other = values[below(sizeof values / sizeof *values)];
  if (column != NULL && below(5) == 0) {
    buffer_printf(&sql, "DELETE FROM %s", table);
  } else if (column != NULL) {
    buffer_printf(&sql, "UPDATE OR IGNORE %s SET %s = ", table, column);
    buffer_printf(&sql, below(4) == 0 ? "%s + %d" : "%s", below(2) == 0 ? other : column, below(3) == 0 ? -1 : 1);
  }
  if (column != NULL && below(4) > 0)
    buffer_printf(&sql, " WHERE rowid %s %zu", below(3) == 0 ? ">" : "=", 1 + below(12));
  (void)sqlite3_exec(handle, buffer_text(&sql), NULL, NULL, NULL);
  buffer_free(&sql);
  free(table);
  free(column);
}

static void change_values(const char *path, const buffer *whole) {
  sqlite3 *handle = NULL;
  write_file(path, whole->data, whole->length);
  if (sqlite3_open(path, &handle) == SQLITE_OK) {
    (void)sqlite3_exec(handle,
                       "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA ignore_check_constraints = ON;"
                       "BEGIN",
                       NULL, NULL, NULL);
    for (size_t n = 1 + below(4); n > 0; n--) change_value(handle);
    (void)sqlite3_exec(handle, "COMMIT", NULL, NULL, NULL);
  }
  (void)sqlite3_close(handle);
}

/* --- what is made of one --- */

static void expect_sentence(int status, const error *e) {
  if (status != 0 && e->text[0] == '\0') {
    fputs("refused without a sentence\n", stderr);
    abort();
  }
}

static void expect_report(const char *format, int status, const error *e) {
  if (status != 0) {
    fprintf(stderr, "%s: %s\n", format, e->text);
    abort();
  }
  written++;
}

static report_options some_options(void) {
  static const report_threshold thresholds[] = {{"line", 80}, {"mutation", 50}};
  static char file[] = "conv.cl";
  static const line_range changes[] = {{file, 1, 9}};
  static const char *kernels[] = {"c*"};
  return (report_options){.colour = below(2) == 0,
                          .width = below(3) == 0 ? 1 + (unsigned)below(40) : 0,
                          .show_missed = below(2) == 0,
                          .verbose = below(2) == 0,
                          .kernels = {.wanted = {kernels, below(4) == 0, 1}},
                          .thresholds = thresholds,
                          .threshold_count = below(3),
                          .changes = changes,
                          .change_count = below(2)};
}

static void annotate(const view *v, const report_options *options, FILE *out) {
  error e = {0};
  bool *wanted = mem_calloc(v->file_count + 1, sizeof *wanted);
  for (size_t i = 0; i < v->file_count; i++) wanted[i] = below(4) > 0;
  expect_report("annotated", annotate_write(v, options, wanted, out, &e), &e);
  free(wanted);
}

static void suppress(view *v) {
  char race[] = "*", reason[] = "known", line[] = "*for*", mutant[] = "mutant";
  const suppression list[] = {{.rule = race, .line = line, .reason = reason}, {.rule = mutant, .reason = reason}};
  suppress_apply(v, list, below(3));
}

static void write_all(view *v, const view *sound, FILE *out) {
  error e = {0};
  suppress(v);
  const report_options options = some_options();
  for (const report_writer *w = report_writers; w->name != NULL; w++)
    expect_report(w->name, w->write(v, &options, out, &e), &e);
  annotate(v, &options, out);
  diff d;
  diff_make(below(2) == 0 ? v : sound, v, &options, &d);
  d.old_name = "old";
  d.new_name = "new";
  for (const diff_writer *w = diff_writers; w->name != NULL; w++)
    expect_report(w->name, w->write(&d, &options, out, &e), &e);
  diff_free(&d);
}

static void load(db *d, const int64_t *runs, size_t count, const view *sound, FILE *out) {
  error e = {0};
  view v;
  const int status = db_load(d, runs, count, &v, &e);
  expect_sentence(status, &e);
  if (status == 0) {
    loaded++;
    write_all(&v, sound, out);
    view_free(&v);
  }
}

static void load_all(db *d, const view *sound, FILE *out) {
  error e = {0};
  run_summary *list = NULL;
  size_t count = 0;
  expect_sentence(db_list_runs(d, &list, &count, &e), &e);
  int64_t *runs = mem_calloc(count + 1, sizeof *runs);
  for (size_t i = 0; i < count; i++) runs[i] = list[i].id;
  load(d, NULL, 0, sound, out);
  load(d, runs, count, sound, out);
  db_replay replay;
  expect_sentence(db_get_replay(d, 1 + (int64_t)below(3), &replay, &e), &e);
  db_free_replay(&replay);
  free(runs);
  db_free_runs(list, count);
}

/* Into a new database, and what is in that. */
static void merge(db *from, const char *path, const view *sound, FILE *out) {
  error e = {0};
  db *d = NULL;
  size_t merged = 0;
  OK(db_open(&d, path, DB_WRITE, &e));
  const int status = db_merge(d, from, &merged, &e);
  expect_sentence(status, &e);
  if (status == 0) load(d, NULL, 0, sound, out);
  db_close(d);
  (void)unlink(path);
}

static void try_one(const char *path, const char *merged, const view *sound, FILE *out) {
  error e = {0};
  db *d = NULL;
  const int status = db_open(&d, path, below(4) == 0 ? DB_WRITE : DB_READ, &e);
  expect_sentence(status, &e);
  if (status == 0) {
    opened++;
    load_all(d, sound, out);
    if (below(4) == 0) merge(d, merged, sound, out);
  }
  db_close(d);
}

/* What changed databases are compared with: the last one that was made up. */
static void load_sound(const char *path, view *v) {
  error e;
  db *d = NULL;
  const buffer *whole = &originals[3].bytes;
  write_file(path, whole->data, whole->length);
  OK(db_open(&d, path, DB_READ, &e));
  OK(db_load(d, NULL, 0, v, &e));
  db_close(d);
}

static size_t run(const char *folder, uint64_t seed, time_t end) {
  buffer path = {0}, merged = {0};
  view sound;
  size_t count = 0;
  FILE *out = fopen("/dev/null", "w");
  buffer_printf(&path, "%s/changed.db", folder);
  buffer_printf(&merged, "%s/merged.db", folder);
  load_sound(buffer_text(&path), &sound);
  for (; time(NULL) < end; count++) {
    numbers.at = seed * 1000003 + count;
    const buffer *whole = &originals[below(original_count)].bytes;
    (below(3) == 0 ? change_bytes : change_values)(buffer_text(&path), whole);
    try_one(buffer_text(&path), buffer_text(&merged), &sound, out);
  }
  view_free(&sound);
  (void)fclose(out);
  buffer_free(&path);
  buffer_free(&merged);
  return count;
}

int main(int argc, char **argv) {
  char folder[] = "/tmp/fuzz_database.XXXXXX";
  if (argc < 3 || mkdtemp(folder) == NULL) {
    fputs("fuzz_database: wants a seed, seconds and databases\n", stderr);
    return 2;
  }
  const uint64_t seed = strtoull(argv[1], NULL, 10);
  const time_t end = time(NULL) + (time_t)strtoul(argv[2], NULL, 10);
  make_originals();
  for (int i = 3; i < argc; i++) read_original(argv[i]);
  const size_t count = run(folder, seed, end);
  printf("seed %" PRIu64 ": %zu databases, %zu opened, %zu times loaded, %zu reports\n", seed, count, opened, loaded,
         written);
  for (size_t i = 0; i < original_count; i++) buffer_free(&originals[i].bytes);
  free(originals);
  char last[64];
  (void)snprintf(last, sizeof last, "rm -r %s", folder);
  return system(last) == 0 ? 0 : 2;
}
