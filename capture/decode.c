/* Payloads of records: the fields that format.h lists. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "capture/capture_internal.h"

typedef struct cursor {
  const unsigned char *at;
  size_t left;
  bool failed;
} cursor;

static const unsigned char *take(cursor *in, size_t size) {
  const unsigned char *bytes = in->at;
  if (in->failed || size > in->left) {
    in->failed = true;
    return NULL;
  }
  in->at += size;
  in->left -= size;
  return bytes;
}

static uint64_t take_number(cursor *in, size_t size) {
  const unsigned char *bytes = take(in, size);
  uint64_t value = 0;
  for (size_t i = size; bytes && i-- > 0;) {
    value = value << 8 | bytes[i];
  }
  return value;
}

static uint32_t take_u32(cursor *in) { return (uint32_t)take_number(in, 4); }

static bool take_flag(cursor *in) {
  uint32_t value = take_u32(in);
  in->failed = in->failed || value > 1;
  return value == 1;
}

static void take_bytes(cursor *in, void *to, size_t size) {
  const unsigned char *bytes = take(in, size);
  if (bytes && size) {
    memcpy(to, bytes, size);
  }
}

/* NULL once it has failed. */
static char *take_string(cursor *in) {
  uint32_t length = take_u32(in);
  const unsigned char *bytes = take(in, length);
  if (bytes && length && memchr(bytes, 0, length)) {
    in->failed = true;
  }
  return bytes && !in->failed ? mem_strndup((const char *)bytes, length) : NULL;
}

/* ---- fields ---- */

static void take_source(cursor *in, capture_source *s) {
  s->text = take_string(in);
  s->options = take_string(in);
  uint32_t count = take_u32(in);
  if (in->failed || count > in->left / 8) { /* two lengths each */
    in->failed = true;
    return;
  }
  s->headers = mem_calloc(count, sizeof *s->headers);
  s->header_count = count;
  for (uint32_t i = 0; i < count; i++) {
    s->headers[i].name = take_string(in);
    s->headers[i].text = take_string(in);
  }
}

static void take_sources(cursor *in, capture_command *c) {
  uint32_t count = take_u32(in);
  if (in->failed || count > in->left / 12) { /* two lengths and a count each */
    in->failed = true;
    return;
  }
  c->u.program.sources = mem_calloc(count, sizeof *c->u.program.sources);
  c->u.program.source_count = count;
  for (uint32_t i = 0; i < count; i++) {
    take_source(in, &c->u.program.sources[i]);
  }
}

static void take_pattern(cursor *in, capture_command *c) {
  c->u.bytes.pattern_size = take_u32(in);
  if (c->u.bytes.pattern_size > sizeof c->u.bytes.pattern) {
    in->failed = true;
  }
  take_bytes(in, c->u.bytes.pattern, c->u.bytes.pattern_size);
}

static void take_value(cursor *in, capture_command *c) {
  if (c->u.argument.kind != CAPTURE_VALUE) {
    return;
  }
  const unsigned char *bytes = c->u.argument.size <= in->left ? take(in, (size_t)c->u.argument.size) : NULL;
  if (bytes == NULL) {
    in->failed = true;
    return;
  }
  c->u.argument.bytes = mem_calloc(1, (size_t)c->u.argument.size);
  memcpy(c->u.argument.bytes, bytes, (size_t)c->u.argument.size);
}

static void take_field(cursor *in, capture_command *c, const capture_field *f) {
  unsigned char *at = (unsigned char *)c + f->offset;
  uint64_t numbers[3];
  uint32_t number;
  bool flag;
  char *string;
  switch (f->type) {
    case FIELD_U32:
      number = take_u32(in);
      memcpy(at, &number, sizeof number);
      break;
    case FIELD_U64:
      numbers[0] = take_number(in, 8);
      memcpy(at, numbers, sizeof *numbers);
      break;
    case FIELD_FLAG:
      flag = take_flag(in);
      memcpy(at, &flag, sizeof flag);
      break;
    case FIELD_THREE:
      for (int i = 0; i < 3; i++) {
        numbers[i] = take_number(in, 8);
      }
      memcpy(at, numbers, sizeof numbers);
      break;
    case FIELD_STRING:
      string = take_string(in);
      memcpy(at, &string, sizeof string);
      break;
    case FIELD_COLOR:
      take_bytes(in, at, sizeof c->u.area.color);
      break;
    case FIELD_PATTERN:
      take_pattern(in, c);
      break;
    case FIELD_VALUE:
      take_value(in, c);
      break;
    case FIELD_SOURCES:
      take_sources(in, c);
      break;
    case FIELD_DIGEST:
      c->known = take_flag(in);
      c->low = take_number(in, 8);
      c->high = take_number(in, 8);
      break;
    case FIELD_NONE:
      break;
  }
}

