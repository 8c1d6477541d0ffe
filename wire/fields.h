/* Reading and writing the fields of protocol messages (wire/protocol.h) on cltestcheck's side. */
#ifndef CLTC_WIRE_FIELDS_H
#define CLTC_WIRE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "wire/forms.h"
#include "wire/reader.h"

/* A copy with a NUL after it, to be freed; `length` may be NULL. */
char *wire_string(wire_reader *r, size_t *length);

void wire_put_u32(buffer *b, uint32_t value);
void wire_put_u64(buffer *b, uint64_t value);
void wire_put_string(buffer *b, const char *text, size_t length);
/* Begins a message of `type`; wire_end fills in its length. */
void wire_begin(buffer *b, uint32_t type);
void wire_end(buffer *b);

#endif
