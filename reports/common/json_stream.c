/* JSON, piece by piece. */
#include "reports/common/json_stream.h"

#include "reports/common/writers.h"

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
  if (s->any[s->depth]) {
    (void)fprintf(s->out, "\n%*s", 2 * s->depth, "");
  }
  (void)fputc(s->closing[s->depth], s->out);
  s->depth--;
}

int json_stream_end(json_stream *s, error *e) {
  while (s->depth >= 0) {
    json_stream_close(s);
  }
  (void)fputc('\n', s->out);
  return report_written(s->out, e);
}
