/* Findings of a view, each once, with places, witness and path; proofs, of which the newest run says what is known;
 * both and all else moved to the files in which kernels are strings. */
#include <stdlib.h>
#include <string.h>

#include "base/home.h"
#include "base/memory.h"
#include "base/rules.h"
#include "db/internal.h"

/* The proofs of a view: of several runs the newest says what is known of a kernel and its options. */

static int compare_names(const db_proof *x, const db_proof *y) {
  if (x->file != y->file) return x->file > y->file ? 1 : -1;
  if (x->line != y->line) return x->line > y->line ? 1 : -1;
  const int by_name = strcmp(x->name, y->name);
  return by_name != 0 ? by_name : strcmp(x->options, y->options);
}

/* The rows stay beside: build_proof_of looks them up. */
static int compare_proofs(const void *a, const void *b) {
  const build_proof *x = a, *y = b;
  const int by_names = compare_names(&x->item, &y->item);
  return by_names != 0 ? by_names : (x->id > y->id) - (x->id < y->id);
}

static void add_proof(build *b, sqlite3_stmt *row) {
  const build_launcher *launcher = build_find_launcher(b, sqlite3_column_int64(row, 4));
  const char *sha256 = sql_peek(row, 5);
  mem_arena *a = &b->v->memory;
  db_proof p = {.run = sqlite3_column_int64(row, 1),
                .options = sql_text(a, row, 2),
                .kernel = launcher == NULL ? MODEL_NONE : launcher->kernel,
                .file = build_file_of(b, sha256)};
  (void)sql_read(a, row, 8, &db_proof_columns, &p);
  build_place_line(b, sha256, &p.file, &p.line);
  p.line = p.file == MODEL_NONE ? 0 : p.line;
  size_t kept = 0;
  for (size_t i = 0; i < b->proof_count; i++) /* what an older run says of the same */
    if (b->proofs[i].item.run == p.run || compare_names(&b->proofs[i].item, &p) != 0) b->proofs[kept++] = b->proofs[i];
  b->proof_count = kept;
  *BUILD_ADD(b, b->proofs, b->proof_count) = (build_proof){sqlite3_column_int64(row, 0), p};
}

/* --- what they rest on ----------------------------------------------------------------------------------------- */

static int add_parts(build *b, build_proof *proof, error *e) {
  db_proof_part *lists[PROOF_PART_KINDS] = {NULL};
  EACH_ROW(step, row, b->d, SQL_PROOF_PARTS, e, "i", proof->id) {
    const char *sha256 = sql_peek(row, 2);
    const unsigned kind = db_proof_part_kind(sql_peek(row, 1));
    db_proof_part part = {.file = build_file_of(b, sha256)};
    (void)sql_read(&b->v->memory, row, 3, &db_proof_part_columns, &part);
    build_place_point(b, sha256, &part.file, &part.line, &part.column);
    if (kind == PROOF_PART_KINDS || (kind == PROOF_BARRIER && part.file == MODEL_NONE)) continue; /* it is lost */
    db_proof_parts *to = &proof->item.parts[kind];
    *BUILD_ADD(b, lists[kind], to->count) = part;
    to->list = lists[kind];
  }
  return step;
}

int build_proofs(build *b, const id_list *runs, error *e) {
  view *v = b->v;
  int result = build_read_rows(b, SQL_PROOFS, runs, add_proof, e);
  if (b->proof_count > 1) qsort(b->proofs, b->proof_count, sizeof *b->proofs, compare_proofs);
  for (size_t i = 0; result == 0 && i < b->proof_count; i++) result = add_parts(b, &b->proofs[i], e);
  v->proofs = mem_arena_array(&v->memory, b->proof_count, sizeof *v->proofs);
  v->proof_count = b->proof_count;
  for (size_t i = 0; i < b->proof_count; i++) v->proofs[i] = b->proofs[i].item;
  return result;
}

/* The proof of the view that a row id is; MODEL_NONE: a newer run says otherwise. */
static uint32_t build_proof_of(const build *b, int64_t id) {
  for (size_t i = 0; i < b->proof_count; i++)
    if (b->proofs[i].id == id) return (uint32_t)i;
  return MODEL_NONE;
}

