/* Launches and schedules of a view: of runs with the same launch the newest says what is known of it. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "db/view_build.h"

/* A launch as one of the runs has it. */
typedef struct stored {
  db_launch item;
  int64_t id;
  size_t run; /* as build_test_case has it */
} stored;

typedef struct launches {
  build *b;
  stored *list;
  size_t count, capacity;
} launches;

/* --- which launches -------------------------------------------------------------------------------------------- */

static int read_test_case(launches *l, const build_test_case *t, error *e) {
  db *d = l->b->d;
  int step = 0;
  for (sqlite3_stmt *row = sql_rows(d, SQL_NTH_LAUNCHES, &step, e, "i", t->id); step == 1; step = sql_step(d, row, e)) {
    const build_launcher *launcher = build_find_launcher(l->b, sqlite3_column_int64(row, 1));
    if (launcher != NULL) {
      stored *s = ARRAY_ADD(l->list, l->count, l->capacity);
      *s = (stored){.item = {.test_case = t->index, .kernel = launcher->kernel},
                    .id = sqlite3_column_int64(row, 0),
                    .run = t->run};
      (void)sql_read(row, 2, &db_launch_columns, &s->item);
    }
  }
  return step;
}

static int compare_launches(const db_launch *x, const db_launch *y) {
  if (x->test_case != y->test_case) {
    return x->test_case > y->test_case ? 1 : -1;
  }
  if (x->kernel != y->kernel) {
    return x->kernel > y->kernel ? 1 : -1;
  }
  return (x->number > y->number) - (x->number < y->number);
}

/* By launch; the newest run first. */
static int compare_stored(const void *a, const void *b) {
  const stored *x = a;
  const stored *y = b;
  int by_launch = compare_launches(&x->item, &y->item);
  if (by_launch != 0 || x->run != y->run) {
    return by_launch != 0 ? by_launch : x->run < y->run ? 1 : -1;
  }
  return (x->id > y->id) - (x->id < y->id);
}

/* Drops what older runs say. One run may have a launch twice: of a kernel that two of its programs have. */
static void choose(launches *l) {
  if (l->count > 1) {
    qsort(l->list, l->count, sizeof *l->list, compare_stored);
  }
  size_t kept = 0;
  for (size_t i = 0; i < l->count; i++) {
    const stored *last = kept == 0 ? NULL : &l->list[kept - 1];
    if (last != NULL && compare_launches(&last->item, &l->list[i].item) == 0 && last->run != l->list[i].run) {
      sql_free(&db_launch_columns, &l->list[i].item);
    } else {
      l->list[kept++] = l->list[i];
    }
  }
  l->count = kept;
}

/* --- schedules ------------------------------------------------------------------------------------------------- */

/* Names in the order in which they are shown; others follow by their letters. */
static const char *const orders[] = {"first", "last", "ascending", "reverse", "random"};
static const char *const gates[] = {"ticket", "hardware"};

static size_t rank_of(const char *const *names, size_t count, const char *name) {
  size_t i = 0;
  while (i < count && strcmp(names[i], name) != 0) {
    i++;
  }
  return i;
}

static int compare_names(const char *const *names, size_t count, const char *a, const char *b) {
  size_t x = rank_of(names, count, a);
  size_t y = rank_of(names, count, b);
  return x != y ? (x > y ? 1 : -1) : strcmp(a, b);
}

static int compare_schedules(const void *a, const void *b) {
  const db_schedule *x = a;
  const db_schedule *y = b;
  const int by[] = {
      compare_names(orders, sizeof orders / sizeof orders[0], x->order, y->order),
      compare_names(gates, sizeof gates / sizeof gates[0], x->gate, y->gate),
      (x->target > y->target) - (x->target < y->target),
      (x->seed > y->seed) - (x->seed < y->seed),
  };
  for (size_t i = 0; i < sizeof by / sizeof by[0]; i++) {
    if (by[i] != 0) {
      return by[i];
    }
  }
  return 0;
}

