/* The test cases of a view: the same one of several runs (of other commands, shards, reruns) is one. The same one twice
 * in a run is two. */
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "db/view_build.h"

/* The n-th test case of some names in a run; `run` is the last run that had it. */
typedef struct known_test {
  char *key;
  size_t run;
  uint32_t index;
  UT_hash_handle hh;
} known_test;

static known_test *find(known_test *known, const view_test_case *t, unsigned nth, char **key) {
  buffer text = {0};
  buffer_printf(&text, "%u %zu %zu %s%s%s", nth, strlen(t->suite), strlen(t->name), t->suite, t->name, t->command_line);
  *key = buffer_take(&text);
  known_test *found = NULL;
  HASH_FIND_STR(known, *key, found);
  return found;
}

/* The test case of the view that this one of `run` is; the next one when it is new. */
static uint32_t unite(known_test **known, const view_test_case *t, size_t run, size_t next) {
  for (unsigned nth = 0;; nth++) {
    char *key = NULL;
    known_test *found = find(*known, t, nth, &key);
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

static void free_known(known_test *known) {
  known_test *item = NULL;
  known_test *next = NULL;
  HASH_ITER(hh, known, item, next) {
    HASH_DEL(known, item);
    free(item->key);
    free(item);
  }
}

static int compare_test_cases(const void *a, const void *b) {
  const build_test_case *x = a;
  const build_test_case *y = b;
  int by_index = (x->index > y->index) - (x->index < y->index);
  return by_index != 0 ? by_index : (x->id > y->id) - (x->id < y->id);
}

/* Columns of SQL_TEST_CASES after the id and the strings. */
enum { STATUS = 5, TIMED_OUT };

/* One row of SQL_TEST_CASES. The newest run says how a test case ended. */
static void add_test_case(build *b, sqlite3_stmt *row, size_t run, known_test **known, size_t *capacity) {
  view *v = b->v;
  view_test_case t = {
      .status = sqlite3_column_type(row, STATUS) == SQLITE_NULL ? -1 : sqlite3_column_int(row, STATUS),
      .timed_out = sqlite3_column_int(row, TIMED_OUT) != 0,
  };
  (void)sql_read(row, 1, &view_test_case_columns, &t);
  uint32_t index = unite(known, &t, run, v->test_case_count);
  if (index == v->test_case_count) {
    (void)ARRAY_ADD(v->test_cases, v->test_case_count, *capacity);
  } else {
    sql_free(&view_test_case_columns, &v->test_cases[index]);
  }
  v->test_cases[index] = t;
  view_run *of = &v->runs[run];
  of->test_cases = mem_realloc(of->test_cases, (of->test_case_count + 1) * sizeof *of->test_cases);
  of->test_cases[of->test_case_count++] = index;
  *ARRAY_ADD(b->test_cases, b->test_case_count, b->test_case_capacity) =
      (build_test_case){sqlite3_column_int64(row, 0), run, index};
}

int build_read_test_cases(build *b, const id_list *runs, error *e) {
  known_test *known = NULL;
  size_t capacity = 0;
  int step = 0;
  for (size_t i = 0; step == 0 && i < runs->count; i++) {
    sqlite3_stmt *row = sql_rows(b->d, SQL_TEST_CASES, &step, e, "i", runs->ids[i]);
    for (; step == 1; step = sql_step(b->d, row, e)) {
      add_test_case(b, row, i, &known, &capacity);
    }
  }
  free_known(known);
  if (b->test_case_count > 0) {
    qsort(b->test_cases, b->test_case_count, sizeof *b->test_cases, compare_test_cases);
  }
  return step;
}