int build_read_rows(build *b, sql which, const id_list *keys, void (*add)(build *, sqlite3_stmt *), error *e) {
  for (size_t i = 0; i < keys->count; i++) {
    EACH_ROW(step, row, b->d, which, e, "i", keys->ids[i]) { add(b, row); }
    if (step < 0) return -1;
  }
  return 0;
}

int build_read_list(build *b, sql which, void (*add)(build *, sqlite3_stmt *), error *e) {
  EACH_ROW(step, row, b->d, which, e, "t", b->run_list) { add(b, row); }
  return step;
}

static bool same_finding(const build *b, size_t index, const db_finding *f, const char *places, bool meant) {
  const db_finding *known = &b->v->findings[index];
  return b->findings[index].meant == meant && known->file == f->file && known->line == f->line &&
         known->proved == f->proved && known->proof == f->proof && strcmp(known->rule, f->rule) == 0 &&
         strcmp(known->kernel, f->kernel) == 0 && strcmp(b->findings[index].places, places) == 0;
}

uint32_t build_file_of(const build *b, const char *sha256) {
  for (size_t i = 0; sha256 != NULL && i < b->v->file_count; i++)
    if (strcmp(b->v->files[i].sha256, sha256) == 0) return (uint32_t)i;
  return MODEL_NONE;
}

static void add_finding(build *b, sqlite3_stmt *row) {
  view *v = b->v;
  mem_arena *a = &v->memory;
  const bool proved = sqlite3_column_type(row, 9) != SQLITE_NULL;
  const uint32_t proof = proved ? build_proof_of(b, sqlite3_column_int64(row, 9)) : MODEL_NONE;
  if (proved && proof == MODEL_NONE) /* of an older run than the one that says what is known of the kernel */
    return;
  const char *places = sql_text(a, row, 5);
  const char *sha256 = sql_peek(row, 7);
  const bool meant = sqlite3_column_int64(row, 14) != 0;
  db_finding f = {.id = sqlite3_column_int64(row, 0),
                  .rule = sql_text(a, row, 3),
                  .message = sql_text(a, row, 4),
                  .kernel = sql_text(a, row, 6),
                  .proved = proved,
                  .proof = proof,
                  .possible = sqlite3_column_int64(row, 10) != 0,
                  .confirmed = db_finding_confirmed(sql_peek(row, 11)),
                  .confirmation = sql_text(a, row, 12),
                  .schedule = sqlite3_column_int64(row, 13),
                  .file = build_file_of(b, sha256)};
  (void)sql_read(a, row, 15, &db_detail_columns, &f.detail);
  f.line = f.file == MODEL_NONE ? 0 : sql_u32(row, 8);
  build_place_line(b, sha256, &f.file, &f.line);
  for (size_t i = 0; i < v->finding_count; i++)
    if (same_finding(b, i, &f, places, meant)) return;
  size_t count = v->finding_count;
  *BUILD_ADD(b, b->findings, count) = (build_finding){f.id, places, meant};
  *BUILD_ADD(b, v->findings, v->finding_count) = f;
}

/* Where a point is in the view: of the file whose SHA-256 is in a column. */
static void place(const build *b, sqlite3_stmt *row, int sha256, uint32_t *file, uint32_t *line, uint32_t *column) {
  const char *digest = sql_peek(row, sha256);
  *file = build_file_of(b, digest);
  build_place_point(b, digest, file, line, column);
}

/* --- places, witness, commands, path --------------------------------------------------------------------------- */

/* Where a finding has a list and its length, and what an item is. */
static const struct finding_list {
  sql rows;
  const db_columns *columns;
  size_t size, list, count;
  bool placed; /* at a point, whose file stands before the columns: without one in the view the item is left out */
  size_t file, line, column;
} lists[] = {
#define LIST(rows, type, list, count) \
  rows, &type##_columns, sizeof(type), offsetof(db_finding, list), offsetof(db_finding, count)
#define POINT(type) true, offsetof(type, file), offsetof(type, line), offsetof(type, column)
    {LIST(SQL_FINDING_PLACES, db_place, places, place_count), POINT(db_place)},
    {LIST(SQL_FINDING_WITNESS, db_witness, witness, witness_count), false, 0, 0, 0},
    {LIST(SQL_FINDING_COMMANDS, db_command, commands, command_count), false, 0, 0, 0},
    {LIST(SQL_FINDING_STEPS, db_step, path, path_count), POINT(db_step)},
};
enum { LISTS = sizeof lists / sizeof lists[0] };

