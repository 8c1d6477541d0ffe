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

/* --- the programs ------------------------------------------------------------------------------------------------- */

static const capture_source *source_of(const capture_command *program) { return &program->u.program.sources[0]; }

/* A program whose kernels are launched; several with one text are one. */
static int use_program(describing *d, const capture_command *program) {
  if (program->u.program.linked) {
    return describing_refuses(d, "its kernel is of a program that was linked");
  }
  for (size_t i = 0; i < d->used_count; i++) {
    if (strcmp(source_of(d->used[i])->options, source_of(program)->options) != 0) {
      return describing_refuses(d, "its program was built with other options than those before");
    }
    if (strcmp(source_of(d->used[i])->text, source_of(program)->text) == 0) {
      return 0;
    }
  }
  *ARRAY_ADD(d->used, d->used_count, d->used_capacity) = program;
  return 0;
}

static int find_programs(describing *d) {
  int result = 0;
  for (d->command = 0; d->command < d->end && result == 0; d->command++) {
    const capture_command *c = &d->capture->commands[d->command];
    if (c->kind == CAPTURE_PROGRAM) {
      *ARRAY_ADD(d->programs, d->program_count, d->program_capacity) = c;
    } else if (c->kind == CAPTURE_LAUNCH) {
      result = use_program(d, d->programs[d->given[c->u.launch.kernel].program]);
    } else {
      result = describing_track(d, c);
    }
  }
  if (result == 0 && d->used_count == 0) {
    result = error_set(d->e, EXIT_NOTHING, "the capture has no launch, and a kernel case needs one");
  }
  for (size_t i = 0; i < d->given_count; i++) {
    free(d->given[i].arguments);
  }
  d->given_count = 0;
  return result;
}

/* "kernels.cl", "kernels-2.cl" */
static void put_file_name(size_t number, buffer *out) {
  buffer_puts(out, "kernels");
  if (number > 0) {
    buffer_printf(out, "-%zu", number + 1);
  }
  buffer_puts(out, ".cl");
}

static int add_kernels(describing *d, case_kernels *of) {
  for (size_t i = 0; i < of->count; i++) {
    if (describing_kernel(d, of->items[i].name) != NULL) {
      return error_set(d->e, EXIT_NOTHING,
                       "this cannot be written as a kernel case: two of its programs have a kernel %s",
                       of->items[i].name);
    }
  }
  const size_t count = d->kernels.count + of->count;
  d->kernels.items = mem_realloc(d->kernels.items, (count + 1) * sizeof *d->kernels.items);
  memcpy(d->kernels.items + d->kernels.count, of->items, of->count * sizeof *of->items);
  d->kernels.count = count;
  free(of->items);
  *of = (case_kernels){0};
  return 0;
}

static int read_kernels(describing *d, case_kernels_reader *reader) {
  int result = 0;
  for (size_t i = 0; i < d->used_count && result == 0; i++) {
    const capture_source *s = source_of(d->used[i]);
    case_kernels found = {0};
    buffer name = {0};
    put_file_name(i, &name);
    const pp_input in = {.name = buffer_text(&name),
                         .text = s->text,
                         .length = strlen(s->text),
                         .options = s->options,
                         .directory = d->capture->directory};
    result = reader(&in, &found, d->e) != 0 ? -1 : add_kernels(d, &found);
    case_kernels_free(&found);
    buffer_free(&name);
  }
  return result;
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

static void put_head(const describing *d, const char *name, buffer *out) {
  const char *options = source_of(d->used[0])->options;
  buffer_puts(out, "name: ");
  put_quoted(name, out);
  buffer_puts(out, d->used_count > 1 ? "\nkernels: [" : "\nkernels: ");
  for (size_t i = 0; i < d->used_count; i++) {
    buffer_puts(out, i > 0 ? ", " : "");
    put_file_name(i, out);
  }
  buffer_puts(out, d->used_count > 1 ? "]\n" : "\n");
  if (options[strspn(options, " ")] != '\0') {
    buffer_puts(out, "options: ");
    put_quoted(options, out);
    buffer_puts(out, "\n");
  }
  buffer_puts(out, "tests:\n  - name: ");
  put_quoted(name, out);
  buffer_puts(out, "\n");
}

static int write_sources(const describing *d) {
  int result = 0;
  for (size_t i = 0; i < d->used_count && result == 0; i++) {
    const char *text = source_of(d->used[i])->text;
    buffer name = {0};
    put_file_name(i, &name);
    result = write_text(d, buffer_text(&name), text, strlen(text));
    buffer_free(&name);
  }
  return result;
}

static int write_suite(describing *d, const char *name) {
  buffer out = {0};
  put_head(d, name, &out);
  int result = describing_put_objects(d, &out);
  buffer_printf(&out, "    launches:\n%s", buffer_text(&d->steps));
  if (d->expected.length > 0) {
    buffer_printf(&out, "    expect:\n%s", buffer_text(&d->expected));
  }
  if (result == 0) {
    result = write_sources(d) != 0 ? -1 : write_text(d, "suite.yaml", buffer_text(&out), out.length);
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
  free(d->used);
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
  int result = find_programs(&d);
  if (result == 0) {
    result = read_kernels(&d, how->reader) != 0 || describing_objects(&d) != 0 || describing_steps(&d) != 0
                 ? -1
                 : write_suite(&d, how->name);
  }
  *varied = d.varied;
  release(&d);
  return result;
}
