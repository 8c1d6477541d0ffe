/* Why results differ: what two schedules leave in the memory of the launch. */
#include <stdlib.h>

#include "base/memory.h"
#include "runner/amplify/explain.h"

enum { ATTEMPTS = 8, LISTED_LINES = 4 };

static amplify_job *memory_job(const subject *s, const trial *t) {
  amplify_job *j = amplify_job_new(s->amplify, amplify_gated_form(s->amplify));
  j->memory_of = s->launch_index;
  if (t != NULL) {
    amplify_job_gate(j, s->launch_index, &t->schedule);
  }
  amplify_job_gate_others(j); /* the launch itself, too, where nothing else gives the reference's result */
  return j;
}

static bool compare(const subject *s, const amplify_job *seen, memory_difference *out) {
  const instrument_kernel *k = s->kernel;
  const char **types = mem_calloc(k->parameter_count + 1, sizeof(char *));
  for (size_t i = 0; i < k->parameter_count; i++) {
    types[i] = k->parameters[i].type;
  }
  const bool differs = memory_compare(&s->expected->images, &seen->images, types, k->parameter_count, out);
  free(types);
  return differs;
}

/* Runs the schedule until memory differs. */
static int find_difference(subject *s, error *e) {
  amplify *a = s->amplify;
  s->expected = memory_job(s, s->other);
  int result = experiment_run_single(&a->base, &s->expected->base, e);
  for (int i = 0; i < ATTEMPTS && result == 0 && !s->found && amplify_goes_on(a); i++) {
    amplify_job *j = memory_job(s, s->trial);
    result = experiment_run_single(&a->base, &j->base, e);
    s->found = result == 0 && compare(s, j, &s->difference);
    experiment_job_free(&j->base);
  }
  return result;
}

/* The lines on which the kernel writes through a parameter, as far as its own text tells. */
static void add_lines(subject *s, const instrument_parameter *p) {
  bool more = false;
  for (size_t i = 0; i < p->access_count; i++) {
    const instrument_access *access = &p->accesses[i];
    bool known = !access->writes;
    for (size_t k = 0; k < s->place_count; k++) {
      known = known || s->places[k].line == access->line;
    }
    if (!known && s->place_count < LISTED_LINES) {
      s->out.file_name = s->place_count == 0 ? s->program->model.files[access->file].name : s->out.file_name;
      s->out.line = s->place_count == 0 ? access->line : s->out.line;
      explain_place(s, &(db_explained){.role = "write", .file = access->file, .line = access->line});
    } else if (!known) {
      more = true;
    }
  }
  s->out.why.rest = more ? "others" : s->place_count > 0 && p->escapes ? "elsewhere" : "";
}

static void tell_difference(subject *s) {
  const memory_difference *d = &s->difference;
  const instrument_parameter *p = d->argument < s->kernel->parameter_count ? &s->kernel->parameters[d->argument] : NULL;
  if (p != NULL && p->name[0] != '\0') {
    buffer_puts(&s->argument, p->name);
  } else {
    buffer_printf(&s->argument, "argument %u", (unsigned)d->argument);
  }
  if (p != NULL) {
    add_lines(s, p);
  }
  s->out.why.kind = "memory";
  s->out.why.unit = d->unit;
  s->out.why.width = d->width;
  s->out.why.height = d->height;
  s->out.argument = buffer_text(&s->argument);
  s->out.first = d->first;
  s->out.last = d->last;
  s->out.differing = d->differing;
  s->out.reference = d->reference;
  s->out.seen = d->seen;
}

static void tell_read(subject *s, const differing_read *r) {
  s->out.why.kind = "read";
  s->out.why.read_kernel = r->kernel;
  s->out.why.read_argument = r->argument;
  s->out.why.read_launch = r->launch;
  s->out.why.read_number = r->number;
}

int explain_race(subject *s, error *e) {
  s->other = trial_with(s->launch, VERDICT_CONSISTENT);
  s->out.other = s->other == NULL ? 0 : s->other->row;
  s->out.why.in_order = s->amplify->in_order;
  if (find_difference(s, e) != 0) {
    return -1;
  }
  if (s->found) {
    tell_difference(s);
  } else if (s->trial->shown != NULL) {
    tell_read(s, s->trial->shown);
  } else {
    s->out.why.kind = "ending";
  }
  return 0;
}