/* `positions` become the first columns of the items that are kept. */
static int add_list(build *b, size_t index, const struct finding_list *l, id_list *positions, error *e) {
  mem_arena *a = &b->v->memory;
  char *f = (char *)&b->v->findings[index], *items = NULL;
  size_t *count = (void *)(f + l->count);
  EACH_ROW(step, row, b->d, l->rows, e, "i", b->findings[index].id) {
    items = mem_arena_grow(a, items, *count, l->size);
    memcpy(f + l->list, &items, sizeof items);
    char *item = items + *count * l->size;
    (void)sql_read(a, row, l->placed ? 2 : 1, l->columns, item);
    uint32_t *file = (void *)(item + l->file);
    if (l->placed) place(b, row, 1, file, (void *)(item + l->line), (void *)(item + l->column));
    if (l->placed && *file == MODEL_NONE) continue;
    *ARENA_ADD(a, positions->ids, positions->count) = sqlite3_column_int64(row, 0);
    ++*count;
  }
  return step;
}

/* The calls that places were inlined by; `positions` are those of the places. */
static int add_inlined(build *b, size_t index, const id_list *positions, error *e) {
  const db_finding *f = &b->v->findings[index];
  const db_place *last = NULL;
  db_call *calls = NULL; /* of `last` */
  EACH_ROW(step, row, b->d, SQL_FINDING_INLINED, e, "i", b->findings[index].id) {
    db_place *p = NULL;
    for (size_t i = 0; i < f->place_count && p == NULL; i++)
      p = positions->ids[i] == sqlite3_column_int64(row, 0) ? (db_place *)&f->places[i] : NULL; /* our own */
    db_call c;
    (void)sql_read(NULL, row, 3, &db_call_columns, &c);
    place(b, row, 2, &c.file, &c.line, &c.column);
    if (p != NULL && c.file != MODEL_NONE) {
      calls = p == last ? calls : NULL;
      last = p;
      *BUILD_ADD(b, calls, p->inlined_count) = c;
      p->inlined = calls;
    }
  }
  return step;
}

static int add_lists(build *b, size_t index, error *e) {
  int result = 0;
  for (size_t i = 0; i < LISTS && result == 0; i++) {
    id_list positions = {0};
    result = add_list(b, index, &lists[i], &positions, e);
    if (result == 0 && i == 0) result = add_inlined(b, index, &positions, e);
  }
  return result;
}

/* The same access of the same place; columns are where the one and the other take the access to begin. */
static bool same_place(const db_place *a, const db_place *b, bool columns) {
  return a->file == b->file && a->line == b->line && strcmp(a->access, b->access) == 0 &&
         (!columns || a->column == b->column);
}

static bool same_accesses(const db_finding *a, const db_finding *b, bool columns) {
  const db_place *x = a->places, *y = b->places;
  return (same_place(&x[0], &y[0], columns) && same_place(&x[1], &y[1], columns)) ||
         (same_place(&x[0], &y[1], columns) && same_place(&x[1], &y[0], columns));
}

static bool is_single_race(const db_finding *f, bool proved) {
  return f->proved == proved && f->twin == 0 && f->place_count == 2 && rule_is(f->rule, RULE_RACE);
}

/* Which of several pairs on the same lines are the same is told by the columns where these are alike. */
static void find_twins(view *v, bool columns) {
  for (size_t i = 0; i < v->finding_count; i++) {
    for (size_t k = 0; k < v->finding_count; k++) {
      db_finding *seen = &v->findings[i], *proved = &v->findings[k];
      if (is_single_race(seen, false) && is_single_race(proved, true) && strcmp(seen->kernel, proved->kernel) == 0 &&
          same_accesses(seen, proved, columns)) {
        seen->twin = (uint32_t)k + 1;
        proved->twin = (uint32_t)i + 1;
      }
    }
  }
}

/* Those of kernels that say that their order dependence is meant are no findings; explanations are told with them. */
static void set_meant_apart(build *b) {
  view *v = b->v;
  size_t kept = 0;
  v->meant = mem_arena_array(&v->memory, v->finding_count, sizeof *v->meant);
  for (size_t i = 0; i < v->finding_count; i++)
    if (b->findings[i].meant)
      v->meant[v->meant_count++] = v->findings[i];
    else
      v->findings[kept++] = v->findings[i];
  v->finding_count = kept;
}

