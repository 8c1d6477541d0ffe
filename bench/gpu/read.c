/* What the parts of the bundle read of cltestcheck's JSON reports, a line for a person each.
 *
 * read compare NAME HERE.json REFERENCE.json SECONDS: whether totals, outcomes never taken and findings are the same as
 * in the reference; below, what only one of them has. Exit status: 0 the same, 1 not.
 * read schedules NAME REPORT.json SECONDS: how many schedules had which verdict, by order.
 * read mutants NAME HERE.json REFERENCE.json SECONDS: verdicts a second, and those that are others than in the reference;
 * exit status as of compare, where a mutant that is undecided on one side does not count.
 * read ratios NAME FILE: lines "KIND nanoseconds": the least of each kind, and its ratio to that of `plain`. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 4096, WIDTH = 256, SHOWN = 40 };

typedef struct lines {
  char (*line)[WIDTH];
  size_t count;
} lines;

static json_t *load(const char *path) {
  json_error_t e;
  json_t *root = json_load_file(path, 0, &e);
  if (root == NULL) {
    fprintf(stderr, "no report: %s:%d: %s\n", path, e.line, e.text);
    exit(2);
  }
  return root;
}

static const char *text_of(json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text == NULL ? "?" : text;
}

static long long number_of(json_t *object, const char *key) {
  return (long long)json_integer_value(json_object_get(object, key));
}

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

static char *add_line(lines *all) {
  if (all->count == LINES) {
    fprintf(stderr, "a report of more than %d lines\n", LINES);
    exit(2);
  }
  return all->line[all->count++];
}

/* --- coverage and findings --------------------------------------------------------------------------------------------
 */

/* "total branch 3/4" for each pair of the object, those inside of others too. */
static void add_totals(lines *all, const char *prefix, json_t *object) {
  const char *key = NULL;
  json_t *value = NULL;
  json_object_foreach(object, key, value) {
    char name[64];
    (void)snprintf(name, sizeof name, "%s %s", prefix, key);
    if (json_is_integer(json_object_get(value, "total"))) {
      (void)snprintf(add_line(all), WIDTH, "%s %lld/%lld", name, number_of(value, "covered"),
                     number_of(value, "total"));
    } else if (json_is_object(value)) {
      add_totals(all, name, value);
    }
  }
}

static lines lines_of(json_t *report) {
  lines all = {calloc(LINES, WIDTH), 0};
  size_t i = 0;
  json_t *row = NULL;
  if (all.line == NULL) exit(2);
  add_totals(&all, "total", json_object_get(report, "coverage"));
  json_array_foreach(json_object_get(report, "missed"), i, row) {
    (void)snprintf(add_line(&all), WIDTH, "missed %s:%lld:%lld %s: %s", name_of(text_of(row, "file")),
                   number_of(row, "line"), number_of(row, "column"), text_of(row, "kind"), text_of(row, "outcome"));
  }
  json_array_foreach(json_object_get(report, "findings"), i, row) {
    (void)snprintf(add_line(&all), WIDTH, "finding %s in %s, %s:%lld", text_of(row, "rule"), text_of(row, "kernel"),
                   name_of(text_of(row, "file")), number_of(row, "line"));
  }
  json_array_foreach(json_object_get(report, "skipped"), i, row) {
    (void)snprintf(add_line(&all), WIDTH, "not instrumented: %s", text_of(row, "reason"));
  }
  return all;
}

/* How often the line is there. */
static size_t times(const lines *all, const char *line) {
  size_t count = 0;
  for (size_t i = 0; i < all->count; i++) count += strcmp(all->line[i], line) == 0 ? 1 : 0;
  return count;
}

static size_t findings_in(const lines *all) {
  size_t count = 0;
  for (size_t i = 0; i < all->count; i++) count += strncmp(all->line[i], "finding ", 8) == 0 ? 1 : 0;
  return count;
}

