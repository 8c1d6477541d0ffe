/* show_findings REPORT.json: the findings of a JSON report about commands that race, a line each, for queues.sh:
 * definite, rule, kernel, the two commands, the accesses, the memory. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char *text_of(const json_t *in, const char *key) {
  const char *text = json_string_value(json_object_get(in, key));
  return text == NULL ? "" : text;
}

/* What a witness says, up to what stands in parentheses after a command. */
static void put_witness(const json_t *finding, const char *what, const char *end) {
  size_t i;
  const json_t *part;
  json_array_foreach(json_object_get(finding, "witness"), i, part) {
    if (strcmp(text_of(part, "what"), what) == 0) {
      const char *value = text_of(part, "value");
      const char *stop = strstr(value, end);
      printf("%.*s", (int)(stop == NULL ? strlen(value) : (size_t)(stop - value)), value);
    }
  }
}

static void put_places(const json_t *finding) {
  size_t i;
  const json_t *place;
  json_array_foreach(json_object_get(finding, "places"), i, place) {
    printf("%s%s %s %d", i > 0 ? " " : "", text_of(place, "role"), text_of(place, "access"),
           (int)json_integer_value(json_object_get(place, "line")));
  }
}

int main(int argc, char **argv) {
  json_t *report = argc == 2 ? json_load_file(argv[1], 0, NULL) : NULL;
  size_t i;
  const json_t *finding;
  json_array_foreach(json_object_get(report, "findings"), i, finding) {
    printf("%s|%s|%s|", json_is_true(json_object_get(finding, "definite")) ? "definite" : "possible",
           text_of(finding, "rule"), text_of(finding, "kernel"));
    put_witness(finding, "first command", " (");
    printf(" and ");
    put_witness(finding, "second command", " (");
    printf("|");
    put_places(finding);
    printf("|");
    put_witness(finding, "memory", "\n");
    printf("\n");
  }
  const int status = report == NULL;
  json_decref(report);
  return status;
}
