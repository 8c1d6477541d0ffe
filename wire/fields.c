/* Little-endian fields. */
#include "wire/fields.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "wire/answer.h"
#include "wire/protocol.h"

char *wire_string(wire_reader *r, size_t *length) {
  const size_t n = wire_u32(r);
  const unsigned char *bytes = wire_bytes(r, n);
  if (length != NULL) *length = bytes != NULL ? n : 0;
  return mem_strndup(bytes != NULL ? (const char *)bytes : "", bytes != NULL ? n : 0);
}

void wire_put_u32(buffer *b, uint32_t value) {
  unsigned char bytes[4];
  wire_store_u32(bytes, value);
  buffer_append(b, bytes, sizeof bytes);
}

void wire_put_u64(buffer *b, uint64_t value) {
  wire_put_u32(b, (uint32_t)value);
  wire_put_u32(b, (uint32_t)(value >> 32));
}

void wire_put_string(buffer *b, const char *text, size_t length) {
  wire_put_u32(b, (uint32_t)length);
  buffer_append(b, text, length);
}

void wire_begin(buffer *b, uint32_t type) {
  wire_put_u32(b, type);
  wire_put_u32(b, 0);
}

void wire_end(buffer *b) { wire_store_u32((unsigned char *)b->data + 4, (uint32_t)(b->length - 8)); }

/* ---- MESSAGE_INSTRUMENTED: the fields of a kernel are those that the row of its form names ---- */

static void put_text(buffer *b, const char *text) { wire_put_string(b, text, strlen(text)); }

void answer_untouched(buffer *b, const char *reason) {
  wire_begin(b, MESSAGE_INSTRUMENTED);
  wire_put_u32(b, INSTRUMENTED_NOT);
  put_text(b, reason);
  wire_end(b);
}

void answer_begin(buffer *b, uint32_t program, char *const *texts, char *const *options, size_t count,
                  const char *more) {
  wire_begin(b, MESSAGE_INSTRUMENTED);
  wire_put_u32(b, INSTRUMENTED_OK);
  wire_put_u32(b, program);
  wire_put_u32(b, (uint32_t)count);
  for (size_t i = 0; i < count; i++) {
    scoped_buffer all = buffer_with("%s%s", options[i], more);
    put_text(b, texts[i]);
    put_text(b, buffer_text(&all));
  }
}

void answer_kernels(buffer *b, size_t count) { wire_put_u32(b, (uint32_t)count); }

static void put_objects(buffer *b, const answer_kernel *k) {
  wire_put_u32(b, k->object_count);
  for (uint32_t i = 0; i < k->object_count; i++) {
    const answer_object *o = &k->objects[i];
    wire_put_u32(b, o->argument);
    wire_put_u32(b, o->local ? 1 : 0);
    wire_put_u32(b, o->shift);
    wire_put_u32(b, o->writes ? 1 : 0);
  }
}

void answer_kernel_put(buffer *b, const answer_kernel *k) {
  assert(k->form != KERNEL_UNKNOWN && k->form < KERNEL_FORM_COUNT);
  const uint32_t fields = kernel_forms[k->form].fields;
  put_text(b, k->name);
  wire_put_u32(b, k->form);
  wire_put_u32(b, k->flag_words);
  wire_put_u32(b, k->total_words);
  if (fields & FIELD_PLANES) wire_put_u32(b, k->planes);
  if (fields & FIELD_ITEM_BYTES) wire_put_u32(b, k->item_bytes);
  if (fields & FIELD_BITS) wire_put_u32(b, k->bits);
  if (fields & FIELD_MUTANT) {
    put_text(b, k->launched);
    wire_put_u32(b, k->mutant);
    wire_put_u32(b, k->fuel);
  }
  if (fields & FIELD_AREA) wire_put_u32(b, k->area);
  if (fields & FIELD_OBJECTS) put_objects(b, k);
}
