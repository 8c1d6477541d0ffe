/* Property test of coverage: random kernels compute the same with and without instrumentation, and every outcome of
 * every site is reported exactly if an independent interpreter says that it was taken.
 *
 *   property_test CLTESTCHECK HOST DIRECTORY [COUNT [FIRST [BATCH]]]
 *
 * Kernels with seeds FIRST, FIRST + 1, … are run, BATCH of them in one process. Those that fail stay in DIRECTORY. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "compare.h"
#include "generator.h"

enum { BATCH_CAP = 64, DEFAULT_COUNT = 200, DEFAULT_BATCH = 20 };

/* PoCL 3.1 mistranslates about one program in 200 when it optimises, some of them untouched, some only instrumented. A
 * program that fails is run again without the optimiser; if all is as predicted then, that counts as the device's
 * fault. A few of these are fine; instrumentation that is wrong fails in both ways. */
#define UNOPTIMISED "POCL_EXTRA_BUILD_FLAGS"
enum { DEVICE_FAULTS_PER_PROGRAMS = 50 };

typedef struct test {
  const char *tool, *host, *directory;
  size_t failed, passed, launches, sites, outcomes, covered;
  size_t device;                               /* programs that are as predicted only without the device's optimiser */
  bool unoptimised;                            /* it is off */
  char *plain, *instrumented, *database, *log; /* paths */
} test;

static char *path_in(const test *t, const char *format, uint64_t seed) {
  buffer b = {0};
  buffer_printf(&b, "%s/", t->directory);
  buffer_printf(&b, format, seed);
  return buffer_take(&b);
}

/* --- running -------------------------------------------------------------------------------------------------- */

