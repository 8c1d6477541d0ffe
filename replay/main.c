/* cltestcheck-replay FILE: does again what a captured program did to an OpenCL device. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"
#include "capture/capture.h"
#include "replay/arena.h"
#include "replay/replay.h"
#include "wire/turn.h"

/* Included files are put somewhere else where they are not as they were. */

static void move_options(capture *c, const char *root) {
  for (size_t i = 0; i < c->command_count; i++) {
    for (size_t s = 0; c->commands[i].kind == CAPTURE_PROGRAM && s < c->commands[i].u.program.source_count; s++) {
      capture_source *source = &c->commands[i].u.program.sources[s];
      char *moved = included_options(c, root, source->options);
      free(source->options);
      source->options = moved;
    }
  }
}

static int place_below(capture *c, const char *root, error *e) {
  char *directory = NULL;
  if (included_place(c, root, &directory, e) != 0) return -1;
  int result = 0;
  if (chdir(directory) == 0) {
    move_options(c, root);
  } else {
    result = error_set(e, EXIT_INTERNAL, "the working directory %s of the capture cannot be made: %s", directory,
                       strerror(errno));
  }
  free(directory);
  return result;
}

/* Goes to the capture's working directory. If a file that its kernels include is not where it was, or another one, all
 * are put into the folder of ENV_INCLUDES or else into `*made` (to be closed, see base/files.h), the working
 * directory is there, and the build options in `c` are changed accordingly. -1 with `e` set: they could not be written.
 */
static int includes_place(capture *c, char **made, error *e) {
  if (included_are_there(c)) {
    if (c->directory != NULL && chdir(c->directory) != 0) errno = 0; /* nothing is looked for there */
    return 0;
  }
  const char *root = getenv(ENV_INCLUDES);
  if (root == NULL || root[0] == '\0') root = *made = scratch_temporary("cltestcheck-includes", e);
  return root == NULL ? -1 : place_below(c, root, e);
}

static const char usage[] =
    "usage: cltestcheck-replay FILE [--device P:D] [--turns N] [--launch N] [--reads any] [--case FOLDER]\n"
    "       [--record FILE] [--tests launches]\n"
    "Does again what a captured program did to an OpenCL device, and says whether it read the same.\n"
    "  --device P:D  on device D of platform P (`cltestcheck devices`); default: the first device\n"
    "  --turns N     so many times; default: once\n"
    "  --launch N    up to launch N (from 0), and shows what it leaves in its buffers\n"
    "  --reads any   the exit status is 0, whatever is read\n"
    "  --case FOLDER it is a kernel case: says what is not as expected; puts what is read into the folder, but for -\n"
    "  --record FILE writes what was read into FILE, for programs\n"
    "  --tests launches  coverage of each launch is that of a test case, named by its number (from 0)\n";

typedef struct arguments {
  const char *file;
  replay_options options;
  unsigned turns;
  bool cut; /* after `launch` */
  unsigned launch;
  bool any_reads;
  const char *results; /* NULL: it is no kernel case; "-": no folder */
  const char *record;
} arguments;

/* Digits, and what comes after them; -1: there are none. */
static int number(const char *text, char **end, unsigned *out) {
  const unsigned long value = strtoul(text, end, 10);
  *out = (unsigned)value;
  return *end == text || text[0] < '0' || text[0] > '9' || value > 1000000000 ? -1 : 0;
}

static int take_device(arguments *a, const char *value, error *e) {
  char *end = NULL;
  if (number(value, &end, &a->options.platform) != 0 || *end != ':' || number(end + 1, &end, &a->options.device) != 0 ||
      *end != '\0')
    return error_set(e, EXIT_USAGE, "--device takes a platform and a device, such as 0:0, not \"%s\"", value);
  a->options.chosen = true;
  return 0;
}

static int take_turns(arguments *a, const char *value, error *e) {
  char *end = NULL;
  if (number(value, &end, &a->turns) != 0 || *end != '\0' || a->turns == 0)
    return error_set(e, EXIT_USAGE, "--turns takes a number from 1 on, not \"%s\"", value);
  return 0;
}

