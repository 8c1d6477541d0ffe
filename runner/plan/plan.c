/* From words on the command line to programs to run. */
#include "runner/plan/plan.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/pipe_path.h"
#include "base/scratch.h"
#include "base/shell.h"
#include "base/suggest.h"
#include "capture/capture.h"
#include "cases/cases.h"
#include "runner/paths.h"
#include "runner/plan/case_kernels.h"
#include "runner/plan/kernel_cases.h"
#include "runner/plan/listing.h"
#include "runner/plan/suite.h"

static bool executable(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

static bool in_search_path(const char *program) {
  const char *path = getenv("PATH");
  for (const char *at = path == NULL ? "" : path; *at != '\0';) {
    size_t length = strcspn(at, ":");
    buffer candidate = {0};
    buffer_append(&candidate, at, length);
    buffer_printf(&candidate, "%s%s", length == 0 ? "." : "", "/");
    buffer_puts(&candidate, program);
    bool found = executable(buffer_text(&candidate));
    buffer_free(&candidate);
    if (found) {
      return true;
    }
    at += length + (at[length] == ':' ? 1 : 0);
  }
  return false;
}

bool plan_is_program(const char *word) { return strchr(word, '/') == NULL ? in_search_path(word) : executable(word); }

static int check_program(const char *program, error *e) {
  if (strchr(program, '/') == NULL) {
    if (in_search_path(program)) {
      return 0;
    }
    bool here = access(program, F_OK) == 0;
    return error_set(e, EXIT_USAGE, "program \"%s\" was not found in PATH%s%s", program,
                     here ? "; the one in this folder is ./" : "; give its path, such as ./", program);
  }
  if (access(program, F_OK) != 0) {
    return error_set(e, EXIT_USAGE, "program \"%s\" was not found", program);
  }
  if (!executable(program)) {
    return error_set(e, EXIT_USAGE, "\"%s\" is not an executable program", program);
  }
  return 0;
}

int plan_add(plan *p, const char *suite_name, const char *name, char **argv, error *e) {
  experiment_test *t = ARRAY_ADD(p->tests, p->count, p->capacity);
  t->suite = mem_strdup(suite_name);
  t->name = mem_strdup(name);
  t->argv = argv;
  t->line = shell_line(argv);
  return check_program(argv[0], e);
}

static int add_suite(plan *p, const plan_words *with, const char *path, error *e) {
  if (case_suite_is(path)) {
    return plan_cases(p, with, path, e);
  }
  suite s;
  int result = suite_load(path, &s, e);
  for (size_t i = 0; i < s.tests_count && result == 0; i++) {
    result = plan_add(p, s.name, s.tests[i].name, suite_command(&s, &s.tests[i]), e);
  }
  suite_free(&s);
  return result;
}

char *plan_suites_directory(const char *chosen) { return chosen != NULL ? mem_strdup(chosen) : own_path("suites"); }

bool plan_names_suite(const char *word) {
  size_t length = strlen(word);
  return (length > 5 && strcmp(word + length - 5, ".yaml") == 0) ||
         (length > 4 && strcmp(word + length - 4, ".yml") == 0);
}

bool plan_names_capture(const char *word) {
  char magic[sizeof CAPTURE_MAGIC_PACKED] = "";
  error ignored;
  FILE *f = pipe_refuse(word, &ignored) == 0 ? fopen(word, "rbe") : NULL;
  const bool read = f != NULL && fread(magic, sizeof magic - 1, 1, f) == 1;
  if (f != NULL) {
    (void)fclose(f);
  }
  return read && (strcmp(magic, CAPTURE_MAGIC_PACKED) == 0 || strcmp(magic, CAPTURE_MAGIC_RAW) == 0);
}

char *plan_includes_folder(error *e) {
  char *folder = scratch_temporary("cltestcheck-includes", e);
  if (folder != NULL) {
    (void)setenv(ENV_INCLUDES, folder, 1);
  }
  return folder;
}

/* What was captured, done again, is a program like others. */
static int add_capture(plan *p, const plan_words *s, const char *path, error *e) {
  if (p->includes == NULL && (p->includes = plan_includes_folder(e)) == NULL) {
    return -1;
  }
  char *program = own_path("cltestcheck-replay");
  if (program == NULL) {
    return error_set(e, EXIT_INTERNAL, "cltestcheck-replay is not where cltestcheck looks for it; install it again");
  }
  char **argv = mem_calloc(5, sizeof *argv);
  argv[0] = program;
  argv[1] = mem_strdup(path);
  if (s->any_reads) {
    argv[2] = mem_strdup("--reads");
    argv[3] = mem_strdup("any");
  }
  return plan_add(p, "", path_end(path), argv, e);
}

static int not_hidden(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* The folder of suites has folders of other kinds, too. */
static bool is_suite(const char *directory, const char *name) {
  buffer path = {0};
  buffer_printf(&path, "%s/%s/suite.yaml", directory, name);
  bool is = access(buffer_text(&path), R_OK) == 0;
  buffer_free(&path);
  return is;
}

static int unknown_benchmark(const char *word, const char *directory, error *e) {
  struct dirent **entries = NULL;
  int count = directory == NULL ? 0 : scandir(directory, &entries, not_hidden, alphasort);
  suggestion near = {.word = word};
  for (int i = 0; i < count; i++) {
    if (is_suite(directory, entries[i]->d_name)) {
      suggest_consider(&near, entries[i]->d_name);
    }
  }
  int result = error_set(e, EXIT_USAGE, "unknown benchmark \"%s\"; %s%s%s", word,
                         near.best == NULL ? "`cltestcheck list` shows what there is" : "did you mean ",
                         near.best == NULL ? "" : near.best, near.best == NULL ? "" : "?");
  for (int i = 0; i < count; i++) {
    free(entries[i]);
  }
  free(entries);
  return result;
}

/* A file that is something else. */
static int no_benchmark(const plan_words *s, const char *word, error *e) {
  const size_t length = strlen(word);
  if (length > 3 && strcmp(word + length - 3, ".cl") == 0) {
    return case_kernels_show(word, s->verb, e);
  }
  return error_set(e, EXIT_USAGE,
                   "\"%s\" is no benchmark, suite or capture; to run a program, put it after --: cltestcheck %s -- %s",
                   word, s->verb, word);
}

/* What names the suite of the test cases from `first` on. */
static void take_word(plan *p, size_t first, const char *word) {
  for (size_t i = first; i < p->count; i++) {
    p->tests[i].word = mem_strdup(word);
  }
}

static int add_benchmark(plan *p, const plan_words *s, const char *word, error *e) {
  const size_t first = p->count;
  if (plan_names_suite(word)) {
    const int added = add_suite(p, s, word, e);
    take_word(p, first, word);
    return added;
  }
  if (plan_names_capture(word)) {
    return add_capture(p, s, word, e);
  }
  char *directory = plan_suites_directory(s->suites);
  buffer path = {0};
  buffer_printf(&path, "%s/%s/suite.yaml", directory == NULL ? "" : directory, word);
  int result = 0;
  if (strchr(word, '/') == NULL && access(buffer_text(&path), R_OK) == 0) {
    result = add_suite(p, s, buffer_text(&path), e);
    take_word(p, first, word);
  } else if (access(word, F_OK) == 0 || strchr(word, '/') != NULL) {
    result = no_benchmark(s, word, e);
  } else {
    result = unknown_benchmark(word, directory, e);
  }
  buffer_free(&path);
  free(directory);
  return result;
}

static int add_command(plan *p, const plan_words *s, error *e) {
  size_t count = 0;
  while (s->command[count] != NULL) {
    count++;
  }
  if (count == 0) {
    return error_set(e, EXIT_USAGE, "no program was given after --, such as: cltestcheck %s -- ./my_tests", s->verb);
  }
  char **argv = mem_calloc(count + 1, sizeof *argv);
  for (size_t i = 0; i < count; i++) {
    argv[i] = mem_strdup(s->command[i]);
  }
  return plan_add(p, "", path_end(argv[0]), argv, e);
}

int plan_make(const plan_words *s, plan *out, error *e) {
  *out = (plan){0};
  int result = 0;
  if (plan_is_listed(s)) {
    return plan_listed(s, out, e);
  }
  for (size_t i = 0; i < s->word_count && result == 0; i++) {
    result = add_benchmark(out, s, s->words[i], e);
  }
  if (result == 0 && s->command != NULL) {
    result = add_command(out, s, e);
  }
  if (result == 0 && out->count == 0) {
    result = error_set(e, EXIT_USAGE,
                       "no program was given; write it after --, such as: cltestcheck %s -- ./my_tests, or name a "
                       "benchmark of `cltestcheck list`",
                       s->verb);
  }
  return result;
}

void plan_free(plan *p) {
  for (size_t i = 0; i < p->count; i++) {
    for (size_t a = 0; p->tests[i].argv[a] != NULL; a++) {
      free(p->tests[i].argv[a]);
    }
    free(p->tests[i].argv);
    free((char *)p->tests[i].suite);
    free((char *)p->tests[i].name);
    free((char *)p->tests[i].line);
    free((char *)p->tests[i].word);
  }
  free(p->tests);
  scratch_close(p->includes);
  scratch_close(p->cases);
  *p = (plan){0};
}
