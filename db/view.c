/* A view: which runs and test cases it is of, its parts in source order, release. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "db/internal.h"

static void free_kernels(view_kernel *kernels, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(kernels[i].name);
    free(kernels[i].functions);
    model_sites_free(kernels[i].sites, kernels[i].site_count);
    free(kernels[i].lines);
  }
  free(kernels);
}

static void free_remarks(view *v) {
  for (size_t i = 0; i < v->finding_count; i++) view_free_finding(&v->findings[i]);
  for (size_t i = 0; i < v->skipped_count; i++) sql_free(&view_skipped_columns, &v->skipped[i]);
  for (size_t i = 0; i < v->test_case_count; i++) sql_free(&view_test_case_columns, &v->test_cases[i]);
  for (size_t i = 0; i < v->meant_count; i++) view_free_finding(&v->meant[i]);
  free(v->findings);
  free(v->meant);
  for (size_t i = 0; i < v->refused_count; i++) sql_free(&db_refused_columns, &v->refused[i]);
  free(v->refused);
  free(v->skipped);
  free(v->test_cases);
}

static void free_mutants(view *v) {
  EACH(db_mutant, m, v->mutants, v->mutant_count) {
    sql_free(&db_mutant_columns, m);
    free((void *)m->description);
    free(m->reason);
    free(m->suppressed);
    free(m->kernels);
    free(m->verdicts);
  }
  for (size_t i = 0; i < v->unstable_count; i++) free(v->unstable[i].what);
  free(v->mutants);
  free(v->unstable);
}

static void free_suppressions(view *v) {
  for (size_t i = 0; i < v->suppression_count; i++) {
    free(v->suppressions[i].rule);
    free(v->suppressions[i].kernel);
    free(v->suppressions[i].line);
    free(v->suppressions[i].reason);
  }
  free(v->suppressions);
}

void view_free(view *v) {
  model_files_free(v->files, v->file_count);
  model_functions_free(v->functions, v->function_count);
  model_sites_free(v->sites, v->site_count);
  free(v->lines);
  free(v->sets);
  free_kernels(v->kernels, v->kernel_count);
  free_remarks(v);
  free_mutants(v);
  view_free_proofs(v);
  view_free_repairs(v);
  view_free_launches(v);
  free_suppressions(v);
  for (size_t i = 0; i < v->run_count; i++) {
    free(v->runs[i].command);
    free(v->runs[i].test_cases);
  }
  free(v->runs);
  free(v->command);
  free(v->device);
  free(v->version);
  free(v->started);
  free(v->revision);
  free(v->settings);
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

/* The test cases of a view: the same one of several runs (of other commands, shards, reruns) is one. The same one twice
 * in a run is two. */

/* The n-th test case of some names in a run; `run` is the last run that had it. */
typedef struct known_test {
  char *key;
  size_t run;
  uint32_t index;
  UT_hash_handle hh;
} known_test;

static known_test *find_test_case(known_test *known, const view_test_case *t, unsigned nth, char **key) {
  scoped_buffer text =
      buffer_with("%u %zu %zu %s%s%s", nth, strlen(t->suite), strlen(t->name), t->suite, t->name, t->command_line);
  *key = buffer_take(&text);
  known_test *found = NULL;
  HASH_FIND_STR(known, *key, found);
  return found;
}

/* The test case of the view that this one of `run` is; the next one when it is new. */
static uint32_t unite_test_cases(known_test **known, const view_test_case *t, size_t run, size_t next) {
  for (unsigned nth = 0;; nth++) {
    char *key = NULL;
    known_test *found = find_test_case(*known, t, nth, &key);
    if (found == NULL) {
      found = mem_calloc(1, sizeof *found);
      *found = (known_test){.key = key, .run = run, .index = (uint32_t)next};
      HASH_ADD_KEYPTR(hh, *known, found->key, strlen(found->key), found);
      return found->index;
    }
    free(key);
    if (found->run != run) {
      found->run = run;
      return found->index;
    }
  }
}