/* Runs a command with its output in the log; gives its exit status, 128 + signal for a crash. */
static int run(const test *t, char **command) {
  (void)fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    int log = open(t->log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    (void)dup2(log, STDOUT_FILENO);
    (void)dup2(log, STDERR_FILENO);
    (void)alarm(300);
    (void)execvp(command[0], command);
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run_host(const test *t, bool under_tool, tree **programs, size_t count) {
  char *command[BATCH_CAP + 12];
  char numbers[BATCH_CAP][24];
  size_t n = 0;
  if (under_tool) {
    char *const head[] = {(char *)(uintptr_t)t->tool, "coverage", "-q", "--db", t->database, "--"};
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++) command[n++] = head[i];
  }
  command[n++] = (char *)(uintptr_t)t->host;
  command[n++] = under_tool ? t->instrumented : t->plain;
  for (size_t i = 0; i < count; i++) {
    (void)snprintf(numbers[i], sizeof numbers[i], "%" PRIu64, programs[i]->seed);
    command[n++] = numbers[i];
  }
  command[n] = NULL;
  return run(t, command);
}

static void print_log(const test *t) {
  char line[512];
  FILE *f = fopen(t->log, "r");
  for (int n = 0; f != NULL && n < 20 && fgets(line, sizeof line, f) != NULL; n++) printf("  | %s", line);
  if (f != NULL) (void)fclose(f);
}

static uint32_t *read_words(const char *path, size_t *count) {
  *count = 0;
  struct stat facts;
  FILE *f = fopen(path, "rb");
  if (f == NULL || fstat(fileno(f), &facts) != 0) return NULL;
  uint32_t *words = mem_calloc((size_t)facts.st_size / sizeof *words + 1, sizeof *words);
  *count = fread(words, sizeof *words, (size_t)facts.st_size / sizeof *words, f);
  (void)fclose(f);
  return words;
}

/* --- judging --------------------------------------------------------------------------------------------------- */

static size_t words_of(const tree *p) {
  size_t words = 0;
  for (size_t i = 0; i < p->launch_count; i++) words += p->launches[i].items * SLICE_LENGTH;
  return words;
}

/* The launch and word where two outputs of a program first differ. */
static void print_difference(const tree *p, const uint32_t *expected, const uint32_t *got) {
  size_t at = 0;
  for (size_t i = 0; i < p->launch_count; i++) {
    for (size_t w = 0; w < p->launches[i].items * SLICE_LENGTH; w++, at++) {
      if (expected[at] != got[at]) {
        printf("  launch %zu of kernel %s, work-item %zu, word %zu: %u, expected %u\n", i, p->launches[i].kernel->name,
               w / SLICE_LENGTH, w % SLICE_LENGTH, got[at], expected[at]);
        return;
      }
    }
  }
}

static uint32_t *predicted_words(const tree *p) {
  uint32_t *words = mem_calloc(words_of(p) + 1, sizeof *words);
  size_t at = 0;
  for (size_t i = 0; i < p->launch_count; i++) {
    size_t count = p->launches[i].items * SLICE_LENGTH;
    memcpy(words + at, p->launches[i].output, count * sizeof *words);
    at += count;
  }
  return words;
}

static bool same_outputs(const tree *p, const uint32_t *plain, const uint32_t *instrumented) {
  bool good = true;
  uint32_t *predicted = predicted_words(p);
  size_t bytes = words_of(p) * sizeof *plain;
  if (memcmp(predicted, plain, bytes) != 0) {
    printf("  the untouched kernel's output is not the predicted one\n");
    print_difference(p, predicted, plain);
    good = false;
  }
  if (memcmp(plain, instrumented, bytes) != 0) {
    printf("  the instrumented kernel computes something else\n");
    print_difference(p, plain, instrumented);
    good = false;
  }
  free(predicted);
  return good;
}

static void write_program(const test *t, const tree *p) {
  char *path = path_in(t, "seed%" PRIu64 ".cl", p->seed);
  FILE *f = fopen(path, "w");
  if (f == NULL || fwrite(p->text, 1, p->length, f) != p->length || fclose(f) != 0) {
    printf("%s cannot be written\n", path);
    exit(1);
  }
  free(path);
}

static void count_program(test *t, const tree *p) {
  t->passed++;
  t->launches += p->launch_count;
  for (size_t i = 0; i < p->site_count; i++) {
    const site *s = p->sites[i];
    uint32_t seen = s->seen[0] | s->seen[1] | s->seen[2] | s->seen[3];
    t->sites += site_exists(s) ? 1 : 0;
    t->outcomes += site_exists(s) ? (size_t)__builtin_popcount(s->outcomes) : 0;
    t->covered += (size_t)__builtin_popcount(seen);
  }
}

static void end_program(test *t, const tree *p, bool good) {
  char *path = path_in(t, "seed%" PRIu64 ".cl", p->seed);
  if (good && !t->unoptimised) {
    count_program(t, p);
    (void)unlink(path);
  } else if (good) {
    t->device++;
    printf("  seed %" PRIu64 ": the differences above are the device's: there are none without its optimiser\n",
           p->seed);
  } else {
    t->failed++;
    printf("  seed %" PRIu64 " failed: kernel %s, build options \"%s\"; again: property_test %s %s %s 1 %" PRIu64 "\n",
           p->seed, path, p->options, t->tool, t->host, t->directory, p->seed);
  }
  free(path);
}

static bool load_results(const test *t, view *v) {
  db *d = NULL;
  error e;
  bool good = db_open(&d, t->database, DB_READ, &e) == 0 && db_load(d, NULL, 0, v, &e) == 0;
  if (!good) printf("  %s\n", e.text);
  db_close(d);
  return good;
}

/* One program that the tool would not instrument: nothing else is worth saying. */
static bool is_skipped(const view *v) {
  for (size_t i = 0; i < v->skipped_count; i++)
    printf("  not instrumented: %s: %s\n", v->skipped[i].program, v->skipped[i].reason);
  return v->skipped_count > 0;
}

/* Whether one program did as predicted; `outputs` NULL: there are none. */
static bool judge_program(const tree *p, const view *v, const uint32_t *plain, const uint32_t *instrumented) {
  if (plain == NULL || instrumented == NULL) {
    printf("  results are missing\n");
    return false;
  }
  bool good = same_outputs(p, plain, instrumented);
  return !is_skipped(v) && compare_program(v, p, stdout) == 0 && good;
}

/* False when something was not instrumented and it is not clear which of the programs. `failed[i]` for those that did
 * not do as predicted. */
static bool judge(const test *t, tree **programs, size_t count, bool *failed) {
  view v = {0};
  bool loaded = load_results(t, &v);
  if (loaded && v.skipped_count > 0 && count > 1) {
    view_free(&v);
    return false;
  }
  size_t plain_count = 0;
  size_t instrumented_count = 0;
  uint32_t *plain = read_words(t->plain, &plain_count);
  uint32_t *instrumented = read_words(t->instrumented, &instrumented_count);
  size_t at = 0;
  for (size_t i = 0; i < count; i++) {
    const tree *p = programs[i];
    size_t end = at + words_of(p);
    bool here = loaded && end <= plain_count && end <= instrumented_count;
    failed[i] = !judge_program(p, &v, here ? plain + at : NULL, here ? instrumented + at : NULL);
    at = end;
  }
  if (loaded) view_free(&v);
  free(plain);
  free(instrumented);
  return true;
}

/* --- batches --------------------------------------------------------------------------------------------------- */

static void remove_results(const test *t) {
  (void)unlink(t->plain);
  (void)unlink(t->instrumented);
  (void)unlink(t->database);
}

static void run_batch(test *t, tree **programs, size_t count);

static void run_alone(test *t, tree **programs, size_t count) {
  for (size_t i = 0; i < count; i++) run_batch(t, &programs[i], 1);
}

static void run_unoptimised(test *t, tree *p) {
  (void)setenv(UNOPTIMISED, "-cl-opt-disable", 1);
  t->unoptimised = true;
  run_batch(t, &p, 1);
  t->unoptimised = false;
  (void)unsetenv(UNOPTIMISED);
}

/* Runs all of them with and without the tool; gives the exit status of what failed. */
static int run_twice(const test *t, tree **programs, size_t count) {
  remove_results(t);
  int status = run_host(t, false, programs, count);
  bool untouched = status != 0;
  if (!untouched) status = run_host(t, true, programs, count);
  if (status != 0 && count == 1) {
    printf("seed %" PRIu64 ", %s: exit status %d\n", programs[0]->seed, untouched ? "untouched" : "instrumented",
           status);
    print_log(t);
  }
  return status;
}

/* Runs some programs in one process; if that process fails, each alone. */
static void run_batch(test *t, tree **programs, size_t count) {
  bool failed[BATCH_CAP] = {false};
  int status = run_twice(t, programs, count);
  if (status != 0 && count > 1) {
    run_alone(t, programs, count);
    return;
  }
  if (status != 0 && access(t->database, F_OK) != 0) {
    failed[0] = true;
  } else if (!judge(t, programs, count, failed)) {
    run_alone(t, programs, count);
    return;
  }
  for (size_t i = 0; i < count; i++)
    if (failed[i] && !t->unoptimised && getenv(UNOPTIMISED) == NULL)
      run_unoptimised(t, programs[i]);
    else
      end_program(t, programs[i], !failed[i]);
}

static void run_seeds(test *t, uint64_t first, size_t count, size_t batch) {
  for (size_t done = 0; done < count;) {
    tree *programs[BATCH_CAP];
    size_t n = 0;
    for (; n < batch && done < count; n++, done++) {
      programs[n] = program_make(first + done);
      write_program(t, programs[n]);
    }
    run_batch(t, programs, n);
    for (size_t i = 0; i < n; i++) random_tree_free(programs[i]);
    (void)fflush(stdout);
  }
}

/* PoCL's compiler gets a cache of its own, for the kernels are of no use afterwards. */
static char *begin_cache(const test *t) {
  char *cache = path_in(t, "cache", 0);
  (void)mkdir(t->directory, 0777);
  (void)mkdir(cache, 0777);
  (void)setenv("POCL_CACHE_DIR", cache, 1);
  return cache;
}

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place) {
  (void)facts;
  (void)kind;
  (void)place;
  return remove(path);
}

