/* Writers that formats share: JSON piece by piece, objects and arrays are opened and closed, what is in them is handed over
 * value by value and forgotten, a value is one line; text that may hold anything, in XML and Markdown. */
#ifndef CLTC_REPORTS_COMMON_JSON_H
#define CLTC_REPORTS_COMMON_JSON_H

#include <jansson.h>

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

/* Text that may hold anything, in GitHub's Markdown (none of it is taken for markup, HTML, a mention or a reference)
 * and in XML. */

/* Pieces: one line of prose, also inside HTML; a code span, nothing for "". */
const char *markdown_text(report_out *to, const char *text);
const char *markdown_code(report_out *to, const char *text, bool in_table);
/* Appends the lines of `length` bytes, at most `most` of them, each after a prefix and cut to MARKDOWN_LINE. */
void markdown_lines(buffer *to, const char *prefix, const char *text, size_t length, size_t most);
/* A piece: such lines as a block of code in a language. */
const char *markdown_block(report_out *to, const char *language, const buffer *lines);

/* A piece: text of an element, or of an attribute in double quotes; what XML cannot hold becomes U+FFFD. */
const char *xml_text(report_out *to, const char *text);

#endif