static int compare_test_cases(const void *a, const void *b) {
  const build_test_case *x = a, *y = b;
  int by_index = (x->index > y->index) - (x->index < y->index);
  return by_index != 0 ? by_index : (x->id > y->id) - (x->id < y->id);
}

/* Columns of SQL_TEST_CASES after the id and the strings. */
enum { STATUS = 5, TIMED_OUT };

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
  size_t count, capacity;
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
  v->command = sql_text(row, 1);
  v->version = sql_text(row, 2);
  v->started = sql_text(row, 3);
  v->device = sql_text(row, 4);
  v->revision = sql_text(row, 7);
  (void)sqlite3_reset(row);
  return 0;
}

/* The runs of a view, oldest first: those asked for, or those that belong together. */
static int build_choose_runs(build *b, const int64_t *runs, size_t run_count, id_list *out, error *e) {
  candidates all = {0};
  size_t capacity = 0;
  int result = 0;
  for (sqlite3_stmt *row = sql_rows(b->d, SQL_RUNS_BY_AGE, &result, e, ""); result == 1;
       result = sql_step(b->d, row, e)) {
    *ARRAY_ADD(all.list, all.count, all.capacity) =
        (candidate){.id = sqlite3_column_int64(row, 0), .command = sql_text(row, 1), .settings = sql_text(row, 2)};
  }
  if (result == 0)
    result = run_count == 0 ? choose_newest(b->d, &all, e) : choose_asked(b->d, &all, runs, run_count, e);
  for (size_t i = all.count; result == 0 && i-- > 0;) {
    if (all.list[i].chosen) {
      *ARRAY_ADD(out->ids, out->count, out->capacity) = all.list[i].id;
      *ARRAY_ADD(b->v->runs, b->v->run_count, capacity) =
          (view_run){.id = all.list[i].id, .command = mem_strdup(all.list[i].command)};
      b->v->covers |= strcmp(all.list[i].command, "coverage") == 0;
      if (b->v->settings == NULL || strcmp(all.list[i].command, "mutate") == 0) {
        free(b->v->settings);
        b->v->settings = mem_strdup(strcmp(all.list[i].command, "mutate") == 0 ? all.list[i].settings : "");
      }
    }
  }
  for (size_t i = 0; i < all.count; i++) {
    free(all.list[i].command);
    free(all.list[i].settings);
  }
  free(all.list);
  return result == 0 ? read_newest(b->d, out->ids[out->count - 1], b->v, e) : result;
}

/* Loading a view of some runs together. */

static int read_programs(build *b, error *e) {
  id_list ids = {0};
  EACH_ROW(step, row, b->d, SQL_VIEW_PROGRAMS, e, "t", b->run_list) {
    *ARRAY_ADD(ids.ids, ids.count, ids.capacity) = sqlite3_column_int64(row, 0);
  }
  b->programs = mem_calloc(ids.count, sizeof *b->programs);
  for (size_t i = 0; step == 0 && i < ids.count; i++) {
    b->program_count = i + 1;
    step = db_read_program(b->d, ids.ids[i], &b->programs[i].m, &b->programs[i].ids, e);
    if (step == 0) build_add_program(b, i);
  }
  free(ids.ids);
  return step;
}

static void add_skipped(build *b, sqlite3_stmt *row) {
  (void)sql_read(row, 1, &view_skipped_columns, ARRAY_ADD(b->v->skipped, b->v->skipped_count, b->skipped_capacity));
}

static void add_refused(build *b, sqlite3_stmt *row) {
  (void)sql_read(row, 1, &db_refused_columns, ARRAY_ADD(b->v->refused, b->v->refused_count, b->refused_capacity));
}

/* --- all together ------------------------------------------------------------------------------------------- */