/* ---- records ---- */

bool decode(capture_command *c, uint32_t kind, const unsigned char *payload, size_t length) {
  cursor in = {.at = payload, .left = length};
  *c = (capture_command){.kind = (capture_kind)kind};
  for (const capture_field *f = capture_fields[kind]; f->type != FIELD_NONE; f++) {
    take_field(&in, c, f);
  }
  if (!in.failed && !in.left) {
    return true;
  }
  command_free(c);
  return false;
}

static void take_waits(cursor *in, capture_call *c) {
  const uint32_t count = take_u32(in);
  if (in->failed || count > in->left / 4) {
    in->failed = true;
    return;
  }
  c->waits = mem_calloc(count, sizeof *c->waits);
  for (c->wait_count = 0; c->wait_count < count; c->wait_count++) {
    c->waits[c->wait_count] = take_u32(in);
  }
}

bool decode_call(capture_call *c, const unsigned char *payload, size_t length) {
  cursor in = {.at = payload, .left = length};
  *c = (capture_call){0};
  const uint32_t function = take_u32(&in);
  c->function = function < FUNCTION_KINDS ? (capture_function)function : FUNCTION_KINDS;
  c->thread = take_u32(&in);
  c->queue = take_u32(&in);
  c->blocking = take_flag(&in);
  c->event = take_u32(&in);
  c->memory = take_u32(&in);
  c->flags = take_number(&in, 8);
  c->offset = take_number(&in, 8);
  c->size = take_number(&in, 8);
  take_waits(&in, c);
  const bool placed = !in.failed && in.left > 0;
  c->module = placed ? take_string(&in) : mem_strdup("");
  c->place = placed ? take_number(&in, 8) : 0;
  if (!in.failed && !in.left) {
    return true;
  }
  call_free(c);
  return false;
}

void call_free(capture_call *c) {
  free(c->waits);
  free(c->module);
}

static double take_real(cursor *in) {
  const uint64_t bits = take_number(in, 8);
  double value = 0;
  memcpy(&value, &bits, sizeof value);
  return value;
}

bool decode_expectation(capture_expectation *x, const unsigned char *payload, size_t length) {
  cursor in = {.at = payload, .left = length};
  *x = (capture_expectation){.name = take_string(&in)};
  x->number = take_u32(&in);
  x->lanes = take_u32(&in);
  x->used = take_u32(&in);
  x->first = take_number(&in, 8);
  x->blob = take_u32(&in);
  x->ulp = take_number(&in, 8);
  x->relative = take_real(&in);
  x->absolute = take_real(&in);
  if (!in.failed && !in.left) {
    return true;
  }
  free(x->name);
  return false;
}

bool decode_strings(uint32_t *number, char **strings, size_t count, const unsigned char *payload, size_t length) {
  cursor in = {.at = payload, .left = length};
  if (number) {
    *number = take_u32(&in);
  }
  for (size_t i = 0; i < count; i++) {
    strings[i] = take_string(&in);
  }
  return !in.failed && !in.left;
}

static void free_sources(capture_command *c) {
  for (size_t i = 0; i < c->u.program.source_count; i++) {
    capture_source *s = &c->u.program.sources[i];
    for (size_t h = 0; h < s->header_count; h++) {
      free(s->headers[h].name);
      free(s->headers[h].text);
    }
    free(s->headers);
    free(s->text);
    free(s->options);
  }
  free(c->u.program.sources);
  free(c->u.program.link_options);
}

void command_free(capture_command *c) {
  if (c->kind == CAPTURE_PROGRAM) {
    free_sources(c);
  } else if (c->kind == CAPTURE_KERNEL) {
    free(c->u.kernel.name);
  } else if (c->kind == CAPTURE_ARGUMENT) {
    free(c->u.argument.bytes);
  }
}
