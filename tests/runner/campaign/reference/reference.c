/* reference BUILD SUITE RUNS [EVERY]: is the verdict of every mutant of the paper set (or every third, …) what a slow, independent
 * way gives?
 *
 * `cltestcheck mutate` runs the benchmark first. Then each of its mutants is written out as a source of its own
 * (substitute.c), built alone by the unmodified program in a folder of its own, and run RUNS times against each test
 * case, without our layer. What a run shows is its exit status and, byte for byte, everything that the host read back.
 *
 * One line a mutant: ours, the reference's. Exit status 1 when some differ and the table `explained` does not say why.
 */
#include "reference.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_TESTS = 16, MAX_WORDS = 16 };

static const double least_limit = 10;

/* Mutants on which both may differ, each with its reason. `replacement` NULL: all of that place. */
static const char behind[] = "reads past the end of a buffer, where anything may be";
static const char race[] = "two work-items write one element, and which comes last is up to the device's compiler";
static const struct {
  const char *suite, *file;
  unsigned line, column;
  const char *replacement, *why;
} explained[] = {
    /* work-item n reads in[n]; one turn more of a work-item reads up to 256 further on */
    {"reduction", "reduction.cl", 23, 36, "<=", behind},
    {"reduction", "reduction.cl", 23, 3, "n+1 iterations", behind},
    /* reads partial[4] of 4; seen: 0 in some runs, so that a sum stays what it was */
    {"reduction", "reduction.cl", 44, 14, "<=", behind},
    {"reduction", "reduction.cl", 41, 3, "n+1 iterations", behind},
    /* tiles filled from row m or k: multiplied by 0, which changes a sum when it is read as infinite or no number */
    {"matrix-product", "matrix-product.cl", 5, 10, "<=", behind},
    {"matrix-product", "matrix-product.cl", 5, 19, "||", behind},
    {"matrix-product", "matrix-product.cl", 5, 31, "<=", behind},
    /* column n of a row is column 0 of the next one, row m of a batch row 0 of the next one: 0 or the product */
    {"matrix-product", "matrix-product.cl", 27, 11, "<=", race},
    {"matrix-product", "matrix-product.cl", 27, 25, "<=", race},
};

typedef struct test_case {
  char *words[MAX_WORDS + 1]; /* words[0]: the program, set for each folder */
  char *line;
  reference_run original;
} test_case;

static struct {
  char work[64]; /* a folder of our own */
  const char *build, *suite;
  unsigned runs;
  json_t *report;
  char *folder;  /* of the benchmark's files */
  char *program; /* name of its file */
  test_case tests[MAX_TESTS];
  size_t test_count;
  double limit;
} all;

/* --- text -----------------------------------------------------------------------------------------------------------
 */