static int take_launch(arguments *a, const char *value, error *e) {
  char *end = NULL;
  a->cut = true;
  if (number(value, &end, &a->launch) != 0 || *end != '\0')
    return error_set(e, EXIT_USAGE, "--launch takes a number from 0 on, not \"%s\"", value);
  return 0;
}

static int take_reads(arguments *a, const char *value, error *e) {
  a->any_reads = strcmp(value, "any") == 0;
  return a->any_reads ? 0 : error_set(e, EXIT_USAGE, "--reads knows only the word any, not \"%s\"", value);
}

static int take_case(arguments *a, const char *value, error *e) {
  (void)e;
  a->results = value;
  return 0;
}

static int take_record(arguments *a, const char *value, error *e) {
  (void)e;
  a->record = value;
  return 0;
}

static int take_tests(arguments *a, const char *value, error *e) {
  a->options.named = strcmp(value, "launches") == 0;
  return a->options.named ? 0 : error_set(e, EXIT_USAGE, "--tests knows only the word launches, not \"%s\"", value);
}

static const struct {
  const char *name;
  int (*take)(arguments *a, const char *value, error *e);
} options[] = {{"--device", take_device}, {"--turns", take_turns},   {"--launch", take_launch}, {"--reads", take_reads},
               {"--case", take_case},     {"--record", take_record}, {"--tests", take_tests}};

/* The option and its value, if it is one; returns the words that were taken, -1 with `e` set. */
static int take_option(arguments *a, char **words, error *e) {
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    if (strcmp(words[0], options[i].name) == 0) {
      if (words[1] == NULL) return error_set(e, EXIT_USAGE, "%s takes a value", words[0]);
      return options[i].take(a, words[1], e) != 0 ? -1 : 2;
    }
  }
  if (words[0][0] == '-' || a->file != NULL)
    return error_set(e, EXIT_USAGE, "\"%s\" is no option and no second file is taken; see --help", words[0]);
  a->file = words[0];
  return 1;
}

static int parse(arguments *a, char **words, error *e) {
  while (*words != NULL) {
    const int taken = take_option(a, words, e);
    if (taken < 0) return -1;
    words += taken;
  }
  return a->file != NULL ? 0 : error_set(e, EXIT_USAGE, "which capture? cltestcheck-replay FILE");
}

static int say(const error *e) {
  (void)fprintf(stderr, "cltestcheck-replay: %s\n", e->text);
  return e->code;
}

static int compare(replay *r, const arguments *a) {
  const replay_comparing how = {.turns = a->turns,
                                .any = a->any_reads,
                                .is_case = a->results != NULL,
                                .record = a->record,
                                .results = a->results == NULL || strcmp(a->results, "-") == 0 ? NULL : a->results};
  return replay_compare(r, &how);
}

static int run_capture(const arguments *a, const capture *c) {
  error e = {0};
  replay *r = NULL;
  int code = EXIT_FINE;
  if (replay_open(&r, c, &a->options, &e) != 0) {
    code = say(&e);
  } else if (replay_layer(r) != NULL) {
    replay_work(r, replay_layer(r));
  } else {
    crash_watch();
    code = a->cut ? replay_print(r) : compare(r, a);
  }
  replay_close(r);
  return code;
}

static int run(const arguments *a) {
  capture c = {0}, cut = {0};
  error e = {0};
  if (capture_read(a->file, &c, &e) != 0) return say(&e);
  if (a->results != NULL) capture_places_read(&c, a->file);
  int code = EXIT_FINE;
  char *folder = NULL;
  if (includes_place(&c, &folder, &e) != 0)
    code = say(&e);
  else if (a->cut && launch_cut(&c, a->launch, &cut, &e) != 0)
    code = say(&e);
  else
    code = run_capture(a, a->cut ? &cut : &c);
  scratch_close(folder);
  free(cut.commands);
  capture_free(&c);
  return code;
}

int main(int argc, char **argv) {
  arguments a = {.turns = 1};
  error e = {0};
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    (void)fputs(usage, stdout);
    return EXIT_FINE;
  }
  if (parse(&a, argv + 1, &e) != 0) return say(&e);
  (void)setenv(ENV_GUARDED, "1", 1);
  return run(&a);
}