static uint32_t file_of(const view *v, sqlite3_stmt *row, int column) {
  const char *sha256 = (const char *)sqlite3_column_text(row, column);
  for (size_t i = 0; sha256 != NULL && i < v->file_count; i++) {
    if (strcmp(v->files[i].sha256, sha256) == 0) {
      return (uint32_t)i;
    }
  }
  return MODEL_NONE;
}

/* Places of an explanation; one whose file is not here is left out. */
static int read_explained(build *b, int64_t schedule, db_explanation *x, error *e) {
  size_t capacity = 0;
  db_explained *places = NULL;
  int step = 0;
  sqlite3_stmt *row = sql_rows(b->d, SQL_EXPLAINED, &step, e, "i", schedule);
  for (; step == 1; step = sql_step(b->d, row, e)) {
    db_explained p = {.file = file_of(b->v, row, 1)};
    (void)sql_read(row, 2, &db_explained_columns, &p);
    if (p.line == 0 || p.file != MODEL_NONE) {
      build_place_line(b, (const char *)sqlite3_column_text(row, 1), &p.file, &p.line);
      *ARRAY_ADD(places, x->place_count, capacity) = p;
      x->places = places;
    } else {
      sql_free(&db_explained_columns, &p);
    }
  }
  return step;
}

static int read_explanation(build *b, db_schedule *s, error *e) {
  int step = 0;
  sqlite3_stmt *row = sql_rows(b->d, SQL_EXPLANATION, &step, e, "i", s->id);
  if (step != 1) {
    return step;
  }
  db_explanation *x = mem_calloc(1, sizeof *x);
  *x = (db_explanation){.other = sqlite3_column_int64(row, 0), .file = file_of(b->v, row, 1)};
  (void)sql_read(row, sql_read(row, 2, &db_explanation_columns, x), &db_why_columns, &x->why);
  x->line = x->file == MODEL_NONE ? 0 : x->line;
  build_place_line(b, (const char *)sqlite3_column_text(row, 1), &x->file, &x->line);
  s->explanation = x;
  (void)sqlite3_reset(row);
  return read_explained(b, s->id, x, e);
}

/* What a schedule reached, unless its site does not list the outcome. The outcome is kept as its number until the
 * site's outcomes are in order. */
static void add_reached(const build *b, db_schedule *s, size_t *capacity, int64_t site_id, uint32_t number) {
  for (size_t i = 0; i < b->program_count; i++) {
    const build_program *p = &b->programs[i];
    uint32_t site = build_find_site(p, site_id);
    uint32_t outcome = site == MODEL_NONE ? MODEL_NONE : build_find_outcome(&p->m.sites[site], number);
    if (outcome != MODEL_NONE) {
      const model_site *in = &b->v->sites[p->sites[site]];
      *ARRAY_ADD(s->reached, s->reached_count, *capacity) =
          (view_reached){p->sites[site], in->outcomes[p->positions[p->first[site] + outcome]].index};
      return;
    }
  }
}

static int read_reached(build *b, db_schedule *s, error *e) {
  size_t capacity = 0;
  int step = 0;
  sqlite3_stmt *row = sql_rows(b->d, SQL_REACHED, &step, e, "i", s->id);
  for (; step == 1; step = sql_step(b->d, row, e)) {
    add_reached(b, s, &capacity, sqlite3_column_int64(row, 0), sql_u32(row, 1));
  }
  return step;
}

static int read_schedules(build *b, db_launch *l, int64_t launch, error *e) {
  size_t capacity = 0;
  int step = 0;
  sqlite3_stmt *row = sql_rows(b->d, SQL_SCHEDULES, &step, e, "i", launch);
  for (; step == 1; step = sql_step(b->d, row, e)) {
    db_schedule *s = ARRAY_ADD(l->schedules, l->schedule_count, capacity);
    *s = (db_schedule){.id = sqlite3_column_int64(row, 0)};
    (void)sql_read(row, 1, &db_schedule_columns, s);
  }
  for (size_t i = 0; step == 0 && i < l->schedule_count; i++) {
    db_schedule *s = &l->schedules[i];
    step = read_explanation(b, s, e) != 0 || read_reached(b, s, e) != 0 ? -1 : 0;
  }
  if (l->schedule_count > 1) {
    qsort(l->schedules, l->schedule_count, sizeof *l->schedules, compare_schedules);
  }
  return step;
}

