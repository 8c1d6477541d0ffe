/* Programs whose kernels are asked about, and the places in the user's files that the answers rest on. */
#include "runner/build/disjoint.h"

#include <stdlib.h>
#include <string.h>

#include "instrument/program.h"

/* Where a token stands in the user's files. */
typedef struct token_place {
  char sha256[65]; /* of the file */
  uint32_t offset;
} token_place;

struct disjoint {
  program program;
  instrument_result found;
  token_place *places; /* of all that was relied on */
  size_t place_count, place_capacity;
};

static void add_place(disjoint *a, const token_place *place) {
  for (size_t i = 0; i < a->place_count; i++)
    if (a->places[i].offset == place->offset && strcmp(a->places[i].sha256, place->sha256) == 0) return;
  *ARRAY_ADD(a->places, a->place_count, a->place_capacity) = *place;
}

static void remember(disjoint *a, uint32_t unit_index, const span_list *used) {
  unit *u = &a->program.units[unit_index];
  for (size_t i = 0; i < used->count; i++) {
    for (uint32_t t = used->items[i].first; t <= used->items[i].last && !span_empty(used->items[i]); t++) {
      const pp_position *at = &u->text.tokens[t].spelled;
      token_place place = {.offset = at->offset};
      const uint32_t file = file_of(&a->program, u, at->file);
      memcpy(place.sha256, a->found.model.files[file].sha256, sizeof place.sha256);
      add_place(a, &place);
    }
  }
}

static const function *find_kernel(const disjoint *a, const char *name) {
  const model *m = &a->found.model;
  for (size_t i = 0; i < m->kernel_count && i < a->program.kernel_count; i++)
    if (strcmp(m->kernels[i].name, name) == 0) return &a->program.functions[a->program.kernel_functions[i]];
  return NULL;
}

bool disjoint_holds(disjoint *a, const char *kernel, const facts_launch *l) {
  const function *f = find_kernel(a, kernel);
  if (f == NULL) return false;
  span_list used = {0};
  const bool holds = launch_is_disjoint(a->program.units[f->unit].tree, f->node, f->graph, l, &used);
  if (holds) remember(a, f->unit, &used);
  free(used.items);
  return holds;
}

bool disjoint_stays_inside(const disjoint *a, const char *kernel, const facts_launch *l) {
  const function *f = find_kernel(a, kernel);
  return f != NULL && launch_stays_inside(f->node, l);
}

bool disjoint_rests_on(const disjoint *a, const model *of, const mutant *m) {
  EACH(const token_place, t, a->places, a->place_count) {
    if (t->offset >= m->offset && t->offset < m->end_offset && strcmp(t->sha256, of->files[m->file].sha256) == 0)
      return true;
  }
  return false;
}

void disjoint_write(const disjoint *a, buffer *out) {
  buffer_append(out, a->places, a->place_count * sizeof *a->places);
}

int disjoint_add(disjoint **a, const void *bytes, size_t length) {
  token_place place;
  if (length % sizeof place != 0) return -1;
  *a = *a == NULL ? mem_calloc(1, sizeof **a) : *a;
  for (size_t at = 0; at < length; at += sizeof place) {
    memcpy(&place, (const char *)bytes + at, sizeof place);
    add_place(*a, &place);
  }
  return 0;
}

disjoint *disjoint_read(const pp_input *sources, size_t source_count) {
  disjoint *a = mem_calloc(1, sizeof *a);
  error ignored;
  if (program_prepare(&a->program, sources, source_count, &a->found, &ignored) != 0 || a->found.question_count > 0) {
    disjoint_free(a);
    return NULL;
  }
  return a;
}

void disjoint_free(disjoint *a) {
  if (a != NULL) {
    program_free(&a->program);
    instrument_free(&a->found);
    free(a->places);
    free(a);
  }
}
