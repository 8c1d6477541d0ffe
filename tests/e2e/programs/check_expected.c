/* check_expected REPORT.json EXPECTED.json: compares the totals of a JSON report with a benchmark's expected ones.
 * check_expected REPORT.json EXPECTED.json --mutants: compares score and mutants with those of expected-mutation.json.
 * check_expected REPORT.json EXPECTED.json --amplification: compares what schedules found with
 * expected-amplification.json.
 * check_expected REPORT.json EXPECTED.json --found: four numbers: schedules of kernels with a defect, those that found
 * it, those that were occupancy-bound, and kernels without one for which something was found. check_expected
 * REPORT.json --statuses: place, operator, replacement and status of each mutant, a line each. check_expected
 * REPORT.json --get PATH: prints the value at a path such as kernels.0.name; arrays: their length. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *load(const char *path) {
  json_error_t e;
  json_t *root = json_load_file(path, 0, &e);
  if (root == NULL) {
    fprintf(stderr, "%s:%d: %s\n", path, e.line, e.text);
    exit(2);
  }
  return root;
}

/* The value at a path of keys and indices with dots between; NULL when there is none. */
static json_t *find(json_t *value, const char *path) {
  while (value != NULL && *path != '\0') {
    char key[64];
    const size_t length = strcspn(path, ".");
    (void)snprintf(key, sizeof key, "%.*s", (int)length, path);
    value = json_is_array(value) ? json_array_get(value, strtoul(key, NULL, 10)) : json_object_get(value, key);
    path += length + (path[length] == '.' ? 1 : 0);
  }
  return value;
}

static int print_value(json_t *report, const char *path) {
  json_t *value = find(report, path);
  if (json_is_string(value)) {
    printf("%s\n", json_string_value(value));
  } else if (json_is_real(value)) {
    printf("%.1f\n", json_real_value(value));
  } else if (json_is_integer(value)) {
    printf("%lld\n", (long long)json_integer_value(value));
  } else if (json_is_boolean(value)) {
    printf("%s\n", json_is_true(value) ? "true" : "false");
  } else if (json_is_array(value)) {
    printf("%zu\n", json_array_size(value));
  } else {
    fprintf(stderr, "no text, number, boolean or array at %s\n", path);
    return 2;
  }
  return 0;
}

/* Names in expected.json and where the report has them. */
static const char *const totals[][2] = {
    {"kernel", "kernel"},       {"function", "function"},
    {"line", "line"},           {"branch", "branch"},
    {"if", "branch_by.if"},     {"switch", "branch_by.switch"},
    {"barrier", "barrier"},     {"conditional", "branch_by.conditional"},
    {"condition", "condition"}, {"mcdc", "mcdc"},
    {"loop_zero", "loop.zero"}, {"loop_one", "loop.one"},
    {"loop_many", "loop.many"}, {"loop_boundary", "loop.boundary"},
};

/* Gives the number of differences. */
static int compare_totals(json_t *report, json_t *expected) {
  int differences = 0;
  for (size_t i = 0; i < sizeof totals / sizeof *totals; i++) {
    char path[128];
    static const char *const parts[] = {"covered", "total"};
    json_t *pair = json_object_get(expected, totals[i][0]);
    for (size_t k = 0; k < 2; k++) {
      (void)snprintf(path, sizeof path, "coverage.%s.%s", totals[i][1], parts[k]);
      json_t *seen = find(report, path), *wanted = json_array_get(pair, k);
      if (!json_is_integer(seen) || !json_is_integer(wanted) ||
          json_integer_value(seen) != json_integer_value(wanted)) {
        printf("%s is %lld instead of %lld\n", path, (long long)json_integer_value(seen),
               (long long)json_integer_value(wanted));
        differences++;
      }
    }
  }
  return differences;
}

static int compare_findings(json_t *report, json_t *expected) {
  const size_t seen = json_array_size(json_object_get(report, "findings"));
  json_t *wanted = json_object_get(expected, "divergence");
  if (!json_is_integer(wanted) || (json_int_t)seen != json_integer_value(wanted)) {
    printf("%zu findings instead of %lld\n", seen, (long long)json_integer_value(wanted));
    return 1;
  }
  return 0;
}