/* Puts the lines that `a` has more often than `b` into `text`, each once. Returns how many. */
static size_t only_in(const char *where, const lines *a, const lines *b, FILE *text) {
  size_t count = 0;
  for (size_t i = 0; i < a->count; i++) {
    const lines before = {a->line, i};
    if (times(a, a->line[i]) > times(b, a->line[i]) && times(&before, a->line[i]) == 0) {
      count++;
      if (count <= SHOWN) fprintf(text, "    %s %s\n", where, a->line[i]);
    }
  }
  if (count > SHOWN) fprintf(text, "    %s and %zu more, in the report\n", where, count - SHOWN);
  return count;
}

/* A row and the lines below it in one write, as several benchmarks run at a time. */
static int print_row(const char *name, const char *verdict, const char *seconds, const char *text) {
  char *row = NULL;
  if (asprintf(&row, "%-20s %-44s %7s s\n%s", name, verdict, seconds, text) < 0) return 2;
  (void)fwrite(row, 1, strlen(row), stdout);
  free(row);
  return 0;
}

static int compare(const char *name, const char *here_path, const char *reference_path, const char *seconds) {
  json_t *here = load(here_path), *reference = load(reference_path);
  const lines a = lines_of(here), b = lines_of(reference);
  char *text = NULL, verdict[128];
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) return 2;
  size_t different = only_in("here:     ", &a, &b, f) + only_in("reference:", &b, &a, f);
  const long long exit_here = number_of(json_object_get(here, "run"), "exit");
  const long long exit_there = number_of(json_object_get(reference, "run"), "exit");
  if (exit_here != exit_there) {
    fprintf(f, "    ended with %lld, in the reference with %lld\n", exit_here, exit_there);
    different++;
  }
  (void)fclose(f);
  if (different == 0)
    (void)snprintf(verdict, sizeof verdict, "the same (%zu facts, %zu findings)", a.count, findings_in(&a));
  else
    (void)snprintf(verdict, sizeof verdict, "DIFFERS in %zu (of %zu facts)", different, b.count);
  const int failed = print_row(name, verdict, seconds, text);
  free(text);
  free(a.line);
  free(b.line);
  json_decref(here);
  json_decref(reference);
  return failed != 0 ? failed : (different > 0 ? 1 : 0);
}

/* --- counts by words --------------------------------------------------------------------------------------------------
 */

typedef struct counts {
  char word[64][64];
  size_t times[64], words;
} counts;

static void count(counts *c, const char *word) {
  size_t i = 0;
  while (i < c->words && strcmp(c->word[i], word) != 0) i++;
  if (i == 64) return;
  if (i == c->words) (void)snprintf(c->word[c->words++], sizeof c->word[0], "%s", word);
  c->times[i]++;
}

static void print_counts(const counts *c, FILE *text) {
  for (size_t i = 0; i < c->words; i++) fprintf(text, "%s%zu %s", i == 0 ? "" : ", ", c->times[i], c->word[i]);
}

static int schedules(const char *name, const char *path, const char *seconds) {
  static const char *const orders[] = {"first", "last", "ascending", "reverse", "random"};
  json_t *report = load(path), *list = json_object_get(report, "schedules"), *row = NULL;
  char verdict[64], *text = NULL;
  size_t i = 0, size = 0;
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) return 2;
  for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
    counts c = {.words = 0};
    json_array_foreach(list, i, row) {
      if (strcmp(text_of(row, "order"), orders[k]) == 0) count(&c, text_of(row, "verdict"));
    }
    if (c.words > 0) {
      fprintf(f, "    %-10s ", orders[k]);
      print_counts(&c, f);
      fputc('\n', f);
    }
  }
  (void)fclose(f);
  const size_t all = json_array_size(list);
  (void)snprintf(verdict, sizeof verdict, "%zu schedules", all);
  const int failed = print_row(name, verdict, seconds, text);
  free(text);
  json_decref(report);
  return failed != 0 ? failed : (all > 0 ? 0 : 1);
}

/* --- mutants ----------------------------------------------------------------------------------------------------------
 */

static json_t *mutant_with(json_t *mutants, long long id) {
  size_t i = 0;
  json_t *row = NULL;
  json_array_foreach(mutants, i, row) {
    if (number_of(row, "id") == id) return row;
  }
  return NULL;
}

