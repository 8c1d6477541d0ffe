/* JSON goes out piece by piece, and its values are made here. */
#include "reports/common/json.h"

#include <string.h>

#include "base/buffer.h"
#include "base/utf8.h"
#include "reports/common/report.h"

/* JSON, piece by piece. */

/* Six digits: 66.7, not 66.700000000000003. */
#define DUMP_FLAGS (JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6) | JSON_ENCODE_ANY)

static void dump(json_stream *s, json_t *value) { (void)json_dumpf(value, s->out, DUMP_FLAGS); }

/* A comma after what stands there, a new line, the key. */
static void begin_member(json_stream *s, const char *key) {
  (void)fprintf(s->out, "%s\n%*s", s->any[s->depth] ? "," : "", 2 * (s->depth + 1), "");
  s->any[s->depth] = true;
  if (key != NULL) {
    json_t *name = json_string(key);
    dump(s, name);
    (void)fputs(": ", s->out);
    json_decref(name);
  }
}

static void open_level(json_stream *s, char opening, char closing) {
  (void)fputc(opening, s->out);
  s->depth++;
  s->closing[s->depth] = closing;
  s->any[s->depth] = false;
}

void json_stream_begin(json_stream *s, FILE *out) {
  *s = (json_stream){.out = out, .depth = -1};
  open_level(s, '{', '}');
}

void json_stream_object(json_stream *s, const char *key) {
  begin_member(s, key);
  open_level(s, '{', '}');
}

void json_stream_array(json_stream *s, const char *key) {
  begin_member(s, key);
  open_level(s, '[', ']');
}

void json_stream_value(json_stream *s, const char *key, json_t *value) {
  begin_member(s, key);
  dump(s, value);
  json_decref(value);
}

void json_stream_item(json_stream *s, json_t *value) { json_stream_value(s, NULL, value); }

void json_stream_close(json_stream *s) {
  if (s->any[s->depth]) (void)fprintf(s->out, "\n%*s", 2 * s->depth, "");
  (void)fputc(s->closing[s->depth], s->out);
  s->depth--;
}

int json_stream_end(json_stream *s, error *e) {
  while (s->depth >= 0) json_stream_close(s);
  (void)fputc('\n', s->out);
  return report_written(s->out, e);
}

/* Making JSON values. */

json_t *value_text(const char *text, size_t length) {
  scoped_buffer clean = {0};
  utf8_clean(&clean, text, length);
  return json_stringn(buffer_text(&clean), clean.length);
}

json_t *value_string(const char *text) { return value_text(text, strlen(text)); }

json_t *value_file(const view *v, uint32_t file) {
  return file == MODEL_NONE ? json_null() : value_string(v->files[file].name);
}

void value_set(json_t *object, const char *key, json_t *value) { (void)json_object_set_new(object, key, value); }

void value_add(json_t *array, json_t *value) { (void)json_array_append_new(array, value); }

json_t *value_line(uint32_t file, uint32_t line) { return file == MODEL_NONE ? json_null() : json_integer(line); }

json_t *value_object_of(const value_member *members, size_t count) {
  json_t *object = json_object();
  for (size_t i = 0; i < count; i++)
    if (members[i].value != NULL) value_set(object, members[i].key, members[i].value);
  return object;
}

json_t *value_ratio(const ratio *r) {
  return value_object({"covered", json_integer((json_int_t)r->covered)}, {"total", json_integer((json_int_t)r->total)});
}
