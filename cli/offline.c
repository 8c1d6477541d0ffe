/* Reading a kernel file and answering for the device. */
#include "cli/offline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pipe_path.h"
#include "frontend/frontend.h"

static int read_file(const char *path, buffer *out, error *e) {
  if (pipe_refuse(path, e) != 0) {
    return -1;
  }
  FILE *f = fopen(path, "rb");
  char chunk[65536];
  size_t n = 0;
  while (f != NULL && (n = fread(chunk, 1, sizeof chunk, f)) > 0) {
    buffer_append(out, chunk, n);
  }
  if (f == NULL || ferror(f)) {
    int reason = errno;
    if (f != NULL) {
      (void)fclose(f);
    }
    return error_set(e, EXIT_USAGE, "kernel file \"%s\" cannot be read: %s", path, strerror(reason));
  }
  (void)fclose(f);
  return 0;
}

static char *join_options(char **options) {
  buffer joined = {0};
  for (size_t i = 0; options != NULL && options[i] != NULL; i++) {
    bool plain = options[i][0] != '\0' && strpbrk(options[i], " \t\n\"\\") == NULL;
    buffer_printf(&joined, "%s%s", i == 0 ? "" : " ", plain ? "" : "\"");
    for (const char *c = options[i]; *c != '\0'; c++) {
      buffer_printf(&joined, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
    }
    buffer_puts(&joined, plain ? "" : "\"");
  }
  return buffer_take(&joined);
}

int offline_open(const char *path, char **options, offline *out, error *e) {
  *out = (offline){0};
  if (read_file(path, &out->text, e) != 0) {
    return -1;
  }
  out->options = join_options(options);
  out->input = (pp_input){.name = path,
                          .text = buffer_text(&out->text),
                          .length = out->text.length,
                          .options = out->options,
                          .directory = "."};
  return 0;
}

void offline_answer(offline *o, const char *expression) {
  char *copy = mem_strdup(expression);
  *ARRAY_ADD(o->facts, o->fact_count, o->fact_capacity) = (pp_fact){copy, front_answer(copy, o->input.options)};
  o->input.facts = o->facts;
  o->input.fact_count = o->fact_count;
}

int offline_read(offline *o, pp_result *text, tree **t, error *e) {
  int result = 0;
  while ((result = pp_run(&o->input, text, e)) == 0 && text->question_count > 0) {
    for (size_t i = 0; i < text->question_count; i++) {
      offline_answer(o, text->questions[i]);
    }
    pp_result_free(text);
  }
  return result != 0 ? -1 : tree_build(text, text->other_options, t, e);
}

void offline_close(offline *o) {
  for (size_t i = 0; i < o->fact_count; i++) {
    free((char *)o->facts[i].expression);
  }
  free(o->facts);
  free(o->options);
  buffer_free(&o->text);
}