/* That runs differ from each other is a matter of chance: with `undecided` on one side nothing is contradicted. */
static bool contradicts(const char *here, const char *there) {
  return strcmp(here, there) != 0 && strcmp(here, "undecided") != 0 && strcmp(there, "undecided") != 0;
}

static bool is_decided(json_t *mutant) { return mutant != NULL && strcmp(text_of(mutant, "status"), "pending") != 0; }

static int mutants(const char *name, const char *here_path, const char *reference_path, const char *seconds) {
  json_t *here = load(here_path), *reference = load(reference_path), *row = NULL;
  json_t *list = json_object_get(here, "mutants"), *others = json_object_get(reference, "mutants");
  size_t i = 0, size = 0, decided = 0, both = 0, different = 0, contradicted = 0;
  counts c = {.words = 0};
  char *text = NULL, verdict[128];
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) return 2;
  json_array_foreach(list, i, row) {
    json_t *other = mutant_with(others, number_of(row, "id"));
    const char *status = text_of(row, "status");
    count(&c, status);
    decided += is_decided(row) ? 1 : 0;
    both += is_decided(row) && is_decided(other) ? 1 : 0;
    if (is_decided(row) && is_decided(other) && strcmp(status, text_of(other, "status")) != 0) {
      const char *what = json_string_value(json_object_get(row, "description"));
      different++;
      contradicted += contradicts(status, text_of(other, "status")) ? 1 : 0;
      fprintf(f, "    %s:%lld:%lld %s %s -> %s: %s, in the reference %s\n", name_of(text_of(row, "file")),
              number_of(row, "line"), number_of(row, "column"), text_of(row, "operator"), text_of(row, "original"),
              what != NULL ? what : text_of(row, "replacement"), status, text_of(other, "status"));
    }
  }
  fprintf(f, "    ");
  print_counts(&c, f);
  fprintf(f, "; of %zu that both decided, %zu have the same verdict\n", both, both - different);
  (void)fclose(f);
  const double time = strtod(seconds, NULL);
  (void)snprintf(verdict, sizeof verdict, "%zu of %zu decided, %.1f a second", decided, json_array_size(list),
                 time > 0 ? (double)decided / time : 0.0);
  const int failed = print_row(name, verdict, seconds, text);
  free(text);
  json_decref(here);
  json_decref(reference);
  return failed != 0 ? failed : (contradicted > 0 || decided == 0 ? 1 : 0);
}

/* --- times ------------------------------------------------------------------------------------------------------------
 */

static int ratios(const char *name, const char *path) {
  FILE *f = fopen(path, "r");
  char kind[8][32], word[32];
  double least[8], ns = 0;
  size_t kinds = 0, plain = 8;
  while (f != NULL && fscanf(f, "%31s %lf", word, &ns) == 2) {
    size_t i = 0;
    while (i < kinds && strcmp(kind[i], word) != 0) i++;
    if (i == kinds && kinds < 8) {
      (void)snprintf(kind[kinds], sizeof kind[0], "%s", word);
      least[kinds++] = ns;
    } else if (i < kinds && ns < least[i]) {
      least[i] = ns;
    }
    plain = i < kinds && strcmp(word, "plain") == 0 ? i : plain;
  }
  if (f != NULL) (void)fclose(f);
  if (plain >= kinds || least[plain] <= 0) {
    printf("%-20s no time of a plain run\n", name);
    return 1;
  }
  printf("%-20s %10.3f ms", name, least[plain] / 1e6);
  for (size_t i = 0; i < kinds; i++)
    if (i != plain) printf("  %s %.2f", kind[i], least[i] / least[plain]);
  putchar('\n');
  return 0;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "compare") == 0 && argc == 6) return compare(argv[2], argv[3], argv[4], argv[5]);
  if (strcmp(what, "schedules") == 0 && argc == 5) return schedules(argv[2], argv[3], argv[4]);
  if (strcmp(what, "mutants") == 0 && argc == 6) return mutants(argv[2], argv[3], argv[4], argv[5]);
  if (strcmp(what, "ratios") == 0 && argc == 4) return ratios(argv[2], argv[3]);
  fprintf(stderr, "read: wants compare, schedules, mutants or ratios; see bench/gpu/read.c\n");
  return 2;
}
