/* Mutants, launches and schedules of a view: of several runs the newest that decided says what is known of each. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "db/internal.h"

/* Launches and schedules of a view: of runs with the same launch the newest says what is known of it. */

static int compare_launches(const void *a, const void *b) {
  const db_launch *x = a, *y = b;
  if (x->test_case != y->test_case) return x->test_case > y->test_case ? 1 : -1;
  if (x->kernel != y->kernel) return x->kernel > y->kernel ? 1 : -1;
  return (x->number > y->number) - (x->number < y->number);
}

/* --- schedules ------------------------------------------------------------------------------------------------- */

/* Names in the order in which they are shown; others follow by their letters. */
static const char *const orders[] = {"first", "last", "ascending", "reverse", "random"};
static const char *const gates[] = {"ticket", "hardware"};

static size_t rank_of(const char *const *names, size_t count, const char *name) {
  size_t i = 0;
  while (i < count && strcmp(names[i], name) != 0) i++;
  return i;
}

static int compare_names(const char *const *names, size_t count, const char *a, const char *b) {
  size_t x = rank_of(names, count, a), y = rank_of(names, count, b);
  return x != y ? (x > y ? 1 : -1) : strcmp(a, b);
}

static int compare_schedules(const void *a, const void *b) {
  const db_schedule *x = a, *y = b;
  const int by[] = {
      compare_names(orders, sizeof orders / sizeof orders[0], x->order, y->order),
      compare_names(gates, sizeof gates / sizeof gates[0], x->gate, y->gate),
      (x->target > y->target) - (x->target < y->target),
      (x->seed > y->seed) - (x->seed < y->seed),
  };
  for (size_t i = 0; i < sizeof by / sizeof by[0]; i++)
    if (by[i] != 0) return by[i];
  return 0;
}

static int read_explanation(build *b, db_schedule *s, error *e) {
  mem_arena *a = &b->v->memory;
  int step = 0;
  sqlite3_stmt *row = sql_rows(b->d, SQL_EXPLANATION, &step, e, "i", s->id);
  if (step != 1) return step;
  db_explanation *x = mem_arena_take(a, sizeof *x);
  const char *sha256 = sql_peek(row, 1);
  *x = (db_explanation){.other = sqlite3_column_int64(row, 0), .file = build_file_of(b, sha256)};
  (void)sql_read(a, row, sql_read(a, row, 2, &db_explanation_columns, x), &db_why_columns, &x->why);
  x->line = x->file == MODEL_NONE ? 0 : x->line;
  build_place_line(b, sha256, &x->file, &x->line);
  s->explanation = x;
  (void)sqlite3_reset(row);
  /* Places of an explanation; one whose file is not here is left out. */
  db_explained *places = NULL;
  row = sql_rows(b->d, SQL_EXPLAINED, &step, e, "i", s->id);
  for (; step == 1; step = sql_step(b->d, row, e)) {
    sha256 = sql_peek(row, 1);
    db_explained p = {.file = build_file_of(b, sha256)};
    (void)sql_read(a, row, 2, &db_explained_columns, &p);
    if (p.line == 0 || p.file != MODEL_NONE) {
      build_place_line(b, sha256, &p.file, &p.line);
      *ARENA_ADD(a, places, x->place_count) = p;
      x->places = places;
    }
  }
  return step;
}

/* What a schedule reached, unless its site does not list the outcome. The outcome is kept as its number until the
 * site's outcomes are in order. */
static void add_reached(build *b, db_schedule *s, int64_t site_id, uint32_t number) {
  EACH(const build_program, p, b->programs, b->program_count) {
    uint32_t site = build_find_site(p, site_id);
    uint32_t outcome = site == MODEL_NONE ? MODEL_NONE : build_find_outcome(&p->m.sites[site], number);
    if (outcome != MODEL_NONE) {
      const model_site *in = &b->v->sites[p->sites[site]];
      *BUILD_ADD(b, s->reached, s->reached_count) =
          (view_reached){p->sites[site], in->outcomes[p->positions[p->first[site] + outcome]].index};
      return;
    }
  }
}

