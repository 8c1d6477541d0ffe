/* A view: which runs and test cases it is of, its parts in source order, release. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "db/internal.h"

void view_free(view *v) {
  free(v->mutants);
  mem_arena_free(&v->memory);
  *v = (view){0};
}

/* --- source order -------------------------------------------------------------------------------------------------- */

typedef int (*view_compare)(const void *a, const void *b);

/* Of equal ones that comes first which was first. */
static int compare_places(const void *a, const void *b, void *compare) {
  const char *x = *(const char *const *)a, *y = *(const char *const *)b;
  const int by = (*(view_compare *)compare)(x, y);
  return by != 0 ? by : (x > y) - (x < y);
}

uint32_t *view_reorder(void *items, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  scoped char *old = mem_calloc(count, size);
  const char **order = mem_calloc(count, sizeof *order);
  uint32_t *map = mem_calloc(count, sizeof *map);
  for (size_t i = 0; i < count; i++) order[i] = memcpy(old + i * size, (char *)items + i * size, size);
  if (count > 1) qsort_r(order, count, sizeof *order, compare_places, &compare);
  for (size_t i = 0; i < count; i++) {
    memcpy((char *)items + i * size, order[i], size);
    map[(size_t)(order[i] - old) / size] = (uint32_t)i;
  }
  free(order);
  return map;
}

