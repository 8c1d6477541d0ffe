/* Why a run hangs: which work-groups never ended, and where they were seen last. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "runner/amplify/explain.h"

enum { LISTED_GROUPS = 4 };

static void put_place(const subject *s, uint32_t state, buffer *to) {
  const model *m = &s->program->model;
  uint32_t site = state - GATE_STATE_AT;
  if (state >= GATE_STATE_AT && site < m->site_count) {
    bool barrier = m->sites[site].kind == SITE_BARRIER;
    buffer_printf(to, " (%s line %u)", barrier ? "at the barrier on" : "in the loop on", (unsigned)m->sites[site].line);
  }
}

/* What the file of a watched launch says. */
static void read_states(subject *s, const uint32_t *states, size_t count) {
  size_t running = 0;
  size_t out = 0;
  for (size_t i = 0; i < count; i++) {
    bool runs = states[i] != GATE_STATE_OUT && states[i] != GATE_STATE_ENDED;
    out += states[i] == GATE_STATE_OUT ? 1 : 0;
    if (runs && running++ < LISTED_GROUPS) {
      buffer_printf(&s->unfinished, "%sgroup %zu", s->unfinished.length > 0 ? ", " : "", i);
      put_place(s, states[i], &s->unfinished);
      if (running == 1 && states[i] >= GATE_STATE_AT && states[i] - GATE_STATE_AT < s->program->model.site_count) {
        const model_site *site = &s->program->model.sites[states[i] - GATE_STATE_AT];
        s->out.file = s->program->model.files[site->file].name;
        s->out.line = site->line;
      }
    }
  }
  if (running > LISTED_GROUPS) {
    buffer_printf(&s->unfinished, " and %zu more", running - LISTED_GROUPS);
  }
  if (running > 0) {
    buffer_printf(&s->text, "%s never ended%s", buffer_text(&s->unfinished),
                  out > 0 ? ": what is waited for is the work of groups that have not begun" : "");
  }
  if (running > 0 && out > 0) {
    buffer_printf(&s->text, " (%zu of %zu)", out, count);
  }
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
  if (s->text.length == 0) {
    buffer_puts(&s->text, "some work-group never ended; the device does not let us see which");
  }
  return 0;
}
