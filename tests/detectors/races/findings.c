/* findings REPORT.json: the findings of a JSON report as plain lines for run.sh:
 * RULE KERNEL and, for each of its places, LINE ACCESS ("-" where there is none). */
#include <jansson.h>
#include <stdio.h>

static const char *text(const json_t *of, const char *key) {
  const char *value = json_string_value(json_object_get(of, key));
  return value != NULL && *value != '\0' ? value : "-";
}

int main(int argc, char **argv) {
  json_error_t error;
  json_t *report = argc == 2 ? json_load_file(argv[1], 0, &error) : NULL;
  if (report == NULL) {
    fprintf(stderr, "findings: one JSON report is needed\n");
    return 2;
  }
  size_t index;
  json_t *finding;
  json_array_foreach(json_object_get(report, "findings"), index, finding) {
    size_t number;
    json_t *place;
    printf("%s %s", text(finding, "rule"), text(finding, "kernel"));
    json_array_foreach(json_object_get(finding, "places"), number, place) {
      printf(" %lld %s", (long long)json_integer_value(json_object_get(place, "line")), text(place, "access"));
    }
    printf("\n");
  }
  json_decref(report);
  return 0;
}
