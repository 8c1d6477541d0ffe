/* Writing a large JSON report piece by piece: objects and arrays are opened and closed, what is in them is handed over
 * value by value and forgotten. A value is one line. */
#ifndef CLTC_REPORTS_COMMON_JSON_H
#define CLTC_REPORTS_COMMON_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "reports/common/report.h"

enum { STREAM_DEPTH = 16 };

typedef struct json_stream {
  FILE *out;
  int depth;
  char closing[STREAM_DEPTH];
  bool any[STREAM_DEPTH]; /* something stands in it */
} json_stream;

/* Opens the report's object. */
void json_stream_begin(json_stream *s, FILE *out);
/* Opens an object or an array; `key` is NULL inside an array. */
void json_stream_object(json_stream *s, const char *key);
void json_stream_array(json_stream *s, const char *key);
/* Writes and releases a value. */
void json_stream_value(json_stream *s, const char *key, json_t *value);
/* The same inside an array. */
void json_stream_item(json_stream *s, json_t *value);
/* Closes what was opened last. */
void json_stream_close(json_stream *s);
/* Closes all that is open; 0 when everything reached the file. */
int json_stream_end(json_stream *s, error *e);

/* A JSON string; what is not UTF-8 becomes U+FFFD, as JSON cannot hold it. */
json_t *value_text(const char *text, size_t length);
json_t *value_string(const char *text);
/* A file's name and a line of it, null for none. */
json_t *value_file(const view *v, uint32_t file);
json_t *value_line(uint32_t file, uint32_t line);
/* What is covered of what. */
json_t *value_ratio(const ratio *r);
/* An object of {key, value}, …; a NULL leaves its key out. */
typedef struct value_member {
  const char *key;
  json_t *value;
} value_member;
json_t *value_object_of(const value_member *members, size_t count);
#define value_object(...)                              \
  value_object_of((const value_member[]){__VA_ARGS__}, \
                  sizeof((const value_member[]){__VA_ARGS__}) / sizeof(value_member))
/* Gives `value` to an object or an array. */
void value_set(json_t *object, const char *key, json_t *value);
void value_add(json_t *array, json_t *value);
/* The parts of the JSON report on mutants (json_experiments.c). */
void value_mutation(json_stream *report, const view *v, const report_options *options);
/* Those on launches and schedules (json_experiments.c). */
void value_amplification(json_stream *report, const view *v, const report_options *options);

#endif