/* --- mutants ------------------------------------------------------------------------------------------------------ */

enum { PLACE, OPERATOR, REPLACEMENT, STATUS, COLUMNS };

/* What stands in the place of the original: "<=", "" or "loop skipped". */
static const char *replacement_of(json_t *mutant) {
  const char *description = json_string_value(json_object_get(mutant, "description"));
  return description != NULL ? description : json_string_value(json_object_get(mutant, "replacement"));
}

static void place_of(json_t *mutant, char *place, size_t size) {
  (void)snprintf(place, size, "%lld:%lld", (long long)json_integer_value(json_object_get(mutant, "line")),
                 (long long)json_integer_value(json_object_get(mutant, "column")));
}

static const char *text_of(json_t *row, size_t column) {
  const char *text = json_string_value(json_array_get(row, column));
  return text == NULL ? "?" : text;
}

/* The mutant of the report that a row of expected-mutation.json is about. */
static json_t *find_mutant(json_t *mutants, json_t *row) {
  size_t i = 0;
  json_t *mutant = NULL;
  json_array_foreach(mutants, i, mutant) {
    char place[32];
    place_of(mutant, place, sizeof place);
    if (strcmp(place, text_of(row, PLACE)) == 0 && strcmp(replacement_of(mutant), text_of(row, REPLACEMENT)) == 0 &&
        strcmp(json_string_value(json_object_get(mutant, "operator")), text_of(row, OPERATOR)) == 0)
      return mutant;
  }
  return NULL;
}

static int compare_mutants(json_t *report, json_t *expected) {
  json_t *seen = json_object_get(report, "mutants"), *wanted = json_object_get(expected, "mutants"), *row = NULL;
  int differences = 0;
  size_t i = 0;
  json_array_foreach(wanted, i, row) {
    json_t *mutant = find_mutant(seen, row);
    const char *status = mutant == NULL ? "missing" : json_string_value(json_object_get(mutant, "status"));
    if (strcmp(status, text_of(row, STATUS)) != 0) {
      printf("%s %s %s is %s instead of %s\n", text_of(row, PLACE), text_of(row, OPERATOR), text_of(row, REPLACEMENT),
             status, text_of(row, STATUS));
      differences++;
    }
  }
  if (json_array_size(seen) != json_array_size(wanted)) {
    printf("%zu mutants instead of %zu\n", json_array_size(seen), json_array_size(wanted));
    differences++;
  }
  static const char *const sums[] = {"killed", "survived", "score"};
  for (i = 0; i < sizeof sums / sizeof *sums; i++) {
    const double sum = json_number_value(json_object_get(json_object_get(report, "mutation"), sums[i]));
    if (sum != json_number_value(json_object_get(expected, sums[i]))) {
      printf("%s is %g\n", sums[i], sum);
      differences++;
    }
  }
  return differences;
}

static int print_statuses(json_t *report) {
  size_t i = 0;
  json_t *mutant = NULL;
  json_array_foreach(json_object_get(report, "mutants"), i, mutant) {
    char place[32];
    place_of(mutant, place, sizeof place);
    printf("%s %s %s %s\n", place, json_string_value(json_object_get(mutant, "operator")), replacement_of(mutant),
           json_string_value(json_object_get(mutant, "status")));
  }
  return 0;
}

static int usage(void) {
  fprintf(stderr,
          "check_expected: wants REPORT.json EXPECTED.json [--mutants|--amplification|--found], or REPORT.json --get "
          "PATH\n");
  return 2;
}

/* --- schedules ------------------------------------------------------------------------------------------------------
 */

static bool is_found(json_t *schedule) {
  const char *verdict = json_string_value(json_object_get(schedule, "verdict"));
  return verdict != NULL &&
         (strcmp(verdict, "race") == 0 || strcmp(verdict, "deadlock") == 0 || strcmp(verdict, "crash") == 0);
}

static bool has_text(json_t *object, const char *key, const char *text) {
  const char *value = json_string_value(json_object_get(object, key));
  return value != NULL && strcmp(value, text) == 0;
}

