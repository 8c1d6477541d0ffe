/* Beginning, end, and what is said meanwhile. */
#include "runner/experiment/experiment.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/names.h"

enum { COMMIT_SECONDS = 1 };

typedef struct experiment_notes {
  char **items;
  size_t count, capacity;
} experiment_notes;

void experiment_open(experiment *x) {
  const experiment_options *o = x->options;
  x->committed = clock_now();
  x->pool = pool_open(o->jobs, o->devices, o->device_count);
  x->deadline = o->max_time > 0 ? clock_now() + o->max_time : 0;
  pool_set_deadline(x->pool, x->deadline);
  x->cases = mem_calloc(o->test_count + 1, sizeof *x->cases);
  x->end = o->test_count;
  x->notes = mem_calloc(1, sizeof *x->notes);
}

void experiment_forget_case(experiment *x, size_t test) {
  experiment_case *c = &x->cases[test];
  transcript_free(&c->plain);
  transcript_free(&c->failing);
  free(c->why);
  capture_file_free(&c->capture);
  free(c->executable);
  *c = (experiment_case){.row = c->row};
}

int experiment_close(experiment *x, int result, error *e) {
  error ignored;
  pool_close(x->pool);
  for (size_t t = 0; t < x->options->test_count; t++) {
    experiment_forget_case(x, t);
  }
  free(x->cases);
  captures_close(x->captures);
  mem_free_all(x->notes->items, x->notes->count);
  free(x->notes);
  const int committed = db_commit(x->db, result == 0 ? e : &ignored);
  return result == 0 ? committed : result;
}

/* --- what is said ------------------------------------------------------------------------------------------------- */

static bool is_said(experiment_notes *notes, const char *text) {
  const bool said = name_number((const char *const *)notes->items, notes->count, text) >= 0;
  if (!said) {
    *ARRAY_ADD(notes->items, notes->count, notes->capacity) = mem_strdup(text);
  }
  return said;
}

void listener_note(const experiment_listener *l, const char *format, va_list arguments) {
  buffer text = {0};
  buffer_vprintf(&text, format, arguments);
  l->note(l->context, buffer_text(&text));
  buffer_free(&text);
}

void experiment_note(const experiment *x, const char *format, ...) {
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!x->kind->once || !is_said(x->notes, text)) {
    x->listener->note(x->listener->context, text);
  }
}

void experiment_phase_begin(experiment *x, experiment_phase phase, size_t total) {
  x->phase_started = clock_now();
  x->progress->phase = phase;
  x->progress->test = x->begin;
  x->progress->done = 0;
  x->progress->total = total;
  experiment_tick(x);
}

int experiment_begin_test_case(db *d, int64_t run, const experiment_test *test, int64_t *row, error *e) {
  if (db_begin_test_case(d, run, test->suite, test->name, test->line, row, e) != 0) {
    return -1;
  }
  return test->word == NULL ? 0 : db_set_word(d, *row, test->word, e);
}

void experiment_tick(experiment *x) {
  experiment_progress *p = x->progress;
  const double now = clock_now();
  p->seconds = now - x->phase_started;
  p->remaining = p->done == 0 || p->total < p->done ? -1 : p->seconds / (double)p->done * (double)(p->total - p->done);
  if (x->kind->progress != NULL) {
    x->kind->progress(x);
  }
  x->listener->progress(x->listener->context, p);
  if (now - x->committed > COMMIT_SECONDS && !x->failed) {
    x->failed = db_commit(x->db, &x->failure) != 0;
    x->committed = now;
  }
}

/* --- time --------------------------------------------------------------------------------------------------------- */

double experiment_limit(const experiment *x, size_t test, double factor, double least) {
  const double limit = x->cases[test].seconds * factor;
  return limit > least ? limit : least;
}

bool experiment_stopped(const experiment *x) {
  x->out->out_of_time = x->out->out_of_time || pool_is_late(x->pool);
  return x->out->interrupted || pool_is_late(x->pool);
}