static int read_reached(build *b, db_schedule *s, error *e) {
  EACH_ROW(step, row, b->d, SQL_REACHED, e, "i", s->id) {
    add_reached(b, s, sqlite3_column_int64(row, 0), sql_u32(row, 1));
  }
  return step;
}

static int read_schedules(build *b, db_launch *l, int64_t launch, error *e) {
  EACH_ROW(step, row, b->d, SQL_SCHEDULES, e, "i", launch) {
    db_schedule *s = BUILD_ADD(b, l->schedules, l->schedule_count);
    s->id = sqlite3_column_int64(row, 0);
    (void)sql_read(&b->v->memory, row, 1, &db_schedule_columns, s);
  }
  for (size_t i = 0; step == 0 && i < l->schedule_count; i++) {
    db_schedule *s = &l->schedules[i];
    step = read_explanation(b, s, e) != 0 || read_reached(b, s, e) != 0 ? -1 : 0;
  }
  if (l->schedule_count > 1) qsort(l->schedules, l->schedule_count, sizeof *l->schedules, compare_schedules);
  return step;
}

int build_launches(build *b, error *e) {
  view *v = b->v;
  id_list ids = {0};
  int step = 0;
  scoped_buffer kernels = buffer_with("{"); /* of the view by their rows, for the statement */
  for (size_t i = 0; i < b->launcher_count; i++)
    buffer_printf(&kernels, "%s\"%lld\": %u", i == 0 ? "" : ", ", (long long)b->launchers[i].id,
                  b->launchers[i].kernel);
  buffer_putc(&kernels, '}');
  sqlite3_stmt *row = sql_rows(b->d, SQL_VIEW_LAUNCHES, &step, e, "tt", b->test_list, buffer_text(&kernels));
  for (; step == 1; step = sql_step(b->d, row, e)) {
    db_launch *l = BUILD_ADD(b, v->launches, v->launch_count);
    *l = (db_launch){.test_case = sql_u32(row, 1), .kernel = sql_u32(row, 2)};
    (void)sql_read(&v->memory, row, 3, &db_launch_columns, l);
    *BUILD_ADD(b, ids.ids, ids.count) = sqlite3_column_int64(row, 0);
  }
  for (size_t i = 0; step == 0 && i < ids.count; i++) step = read_schedules(b, &v->launches[i], ids.ids[i], e);
  return step;
}

static int compare_reached(const void *a, const void *b) {
  const view_reached *x = a, *y = b;
  return x->site != y->site ? (x->site > y->site ? 1 : -1) : (x->outcome > y->outcome) - (x->outcome < y->outcome);
}

/* Numbers of outcomes become their places. */
static void place_reached(const view *v, db_schedule *s, const uint32_t *sites) {
  for (size_t i = 0; i < s->reached_count; i++) {
    view_reached *r = &s->reached[i];
    r->site = sites[r->site];
    const model_site *site = &v->sites[r->site];
    uint32_t place = 0;
    while (place + 1 < site->outcome_count && site->outcomes[place].index != r->outcome) place++;
    r->outcome = place;
  }
  if (s->reached_count > 1) qsort(s->reached, s->reached_count, sizeof *s->reached, compare_reached);
}