/* Schedules of the kernel with that order: all, or those that found something. */
static int count_schedules(json_t *report, const char *kernel, const char *order, bool found) {
  size_t i = 0;
  json_t *schedule = NULL;
  int count = 0;
  json_array_foreach(json_object_get(report, "schedules"), i, schedule) {
    count +=
        has_text(schedule, "kernel", kernel) && has_text(schedule, "order", order) && (!found || is_found(schedule))
            ? 1
            : 0;
  }
  return count;
}

/* Returns whether they agree. An order without schedules says nothing, nor does one that finds it "by chance". */
static bool check_order(json_t *report, const char *kernel, const char *order, json_t *expected) {
  const bool wanted = json_is_true(json_object_get(expected, "found"));
  const int all = count_schedules(report, kernel, order, false);
  const int found = count_schedules(report, kernel, order, true);
  if (all > 0 && (found > 0) != wanted && json_is_boolean(json_object_get(expected, "found"))) {
    printf("kernel %s, order %s: %d of %d schedules find something, expected %s\n", kernel, order, found, all,
           wanted ? "some" : "none");
    return false;
  }
  return true;
}

static int check_amplification(json_t *report, json_t *expected) {
  size_t i = 0;
  json_t *kernel = NULL;
  int wrong = 0;
  int schedules = 0;
  json_array_foreach(json_object_get(expected, "kernels"), i, kernel) {
    const char *name = json_string_value(json_object_get(kernel, "name"));
    const char *order = NULL;
    json_t *wanted = NULL;
    json_object_foreach(json_object_get(kernel, "orders"), order, wanted) {
      wrong += check_order(report, name, order, wanted) ? 0 : 1;
      schedules += count_schedules(report, name, order, false);
    }
  }
  if (schedules == 0) printf("no schedule of these kernels\n");
  return wrong == 0 && schedules > 0 ? 0 : 1;
}

/* Schedules of the kernel with that verdict. */
static int count_verdicts(json_t *report, const char *kernel, const char *verdict) {
  size_t i = 0;
  json_t *schedule = NULL;
  int count = 0;
  json_array_foreach(json_object_get(report, "schedules"), i, schedule) {
    count += has_text(schedule, "kernel", kernel) && has_text(schedule, "verdict", verdict) ? 1 : 0;
  }
  return count;
}

static int print_found(json_t *report, json_t *expected) {
  static const char *const orders[] = {"first", "last", "ascending", "reverse", "random"};
  size_t i = 0;
  json_t *kernel = NULL;
  int schedules = 0, found = 0, bound = 0, twins = 0;
  json_array_foreach(json_object_get(expected, "kernels"), i, kernel) {
    const char *name = json_string_value(json_object_get(kernel, "name"));
    int all = 0, hits = 0;
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
      all += count_schedules(report, name, orders[k], false);
      hits += count_schedules(report, name, orders[k], true);
    }
    if (has_text(kernel, "defect", "none")) {
      twins += hits > 0 ? 1 : 0;
    } else {
      schedules += all;
      found += hits;
      bound += count_verdicts(report, name, "occupancy-bound");
    }
  }
  printf("%d %d %d %d\n", schedules, found, bound, twins);
  return 0;
}

static int compare_coverage(json_t *report, json_t *expected) {
  return compare_totals(report, expected) + compare_findings(report, expected);
}

/* What to compare with the expected figures; the word after the files. */
static const struct {
  const char *word;
  int (*compare)(json_t *report, json_t *expected);
} comparisons[] = {
    {"", compare_coverage},
    {"--mutants", compare_mutants},
    {"--amplification", check_amplification},
    {"--found", print_found},
};

static int compare(json_t *report, const char *path, const char *word) {
  int result = -1;
  json_t *expected = load(path);
  for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
    if (strcmp(comparisons[i].word, word) == 0) result = comparisons[i].compare(report, expected) == 0 ? 0 : 1;
  json_decref(expected);
  return result < 0 ? usage() : result;
}

int main(int argc, char **argv) {
  if (argc != 3 && argc != 4) return usage();
  json_t *report = load(argv[1]);
  int result = 0;
  if (strcmp(argv[2], "--get") == 0)
    result = argc == 4 ? print_value(report, argv[3]) : usage();
  else if (strcmp(argv[2], "--statuses") == 0)
    result = print_statuses(report);
  else
    result = compare(report, argv[2], argc == 4 ? argv[3] : "");
  json_decref(report);
  return result;
}