/* --- seen twice -------------------------------------------------------------------------------------------------- */

static bool is_one_access(const db_finding *f) {
  return !f->proved && f->place_count == 1 && strcmp(f->places[0].role, "access") == 0;
}

/* The same statement does the same wrong to the same object. */
static bool same_statement(const db_finding *a, const db_finding *b) {
  return is_one_access(a) && is_one_access(b) && a->file == b->file && a->line == b->line &&
         strcmp(a->rule, b->rule) == 0 && strcmp(a->kernel, b->kernel) == 0 &&
         strcmp(a->detail.object, b->detail.object) == 0 && strcmp(a->places[0].access, b->places[0].access) == 0;
}

/* A guard zone has shown that the kernel wrote past the end of a buffer of this size, and `by` says which access does. */
static bool shows_overrun(const db_finding *by, const db_finding *overrun) {
  return is_one_access(by) && strcmp(overrun->rule, "buffer-overrun") == 0 && strcmp(by->rule, "out-of-bounds") == 0 &&
         strcmp(by->places[0].access, "read") != 0 && strcmp(by->kernel, overrun->kernel) == 0 &&
         by->detail.size.value == overrun->detail.size.value;
}

static void join_same(view *v) {
  size_t kept = 0;
  for (size_t i = 0; i < v->finding_count; i++) {
    db_finding *same = NULL;
    for (size_t k = 0; k < v->finding_count && same == NULL; k++) {
      const bool first = k < kept && same_statement(&v->findings[k], &v->findings[i]);
      const bool shown = (k < kept || k > i) && shows_overrun(&v->findings[k], &v->findings[i]);
      same = first || shown ? &v->findings[k] : NULL;
    }
    if (same == NULL) {
      v->findings[kept++] = v->findings[i];
      continue;
    }
    if (is_one_access(&v->findings[i])) {
      if (v->findings[i].places[0].column < same->places[0].column) { /* the first in the line stands for it */
        const db_finding first = v->findings[i];
        v->findings[i] = *same;
        *same = first;
      }
      same->detail.count.value += v->findings[i].detail.count.value;
    }
  }
  v->finding_count = kept;
}

int build_findings(build *b, const id_list *test_cases, const id_list *runs, error *e) {
  bool fails = build_read_rows(b, SQL_FINDINGS, test_cases, add_finding, e) != 0 ||
               build_read_rows(b, SQL_RUN_FINDINGS, runs, add_finding, e) != 0;
  for (size_t i = 0; !fails && i < b->v->finding_count; i++) fails = add_lists(b, i, e) != 0;
  set_meant_apart(b);
  if (!fails) join_same(b->v);
  find_twins(b->v, true);
  find_twins(b->v, false);
  return fails ? -1 : 0;
}

/* Moving what a view shows of a program to the files in which its source is written, so that all reports name these.
 * What is written nowhere that is known stays in the source as the program built it. */

static void add_homes(build *b, build_program *p) {
  model *m = &p->m;
  p->own_files = m->file_count;
  p->homes = mem_arena_array(&b->v->memory, m->file_count, sizeof *p->homes);
  p->first_home = mem_arena_array(&b->v->memory, m->file_count, sizeof *p->first_home);
  for (size_t i = 0; i < p->own_files; i++) {
    p->first_home[i] = (uint32_t)m->file_count;
    for (size_t k = 0; k < m->files[i].home_count; k++) {
      const model_home *h = &m->files[i].homes[k];
      model_file *to = BUILD_ADD(b, m->files, m->file_count);
      *to = (model_file){.name = h->name, .root = h->root, .text = h->text, .length = h->length};
      memcpy(to->sha256, h->sha256, sizeof to->sha256);
    }
  }
  for (size_t i = 0; i < p->own_files; i++)
    if (m->files[i].home_count > 0) p->homes[i] = home_index_of(&m->files[i]);
}

/* The index of an own file that has homes, NULL for another. */
static const home_index *index_of(const build_program *p, uint32_t file) {
  return file < p->own_files && p->homes[file].file != NULL ? &p->homes[file] : NULL;
}

/* --- parts ------------------------------------------------------------------------------------------------------- */

