/* Writing a capture that was composed in memory: the same records as the layer writes, in a raw file. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "capture/capture_internal.h"
#include "capture/pack_includes.h"
#include "wire/fields.h"

typedef struct writing {
  const capture *capture;
  FILE *out;
  const char *to; /* its name */
  error *e;
} writing;

static int put(const writing *w, const void *bytes, size_t length) {
  return length == 0 || fwrite(bytes, 1, length, w->out) == length
             ? 0
             : error_set(w->e, EXIT_INTERNAL, "cannot write the capture %s: %s", w->to, strerror(errno));
}

static int put_record(const writing *w, uint32_t kind, const void *payload, size_t length) {
  buffer header = {0};
  wire_put_u32(&header, kind);
  wire_put_u64(&header, length);
  const int result = put(w, header.data, header.length) != 0 || put(w, payload, length) != 0 ? -1 : 0;
  buffer_free(&header);
  return result;
}

/* ---- fields ---- */

static void put_string(buffer *b, const char *text) { wire_put_string(b, text, strlen(text)); }

static void put_sources(const capture_command *c, buffer *b) {
  wire_put_u32(b, (uint32_t)c->u.program.source_count);
  for (size_t i = 0; i < c->u.program.source_count; i++) {
    const capture_source *s = &c->u.program.sources[i];
    put_string(b, s->text);
    put_string(b, s->options);
    wire_put_u32(b, (uint32_t)s->header_count);
    for (size_t h = 0; h < s->header_count; h++) {
      put_string(b, s->headers[h].name);
      put_string(b, s->headers[h].text);
    }
  }
}

static void put_special(const capture_command *c, capture_field_type type, buffer *b) {
  if (type == FIELD_SOURCES) {
    put_sources(c, b);
  } else if (type == FIELD_PATTERN) {
    wire_put_u32(b, c->u.bytes.pattern_size);
    buffer_append(b, c->u.bytes.pattern, c->u.bytes.pattern_size);
  } else if (type == FIELD_DIGEST) {
    wire_put_u32(b, c->known ? 1 : 0);
    wire_put_u64(b, c->low);
    wire_put_u64(b, c->high);
  } else if (type == FIELD_VALUE && c->u.argument.kind == CAPTURE_VALUE) {
    buffer_append(b, c->u.argument.bytes, (size_t)c->u.argument.size);
  }
}

static void put_field(const capture_command *c, const capture_field *f, buffer *b) {
  const char *at = (const char *)c + f->offset;
  switch (f->type) {
    case FIELD_U32:
      wire_put_u32(b, *(const uint32_t *)(const void *)at);
      break;
    case FIELD_U64:
      wire_put_u64(b, *(const uint64_t *)(const void *)at);
      break;
    case FIELD_FLAG:
      wire_put_u32(b, *(const bool *)at ? 1 : 0);
      break;
    case FIELD_THREE:
      for (size_t i = 0; i < 3; i++) {
        wire_put_u64(b, ((const uint64_t *)(const void *)at)[i]);
      }
      break;
    case FIELD_STRING:
      put_string(b, *(char *const *)(const void *)at);
      break;
    case FIELD_COLOR:
      buffer_append(b, at, 16);
      break;
    default:
      put_special(c, f->type, b);
  }
}

static int put_command(const writing *w, const capture_command *c) {
  buffer payload = {0};
  for (size_t i = 0; i < CAPTURE_FIELDS_MOST && capture_fields[c->kind][i].type != FIELD_NONE; i++) {
    put_field(c, &capture_fields[c->kind][i], &payload);
  }
  const int result = put_record(w, c->kind, payload.data, payload.length);
  buffer_free(&payload);
  return result;
}

static void put_real(buffer *b, double value) {
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  wire_put_u64(b, bits);
}

static int put_expectation(const writing *w, const capture_expectation *x) {
  buffer payload = {0};
  put_string(&payload, x->name);
  wire_put_u32(&payload, x->number);
  wire_put_u32(&payload, x->lanes);
  wire_put_u32(&payload, x->used);
  wire_put_u64(&payload, x->first);
  wire_put_u32(&payload, x->blob);
  wire_put_u64(&payload, x->ulp);
  put_real(&payload, x->relative);
  put_real(&payload, x->absolute);
  const int result = put_record(w, RECORD_EXPECT, payload.data, payload.length);
  buffer_free(&payload);
  return result;
}

/* ---- the whole ---- */

static int put_start(const writing *w) {
  const capture *c = w->capture;
  buffer start = {0}, device = {0}, includes = {0};
  wire_put_u32(&start, CAPTURE_VERSION);
  put_string(&start, c->program);
  put_string(&start, c->directory);
  put_string(&device, c->device);
  for (size_t i = 0; i < c->include_count; i++) {
    record_strings(&includes, RECORD_INCLUDE, 2, (const char *const[]){c->includes[i].path, c->includes[i].text});
  }
  const bool fine = put(w, CAPTURE_MAGIC_RAW, CAPTURE_MAGIC_SIZE) == 0 &&
                    put_record(w, RECORD_START, start.data, start.length) == 0 &&
                    put_record(w, RECORD_DEVICE, device.data, device.length) == 0 &&
                    put(w, includes.data, includes.length) == 0;
  buffer_free(&start);
  buffer_free(&device);
  buffer_free(&includes);
  return fine ? 0 : -1;
}

static int put_end(const writing *w) {
  buffer end = {0};
  wire_put_u64(&end, w->capture->command_count);
  wire_put_u64(&end, w->capture->blob_count);
  const int result = put_record(w, RECORD_END, end.data, end.length);
  buffer_free(&end);
  return result;
}

static int put_all(const writing *w) {
  const capture *c = w->capture;
  const capture_expectation *next = c->expectations, *behind = next + c->expectation_count;
  int result = put_start(w);
  for (size_t i = 0; i < c->blob_count && result == 0; i++) {
    result = put_record(w, RECORD_BLOB, c->blobs[i].bytes, c->blobs[i].size);
  }
  for (size_t i = 0; i < c->command_count && result == 0; i++) {
    result = put_command(w, &c->commands[i]);
    for (; result == 0 && next < behind && next->command == i; next++) {
      result = put_expectation(w, next);
    }
  }
  return result == 0 ? put_end(w) : -1;
}

int capture_write(const capture *c, const char *to, error *e) {
  writing w = {c, fopen(to, "wbe"), to, e};
  if (w.out == NULL) {
    return error_set(e, EXIT_INTERNAL, "cannot write the capture %s: %s", to, strerror(errno));
  }
  int result = put_all(&w);
  if (fclose(w.out) != 0 && result == 0) {
    result = error_set(e, EXIT_INTERNAL, "cannot write the capture %s: %s", to, strerror(errno));
  }
  return result;
}