/* The runs and test cases for statements. */
static void list_runs(build *b, const id_list *runs) {
  buffer list = {0}, tests = {0};
  for (size_t i = 0; i < runs->count; i++) buffer_printf(&list, "%s%lld", i == 0 ? "[" : ", ", (long long)runs->ids[i]);
  for (size_t i = 0; i < b->test_case_count; i++) {
    const build_test_case *t = &b->test_cases[i];
    buffer_printf(&tests, "%s\"%lld\": [%u, %zu]", i == 0 ? "{" : ", ", (long long)t->id, t->index, t->run);
  }
  buffer_puts(&list, runs->count == 0 ? "[]" : "]");
  buffer_puts(&tests, b->test_case_count == 0 ? "{}" : "}");
  b->run_list = buffer_take(&list);
  b->test_list = buffer_take(&tests);
}

static int load_parts(build *b, const id_list *runs, error *e) {
  /* The test cases of some runs. */
  known_test *known = NULL;
  size_t capacity = 0;
  int step = 0;
  for (size_t i = 0; step == 0 && i < runs->count; i++) {
    sqlite3_stmt *row = sql_rows(b->d, SQL_TEST_CASES, &step, e, "i", runs->ids[i]);
    for (; step == 1; step = sql_step(b->d, row, e)) {
      /* One row of SQL_TEST_CASES. The newest run says how a test case ended. */
      view *v = b->v;
      view_test_case t = {
          .status = sqlite3_column_type(row, STATUS) == SQLITE_NULL ? -1 : sqlite3_column_int(row, STATUS),
          .timed_out = sqlite3_column_int(row, TIMED_OUT) != 0,
      };
      (void)sql_read(row, 1, &view_test_case_columns, &t);
      uint32_t index = unite_test_cases(&known, &t, i, v->test_case_count);
      if (index == v->test_case_count)
        (void)ARRAY_ADD(v->test_cases, v->test_case_count, capacity);
      else
        sql_free(&view_test_case_columns, &v->test_cases[index]);
      v->test_cases[index] = t;
      view_run *of = &v->runs[i];
      of->test_cases = mem_realloc(of->test_cases, (of->test_case_count + 1) * sizeof *of->test_cases);
      of->test_cases[of->test_case_count++] = index;
      *ARRAY_ADD(b->test_cases, b->test_case_count, b->test_case_capacity) =
          (build_test_case){sqlite3_column_int64(row, 0), i, index};
    }
  }
  known_test *item = NULL, *next = NULL;
  HASH_ITER(hh, known, item, next) {
    HASH_DEL(known, item);
    free(item->key);
    free(item);
  }
  if (b->test_case_count > 0) qsort(b->test_cases, b->test_case_count, sizeof *b->test_cases, compare_test_cases);
  if (step != 0) return -1;
  list_runs(b, runs);
  if (read_programs(b, e) != 0) return -1;
  build_start_counting(b);
  id_list test_cases = {0};
  bool fails = false;
  for (size_t i = 0; !fails && i < b->test_case_count; i++) {
    *ARRAY_ADD(test_cases.ids, test_cases.count, test_cases.capacity) = b->test_cases[i].id;
    fails = build_count_test_case(b, &b->test_cases[i], e) != 0;
  }
  fails = fails || build_proofs(b, runs, e) != 0 || build_findings(b, &test_cases, runs, e) != 0 ||
          build_read_list(b, SQL_VIEW_REPAIRS, build_add_repair, e) != 0 ||
          build_read_list(b, SQL_VIEW_SKIPPED, add_skipped, e) != 0 ||
          build_read_list(b, SQL_VIEW_REFUSED, add_refused, e) != 0 || build_mutants(b, e) != 0;
  free(test_cases.ids);
  if (fails) return -1;
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
  build_free(&b);
  free(chosen.ids);
  if (result == 0)
    view_sort(out);
  else
    view_free(out);
  return result;
}
