/* Moving what a view shows of a program to the files in which its source is written, so that all reports name these.
 * What is written nowhere that is known stays in the source as the program built it. */
#include <stdlib.h>
#include <string.h>

#include "base/home.h"
#include "base/memory.h"
#include "db/view_build.h"

/* --- files ------------------------------------------------------------------------------------------------------- */

static void add_homes(build_program *p) {
  model *m = &p->m;
  p->own_files = m->file_count;
  p->homes = mem_calloc(m->file_count + 1, sizeof *p->homes);
  p->first_home = mem_calloc(m->file_count + 1, sizeof *p->first_home);
  for (size_t i = 0; i < p->own_files; i++) {
    p->first_home[i] = (uint32_t)m->file_count;
    for (size_t k = 0; k < m->files[i].home_count; k++) {
      model_file *to = ARRAY_ADD(m->files, m->file_count, m->file_capacity);
      const model_home *h = &m->files[i].homes[k];
      *to = (model_file){.name = mem_strdup(h->name),
                         .root = mem_strdup(h->root),
                         .text = mem_strndup(h->text, h->length),
                         .length = h->length};
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

static void move_outcomes(const home_index *x, model_site *s, uint32_t line, const home_place *at) {
  for (size_t k = 0; k < s->outcome_count; k++) {
    home_place to;
    model_outcome *o = &s->outcomes[k];
    bool moved = o->line != line && home_find_line(x, o->line, &to) && to.home == at->home;
    o->line = moved ? to.line : at->line;
  }
}

static void move_site(const build_program *p, model_site *s) {
  const home_index *x = index_of(p, s->file);
  home_place at;
  if (x == NULL || !home_find(x, s->offset, &at)) return;
  home_place end = home_find_end(x, &at, home_offset_of(x, s->end_line, s->end_column));
  move_outcomes(x, s, s->line, &at);
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

void build_move_home(build_program *p) {
  model *m = &p->m;
  add_homes(p);
  for (size_t i = 0; i < m->function_count; i++) move_function(p, &m->functions[i]);
  for (size_t i = 0; i < m->site_count; i++) move_site(p, &m->sites[i]);
  for (size_t i = 0; i < m->line_count; i++) move_line(p, &m->lines[i].file, &m->lines[i].line);
}

void build_free_homes(build_program *p) {
  for (size_t i = 0; p->homes != NULL && i < p->own_files; i++)
    if (p->homes[i].file != NULL) home_index_free(&p->homes[i]);
  free(p->homes);
  free(p->first_home);
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
    if (used) {
      v->files[kept++] = v->files[i];
    } else {
      free(v->files[i].name);
      free(v->files[i].root);
      free(v->files[i].text);
    }
  }
  v->file_count = kept;
  each_reference(v, renumber_files, map);
}
