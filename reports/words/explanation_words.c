/* Explanations of schedules in words. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reports/words/words.h"
#include "schedamp/memory.h"
#include "schedamp/schedule.h"

/* "group 17 first, ticket gate" */
static void put_schedule(const db_schedule *s, buffer *to) {
  const int order = schedule_order_find(s->order), gate = schedule_gate_find(s->gate);
  const schedule read = {.order = order < 0 ? ORDER_NONE : (schedule_order)order,
                         .gate = gate < 0 ? GATE_TICKET : (schedule_gate)gate,
                         .target = s->target,
                         .seed = s->seed};
  char words[SCHEDULE_TEXT];
  schedule_describe(&read, words);
  buffer_puts(to, words);
}

/* How the other result is made. */
static void put_other(const view *v, const db_explanation *x, buffer *to) {
  const db_launch *launch = NULL;
  const db_schedule *s = x->other == 0 ? NULL : view_find_schedule(v, x->other, &launch);
  if (s != NULL) {
    put_schedule(s, to);
  } else if (x->other != 0) {
    buffer_printf(to, "schedule %" PRId64, x->other);
  } else if (x->why.in_order) {
    char words[SCHEDULE_TEXT];
    schedule_describe(&(schedule){.order = ORDER_ASCENDING, .gate = GATE_TICKET}, words);
    buffer_puts(to, words);
  } else {
    buffer_puts(to, "the gate open");
  }
}

/* --- what differs -------------------------------------------------------------------------------------------------- */

static void put_element(const db_explanation *x, const memory_difference *d, buffer *to) {
  char pixel[MEMORY_PLACE];
  if (d->width > 0) {
    memory_pixel(d, d->first, pixel);
    buffer_printf(to, "pixel %s of %s", pixel, x->argument);
  } else {
    buffer_printf(to, "%s[%" PRIu64 "]%s", x->argument, d->first, strcmp(x->why.unit, "byte") == 0 ? " (byte)" : "");
  }
}

static void put_extent(const db_explanation *x, const memory_difference *d, buffer *to) {
  char first[MEMORY_PLACE], last[MEMORY_PLACE];
  buffer_printf(to, "; %" PRIu64 " %ss differ, ", d->differing, x->why.unit);
  if (d->width > 0) {
    memory_pixel(d, d->first, first);
    memory_pixel(d, d->last, last);
    buffer_printf(to, "%s to %s", first, last);
  } else {
    buffer_printf(to, "%" PRIu64 " to %" PRIu64, d->first, d->last);
  }
}

/* The lines on which the kernel writes through the argument, as far as its own text tells. */
static void put_lines(const db_explanation *x, buffer *to) {
  size_t count = 0, put = 0;
  for (size_t i = 0; i < x->place_count; i++) count += strcmp(x->places[i].role, "write") == 0 ? 1 : 0;
  for (size_t i = 0; i < x->place_count; i++) {
    if (strcmp(x->places[i].role, "write") == 0) {
      buffer_printf(to, "%s%" PRIu32,
                    put++ > 0   ? ", "
                    : count > 1 ? "; written at lines "
                                : "; written at line ",
                    x->places[i].line);
    }
  }
  buffer_puts(to, strcmp(x->why.rest, "others") == 0                   ? " and others"
                  : strcmp(x->why.rest, "elsewhere") == 0 && count > 0 ? " and perhaps elsewhere"
                                                                       : "");
}

static void put_memory(const view *v, const db_schedule *s, buffer *to) {
  const db_explanation *x = s->explanation;
  const memory_difference d = {
      .first = x->first, .last = x->last, .differing = x->differing, .width = x->why.width, .height = x->why.height};
  put_element(x, &d, to);
  buffer_printf(to, " is %s with ", x->reference);
  put_other(v, x, to);
  buffer_printf(to, ", and %s with ", x->seen);
  put_schedule(s, to);
  if (d.differing > 1) put_extent(x, &d, to);
  put_lines(x, to);
}

/* With several threads numbers of reads tell nobody anything. */
static void put_read(const view *v, const db_schedule *s, buffer *to) {
  const db_why *w = &s->explanation->why;
  (void)v;
  if (w->read_kernel[0] == '\0') {
    buffer_printf(to, "read %" PRIu64 " of the host gives other values", w->read_number);
    return;
  }
  buffer_printf(to, "the host reads other values from argument %" PRIu32 " of kernel %s", w->read_argument,
                w->read_kernel);
  if (w->read_number > 0) buffer_printf(to, " (after its launch %" PRIu64 ")", w->read_launch);
}

static void put_ending(const view *v, const db_schedule *s, buffer *to) {
  (void)v, (void)s;
  buffer_puts(to, "the program ends otherwise or prints something else");
}

/* --- what never ends ----------------------------------------------------------------------------------------------- */