static void move_site(const build_program *p, model_site *s) {
  const home_index *x = index_of(p, s->file);
  home_place at;
  if (x == NULL || !home_find(x, s->offset, &at)) return;
  home_place end = home_find_end(x, &at, home_offset_of(x, s->end_line, s->end_column));
  for (size_t k = 0; k < s->outcome_count; k++) {
    home_place to;
    model_outcome *o = &s->outcomes[k];
    bool moved = o->line != s->line && home_find_line(x, o->line, &to) && to.home == at.home;
    o->line = moved ? to.line : at.line;
  }
  s->file = p->first_home[s->file] + at.home;
  s->offset = at.offset;
  s->line = at.line;
  s->column = at.column;
  s->end_line = end.line;
  s->end_column = end.column;
}

/* The last line of a function that is written where its first one is. */
static uint32_t last_line(const home_index *x, const model_function *f, const home_place *first) {
  for (uint32_t line = f->end_line; line > f->line; line--) {
    home_place at;
    if (home_find_line(x, line, &at) && at.home == first->home && at.line >= first->line) return at.line;
  }
  return first->line;
}

/* Before sites are moved. */
static void move_function(const build_program *p, model_function *f) {
  const home_index *x = index_of(p, f->file);
  const model_site *s = f->site == MODEL_NONE ? NULL : &p->m.sites[f->site];
  bool its_own = s != NULL && s->file == f->file && s->line == f->line;
  home_place at;
  if (x == NULL || !(its_own ? home_find(x, s->offset, &at) : home_find_line(x, f->line, &at))) return;
  f->end_line = last_line(x, f, &at);
  f->file = p->first_home[f->file] + at.home;
  f->line = at.line;
}

static void move_line(const build_program *p, uint32_t *file, uint32_t *line) {
  const home_index *x = index_of(p, *file);
  home_place at;
  if (x != NULL && home_find_line(x, *line, &at)) {
    *file = p->first_home[*file] + at.home;
    *line = at.line;
  }
}

void build_move_home(build *b, build_program *p) {
  model *m = &p->m;
  add_homes(b, p);
  for (size_t i = 0; i < m->function_count; i++) move_function(p, &m->functions[i]);
  for (size_t i = 0; i < m->site_count; i++) move_site(p, &m->sites[i]);
  for (size_t i = 0; i < m->line_count; i++) move_line(p, &m->lines[i].file, &m->lines[i].line);
}

void build_free_homes(build_program *p) {
  for (size_t i = 0; p->homes != NULL && i < p->own_files; i++)
    if (p->homes[i].file != NULL) home_index_free(&p->homes[i]);
}

/* --- what refers to places ----------------------------------------------------------------------------------------- */

void build_place_mutant(const build_program *p, build_place *place) {
  uint32_t file = 0;
  while (file < p->own_files && p->files[file] != place->file) file++;
  const home_index *x = index_of(p, file);
  home_place at;
  if (x == NULL || !home_find(x, place->offset, &at)) return;
  home_place end = home_find_end(x, &at, place->end_offset);
  *place = (build_place){.file = p->files[p->first_home[file] + at.home],
                         .line = at.line,
                         .column = at.column,
                         .offset = at.offset,
                         .end_line = end.line,
                         .end_column = end.column,
                         .end_offset = end.offset};
}

/* The program, and its own file of that digest, which has homes; false: there is none. */
static bool find_moved(const build *b, const char *sha256, const build_program **p, uint32_t *file) {
  for (size_t i = 0; sha256 != NULL && i < b->program_count; i++) {
    *p = &b->programs[i];
    for (*file = 0; *file < (*p)->own_files; ++*file)
      if (index_of(*p, *file) != NULL && strcmp((*p)->m.files[*file].sha256, sha256) == 0) return true;
  }
  return false;
}

void build_place_line(const build *b, const char *sha256, uint32_t *file, uint32_t *line) {
  const build_program *p = NULL;
  uint32_t own = 0;
  if (find_moved(b, sha256, &p, &own)) {
    uint32_t at = own;
    move_line(p, &at, line);
    *file = at == own ? *file : p->files[at];
  }
}

