/* cltestcheck show: the instrumented source of a file, without a device. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "instrument/frontend.h"
#include "instrument/instrument.h"

static int read_file(const char *path, buffer *out, error *e) {
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
    buffer_printf(&joined, "%s\"", i == 0 ? "" : " ");
    for (const char *c = options[i]; *c != '\0'; c++) {
      buffer_printf(&joined, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
    }
    buffer_puts(&joined, "\"");
  }
  return buffer_take(&joined);
}

/* Without a device, libclang answers the preprocessor's questions. */
static int instrument_offline(pp_input *in, instrument_result *out, error *e) {
  pp_fact *facts = NULL;
  size_t count = 0;
  size_t capacity = 0;
  int result = 0;
  for (;;) {
    in->facts = facts;
    in->fact_count = count;
    result = instrument_program(in, 1, out, e);
    if (result != 0 || out->question_count == 0) {
      break;
    }
    for (size_t i = 0; i < out->question_count; i++) {
      char *expression = mem_strdup(out->questions[i].expression);
      *ARRAY_ADD(facts, count, capacity) = (pp_fact){expression, front_answer(expression, in->options)};
    }
    instrument_free(out);
  }
  for (size_t i = 0; i < count; i++) {
    free((char *)facts[i].expression);
  }
  free(facts);
  return result;
}

int cmd_show(const settings *s) {
  error e;
  if (s->positional.count != 1) {
    (void)error_set(&e, EXIT_USAGE, "show wants one kernel file: cltestcheck show FILE.cl [-- BUILD OPTIONS]");
    return say_error(&e);
  }
  buffer text = {0};
  if (read_file(s->positional.items[0], &text, &e) != 0) {
    buffer_free(&text);
    return say_error(&e);
  }
  char *options = join_options(s->command);
  pp_input in = {.name = s->positional.items[0],
                 .text = buffer_text(&text),
                 .length = text.length,
                 .options = options,
                 .directory = "."};
  instrument_result r;
  int code = EXIT_FINE;
  if (instrument_offline(&in, &r, &e) == 0) {
    (void)fputs(r.texts[0], stdout);
  } else {
    code = say_error(&e);
    code = code == EXIT_INTERNAL ? EXIT_USAGE : code; /* the file is at fault, not we */
  }
  instrument_free(&r);
  free(options);
  buffer_free(&text);
  return code;
}
