/* check_expected REPORT.json EXPECTED.json: compares the totals of a JSON report with a benchmark's expected ones.
 * check_expected REPORT.json --get PATH: prints the value at a path such as kernels.0.name; arrays: their length. */
#include <jansson.h>
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
  } else if (json_is_integer(value)) {
    printf("%lld\n", (long long)json_integer_value(value));
  } else if (json_is_array(value)) {
    printf("%zu\n", json_array_size(value));
  } else {
    fprintf(stderr, "no text, number or array at %s\n", path);
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

int main(int argc, char **argv) {
  if (argc != 3 && (argc != 4 || strcmp(argv[2], "--get") != 0)) {
    fprintf(stderr, "check_expected: wants REPORT.json EXPECTED.json, or REPORT.json --get PATH\n");
    return 2;
  }
  json_t *report = load(argv[1]);
  int result = 0;
  if (argc == 4) {
    result = print_value(report, argv[3]);
  } else {
    json_t *expected = load(argv[2]);
    result = compare_totals(report, expected) + compare_findings(report, expected) == 0 ? 0 : 1;
    json_decref(expected);
  }
  json_decref(report);
  return result;
}
