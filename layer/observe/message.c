/* Fields of the protocol's messages: written into a growing buffer, read with bounds. Out of memory only marks the
 * message as failed. */
#include <stdlib.h>
#include <string.h>

#include "layer/observe/layer.h"

#define HEADER_BYTES 8u

static bool message_room(message *m, size_t more) {
  if (m->failed)
    return false;
  if (more > PROTOCOL_MESSAGE_CAP - m->length) {
    m->failed = true;
    return false;
  }
  size_t needed = m->length + more;
  if (needed <= m->capacity)
    return true;
  size_t capacity = m->capacity ? m->capacity : 256;
  while (capacity < needed)
    capacity *= 2;
  unsigned char *data = realloc(m->data, capacity);
  if (!data) {
    m->failed = true;
    return false;
  }
  m->data = data;
  m->capacity = capacity;
  return true;
}

static void put_u32(unsigned char *at, uint32_t value) {
  for (int i = 0; i < 4; i++)
    at[i] = (unsigned char)(value >> (8 * i));
}

void message_u32(message *m, uint32_t value) {
  if (!message_room(m, 4))
    return;
  put_u32(m->data + m->length, value);
  m->length += 4;
  put_u32(m->data + 4, (uint32_t)(m->length - HEADER_BYTES));
}

void message_start(message *m, uint32_t type) {
  *m = (message){0};
  if (!message_room(m, HEADER_BYTES))
    return;
  put_u32(m->data, type);
  put_u32(m->data + 4, 0);
  m->length = HEADER_BYTES;
}

void message_u64(message *m, uint64_t value) {
  message_u32(m, (uint32_t)value);
  message_u32(m, (uint32_t)(value >> 32));
}

void message_bytes(message *m, const void *bytes, size_t length) {
  if (length > PROTOCOL_MESSAGE_CAP) {
    m->failed = true;
    return;
  }
  message_u32(m, (uint32_t)length);
  if (!message_room(m, length))
    return;
  if (length)
    memcpy(m->data + m->length, bytes, length);
  m->length += length;
  put_u32(m->data + 4, (uint32_t)(m->length - HEADER_BYTES));
}

void message_string(message *m, const char *s) { message_bytes(m, s ? s : "", s ? strlen(s) : 0); }

void message_words(message *m, const uint32_t *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    message_u32(m, words[i]);
}

void message_append(message *m, const message *other) {
  m->failed = m->failed || other->failed;
  if (!other->length || !message_room(m, other->length))
    return;
  memcpy(m->data + m->length, other->data, other->length);
  m->length += other->length;
}

void message_free(message *m) {
  free(m->data);
  *m = (message){0};
}

uint32_t read_u32(reader *r) {
  if (r->failed || r->left < 4) {
    r->failed = true;
    return 0;
  }
  uint32_t value = 0;
  for (int i = 0; i < 4; i++)
    value |= (uint32_t)r->at[i] << (8 * i);
  r->at += 4;
  r->left -= 4;
  return value;
}

uint64_t read_u64(reader *r) {
  uint64_t low = read_u32(r);
  return low | (uint64_t)read_u32(r) << 32;
}

char *read_string(reader *r) {
  uint32_t length = read_u32(r);
  if (r->failed || r->left < length) {
    r->failed = true;
    return NULL;
  }
  char *s = malloc((size_t)length + 1);
  if (!s) {
    r->failed = true;
    return NULL;
  }
  memcpy(s, r->at, length);
  s[length] = '\0';
  r->at += length;
  r->left -= length;
  return s;
}
