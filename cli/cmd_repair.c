/* cltestcheck repair: patches of kernel files that have races and barrier divergence. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/repair_report.h"
#include "cli/verify_inputs.h"
#include "repair/diff.h"
#include "runner/verify/engine.h"

typedef struct repair_command {
  const settings *settings;
  verify_inputs inputs;
  char *engine;
  prover prover;
  size_t chosen; /* kernels */
  bool remains;
  int code; /* of files that cannot be worked on; 0: of none */
} repair_command;

static bool is_kernel_file(const char *word) {
  const char *dot = strrchr(word, '.');
  return dot != NULL && (strcmp(dot, ".cl") == 0 || strcmp(dot, ".ocl") == 0);
}

static int check_words(const settings *s, error *e) {
  if (s->positional.count == 0) {
    return error_set(e, EXIT_USAGE, "repair wants kernel files, such as: cltestcheck repair kernels.cl");
  }
  for (size_t i = 0; i < s->positional.count; i++) {
    if (!is_kernel_file(s->positional.items[i])) {
      return error_set(e, EXIT_USAGE, "repair takes kernel files: \"%s\" is no kernel file (FILE.cl)",
                       s->positional.items[i]);
    }
  }
  return 0;
}

/* The name of the file for `patch`, which takes none that begins with a slash. */
static const char *diff_name(const char *path) {
  char here[PATH_MAX];
  const size_t length = getcwd(here, sizeof here) == NULL ? 0 : strlen(here);
  if (length > 0 && strncmp(path, here, length) == 0 && path[length] == '/') {
    path += length;
  }
  while (path[0] == '/' || strncmp(path, "./", 2) == 0) {
    path += path[0] == '/' ? 1 : 2;
  }
  return path;
}

static void print_diff(const repair_file *f) {
  buffer diff = {0};
  diff_write(diff_name(f->path), f->repair.text, f->repair.length, buffer_text(&f->result), f->result.length, &diff);
  (void)fwrite(buffer_text(&diff), 1, diff.length, stdout);
  buffer_free(&diff);
}

/* What was found is handed over only when all agree on it. */
static int hand_over(repair_command *c, repair_file *f, error *e) {
  const bool changes = repair_changes(&f->repair);
  if (changes && repair_file_check(f, c->settings, e) != 0) {
    return -1;
  }
  if (changes && c->settings->in_place && repair_file_replace(f->path, &f->result, e) != 0) {
    return -1;
  }
  if (changes && !c->settings->in_place) {
    print_diff(f);
  }
  if (!c->settings->quiet) {
    repair_report(f, changes && c->settings->in_place);
  }
  return 0;
}

static int repair_one(repair_command *c, size_t i, error *e) {
  repair_file f;
  int result =
      repair_file_open(&f, c->settings, c->settings->positional.items[i], &c->inputs.sources[i], &c->prover, e);
  size_t chosen = 0;
  for (size_t k = 0; k < f.repair.kernel_count; k++) {
    chosen += f.repair.kernels[k].chosen ? 1 : 0;
  }
  c->chosen += chosen;
  if (result == 0 && chosen > 0) {
    result = repair_file_search(&f, e) != 0 || hand_over(c, &f, e) != 0 ? -1 : 0;
    c->remains = c->remains || (result == 0 && repair_remains(&f));
  }
  repair_file_close(&f);
  return result;
}

static int run(repair_command *c, error *e) {
  const settings *s = c->settings;
  c->engine = check_words(s, e) == 0 ? engine_find(e) : NULL;
  if (c->engine == NULL || verify_inputs_gather(s, &c->inputs, e) != 0) {
    return -1;
  }
  interrupts signals;
  interrupts_begin(&signals);
  c->prover = (prover){.engine = c->engine, .options = repair_options(s), .signals = &signals};
  int result = 0;
  for (size_t i = 0; i < c->inputs.count && result == 0; i++) {
    if (repair_one(c, i, e) == 0) {
      continue;
    }
    if (e->code == EXIT_USAGE) { /* the next one may do */
      c->code = say_error(e);
    } else {
      result = -1;
    }
  }
  interrupts_end(&signals);
  return result;
}

int cmd_repair(const settings *s) {
  repair_command c = {.settings = s};
  error e = {0};
  int code = EXIT_FINE;
  if (run(&c, &e) != 0) {
    code = say_error(&e);
  } else if (c.code != 0) {
    code = c.code;
  } else if (c.chosen == 0) {
    say(stderr, "cltestcheck: nothing was repaired: there is no kernel, or --kernel and --exclude leave none\n");
    code = EXIT_NOTHING;
  } else if (c.remains) {
    code = EXIT_FOUND;
  }
  verify_inputs_free(&c.inputs);
  free(c.engine);
  return code;
}