int build_launches(build *b, error *e) {
  launches l = {.b = b};
  view *v = b->v;
  int result = 0;
  for (size_t i = 0; result == 0 && i < b->test_case_count; i++) {
    result = read_test_case(&l, &b->test_cases[i], e);
  }
  choose(&l);
  v->launches = mem_calloc(l.count, sizeof *v->launches);
  v->launch_count = l.count;
  for (size_t i = 0; i < l.count; i++) {
    v->launches[i] = l.list[i].item;
    result = result == 0 ? read_schedules(b, &v->launches[i], l.list[i].id, e) : result;
  }
  free(l.list);
  return result;
}

/* --- into order ------------------------------------------------------------------------------------------------ */

/* A launch and where it was. */
typedef struct moved_launch {
  db_launch item;
  size_t old;
} moved_launch;

static int compare_moved(const void *a, const void *b) {
  const moved_launch *x = a;
  const moved_launch *y = b;
  int by_launch = compare_launches(&x->item, &y->item);
  return by_launch != 0 ? by_launch : (x->old > y->old) - (x->old < y->old);
}

static int compare_reached(const void *a, const void *b) {
  const view_reached *x = a;
  const view_reached *y = b;
  return x->site != y->site ? (x->site > y->site ? 1 : -1) : (x->outcome > y->outcome) - (x->outcome < y->outcome);
}

/* Numbers of outcomes become their places. */
static void place_reached(const view *v, db_schedule *s, const uint32_t *sites) {
  for (size_t i = 0; i < s->reached_count; i++) {
    view_reached *r = &s->reached[i];
    r->site = sites[r->site];
    const model_site *site = &v->sites[r->site];
    uint32_t place = 0;
    while (place + 1 < site->outcome_count && site->outcomes[place].index != r->outcome) {
      place++;
    }
    r->outcome = place;
  }
  if (s->reached_count > 1) {
    qsort(s->reached, s->reached_count, sizeof *s->reached, compare_reached);
  }
}

void view_sort_launches(view *v, const uint32_t *sites, const uint32_t *kernels) {
  moved_launch *moved = mem_calloc(v->launch_count, sizeof *moved);
  for (size_t i = 0; i < v->launch_count; i++) {
    db_launch *l = &v->launches[i];
    l->kernel = kernels[l->kernel];
    for (size_t k = 0; k < l->schedule_count; k++) {
      place_reached(v, &l->schedules[k], sites);
    }
    moved[i] = (moved_launch){*l, i};
  }
  if (v->launch_count > 1) {
    qsort(moved, v->launch_count, sizeof *moved, compare_moved);
  }
  for (size_t i = 0; i < v->launch_count; i++) {
    v->launches[i] = moved[i].item;
  }
  free(moved);
}

const db_schedule *view_find_schedule(const view *v, int64_t id, const db_launch **launch) {
  for (size_t i = 0; i < v->launch_count; i++) {
    for (size_t k = 0; k < v->launches[i].schedule_count; k++) {
      if (v->launches[i].schedules[k].id == id) {
        *launch = &v->launches[i];
        return &v->launches[i].schedules[k];
      }
    }
  }
  *launch = NULL;
  return NULL;
}

/* --- release --------------------------------------------------------------------------------------------------- */

static void free_schedule(db_schedule *s) {
  db_explanation *x = s->explanation;
  if (x != NULL) {
    sql_free(&db_explanation_columns, x);
    sql_free(&db_why_columns, &x->why);
    for (size_t i = 0; i < x->place_count; i++) {
      sql_free(&db_explained_columns, &x->places[i]);
    }
    free((void *)x->places);
  }
  free(x);
  sql_free(&db_schedule_columns, s);
  free(s->suppressed);
  free(s->reached);
}

void view_free_launches(view *v) {
  for (size_t i = 0; i < v->launch_count; i++) {
    for (size_t k = 0; k < v->launches[i].schedule_count; k++) {
      free_schedule(&v->launches[i].schedules[k]);
    }
    free(v->launches[i].schedules);
    sql_free(&db_launch_columns, &v->launches[i]);
  }
  free(v->launches);
}
