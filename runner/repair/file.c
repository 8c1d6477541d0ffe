/* From a kernel file to its repaired text. */
#include "runner/repair/file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/line_ranges.h"
#include "base/memory.h"
#include "base/project.h"
#include "frontend/frontend.h"
#include "runner/devices.h"
#include "runner/repair/turns.h"
#include "runner/sources/annotated.h"

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* What is repaired must be byte for byte what was read. */
static int check_bytes(const repair_file *f, error *e) {
  const request_source *t = asked_text(f->source);
  const pp_file *read = &f->text.files[0];
  return read->length == strlen(t->text) && memcmp(read->text, t->text, read->length) == 0
             ? 0
             : error_set(e, EXIT_USAGE, "%s cannot be changed: it has bytes that are no text", f->path);
}

/* The file of a source that a program has built; one that is in none is called after its first kernel. */
static void name_captured(repair_file *f) {
  const request_source *t = asked_text(f->source);
  char *path = project_path(t->root == NULL ? "" : t->root, t->name);
  const size_t length = strlen(t->text);
  FILE *in = fopen(path, "rbe");
  char *content = mem_calloc(length + 2, 1);
  const bool same = in != NULL && fread(content, 1, length + 1, in) == length && memcmp(content, t->text, length) == 0;
  if (in != NULL) {
    (void)fclose(in);
  }
  free(content);
  if (same) {
    f->path = mem_strdup(t->name);
    f->disk = path;
    return;
  }
  free(path);
  buffer name = {0};
  buffer_printf(&name, "%s.cl", f->source->kernel_count > 0 ? f->source->kernels[0].name : "kernel");
  f->path = buffer_take(&name);
}

/* Those of a file; of a program those that it launched. */
static void list_kernels(repair_file *f) {
  f->kernels = mem_calloc(f->tree->function_count + 1, sizeof *f->kernels);
  f->engine.kernels = f->kernels;
  for (size_t i = 0; i < f->tree->function_count; i++) {
    const tree_symbol *symbol = f->tree->functions[i]->symbol;
    if (symbol->kernel && (!f->source->observed || asked_kernel_find(f->source, symbol->name) != NULL)) {
      f->kernels[f->engine.kernel_count++] = symbol->name;
    }
  }
}

static uint32_t line_of(const repair_file *f, const repair_spot *s) {
  const bool behind = s->kind == SPOT_BEHIND;
  const uint32_t token = s->kind == SPOT_BARRIER ? s->token
                         : behind                ? s->statement->tokens.last
                                                 : s->statement->tokens.first;
  return f->text.tokens[token].expanded.line;
}

/* Spots that --lines leaves out. */
static void close_spots(repair_file *f, const repair_options *s) {
  for (size_t i = 0; i < f->spots.count; i++) {
    f->spots.items[i].closed = s->line_count > 0;
  }
  for (size_t k = 0; k < s->line_count; k++) {
    for (size_t i = 0; i < f->spots.count; i++) {
      repair_spot *spot = &f->spots.items[i];
      spot->closed = spot->closed && !line_range_has(&s->lines[k], f->path, line_of(f, spot));
    }
  }
}

int repair_file_open(repair_file *f, const repair_options *s, const char *path, asked_source *source,
                     const prover *engine, error *e) {
  *f = (repair_file){.source = source, .input = asked_text(source)->input};
  f->options = annotated_options(asked_text(source)->text, f->input.options);
  f->input.options = f->options;
  if (path != NULL) {
    f->path = mem_strdup(path);
    f->disk = mem_strdup(path);
  } else {
    name_captured(f);
  }
  if (front_source(&f->input, &f->text, &f->tree, e) != 0 || check_bytes(f, e) != 0) {
    e->code = e->code == EXIT_INTERNAL ? EXIT_USAGE : e->code;
    return -1;
  }
  spots_find(&f->text, f->tree, s->atomics, &f->spots);
  close_spots(f, s);
  f->engine = (repair_engine){.prover = *engine, .source = source};
  list_kernels(f);
  enum { TRIES_LONG = 6 }; /* that take all of their time */
  const double deadline = clock_now() + (s->max_time > 0 ? s->max_time : TRIES_LONG * s->verify.timeout);
  const flaw_finder finder = {&f->engine, repair_find};
  repair_init(&f->repair, &f->spots, finder, s->max_barriers > 0 ? s->max_barriers : SIZE_MAX, deadline);
  f->repair.atomics = s->atomics;
  f->repair.cover.turns = s->loop_weight > 0 ? s->loop_weight : COVER_TURNS;
  repair_count_turns(&f->spots, source, f->repair.cover.turns);
  f->repair.optimise = s->optimise;
  for (size_t i = 0; i < f->engine.kernel_count; i++) {
    repair_add_kernel(&f->repair, f->kernels[i], kernel_chosen(&s->kernels, f->kernels[i]));
  }
  return 0;
}