void explanation_unfinished(const db_explanation *x, buffer *to) {
  uint32_t put = 0;
  buffer_puts(to, x->unfinished);
  for (size_t i = 0; i < x->place_count; i++) {
    const db_explained *p = &x->places[i];
    if (strcmp(p->role, "group") == 0) {
      buffer_printf(to, "%sgroup %" PRIu32, put++ > 0 ? ", " : "", p->group);
      if (p->construct[0] != '\0') {
        buffer_printf(to, " (%s the %s on line %" PRIu32 ")", strcmp(p->construct, "loop") == 0 ? "in" : "at",
                      p->construct, p->line);
      }
    }
  }
  if (put > 0 && x->why.running > put) buffer_printf(to, " and %" PRIu32 " more", x->why.running - put);
}

static void put_groups(const view *v, const db_schedule *s, buffer *to) {
  const db_why *w = &s->explanation->why;
  (void)v;
  if (w->running == 0) {
    buffer_puts(to, "some work-group never ended; the device does not let us see which");
    return;
  }
  explanation_unfinished(s->explanation, to);
  buffer_puts(to, " never ended");
  if (w->waiting > 0) {
    buffer_printf(to, ": what is waited for is the work of groups that have not begun (%" PRIu32 " of %" PRIu32 ")",
                  w->waiting, w->of_groups);
  }
}

static void put_signal(const view *v, const db_schedule *s, buffer *to) {
  (void)v, (void)s;
  buffer_puts(to, "the program is killed by a signal");
}

/* --- do accesses race? ---------------------------------------------------------------------------------------------- */

/* The race that the schedule shows, else one of its kernel: what was found again is kept once. */
static const db_finding *race_among(const db_finding *list, size_t count, int64_t shows, const char *kernel) {
  const db_finding *found = NULL;
  for (size_t i = 0; i < count; i++) {
    const db_finding *f = &list[i];
    if (!f->proved && f->place_count > 0 && strcmp(f->rule, "data-race") == 0 && strcmp(f->kernel, kernel) == 0 &&
        (found == NULL || (f->schedule == shows && found->schedule != shows)))
      found = f;
  }
  return found;
}

static const db_finding *race_of(const view *v, const db_launch *l, const db_schedule *s) {
  const char *kernel = v->kernels[l->kernel].name;
  return s->meant ? race_among(v->meant, v->meant_count, s->id, kernel)
                  : race_among(v->findings, v->finding_count, s->id, kernel);
}

/* In words, with the files of both accesses. */
static void put_accesses(const view *v, const db_finding *f, buffer *to) {
  scoped char **names = mem_calloc(v->file_count + 1, sizeof *names);
  for (size_t i = 0; i < v->file_count; i++) names[i] = v->files[i].name;
  finding_sentence(f, names, to);
}

static void put_race(const view *v, const db_launch *l, const db_schedule *s, buffer *to) {
  const db_why *w = &s->explanation->why;
  const db_finding *race = strcmp(w->race, "seen") == 0 ? race_of(v, l, s) : NULL;
  if (strcmp(w->race, "none") == 0) {
    buffer_puts(to,
                w->race_why[0] == '\0'
                    ? "; none of its accesses race: the order in which atomic functions execute is left open"
                    : "; none of its accesses race, and it has no atomic functions: another command or the host uses "
                      "this memory, and nothing orders the two (queues without events, threads)");
  } else if (strcmp(w->race, "unknown") == 0) {
    buffer_printf(to, "; whether accesses of it race is not known: %s",
                  w->race_why[0] == '\0' ? "there was no time to check them" : w->race_why);
  } else if (race != NULL) {
    buffer_puts(to, "; race: ");
    put_accesses(v, race, to);
  }
}

/* --- all ------------------------------------------------------------------------------------------------------------- */

static const struct {
  const char *kind;
  void (*put)(const view *v, const db_schedule *s, buffer *to);
} kinds[] = {
    {"memory", put_memory}, {"read", put_read}, {"ending", put_ending}, {"groups", put_groups}, {"signal", put_signal}};

void explanation_text(const view *v, const db_launch *l, const db_schedule *s, buffer *to) {
  const db_explanation *x = s->explanation;
  if (x == NULL) return;
  buffer_puts(to, x->text);
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (strcmp(kinds[i].kind, x->why.kind) == 0) kinds[i].put(v, s, to);
  put_race(v, l, s, to);
}

void explanation_of_finding(const view *v, const db_finding *f, buffer *to) {
  const db_launch *l = NULL;
  const db_schedule *s = f->schedule == 0 ? NULL : view_find_schedule(v, f->schedule, &l);
  if (s != NULL && s->explanation != NULL) {
    buffer_printf(to, "launch %" PRIu32 ", ", l->number);
    put_schedule(s, to);
    buffer_puts(to, ": ");
    explanation_text(v, l, s, to);
  }
}
