/* Rendering and checking reports. */
#include "tests/report_checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/memory.h"
#include "base/utf8.h"
#include "reports/formats.h"
#include "tests/ok.h"

int setup(void **state) {
  fixture *f = mem_calloc(1, sizeof *f);
  error e;
  f->path = fixture_path("results.db");
  OK(db_open(&f->d, f->path, DB_WRITE, &e));
  (void)fixture_run(f->d);
  OK(db_load(f->d, NULL, 0, &f->v, &e));
  *state = f;
  return 0;
}

int teardown(void **state) {
  fixture *f = *state;
  view_free(&f->v);
  db_close(f->d);
  fixture_forget(f->path);
  free(f);
  return 0;
}

char *render(const char *format, const view *v, const report_options *options) {
  char *text = NULL;
  size_t length = 0;
  error e;
  FILE *out = open_memstream(&text, &length);
  assert_non_null(out);
  OK(report_find(format)->write(v, options, out, &e));
  assert_int_equal(fclose(out), 0);
  return text;
}

void assert_contains(const char *text, const char *part) {
  if (strstr(text, part) == NULL) {
    fail_msg("\"%s\" is not in:\n%s", part, text);
  }
}

void assert_lacks(const char *text, const char *part) {
  if (strstr(text, part) != NULL) {
    fail_msg("\"%s\" is in:\n%s", part, text);
  }
}

void assert_metrics(const coverage *c, const expected *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    ratio r;
    assert_int_equal(coverage_get(c, list[i].metric, &r), 0);
    if (r.covered != list[i].covered || r.total != list[i].total) {
      fail_msg("%s is %lu/%lu, not %lu/%lu", list[i].metric, r.covered, r.total, list[i].covered, list[i].total);
    }
  }
}

void assert_fits(const char *text, size_t width) {
  for (const char *line = text; *line != '\0';) {
    size_t length = strcspn(line, "\n");
    char *copy = mem_strndup(line, length);
    if (utf8_columns(copy) > width) {
      fail_msg("too wide: %s", copy);
    }
    free(copy);
    line += length + (line[length] == '\n' ? 1 : 0);
  }
}

const char *string_at(const json_t *object, const char *key) {
  const char *s = json_string_value(json_object_get(object, key));
  assert_non_null(s);
  return s;
}

json_int_t integer_at(const json_t *object, const char *key) {
  assert_true(json_is_integer(json_object_get(object, key)));
  return json_integer_value(json_object_get(object, key));
}

/* As far as docs/schema.json goes: type, required, properties, items, and references to definitions. */
static void check(const json_t *schema, const json_t *rule, const json_t *value, const char *where) {
  const char *reference = json_string_value(json_object_get(rule, "$ref"));
  if (reference != NULL) {
    rule = json_object_get(json_object_get(schema, "$defs"), reference + strlen("#/$defs/"));
    assert_non_null(rule);
  }
  static const char *const types[] = {
      [JSON_OBJECT] = "object", [JSON_ARRAY] = "array",  [JSON_STRING] = "string", [JSON_INTEGER] = "integer",
      [JSON_REAL] = "number",   [JSON_TRUE] = "boolean", [JSON_FALSE] = "boolean", [JSON_NULL] = "null"};
  const json_t *type = json_object_get(rule, "type");
  bool fits = type == NULL || json_is_array(type);
  if (json_is_string(type)) {
    fits = strcmp(json_string_value(type), types[json_typeof(value)]) == 0;
  }
  for (size_t i = 0; i < json_array_size(type); i++) {
    fits = strcmp(json_string_value(json_array_get(type, i)), types[json_typeof(value)]) == 0 || (i > 0 && fits);
  }
  if (!fits) {
    fail_msg("%s is a %s", where, types[json_typeof(value)]);
  }
  size_t i;
  const json_t *entry;
  const json_t *allowed = json_object_get(rule, "enum");
  bool known = allowed == NULL;
  json_array_foreach(allowed, i, entry) { known = known || json_equal(entry, value); }
  if (!known) {
    fail_msg("%s is none of the values that the schema knows", where);
  }
  json_array_foreach(json_object_get(rule, "required"), i, entry) {
    if (json_is_object(value) && json_object_get(value, json_string_value(entry)) == NULL) {
      fail_msg("%s lacks %s", where, json_string_value(entry));
    }
  }
  const char *key;
  json_object_foreach((json_t *)value, key, entry) {
    const json_t *property = json_object_get(json_object_get(rule, "properties"), key);
    property = property == NULL ? json_object_get(rule, "additionalProperties") : property;
    if (property == NULL) {
      fail_msg("the schema does not know %s in %s", key, where);
    }
    check(schema, property, entry, key);
  }
  json_array_foreach(value, i, entry) { check(schema, json_object_get(rule, "items"), entry, where); }
}

/* docs/schema.json; skips the test when it is not in reach. */
static json_t *load_schema(void) {
  const char *const places[] = {"docs/schema.json", "../docs/schema.json", "../../docs/schema.json"};
  json_t *schema = NULL;
  json_error_t problem;
  const char *root = getenv("CLTC_SOURCE_DIR");
  char path[1024];
  if (root != NULL) {
    (void)snprintf(path, sizeof path, "%s/docs/schema.json", root);
    schema = json_load_file(path, 0, &problem);
  }
  for (size_t i = 0; schema == NULL && i < sizeof places / sizeof places[0]; i++) {
    schema = json_load_file(places[i], 0, &problem);
  }
  if (schema == NULL) {
    print_message("docs/schema.json is not in reach of the working directory\n");
    skip();
  }
  return schema;
}

void assert_follows_schema(const char *text) {
  json_error_t problem;
  json_t *schema = load_schema();
  json_t *root = json_loads(text, 0, &problem);
  assert_non_null(root);
  check(schema, schema, root, "the report");
  json_decref(root);
  json_decref(schema);
}

size_t occurrences(const char *text, const char *part) {
  size_t count = 0;
  for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
    count++;
  }
  return count;
}
