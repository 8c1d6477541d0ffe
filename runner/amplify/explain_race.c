/* Why results differ: what two schedules leave in the memory of the launch. */
#include <stdlib.h>
#include <string.h>

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
static void put_lines(subject *s, const instrument_parameter *p) {
  uint32_t lines[LISTED_LINES];
  size_t count = 0;
  bool more = false;
  for (size_t i = 0; i < p->access_count; i++) {
    const instrument_access *access = &p->accesses[i];
    bool known = !access->writes;
    for (size_t k = 0; k < count; k++) {
      known = known || lines[k] == access->line;
    }
    if (!known && count < LISTED_LINES) {
      s->out.file = count == 0 ? s->program->model.files[access->file].name : s->out.file;
      s->out.line = count == 0 ? access->line : s->out.line;
      lines[count++] = access->line;
    } else if (!known) {
      more = true;
    }
  }
  for (size_t i = 0; i < count; i++) {
    buffer_printf(&s->text, "%s%u", i == 0 ? (count > 1 ? "; written at lines " : "; written at line ") : ", ",
                  (unsigned)lines[i]);
  }
  buffer_puts(&s->text, more ? " and others" : count > 0 && p->escapes ? " and perhaps elsewhere" : "");
}

static void put_place(subject *s, const memory_difference *d) {
  char pixel[MEMORY_PLACE];
  if (d->width > 0) {
    memory_pixel(d, d->first, pixel);
    buffer_printf(&s->text, "pixel %s of %s", pixel, buffer_text(&s->argument));
  } else {
    buffer_printf(&s->text, "%s[%llu]%s", buffer_text(&s->argument), (unsigned long long)d->first,
                  strcmp(d->unit, "byte") == 0 ? " (byte)" : "");
  }
}

static void put_extent(subject *s, const memory_difference *d) {
  char first[MEMORY_PLACE], last[MEMORY_PLACE];
  buffer_printf(&s->text, "; %llu %ss differ, ", (unsigned long long)d->differing, d->unit);
  if (d->width > 0) {
    memory_pixel(d, d->first, first);
    memory_pixel(d, d->last, last);
    buffer_printf(&s->text, "%s to %s", first, last);
  } else {
    buffer_printf(&s->text, "%llu to %llu", (unsigned long long)d->first, (unsigned long long)d->last);
  }
}

static void say_difference(subject *s) {
  const memory_difference *d = &s->difference;
  const instrument_parameter *p = d->argument < s->kernel->parameter_count ? &s->kernel->parameters[d->argument] : NULL;
  if (p != NULL && p->name[0] != '\0') {
    buffer_puts(&s->argument, p->name);
  } else {
    buffer_printf(&s->argument, "argument %u", (unsigned)d->argument);
  }
  put_place(s, d);
  buffer_printf(&s->text, " is %s with ", d->reference);
  put_schedule(s, &s->text, s->other);
  buffer_printf(&s->text, ", and %s with ", d->seen);
  put_schedule(s, &s->text, s->trial);
  if (d->differing > 1) {
    put_extent(s, d);
  }
  if (p != NULL) {
    put_lines(s, p);
  }
  s->out.argument = buffer_text(&s->argument);
  s->out.first = d->first;
  s->out.last = d->last;
  s->out.differing = d->differing;
  s->out.reference = d->reference;
  s->out.seen = d->seen;
}

int explain_race(subject *s, error *e) {
  s->other = trial_with(s->launch, VERDICT_CONSISTENT);
  s->out.other = s->other == NULL ? 0 : s->other->row;
  if (find_difference(s, e) != 0) {
    return -1;
  }
  if (s->found) {
    say_difference(s);
  } else if (s->trial->shown != NULL) {
    buffer_printf(&s->text, "%s", s->trial->shown);
  } else {
    buffer_puts(&s->text, "the program ends otherwise or prints something else");
  }
  return 0;
}