void view_sort_launches(view *v, const uint32_t *sites, const uint32_t *kernels) {
  for (size_t i = 0; i < v->launch_count; i++) {
    db_launch *l = &v->launches[i];
    l->kernel = kernels[l->kernel];
    for (size_t k = 0; k < l->schedule_count; k++) place_reached(v, &l->schedules[k], sites);
  }
  free(view_reorder(v->launches, v->launch_count, sizeof *v->launches, compare_launches));
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

/* Mutants of a view: those of the runs, each once, with status and verdicts of the newest run that decided it. */

/* A stored mutant as one of the runs has it. */
typedef struct mutant_stored {
  int64_t id;
  size_t run; /* as build_test_case has it */
  mutant_status status;
  char *reason;
  int64_t original; /* of a duplicate, 0 for none */
  char *code;       /* what it is in all builds; NULL: not known */
  uint32_t mutant;  /* of the view; MODEL_NONE: of none of its programs */
} mutant_stored;

/* What is put together. */
typedef struct mutants {
  build *b;
  mutant_stored *list; /* each mutant once, by ascending id */
  size_t count, capacity;
  index_map known; /* of the view's mutants: file, offset, id, and which of those */
  size_t mutant_capacity;
} mutants;

/* Of two programs' words on a mutant, the one with the lower rank counts. That no test case executes its place is said
 * of one that no program knows more of: one that is equivalent is so in all programs that are launched. */
static const unsigned ranks[MUTANT_STATUSES] = {
    [MUTANT_KILLED] = 0,    [MUTANT_PENDING] = 1,     [MUTANT_DUPLICATE] = 2,
    [MUTANT_UNDECIDED] = 3, [MUTANT_SURVIVED] = 4,    [MUTANT_EQUIVALENT] = 5,
    [MUTANT_INVALID] = 6,   [MUTANT_NO_COVERAGE] = 7, [MUTANT_SUPPRESSED] = 8,
};

static int read_stored(mutants *m, error *e) {
  db *d = m->b->d;
  mem_arena *a = &m->b->v->memory;
  EACH_ROW(step, row, d, SQL_VIEW_MUTANTS, e, "t", m->b->run_list) {
    *ARRAY_ADD(m->list, m->count, m->capacity) =
        (mutant_stored){.id = sqlite3_column_int64(row, 0),
                        .run = (size_t)sqlite3_column_int64(row, 5),
                        .status = db_mutant_status(sql_peek(row, 1)),
                        .reason = sql_text(a, row, 2),
                        .original = sqlite3_column_int64(row, 3),
                        .code = sqlite3_column_type(row, 4) == SQLITE_NULL ? NULL : sql_text(a, row, 4),
                        .mutant = MODEL_NONE};
  }
  return step;
}

static int compare_ids(const void *a, const void *b) {
  const mutant_stored *x = a, *y = b;
  return (x->id > y->id) - (x->id < y->id);
}

static mutant_stored *find_stored(const mutants *m, int64_t id) {
  const mutant_stored key = {.id = id};
  return m->count == 0 ? NULL : bsearch(&key, m->list, m->count, sizeof key, compare_ids);
}

/* --- mutants of the programs --------------------------------------------------------------------------------- */

/* The place of a row id among those of a program, which follow each other. */
static uint32_t place_of(int64_t id, int64_t first, size_t count) {
  const uint64_t behind = (uint64_t)id - (uint64_t)first;
  return id < first || behind >= count ? MODEL_NONE : (uint32_t)behind;
}

static bool same_text(const char *a, const char *b) {
  return a == NULL || b == NULL ? a == NULL && b == NULL : strcmp(a, b) == 0;
}

/* Sources that a program makes of one format have mutants of other ids at one place: the same change is one mutant. */
static bool same_mutant(const db_mutant *a, const db_mutant *b, bool moved) {
  return strcmp(a->operator_name, b->operator_name) == 0 && strcmp(a->replacement, b->replacement) == 0 &&
         (!moved || (strcmp(a->original, b->original) == 0 && same_text(a->description, b->description)));
}

/* The view's mutant that a row of SQL_PROGRAM_MUTANTS is; a new one when there is none yet. */
static uint32_t view_mutant_of(mutants *m, const build_program *p, sqlite3_stmt *row, uint32_t file) {
  view *v = m->b->v;
  mem_arena *a = &v->memory;
  db_mutant x = {.file = p->files[file],
                 .function = MODEL_NONE,
                 .description = sqlite3_column_type(row, 3) == SQLITE_NULL ? NULL : sql_text(a, row, 3),
                 .duplicate_of = MODEL_NONE,
                 .status = MUTANT_STATUSES};
  (void)sql_read(a, row, 4, &db_mutant_columns, &x);
  /* Where a mutant of a program's own file is in the view. */
  build_place place = {x.file, x.line, x.column, x.offset, x.end_line, x.end_column, x.end_offset};
  build_place_mutant(p, &place);
  x.file = place.file;
  x.line = place.line;
  x.column = place.column;
  x.offset = place.offset;
  x.end_line = place.end_line;
  x.end_column = place.end_column;
  x.end_offset = place.end_offset;
  bool moved = x.file != p->files[file];
  uint32_t index = MODEL_NONE;
  for (uint32_t nth = 0; index == MODEL_NONE; nth++) {
    const index_key key = {{x.file, x.offset, moved ? 0 : x.id, nth}};
    index = index_find_or_add(a, &m->known, key, (uint32_t)v->mutant_count);
    if (index < v->mutant_count && !same_mutant(&v->mutants[index], &x, moved)) index = MODEL_NONE;
  }
  if (index == v->mutant_count) *ARRAY_ADD(v->mutants, v->mutant_count, m->mutant_capacity) = x;
  return index;
}

static int read_mutants(mutants *m, const build_program *p, error *e) {
  db *d = m->b->d;
  id_list files = {0};
  int64_t first = 0;
  int64_t function = sql_number(d, SQL_PROGRAM_FUNCTION_IDS, &first, e, "i", p->ids.id) < 0 ? -1 : first;
  sqlite3_stmt *row = NULL;
  if (function >= 0 && db_read_ids(d, SQL_PROGRAM_FILE_IDS, p->ids.id, &files, e) == 0)
    row = sql_bind(d, SQL_PROGRAM_MUTANTS, e, "i", p->ids.id);
  int step = row == NULL ? -1 : sql_step(d, row, e);
  for (; step == 1; step = sql_step(d, row, e)) {
    mutant_stored *s = find_stored(m, sqlite3_column_int64(row, 0));
    size_t file = 0;
    while (file < files.count && files.ids[file] != sqlite3_column_int64(row, 1)) file++;
    if (s == NULL || file == files.count) continue;
    s->mutant = view_mutant_of(m, p, row, (uint32_t)file);
    db_mutant *to = &m->b->v->mutants[s->mutant];
    uint32_t place = place_of(sqlite3_column_int64(row, 2), function, p->m.function_count);
    to->function = to->function == MODEL_NONE && place != MODEL_NONE ? p->functions[place] : to->function;
  }
  free(files.ids);
  return step;
}

/* --- duplicates in several runs -------------------------------------------------------------------------------- */

typedef struct coded {
  const char *code;
  const db_mutant *mutant;
} coded;

static int compare_coded(const void *a, const void *b) {
  const coded *x = a, *y = b;
  const int codes = strcmp(x->code, y->code);
  if (codes != 0 || x->mutant == y->mutant) return codes;
  const db_mutant *p = x->mutant, *q = y->mutant;
  if (p->file != q->file || p->offset != q->offset)
    return p->file != q->file ? (p->file > q->file ? 1 : -1) : (p->offset > q->offset ? 1 : -1);
  return p > q ? 1 : -1;
}

static bool counts_for_itself(const db_mutant *m) {
  return m->status == MUTANT_KILLED || m->status == MUTANT_UNDECIDED || m->status == MUTANT_SURVIVED;
}

static void make_duplicate(db_mutant *m, uint32_t first) {
  m->status = MUTANT_DUPLICATE;
  m->duplicate_of = first;
  m->reason = "";
}

/* Runs that each had a part of the mutants (--shard) did not see which of another part is the same: the first counts. */
static void join_parts(mutants *m) {
  view *v = m->b->v;
  coded *all = mem_calloc(m->count + 1, sizeof *all);
  size_t count = 0;
  EACH(const mutant_stored, s, m->list, m->count) {
    if (s->code != NULL && s->mutant != MODEL_NONE && counts_for_itself(&v->mutants[s->mutant]))
      all[count++] = (coded){s->code, &v->mutants[s->mutant]};
  }
  if (count > 0) qsort(all, count, sizeof *all, compare_coded);
  for (size_t i = 1, first = 0; i < count; i++) {
    first = strcmp(all[i].code, all[first].code) == 0 ? first : i;
    if (all[i].mutant != all[first].mutant && counts_for_itself(all[i].mutant))
      make_duplicate(&v->mutants[all[i].mutant - v->mutants], (uint32_t)(all[first].mutant - v->mutants));
  }
  free(all);
  /* Duplicates of one that has become one itself. */
  for (size_t i = 0; i < v->mutant_count; i++) {
    db_mutant *x = &v->mutants[i];
    const db_mutant *of = x->duplicate_of == MODEL_NONE ? NULL : &v->mutants[x->duplicate_of];
    x->duplicate_of = of != NULL && of->status == MUTANT_DUPLICATE ? of->duplicate_of : x->duplicate_of;
  }
}

static void add_kernel(mutants *m, uint32_t mutant, uint32_t kernel) {
  db_mutant *to = &m->b->v->mutants[mutant];
  for (size_t i = 0; i < to->kernel_count; i++)
    if (to->kernels[i] == kernel) return;
  *BUILD_ADD(m->b, to->kernels, to->kernel_count) = kernel;
}

static int read_kernels(mutants *m, const build_program *p, error *e) {
  db *d = m->b->d;
  EACH_ROW(step, row, d, SQL_PROGRAM_MUTANT_KERNELS, e, "i", p->ids.id) {
    const mutant_stored *s = find_stored(m, sqlite3_column_int64(row, 0));
    /* The view's kernel of a row id: one of the program's, or, of a launch mutant, of the program that it launches. */
    uint32_t kernel = MODEL_NONE;
    for (size_t i = 0; kernel == MODEL_NONE && i <= m->b->program_count; i++) {
      const build_program *of = i == 0 ? p : &m->b->programs[i - 1];
      if (of->m.kernel_count > 0 && (i == 0 || p->m.kernel_count == 0)) {
        const uint32_t place = place_of(sqlite3_column_int64(row, 1), of->ids.kernels[0], of->m.kernel_count);
        kernel = place == MODEL_NONE ? MODEL_NONE : of->kernels[place];
      }
    }
    if (s != NULL && s->mutant != MODEL_NONE && kernel != MODEL_NONE) add_kernel(m, s->mutant, kernel);
  }
  return step;
}

/* --- verdicts ------------------------------------------------------------------------------------------------ */

static int read_verdicts(mutants *m, const build_test_case *t, error *e) {
  db *d = m->b->d;
  EACH_ROW(step, row, d, SQL_VERDICTS, e, "i", t->id) {
    const mutant_stored *s = find_stored(m, sqlite3_column_int64(row, 0));
    if (s == NULL || s->mutant == MODEL_NONE || s->run != t->run ||
        m->b->v->mutants[s->mutant].status == MUTANT_DUPLICATE)
      continue;
    db_mutant *to = &m->b->v->mutants[s->mutant];
    mutant_verdict *x = BUILD_ADD(m->b, to->verdicts, to->verdict_count);
    *x = (mutant_verdict){
        .test_case = t->index, .reused = sqlite3_column_int(row, 2) != 0, .revealed = sql_revealed(row, 1)};
    (void)sql_read(NULL, row, 5, &mutant_verdict_columns, x);
  }
  return step;
}

uint64_t view_differed(const mutant_verdict *v) {
  return (uint64_t)v->output + v->crash + v->timeout + v->outside + v->unwritten + v->race;
}

/* The share of runs that differed; more runs weigh more. */
static bool differs_more(const mutant_verdict *a, const mutant_verdict *b) {
  uint64_t x = view_differed(a), y = view_differed(b);
  return x * b->runs != y * a->runs ? x * b->runs > y * a->runs : a->runs > b->runs;
}

/* Where two kill, it is enough that one reveals; that none does is known only of both. */
static mutant_revealed revealed_by_either(mutant_revealed a, mutant_revealed b) {
  return a == REVEALED_YES || b == REVEALED_YES ? REVEALED_YES : a == b ? a : REVEALED_UNKNOWN;
}

/* Of two verdicts for one test case the one that differs more. */
static mutant_verdict join_two(const mutant_verdict *a, const mutant_verdict *b) {
  const bool alike = view_differed(a) * b->runs == view_differed(b) * a->runs;
  mutant_verdict joined = differs_more(b, a) ? *b : *a;
  if (alike || a->revealed == REVEALED_YES || b->revealed == REVEALED_YES)
    joined.revealed = revealed_by_either(a->revealed, b->revealed);
  return joined;
}

/* Two programs' verdicts for one test case become one; test cases come in order. */
static void join_verdicts(db_mutant *m) {
  size_t kept = 0;
  for (size_t i = 0; i < m->verdict_count; i++)
    if (kept > 0 && m->verdicts[kept - 1].test_case == m->verdicts[i].test_case)
      m->verdicts[kept - 1] = join_two(&m->verdicts[kept - 1], &m->verdicts[i]);
    else
      m->verdicts[kept++] = m->verdicts[i];
  m->verdict_count = kept;
}

/* What several runs say of an output is one, with the largest share. */
static int read_unstable(build *b, error *e) {
  view *v = b->v;
  EACH_ROW(step, row, b->d, SQL_VIEW_UNSTABLE, e, "t", b->test_list) {
    *BUILD_ADD(b, v->unstable, v->unstable_count) =
        (view_unstable){sql_u32(row, 0), sql_text(&v->memory, row, 1), sqlite3_column_double(row, 2)};
  }
  return step;
}

static int read_programs(mutants *m, error *e) {
  build *b = m->b;
  int result = 0;
  for (size_t i = 0; result == 0 && i < b->program_count; i++) result = read_mutants(m, &b->programs[i], e);
  /* Statuses of several programs united; what the originals of duplicates are in the view. */
  EACH(const mutant_stored, s, m->list, m->count) {
    if (s->mutant == MODEL_NONE) continue;
    db_mutant *to = &m->b->v->mutants[s->mutant];
    if (to->status == MUTANT_STATUSES || ranks[s->status] < ranks[to->status]) {
      const mutant_stored *original = s->original == 0 ? NULL : find_stored(m, s->original);
      to->status = s->status;
      to->duplicate_of = original == NULL || original->mutant == s->mutant ? MODEL_NONE : original->mutant;
      to->reason = s->reason;
    }
  }
  join_parts(m);
  for (size_t i = 0; result == 0 && i < b->program_count; i++) result = read_kernels(m, &b->programs[i], e);
  return result;
}

int build_mutants(build *b, error *e) {
  mutants m = {.b = b};
  int result = read_stored(&m, e);
  if (result == 0 && m.count > 0) result = read_programs(&m, e);
  for (size_t i = 0; result == 0 && m.count > 0 && i < b->test_case_count; i++)
    result = read_verdicts(&m, &b->test_cases[i], e);
  result = result == 0 ? read_unstable(b, e) : result;
  for (size_t i = 0; i < b->v->mutant_count; i++) join_verdicts(&b->v->mutants[i]);
  free(m.list);
  return result;
}
