/* Writing a large JSON report piece by piece: objects and arrays are opened and closed, what is in them is handed over
 * value by value and forgotten. A value is one line. */
#ifndef CLTC_REPORTS_COMMON_JSON_STREAM_H
#define CLTC_REPORTS_COMMON_JSON_STREAM_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

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

#endif