int repair_file_search(repair_file *f, error *e) {
  if (repair_search(&f->repair, e) != 0) {
    return -1;
  }
  repair_text(&f->repair, f->repair.flags, &f->result);
  return 0;
}

void repair_file_close(repair_file *f) {
  repair_free(&f->repair);
  spots_free(&f->spots);
  tree_free(f->tree);
  pp_result_free(&f->text);
  free(f->options);
  buffer_free(&f->result);
  mem_free_all(f->objections, f->engine.kernel_count);
  free(f->kernels);
  for (size_t i = 0; i < f->step_count; i++) {
    free(f->steps[i]);
  }
  free(f->steps);
  free(f->built);
  free(f->path);
  free(f->disk);
}

void repair_file_step(repair_file *f, bool failed, char *text) {
  *ARRAY_ADD(f->steps, f->step_count, f->step_capacity) = text;
  f->failed = f->failed || failed;
}

/* --- checking ----------------------------------------------------------------------------------------------------- */

static int check_reading(const repair_file *f, error *e) {
  pp_input input = f->input;
  input.text = buffer_text(&f->result);
  input.length = f->result.length;
  pp_result text = {0};
  tree *t = NULL;
  const int result = front_source(&input, &text, &t, e);
  tree_free(t);
  pp_result_free(&text);
  return result;
}

int repair_file_check(repair_file *f, const repair_options *s, error *e) {
  if (check_reading(f, e) != 0) {
    return -1;
  }
  device d;
  error none;
  if (devices_choose(s->device, s->platform, &d, &none) != 0) {
    if (s->device == NULL && s->platform == NULL) {
      return 0;
    }
    *e = none;
    return -1;
  }
  const char *options = asked_text(f->source)->options;
  if (device_build(&d, buffer_text(&f->result), options, NULL, e) == 0) {
    f->built = mem_strdup(d.name);
    return 0;
  }
  return device_build(&d, f->repair.text, options, NULL, &none) == 0 ? -1 : 0; /* else it is not the barriers' flaw */
}

/* --- replacing ---------------------------------------------------------------------------------------------------- */

static int write_all(int fd, const buffer *text) {
  for (size_t at = 0; at < text->length;) {
    const ssize_t n = write(fd, text->data + at, text->length - at);
    if (n < 0 && errno != EINTR) {
      return -1;
    }
    at += n > 0 ? (size_t)n : 0;
  }
  return fsync(fd);
}

int repair_file_replace(const char *path, const buffer *text, error *e) {
  char target[PATH_MAX]; /* links stay */
  struct stat status;
  if (realpath(path, target) == NULL || stat(target, &status) != 0) {
    return error_set(e, EXIT_USAGE, "%s cannot be written: %s", path, strerror(errno));
  }
  buffer temporary = {0};
  buffer_printf(&temporary, "%s.XXXXXX", target);
  const int fd = access(target, W_OK) == 0 ? mkstemp(temporary.data) : -1;
  bool done = fd >= 0 && write_all(fd, text) == 0 && fchmod(fd, status.st_mode & 07777) == 0;
  int reason = errno;
  done = (fd < 0 || close(fd) == 0) && done && rename(temporary.data, target) == 0;
  if (!done) {
    if (fd >= 0) {
      (void)unlink(temporary.data);
    }
    (void)error_set(e, EXIT_USAGE, "%s cannot be written: %s; it is as it was", path, strerror(reason));
  }
  buffer_free(&temporary);
  return done ? 0 : -1;
}
