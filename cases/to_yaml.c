/* A capture as a suite: its kernel file, its data, and suite.yaml. */
#include "cases/to_yaml.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

int describing_refuses(const describing *d, const char *what) {
  return error_set(d->e, EXIT_NOTHING, "this cannot be written as a kernel case: command %zu of the capture: %s",
                   d->command, what);
}

/* --- the program -------------------------------------------------------------------------------------------------- */

static bool alike(const capture_command *a, const capture_command *b) {
  return !a->u.program.linked && !b->u.program.linked &&
         strcmp(a->u.program.sources[0].text, b->u.program.sources[0].text) == 0 &&
         strcmp(a->u.program.sources[0].options, b->u.program.sources[0].options) == 0;
}

/* The one program whose kernels are launched; NULL with the error set. */
static const capture_command *find_program(describing *d) {
  const capture_command *found = NULL;
  for (d->command = 0; d->command < d->end; d->command++) {
    const capture_command *c = &d->capture->commands[d->command];
    if (c->kind == CAPTURE_PROGRAM) {
      *ARRAY_ADD(d->programs, d->program_count, d->program_capacity) = c;
    } else if (c->kind == CAPTURE_LAUNCH) {
      const capture_command *its = d->programs[d->given[c->u.launch.kernel].program];
      if (its->u.program.linked || (found != NULL && !alike(found, its))) {
        (void)describing_refuses(d, "its kernel is of another program than those before, or of one that was linked");
        return NULL;
      }
      found = its;
    } else if (describing_track(d, c) != 0) {
      return NULL;
    }
  }
  if (found == NULL) {
    (void)error_set(d->e, EXIT_NOTHING, "the capture has no launch, and a kernel case needs one");
  }
  for (size_t i = 0; i < d->given_count; i++) {
    free(d->given[i].arguments);
  }
  d->given_count = 0;
  return found;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static int write_text(const describing *d, const char *name, const char *text, size_t length) {
  buffer path = {0};
  buffer_printf(&path, "%s/%s", d->folder, name);
  FILE *f = fopen(buffer_text(&path), "wbxe");
  const bool written = f != NULL && fwrite(text, 1, length, f) == length;
  const bool closed = f != NULL && fclose(f) == 0;
  const int result = written && closed ? 0
                                       : error_set(d->e, EXIT_USAGE, "cannot write %s: %s; give a folder without it",
                                                   buffer_text(&path), strerror(errno));
  buffer_free(&path);
  return result;
}

/* A text in quotes of YAML. */
static void put_quoted(const char *text, buffer *out) {
  buffer_putc(out, '"');
  for (; *text != '\0'; text++) {
    if ((unsigned char)*text < ' ') {
      buffer_printf(out, "\\x%02x", (unsigned)*text);
    } else {
      buffer_printf(out, "%s%c", *text == '"' || *text == '\\' ? "\\" : *text == '{' ? "{" : "", *text);
    }
  }
  buffer_putc(out, '"');
}

static void put_head(const char *name, const char *options, buffer *out) {
  buffer_puts(out, "name: ");
  put_quoted(name, out);
  buffer_puts(out, "\nkernels: kernels.cl\n");
  if (options[strspn(options, " ")] != '\0') {
    buffer_puts(out, "options: ");
    put_quoted(options, out);
    buffer_puts(out, "\n");
  }
  buffer_puts(out, "tests:\n  - name: ");
  put_quoted(name, out);
  buffer_puts(out, "\n");
}

static int write_suite(describing *d, const char *name, const capture_source *source) {
  buffer out = {0};
  put_head(name, source->options, &out);
  int result = describing_put_objects(d, &out);
  buffer_printf(&out, "    launches:\n%s", buffer_text(&d->steps));
  if (d->expected.length > 0) {
    buffer_printf(&out, "    expect:\n%s", buffer_text(&d->expected));
  }
  if (result == 0) {
    result = write_text(d, "kernels.cl", source->text, strlen(source->text)) != 0
                 ? -1
                 : write_text(d, "suite.yaml", buffer_text(&out), out.length);
  }
  buffer_free(&out);
  return result;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static void release(describing *d) {
  for (size_t i = 0; i < d->object_count; i++) {
    free(d->objects[i].name);
    free(d->objects[i].type_name);
    free(d->objects[i].bytes);
  }
  for (size_t i = 0; i < d->sampler_count; i++) {
    free(d->samplers[i].name);
  }
  for (size_t i = 0; i < d->given_count; i++) {
    free(d->given[i].arguments);
  }
  free(d->objects);
  free(d->samplers);
  free(d->given);
  free(d->programs);
  buffer_free(&d->steps);
  buffer_free(&d->expected);
  case_kernels_free(&d->kernels);
}

/* After the last launch of a kernel; 0: there is none. */
static size_t find_end(const capture *c, const char *kernel) {
  const char **names = mem_calloc(c->command_count + 1, sizeof *names);
  size_t count = 0, end = 0;
  for (size_t i = 0; i < c->command_count; i++) {
    const capture_command *is = &c->commands[i];
    if (is->kind == CAPTURE_KERNEL) {
      names[count++] = is->u.kernel.name;
    } else if (is->kind == CAPTURE_CLONE) {
      names[count] = names[is->u.clone.kernel];
      count++;
    } else if (is->kind == CAPTURE_LAUNCH && strcmp(names[is->u.launch.kernel], kernel) == 0) {
      end = i + 1;
    }
  }
  free(names);
  return end;
}

int case_describe(const capture *c, const case_description *how, size_t *varied, error *e) {
  describing d = {.capture = c, .folder = how->folder, .results = how->results, .e = e};
  d.end = how->kernel == NULL ? c->command_count : find_end(c, how->kernel);
  const capture_command *program = find_program(&d);
  int result = program == NULL ? -1 : 0;
  if (result == 0) {
    const capture_source *s = &program->u.program.sources[0];
    const pp_input in = {.name = "kernels.cl",
                         .text = s->text,
                         .length = strlen(s->text),
                         .options = s->options,
                         .directory = c->directory};
    result = how->reader(&in, &d.kernels, e) != 0 || describing_objects(&d) != 0 || describing_steps(&d) != 0
                 ? -1
                 : write_suite(&d, how->name, s);
  }
  *varied = d.varied;
  release(&d);
  return result;
}