void build_place_point(const build *b, const char *sha256, uint32_t *file, uint32_t *line, uint32_t *column) {
  const build_program *p = NULL;
  uint32_t own = 0;
  home_place at;
  if (!find_moved(b, sha256, &p, &own) ||
      !home_find(index_of(p, own), home_offset_of(index_of(p, own), *line, *column), &at))
    return;
  *file = p->files[p->first_home[own] + at.home];
  *line = at.line;
  *column = at.column;
}

/* --- files that nothing is about any more -------------------------------------------------------------------------- */

static void each_of_finding(db_finding *f, void (*with)(uint32_t *file, uint32_t *map), uint32_t *map) {
  with(&f->file, map);
  for (size_t i = 0; i < f->place_count; i++) {
    with((uint32_t *)&f->places[i].file, map); /* the view owns it */
    for (size_t k = 0; k < f->places[i].inlined_count; k++)
      with((uint32_t *)&f->places[i].inlined[k].file, map); /* the view owns it */
  }
  for (size_t i = 0; i < f->path_count; i++) with((uint32_t *)&f->path[i].file, map); /* the view owns it */
}

static void each_of_explanation(db_explanation *x, void (*with)(uint32_t *file, uint32_t *map), uint32_t *map) {
  with(&x->file, map);
  for (size_t i = 0; i < x->place_count; i++) with((uint32_t *)&x->places[i].file, map); /* the view owns it */
}

/* Calls `with` for every reference to a file of the view. */
static void each_reference(view *v, void (*with)(uint32_t *file, uint32_t *map), uint32_t *map) {
  for (size_t i = 0; i < v->function_count; i++) with(&v->functions[i].file, map);
  for (size_t i = 0; i < v->site_count; i++) with(&v->sites[i].file, map);
  for (size_t i = 0; i < v->line_count; i++) with(&v->lines[i].file, map);
  for (size_t i = 0; i < v->kernel_count; i++) {
    for (size_t k = 0; k < v->kernels[i].site_count; k++) with(&v->kernels[i].sites[k].file, map);
    for (size_t k = 0; k < v->kernels[i].line_count; k++) with(&v->kernels[i].lines[k].file, map);
  }
  for (size_t i = 0; i < v->mutant_count; i++) with(&v->mutants[i].file, map);
  for (size_t i = 0; i < v->finding_count; i++) each_of_finding(&v->findings[i], with, map);
  for (size_t i = 0; i < v->meant_count; i++) each_of_finding(&v->meant[i], with, map);
  for (size_t i = 0; i < v->repair_count; i++) with(&v->repairs[i].file, map);
  for (size_t i = 0; i < v->proof_count; i++) {
    with(&v->proofs[i].file, map);
    for (size_t k = 0; k < PROOF_PART_KINDS; k++)
      for (size_t n = 0; n < v->proofs[i].parts[k].count; n++)
        with((uint32_t *)&v->proofs[i].parts[k].list[n].file, map);
  }
  for (size_t i = 0; i < v->launch_count; i++) {
    for (size_t k = 0; k < v->launches[i].schedule_count; k++)
      if (v->launches[i].schedules[k].explanation != NULL)
        each_of_explanation(v->launches[i].schedules[k].explanation, with, map);
  }
}

static void mark_file(uint32_t *file, uint32_t *map) {
  if (*file != MODEL_NONE) map[*file] = 1;
}

static void renumber_files(uint32_t *file, uint32_t *map) { *file = *file == MODEL_NONE ? MODEL_NONE : map[*file]; }

void build_drop_files(build *b) {
  view *v = b->v;
  scoped uint32_t *map = mem_calloc(v->file_count + 1, sizeof *map);
  for (size_t i = 0; i < v->file_count; i++) map[i] = 1;
  for (size_t i = 0; i < b->program_count; i++) { /* only a file that has homes may go, and a home */
    const build_program *p = &b->programs[i];
    for (uint32_t k = 0; k < p->m.file_count && p->files != NULL; k++)
      if (k >= p->own_files || index_of(p, k) != NULL) map[p->files[k]] = 0;
  }
  each_reference(v, mark_file, map);
  size_t kept = 0;
  for (size_t i = 0; i < v->file_count; i++) {
    bool used = map[i] != 0;
    map[i] = (uint32_t)kept;
    if (used) v->files[kept++] = v->files[i];
  }
  v->file_count = kept;
  each_reference(v, renumber_files, map);
}
