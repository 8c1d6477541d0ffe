/* Payloads of records: the fields that format.h lists, little-endian, in memory that is used again and again. */
#include <stdlib.h>
#include <string.h>

#include "layer/capture/layer.h"

static struct {
  unsigned char *bytes;
  size_t length, capacity;
  bool failed;
} out;

static void put(const void *bytes, size_t length) {
  if (length > out.capacity - out.length) {
    size_t capacity = 2 * (out.length + length) + 256;
    unsigned char *grown = out.failed ? NULL : realloc(out.bytes, capacity);
    if (!grown) {
      out.failed = true;
      return;
    }
    out.bytes = grown;
    out.capacity = capacity;
  }
  if (length)
    memcpy(out.bytes + out.length, bytes, length);
  out.length += length;
}

static void put_number(uint64_t value, size_t size) {
  unsigned char bytes[8];
  for (size_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)(value >> (8 * i));
  put(bytes, size);
}

static void put_u32(uint32_t value) { put_number(value, 4); }
static void put_u64(uint64_t value) { put_number(value, 8); }

static void put_string(const char *s) {
  size_t length = s ? strlen(s) : 0;
  put_u32((uint32_t)length);
  put(s, length);
}

static void put_sources(const capture_command *c) {
  put_u32((uint32_t)c->u.program.source_count);
  for (size_t i = 0; i < c->u.program.source_count; i++) {
    const capture_source *s = &c->u.program.sources[i];
    put_string(s->text);
    put_string(s->options);
    put_u32((uint32_t)s->header_count);
    for (size_t h = 0; h < s->header_count; h++) {
      put_string(s->headers[h].name);
      put_string(s->headers[h].text);
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
      put_u32(number);
      break;
    case FIELD_U64:
      memcpy(numbers, at, sizeof *numbers);
      put_u64(numbers[0]);
      break;
    case FIELD_FLAG:
      memcpy(&flag, at, sizeof flag);
      put_u32(flag);
      break;
    case FIELD_THREE:
      memcpy(numbers, at, sizeof numbers);
      for (int i = 0; i < 3; i++)
        put_u64(numbers[i]);
      break;
    case FIELD_STRING:
      memcpy(&string, at, sizeof string);
      put_string(string);
      break;
    case FIELD_COLOR:
      put(at, sizeof c->u.area.color);
      break;
    case FIELD_PATTERN:
      put_u32(c->u.bytes.pattern_size);
      put(c->u.bytes.pattern, c->u.bytes.pattern_size);
      break;
    case FIELD_VALUE:
      if (c->u.argument.kind == CAPTURE_VALUE)
        put(c->u.argument.bytes, (size_t)c->u.argument.size);
      break;
    case FIELD_SOURCES:
      put_sources(c);
      break;
    case FIELD_DIGEST:
      put_u32(c->known);
      put_u64(c->low);
      put_u64(c->high);
      break;
    case FIELD_NONE:
      break;
  }
}

static const unsigned char *taken(size_t *length) {
  *length = out.length;
  return out.failed ? NULL : out.bytes;
}

const unsigned char *encode(const capture_command *c, size_t *length) {
  out.length = 0;
  out.failed = false;
  for (const capture_field *f = capture_fields[c->kind]; f->type != FIELD_NONE; f++)
    put_field(c, f);
  return taken(length);
}

const unsigned char *encode_strings(const uint32_t *number, const char *const *strings, size_t count, size_t *length) {
  out.length = 0;
  out.failed = false;
  if (number)
    put_u32(*number);
  for (size_t i = 0; i < count; i++)
    put_string(strings[i]);
  return taken(length);
}
