/* Why a run hangs: which work-groups never ended, and where they were seen last. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "runner/amplify/explain.h"

enum { LISTED_GROUPS = 4 };

/* A group that never ended, and where it was seen last. */
static void add_group(subject *s, size_t group, uint32_t state) {
  const model *m = &s->program->model;
  const uint32_t number = state - GATE_STATE_AT;
  const model_site *site = state >= GATE_STATE_AT && number < m->site_count ? &m->sites[number] : NULL;
  db_explained place = {.role = "group", .group = (uint32_t)group};
  if (site != NULL) {
    place.construct = site->kind == SITE_BARRIER ? "barrier" : "loop";
    place.file = site->file;
    place.line = site->line;
  }
  if (site != NULL && s->place_count == 0) {
    s->out.file_name = m->files[site->file].name;
    s->out.line = site->line;
  }
  explain_place(s, &place);
}

/* What the file of a watched launch says. */
static void read_states(subject *s, const uint32_t *states, size_t count) {
  uint32_t running = 0, waiting = 0;
  for (size_t i = 0; i < count; i++) {
    waiting += states[i] == GATE_STATE_OUT ? 1 : 0;
    if (states[i] != GATE_STATE_OUT && states[i] != GATE_STATE_ENDED && running++ < LISTED_GROUPS) {
      add_group(s, i, states[i]);
    }
  }
  s->out.why.running = running;
  s->out.why.waiting = waiting;
  s->out.why.of_groups = (uint32_t)count;
}

static void read_watch(subject *s, const char *path) {
  FILE *file = fopen(path, "rb");
  uint32_t words[GATE_WORDS];
  if (file == NULL) {
    return;
  }
  size_t groups = s->launch->groups;
  uint32_t *states = mem_calloc(groups, sizeof *states);
  if (fread(words, sizeof *words, GATE_WORDS, file) == GATE_WORDS && words[GATE_GROUPS] == groups &&
      fread(states, sizeof *states, groups, file) == groups) {
    read_states(s, states, groups);
  }
  free(states);
  (void)fclose(file);
}

/* Where no run that hung was watched: one more. */
static int watch(subject *s, error *e) {
  amplify_job *j = amplify_job_watched(s->amplify, s->launch_index, &s->trial->schedule);
  int result = 0;
  if (j != NULL) {
    result = experiment_run_single(&s->amplify->base, &j->base, e);
    read_watch(s, j->watch);
    experiment_job_free(&j->base);
  }
  return result;
}

int explain_deadlock(subject *s, error *e) {
  if (s->trial->watched != NULL) {
    read_watch(s, s->trial->watched);
  } else if (watch(s, e) != 0) {
    return -1;
  }
  s->out.why.kind = "groups";
  return 0;
}