static char *format_path(const char *folder, const char *name) {
  char *path = NULL;
  if (asprintf(&path, "%s/%s", folder, name) < 0) reference_fail("out of memory");
  return path;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

static const char *text_of(json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text == NULL ? "" : text;
}

static unsigned number_of(json_t *object, const char *key) {
  return (unsigned)json_integer_value(json_object_get(object, key));
}

static void run_shell(const char *format, const char *a, const char *b, const char *c) {
  char line[8192];
  (void)snprintf(line, sizeof line, format, a, b, c);
  if (system(line) != 0) reference_fail("this failed: %s", line);
}

/* --- before ---------------------------------------------------------------------------------------------------------
 */

static void run_tool(void) {
  char line[4096];
  (void)snprintf(line, sizeof line,
                 "cd %s && %s/cltestcheck mutate --quiet --runs %u --format json=report.json %s >/dev/null </dev/null",
                 all.work, all.build, all.runs, all.suite);
  if (system(line) != 0) reference_fail("this failed: %s", line);
  char *path = format_path(all.work, "report.json");
  json_error_t e;
  all.report = json_load_file(path, 0, &e);
  free(path);
  if (all.report == NULL) reference_fail("the report: %s", e.text);
}

/* Command lines have no blanks but those between words. */
static void read_tests(void) {
  size_t i = 0;
  json_t *test = NULL;
  json_array_foreach(json_object_get(all.report, "test_cases"), i, test) {
    test_case *t = &all.tests[all.test_count++];
    t->line = strdup(text_of(test, "command"));
    char *rest = NULL;
    size_t count = 0;
    for (char *w = strtok_r(t->line, " ", &rest); w != NULL && count < MAX_WORDS; w = strtok_r(NULL, " ", &rest))
      t->words[count++] = w;
    if (all.test_count == MAX_TESTS || count == 0)
      reference_fail("the report has too many test cases, or an empty command");
  }
  const char *program = all.tests[0].words[0];
  all.program = strdup(base_name(program));
  all.folder = strndup(program, (size_t)(base_name(program) - program - 1));
}

/* A folder with the program and its files; `name` and `text`: a file that is another one. */
static char *make_folder(const char *number, const char *name, const char *text) {
  char *folder = format_path(all.work, number);
  run_shell("mkdir '%s' && cp %s/* '%s'", folder, all.folder, folder);
  if (name != NULL) {
    char *path = format_path(folder, name);
    reference_write_file(path, text, strlen(text));
    free(path);
  }
  return folder;
}

static void remove_folder(char *folder) {
  run_shell("rm -rf '%s'%s%s", folder, "", "");
  free(folder);
}

/* --- runs -----------------------------------------------------------------------------------------------------------
 */

static reference_run run_test(test_case *t, const char *folder, double limit) {
  char *program = format_path(folder, all.program);
  t->words[0] = program;
  const reference_run r = reference_run_program(t->words, folder, limit);
  free(program);
  return r;
}

static bool same(const reference_run *a, const reference_run *b) {
  return a->status == b->status && a->timed_out == b->timed_out && a->length == b->length &&
         (a->length == 0 || memcmp(a->dump, b->dump, a->length) == 0);
}

static void run_originals(void) {
  char *folder = make_folder("original", NULL, NULL);
  all.limit = least_limit;
  for (size_t i = 0; i < all.test_count; i++) {
    all.tests[i].original = run_test(&all.tests[i], folder, 600);
    if (all.tests[i].original.status != 0 || all.tests[i].original.length == 0)
      reference_fail("the original of test case %zu fails, or leaves nothing in SUITE_DUMP", i);
    for (unsigned n = 1; n < all.runs; n++) {
      reference_run again = run_test(&all.tests[i], folder, 600);
      if (!same(&again, &all.tests[i].original))
        reference_fail("the original of test case %zu differs from run to run", i);
      reference_run_free(&again);
    }
    const double ten = 10 * all.tests[i].original.seconds;
    all.limit = ten > all.limit ? ten : all.limit;
  }
  remove_folder(folder);
}

/* By METHODS section 2; a test case is left as soon as it can say nothing more. */
static const char *judge(const char *folder) {
  bool undecided = false;
  for (size_t i = 0; i < all.test_count; i++) {
    unsigned differing = 0, n = 0;
    while (n < all.runs && (differing == 0 || differing == n)) {
      reference_run r = run_test(&all.tests[i], folder, all.limit);
      const bool refused = r.refused;
      differing += same(&r, &all.tests[i].original) ? 0 : 1;
      n++;
      reference_run_free(&r);
      if (refused) return "invalid";
    }
    if (differing == all.runs) return "killed";
    undecided = undecided || differing > 0;
  }
  return undecided ? "undecided" : "survived";
}

/* --- mutants --------------------------------------------------------------------------------------------------------
 */

/* "n-1 iterations" of "n-1 iterations: i < n - 1". */
static const char *kind_of(json_t *m) {
  static char kind[64];
  (void)snprintf(kind, sizeof kind, "%s", text_of(m, "description"));
  kind[strcspn(kind, ":")] = '\0';
  return kind;
}

static reference_mutant read_mutant(json_t *m) {
  return (reference_mutant){.suite = all.suite,
                            .op = text_of(m, "operator"),
                            .original = text_of(m, "original"),
                            .replacement = text_of(m, "replacement"),
                            .description = kind_of(m),
                            .line = number_of(m, "line"),
                            .column = number_of(m, "column"),
                            .end_line = number_of(m, "end_line"),
                            .end_column = number_of(m, "end_column")};
}

/* The mutant that has the verdict: of a duplicate the other one. */
static json_t *judged(json_t *m) {
  size_t i = 0;
  json_t *other = NULL;
  if (strcmp(text_of(m, "status"), "duplicate") != 0) return m;
  json_array_foreach(json_object_get(all.report, "mutants"), i, other) {
    if (json_equal(json_object_get(other, "id"), json_object_get(m, "duplicate_of"))) return other;
  }
  reference_fail("a duplicate of nothing");
  return NULL;
}

/* What the reference ought to find for a status of ours. */
static const char *wanted_of(json_t *m) {
  const char *status = text_of(judged(m), "status");
  return strcmp(status, "equivalent") == 0 || strcmp(status, "no-coverage") == 0 ? "survived" : status;
}

/* Verdicts on memory that is not the program's: in runs of the program nobody looks there. */
static const char *outside(json_t *m, const char *seen) {
  const char *reason = text_of(judged(m), "reason");
  if (strcmp(reason, "out of bounds") == 0 && strcmp(seen, "survived") == 0)
    return "it writes outside of a buffer, which its program does not notice";
  return strcmp(reason, "unwritten") == 0 ? "it reads memory that nobody wrote" : NULL;
}

static const char *reason_of(const char *file, const reference_mutant *m) {
  const char *shown = m->description[0] != '\0' ? m->description : m->replacement;
  for (size_t i = 0; i < sizeof explained / sizeof *explained; i++)
    if (strcmp(explained[i].suite, m->suite) == 0 && strcmp(explained[i].file, file) == 0 &&
        explained[i].line == m->line && explained[i].column == m->column &&
        (explained[i].replacement == NULL || strcmp(explained[i].replacement, shown) == 0))
      return explained[i].why;
  return NULL;
}

typedef enum outcome { AGREE, EXPLAINED, DIFFER } outcome;

static outcome check_mutant(json_t *object, size_t number) {
  const reference_mutant m = read_mutant(object);
  const char *file = base_name(text_of(object, "file")), *wanted = wanted_of(object);
  char *path = format_path(all.folder, file);
  char *text = reference_read_file(path, NULL);
  char *mutated = reference_substitute(text, &m);
  char name[32];
  (void)snprintf(name, sizeof name, "%zu", number);
  char *folder = make_folder(name, file, mutated);
  const char *seen = judge(folder);
  const char *why = strcmp(seen, wanted) == 0 ? "" : reason_of(file, &m);
  why = why == NULL ? outside(object, seen) : why;
  const char *shown = m.description[0] != '\0' ? m.description : m.replacement;
  printf("%s:%u:%u %s %s -> %s: %s / %s%s%s\n", file, m.line, m.column, m.op, m.original, shown,
         text_of(object, "status"), seen,
         why == NULL      ? "  DIFFER"
         : why[0] == '\0' ? ""
                          : "  explained: ",
         why == NULL ? "" : why);
  (void)fflush(stdout);
  if (why != NULL || getenv("REFERENCE_KEEP") == NULL) remove_folder(folder);
  free(mutated);
  free(text);
  free(path);
  return why == NULL ? DIFFER : why[0] == '\0' ? AGREE : EXPLAINED;
}

int main(int argc, char **argv) {
  char *end = NULL;
  const size_t every = argc == 5 ? strtoul(argv[4], NULL, 10) : 1;
  all.runs = argc == 4 || argc == 5 ? (unsigned)strtoul(argv[3], &end, 10) : 0;
  if (all.runs == 0 || *end != '\0' || every == 0) {
    (void)fprintf(stderr, "reference: wants BUILD SUITE RUNS [EVERY]\n");
    return 2;
  }
  all.build = argv[1];
  all.suite = argv[2];
  (void)snprintf(all.work, sizeof all.work, "/tmp/cltestcheck-reference-XXXXXX");
  if (argv[1][0] != '/' || mkdtemp(all.work) == NULL)
    reference_fail("BUILD is an absolute path, and /tmp must be writable");
  run_tool();
  read_tests();
  run_originals();
  size_t counts[3] = {0};
  size_t i = 0;
  json_t *m = NULL;
  json_array_foreach(json_object_get(all.report, "mutants"), i, m) {
    if (i % every == 0) counts[check_mutant(m, i)]++;
  }
  printf("%s: %zu mutants, %u runs: %zu agree, %zu explained, %zu differ\n", all.suite, i, all.runs, counts[AGREE],
         counts[EXPLAINED], counts[DIFFER]);
  if (counts[DIFFER] == 0 && counts[AGREE] > 0) run_shell("rm -rf '%s'%s%s", all.work, "", "");
  json_decref(all.report);
  return counts[DIFFER] == 0 && i > 0 ? 0 : 1;
}
