/* Payloads of records: the fields that format.h lists, little-endian, in memory that is used again and again. */
#include <stdlib.h>
#include <string.h>

#include "layer/capture/layer.h"

static byte_buffer out;

static void put_sources(const capture_command *c) {
  bytes_u32(&out, (uint32_t)c->u.program.source_count);
  for (size_t i = 0; i < c->u.program.source_count; i++) {
    const capture_source *s = &c->u.program.sources[i];
    bytes_string(&out, s->text);
    bytes_string(&out, s->options);
    bytes_u32(&out, (uint32_t)s->header_count);
    for (size_t h = 0; h < s->header_count; h++) {
      bytes_string(&out, s->headers[h].name);
      bytes_string(&out, s->headers[h].text);
    }
  }
}

static void put_field(const capture_command *c, const capture_field *f) {
  const unsigned char *at = (const unsigned char *)c + f->offset;
  uint32_t number;
  uint64_t numbers[3];
  bool flag;
  const char *string;
  switch (f->type) {
    case FIELD_U32:
      memcpy(&number, at, sizeof number);
      bytes_u32(&out, number);
      break;
    case FIELD_U64:
      memcpy(numbers, at, sizeof *numbers);
      bytes_u64(&out, numbers[0]);
      break;
    case FIELD_FLAG:
      memcpy(&flag, at, sizeof flag);
      bytes_u32(&out, flag);
      break;
    case FIELD_THREE:
      memcpy(numbers, at, sizeof numbers);
      for (int i = 0; i < 3; i++) bytes_u64(&out, numbers[i]);
      break;
    case FIELD_STRING:
      memcpy(&string, at, sizeof string);
      bytes_string(&out, string);
      break;
    case FIELD_COLOR: bytes_put(&out, at, sizeof c->u.area.color); break;
    case FIELD_PATTERN:
      bytes_u32(&out, c->u.bytes.pattern_size);
      bytes_put(&out, c->u.bytes.pattern, c->u.bytes.pattern_size);
      break;
    case FIELD_VALUE:
      if (c->u.argument.kind == CAPTURE_VALUE) bytes_put(&out, c->u.argument.bytes, (size_t)c->u.argument.size);
      break;
    case FIELD_SOURCES: put_sources(c); break;
    case FIELD_DIGEST:
      bytes_u32(&out, c->known);
      bytes_u64(&out, c->low);
      bytes_u64(&out, c->high);
      break;
    case FIELD_NONE: break;
  }
}

static const unsigned char *taken(size_t *length) {
  *length = out.length;
  return out.failed ? NULL : out.data;
}

const unsigned char *encode(const capture_command *c, size_t *length) {
  bytes_clear(&out);
  for (const capture_field *f = capture_fields[c->kind]; f->type != FIELD_NONE; f++) put_field(c, f);
  return taken(length);
}

const unsigned char *encode_call(const capture_call *c, size_t *length) {
  bytes_clear(&out);
  bytes_u32(&out, (uint32_t)c->function);
  bytes_u32(&out, c->thread);
  bytes_u32(&out, c->queue);
  bytes_u32(&out, c->blocking);
  bytes_u32(&out, c->event);
  bytes_u32(&out, c->memory);
  bytes_u64(&out, c->flags);
  bytes_u64(&out, c->offset);
  bytes_u64(&out, c->size);
  bytes_u32(&out, (uint32_t)c->wait_count);
  for (size_t i = 0; i < c->wait_count; i++) bytes_u32(&out, c->waits[i]);
  bytes_string(&out, c->module);
  bytes_u64(&out, c->place);
  return taken(length);
}

const unsigned char *encode_strings(const uint32_t *number, const char *const *strings, size_t count, size_t *length) {
  bytes_clear(&out);
  if (number != NULL) bytes_u32(&out, *number);
  for (size_t i = 0; i < count; i++) bytes_string(&out, strings[i]);
  return taken(length);
}