static int compare_numbers(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static int first_difference(const int *differences, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (differences[i] != 0) return differences[i];
  return 0;
}

static int compare_functions(const void *a, const void *b) {
  const model_function *x = a, *y = b;
  const int by[] = {compare_numbers(x->file, y->file), compare_numbers(x->line, y->line), strcmp(x->name, y->name)};
  return first_difference(by, 3);
}

static int compare_sites(const void *a, const void *b) {
  const model_site *x = a, *y = b;
  const int by[] = {compare_numbers(x->file, y->file), compare_numbers(x->offset, y->offset),
                    compare_numbers((uint32_t)x->kind, (uint32_t)y->kind)};
  return first_difference(by, 3);
}

static int compare_outcomes(const void *a, const void *b) {
  return compare_numbers(((const model_outcome *)a)->index, ((const model_outcome *)b)->index);
}

static int compare_lines(const void *a, const void *b) {
  const view_line *x = a, *y = b;
  const int by[] = {compare_numbers(x->file, y->file), compare_numbers(x->line, y->line)};
  return first_difference(by, 2);
}

static int compare_indices(const void *a, const void *b) {
  return compare_numbers(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* Kernels that one macro makes are at one place: they stay in the order in which they were found. */
static int compare_kernels(const void *a, const void *b) {
  return compare_numbers(((const view_kernel *)a)->function, ((const view_kernel *)b)->function);
}

static int compare_mutants(const void *a, const void *b) {
  const db_mutant *x = a, *y = b;
  const int by[] = {compare_numbers(x->file, y->file), compare_numbers(x->offset, y->offset),
                    strcmp(x->operator_name, y->operator_name), strcmp(x->replacement, y->replacement),
                    compare_numbers(x->id, y->id)};
  return first_difference(by, sizeof by / sizeof by[0]);
}

static void sort(void *items, size_t count, size_t size, view_compare compare) {
  if (count > 1) qsort(items, count, size, compare);
}

static void refer(uint32_t *reference, const uint32_t *map) {
  *reference = *reference == MODEL_NONE ? MODEL_NONE : map[*reference];
}

static void refer_all(model_site *sites, size_t site_count, view_line *lines, size_t line_count, const uint32_t *map) {
  for (size_t i = 0; i < site_count; i++) {
    refer(&sites[i].function, map);
    sort(sites[i].outcomes, sites[i].outcome_count, sizeof *sites[i].outcomes, compare_outcomes);
  }
  for (size_t i = 0; i < line_count; i++) refer(&lines[i].function, map);
  sort(lines, line_count, sizeof *lines, compare_lines);
}

/* What kernels hold is sorted, too. */
static uint32_t *sort_kernels(view *v, const uint32_t *functions) {
  for (size_t i = 0; i < v->kernel_count; i++) {
    view_kernel *k = &v->kernels[i];
    refer(&k->function, functions);
    for (size_t f = 0; f < k->function_count; f++) refer(&k->functions[f], functions);
    sort(k->functions, k->function_count, sizeof *k->functions, compare_indices);
    sort(k->sites, k->site_count, sizeof *k->sites, compare_sites);
    refer_all(k->sites, k->site_count, k->lines, k->line_count, functions);
  }
  return view_reorder(v->kernels, v->kernel_count, sizeof *v->kernels, compare_kernels);
}

/* Functions, sites, lines, kernels, mutants, launches into source order. */
static void view_sort(view *v) {
  scoped uint32_t *functions = view_reorder(v->functions, v->function_count, sizeof *v->functions, compare_functions);
  scoped uint32_t *sites = view_reorder(v->sites, v->site_count, sizeof *v->sites, compare_sites);
  for (size_t i = 0; i < v->function_count; i++) refer(&v->functions[i].site, sites);
  refer_all(v->sites, v->site_count, v->lines, v->line_count, functions);
  scoped uint32_t *kernels = sort_kernels(v, functions);
  scoped uint32_t *map = view_reorder(v->mutants, v->mutant_count, sizeof *v->mutants, compare_mutants);
  for (size_t i = 0; i < v->mutant_count; i++) {
    db_mutant *m = &v->mutants[i];
    refer(&m->function, functions);
    refer(&m->duplicate_of, map);
    for (size_t k = 0; k < m->kernel_count; k++) refer(&m->kernels[k], kernels);
    sort(m->kernels, m->kernel_count, sizeof *m->kernels, compare_indices);
  }
  for (size_t i = 0; i < v->proof_count; i++) refer(&v->proofs[i].kernel, kernels);
  view_sort_launches(v, sites, kernels);
}

static int compare_test_cases(const void *a, const void *b) {
  const build_test_case *x = a, *y = b;
  int by_index = (x->index > y->index) - (x->index < y->index);
  return by_index != 0 ? by_index : (x->id > y->id) - (x->id < y->id);
}

/* Which runs a view is of, oldest first: those asked for; else the newest of each command on the sources of the newest
 * of all, with the other shards of its campaign. */

/* A run as far as it matters here. */
typedef struct candidate {
  int64_t id;
  char *command, *settings;
  bool chosen;
} candidate;

typedef struct candidates {
  candidate *list; /* newest first */
  size_t count;
} candidates;

static int no_such_run(const db *d, int64_t run, error *e) {
  if (run == 0) {
    return error_set(e, EXIT_USAGE,
                     "%s holds no run yet; make one with `cltestcheck coverage -- PROGRAM` or name another file with "
                     "--db FILE",
                     d->path);
  }
  return error_set(e, EXIT_USAGE, "%s holds no run %lld; `cltestcheck list --runs` shows those it holds", d->path,
                   (long long)run);
}

static int choose_asked(const db *d, candidates *all, const int64_t *runs, size_t run_count, error *e) {
  for (size_t i = 0; i < run_count; i++) {
    bool found = false;
    for (size_t k = 0; k < all->count; k++) {
      bool is = all->list[k].id == runs[i];
      all->list[k].chosen |= is;
      found |= is;
    }
    if (!found) return no_such_run(d, runs[i], e);
  }
  return 0;
}

/* --- those that belong together ------------------------------------------------------------------------------ */

/* Have two runs a file in common, and none of one name with another text? 1, 0, or -1 on failure. */
static int same_sources(db *d, int64_t a, int64_t b, error *e) {
  int64_t shared = 0, differ = 0;
  if (a == b) return 1;
  if (sql_number(d, SQL_SHARE_FILES, &shared, e, "ii", a, b) < 0 ||
      sql_number(d, SQL_FILES_DIFFER, &differ, e, "ii", a, b) < 0)
    return -1;
  return shared != 0 && differ == 0 ? 1 : 0;
}

/* Splits the settings of a run of `mutate --shard K/N` into K and all else; 0: it is the whole campaign. */
static unsigned shard_of(const char *settings, buffer *rest) {
  unsigned shard = 0, shards = 0;
  int length = 0;
  const char *at = strstr(settings, " shard ");
  if (at == NULL || sscanf(at, " shard %u/%u%n", &shard, &shards, &length) < 2 || length == 0 || shards < 2) return 0;
  buffer_append(rest, settings, (size_t)(at - settings));
  buffer_printf(rest, " of %u shards%s", shards, at + length);
  return shard;
}

static bool other_shard(const candidate *a, const candidate *b) {
  buffer rest[2] = {{0}, {0}};
  unsigned first = shard_of(a->settings, &rest[0]), second = shard_of(b->settings, &rest[1]);
  bool other = first != 0 && second != 0 && first != second && strcmp(a->command, b->command) == 0 &&
               strcmp(buffer_text(&rest[0]), buffer_text(&rest[1])) == 0;
  buffer_free(&rest[0]);
  buffer_free(&rest[1]);
  return other;
}

/* Is a run the newest of its command, or another shard than all chosen ones of that, which are newer? */
static bool is_wanted(const candidates *all, const candidate *one) {
  EACH(const candidate, other, all->list, all->count) {
    if (other->chosen && strcmp(other->command, one->command) == 0 && !other_shard(other, one)) return false;
  }
  return true;
}

static int choose_newest(db *d, candidates *all, error *e) {
  if (all->count == 0) return no_such_run(d, 0, e);
  for (size_t i = 0; i < all->count; i++) {
    int same = is_wanted(all, &all->list[i]) ? same_sources(d, all->list[0].id, all->list[i].id, e) : 0;
    if (same < 0) return -1;
    all->list[i].chosen = same == 1;
  }
  return 0;
}

/* --- into the view ------------------------------------------------------------------------------------------- */

/* The newest one gives the view its name. */
static int read_newest(db *d, int64_t run, view *v, error *e) {
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_GET_RUN, &step, e, "i", run);
  if (step != 1) return step == 0 ? no_such_run(d, run, e) : -1;
  v->run = run;
  v->command = sql_text(&v->memory, row, 1);
  v->version = sql_text(&v->memory, row, 2);
  v->started = sql_text(&v->memory, row, 3);
  v->device = sql_text(&v->memory, row, 4);
  v->revision = sql_text(&v->memory, row, 7);
  (void)sqlite3_reset(row);
  return 0;
}

/* The runs of a view, oldest first: those asked for, or those that belong together. */
static int build_choose_runs(build *b, const int64_t *runs, size_t run_count, id_list *out, error *e) {
  candidates all = {0};
  view *v = b->v;
  int result = 0;
  for (sqlite3_stmt *row = sql_rows(b->d, SQL_RUNS_BY_AGE, &result, e, ""); result == 1;
       result = sql_step(b->d, row, e)) {
    *BUILD_ADD(b, all.list, all.count) = (candidate){.id = sqlite3_column_int64(row, 0),
                                                     .command = sql_text(&v->memory, row, 1),
                                                     .settings = sql_text(&v->memory, row, 2)};
  }
  if (result == 0)
    result = run_count == 0 ? choose_newest(b->d, &all, e) : choose_asked(b->d, &all, runs, run_count, e);
  v->settings = mem_arena_copy(&v->memory, "");
  for (size_t i = all.count; result == 0 && i-- > 0;) {
    const candidate *c = &all.list[i];
    if (!c->chosen) continue;
    *BUILD_ADD(b, out->ids, out->count) = c->id;
    *BUILD_ADD(b, v->runs, v->run_count) = (view_run){.id = c->id, .command = c->command};
    v->covers |= strcmp(c->command, "coverage") == 0;
    v->settings = strcmp(c->command, "mutate") == 0 ? c->settings : v->settings;
  }
  return result == 0 ? read_newest(b->d, out->ids[out->count - 1], v, e) : result;
}

/* Loading a view of some runs together. */

static int read_programs(build *b, error *e) {
  id_list ids = {0};
  EACH_ROW(step, row, b->d, SQL_VIEW_PROGRAMS, e, "t", b->run_list) {
    *BUILD_ADD(b, ids.ids, ids.count) = sqlite3_column_int64(row, 0);
  }
  b->programs = mem_arena_array(&b->v->memory, ids.count, sizeof *b->programs);
  for (size_t i = 0; step == 0 && i < ids.count; i++) {
    build_program *p = &b->programs[b->program_count++];
    step = db_read_program(b->d, ids.ids[i], &b->v->memory, &p->m, &p->ids, e);
    if (step == 0) build_add_program(b, i);
  }
  return step;
}

static void add_skipped(build *b, sqlite3_stmt *row) {
  (void)sql_read(&b->v->memory, row, 1, &view_skipped_columns, BUILD_ADD(b, b->v->skipped, b->v->skipped_count));
}

static void add_refused(build *b, sqlite3_stmt *row) {
  (void)sql_read(&b->v->memory, row, 1, &db_refused_columns, BUILD_ADD(b, b->v->refused, b->v->refused_count));
}

/* A row of SQL_VIEW_TEST_CASES; they come run by run. The newest run says how a test case ended. */
static void add_test_case(build *b, sqlite3_stmt *row) {
  view *v = b->v;
  const size_t run = (size_t)sqlite3_column_int64(row, 1);
  const uint32_t index = sql_u32(row, 2);
  if (index == v->test_case_count) (void)BUILD_ADD(b, v->test_cases, v->test_case_count);
  view_test_case *t = &v->test_cases[index];
  const int status = sql_read(&v->memory, row, 3, &view_test_case_columns, t);
  t->status = sqlite3_column_type(row, status) == SQLITE_NULL ? -1 : sqlite3_column_int(row, status);
  t->timed_out = sqlite3_column_int(row, status + 1) != 0;
  *BUILD_ADD(b, v->runs[run].test_cases, v->runs[run].test_case_count) = index;
  *BUILD_ADD(b, b->test_cases, b->test_case_count) = (build_test_case){sqlite3_column_int64(row, 0), run, index};
}

/* --- all together ------------------------------------------------------------------------------------------- */

/* A list for statements as JSON: opening and closing bracket stand around what is in `list`. */
static char *json_list(build *b, char open, const buffer *list, char close) {
  return mem_arena_printf(&b->v->memory, "%c%s%c", open, buffer_text(list), close);
}

static int read_test_cases(build *b, const id_list *runs, error *e) {
  scoped_buffer list = {0}, tests = {0};
  for (size_t i = 0; i < runs->count; i++) buffer_printf(&list, "%s%lld", i == 0 ? "" : ", ", (long long)runs->ids[i]);
  b->run_list = json_list(b, '[', &list, ']');
  if (build_read_list(b, SQL_VIEW_TEST_CASES, add_test_case, e) != 0) return -1;
  if (b->test_case_count > 0) qsort(b->test_cases, b->test_case_count, sizeof *b->test_cases, compare_test_cases);
  for (size_t i = 0; i < b->test_case_count; i++) {
    const build_test_case *t = &b->test_cases[i];
    buffer_printf(&tests, "%s\"%lld\": [%u, %zu]", i == 0 ? "" : ", ", (long long)t->id, t->index, t->run);
  }
  b->test_list = json_list(b, '{', &tests, '}');
  return 0;
}

static int load_parts(build *b, const id_list *runs, error *e) {
  if (read_test_cases(b, runs, e) != 0 || read_programs(b, e) != 0) return -1;
  build_start_counting(b);
  id_list test_cases = {0};
  bool fails = false;
  for (size_t i = 0; !fails && i < b->test_case_count; i++) {
    *BUILD_ADD(b, test_cases.ids, test_cases.count) = b->test_cases[i].id;
    fails = build_count_test_case(b, &b->test_cases[i], e) != 0;
  }
  if (fails || build_proofs(b, runs, e) != 0 || build_findings(b, &test_cases, runs, e) != 0 ||
      build_read_list(b, SQL_VIEW_REPAIRS, build_add_repair, e) != 0 ||
      build_read_list(b, SQL_VIEW_SKIPPED, add_skipped, e) != 0 ||
      build_read_list(b, SQL_VIEW_REFUSED, add_refused, e) != 0 || build_mutants(b, e) != 0)
    return -1;
  build_finish(b);
  const int result = build_launches(b, e);
  build_drop_files(b);
  return result;
}

int db_load(db *d, const int64_t *runs, size_t run_count, view *out, error *e) {
  *out = (view){0};
  id_list chosen = {0};
  if (db_begin_read(d, e) != 0) return -1;
  build b = {.d = d, .v = out};
  int result = build_choose_runs(&b, runs, run_count, &chosen, e);
  if (result == 0) result = load_parts(&b, &chosen, e);
  db_end_read(d);
  for (size_t i = 0; i < b.program_count; i++) build_free_homes(&b.programs[i]);
  if (result == 0)
    view_sort(out);
  else
    view_free(out);
  return result;
}