static void end_cache(char *cache) {
  (void)nftw(cache, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  free(cache);
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: property_test CLTESTCHECK HOST DIRECTORY [COUNT [FIRST [BATCH]]]\n");
    return 2;
  }
  test t = {.tool = argv[1], .host = argv[2], .directory = argv[3]};
  size_t count = argc > 4 ? strtoul(argv[4], NULL, 10) : DEFAULT_COUNT;
  uint64_t first = argc > 5 ? strtoull(argv[5], NULL, 10) : 1;
  size_t batch = argc > 6 ? strtoul(argv[6], NULL, 10) : DEFAULT_BATCH;
  batch = batch < 1 ? 1 : batch > BATCH_CAP ? BATCH_CAP : batch;
  char *cache = begin_cache(&t);
  t.plain = path_in(&t, "plain.out", 0);
  t.instrumented = path_in(&t, "instrumented.out", 0);
  t.database = path_in(&t, "results.db", 0);
  t.log = path_in(&t, "log", 0);
  run_seeds(&t, first, count, batch);
  remove_results(&t);
  end_cache(cache);
  printf("%zu programs as predicted, %zu not, %zu mistranslated by the device\n", t.passed, t.failed, t.device);
  printf("%zu launches, %zu sites, %zu of %zu outcomes covered\n", t.launches, t.sites, t.covered, t.outcomes);
  free(t.plain);
  free(t.instrumented);
  free(t.database);
  free(t.log);
  return t.failed == 0 && t.device <= count / DEVICE_FAULTS_PER_PROGRAMS ? 0 : 1;
}
