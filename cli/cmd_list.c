/* cltestcheck list: benchmarks, or runs. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/plan.h"
#include "db/db.h"
#include "runner/suite.h"

static int list_runs(const settings *s, error *e) {
  db *d = NULL;
  run_summary *runs = NULL;
  size_t count = 0;
  int result = db_open(&d, s->database, DB_READ, e);
  result = result != 0 ? result : db_list_runs(d, &runs, &count, e);
  for (size_t i = 0; result == 0 && i < count; i++) {
    if (i == 0) {
      (void)printf("%5s  %-20s %-10s %5s %5s  %s\n", "run", "started (UTC)", "command", "tests", "exit", "device");
    }
    (void)printf("%5lld  %-20s %-10s %5zu %5d  %s\n", (long long)runs[i].id, runs[i].started, runs[i].command,
                 runs[i].test_cases, runs[i].exit, runs[i].device);
  }
  db_free_runs(runs, count);
  db_close(d);
  return result;
}

static int not_hidden(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void print_suite(const char *folder, const suite *s) {
  (void)printf("%s%s%s%s\n", folder, s->defect == NULL ? "" : "  [planted: ", s->defect == NULL ? "" : s->defect,
               s->defect == NULL ? "" : "]");
  if (s->description != NULL) {
    (void)printf("    %s\n", s->description);
  }
  (void)printf("    test cases:");
  for (unsigned i = 0; i < s->tests_count; i++) {
    (void)printf("%s %s", i == 0 ? "" : ",", s->tests[i].name);
  }
  (void)printf("\n");
}

static int list_benchmarks(const settings *s, error *e) {
  char *directory = plan_suites_directory(s);
  struct dirent **entries = NULL;
  int count = directory == NULL ? -1 : scandir(directory, &entries, not_hidden, alphasort);
  if (count < 0) {
    int result = error_set(e, EXIT_USAGE, "no benchmarks were found%s%s", directory == NULL ? "" : " in ",
                           directory == NULL ? "" : directory);
    free(directory);
    return result;
  }
  int result = 0;
  for (int i = 0; i < count; i++) {
    buffer path = {0};
    buffer_printf(&path, "%s/%s/suite.yaml", directory, entries[i]->d_name);
    FILE *there = fopen(buffer_text(&path), "r");
    suite *loaded = NULL;
    if (there != NULL && result == 0) {
      result = suite_load(buffer_text(&path), &loaded, e);
      if (result == 0) {
        print_suite(entries[i]->d_name, loaded);
        suite_free(loaded);
      }
    }
    if (there != NULL) {
      (void)fclose(there);
    }
    buffer_free(&path);
    free(entries[i]);
  }
  free(entries);
  free(directory);
  return result;
}

int cmd_list(const settings *s) {
  error e;
  if (s->positional.count > 0) {
    (void)error_set(&e, EXIT_USAGE, "list takes no arguments, but got \"%s\"", s->positional.items[0]);
    return say_error(&e);
  }
  int result = s->runs ? list_runs(s, &e) : list_benchmarks(s, &e);
  return result == 0 ? EXIT_FINE : say_error(&e);
}
