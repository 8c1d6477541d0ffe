/* Blobs: bytes that went to the device, recorded once however often they go. Equal digests are equal bytes. */
#include <stdlib.h>
#include <string.h>

#include "layer/capture/layer.h"

typedef struct blob {
  uint64_t low, high, size;
  uint32_t number;
  bool used;
} blob;

static blob *table;
static size_t capacity; /* a power of two, or 0 */
static uint32_t count;

static blob *locate(blob *in, size_t size, const blob *wanted) {
  size_t at = (size_t)wanted->low & (size - 1);
  while (in[at].used && (in[at].low != wanted->low || in[at].high != wanted->high || in[at].size != wanted->size))
    at = (at + 1) & (size - 1);
  return &in[at];
}

static bool grow(void) {
  size_t larger = capacity ? 2 * capacity : 1024;
  blob *fresh = calloc(larger, sizeof *fresh);
  if (fresh == NULL) return false;
  for (size_t i = 0; i < capacity; i++)
    if (table[i].used) *locate(fresh, larger, &table[i]) = table[i];
  free(table);
  table = fresh;
  capacity = larger;
  return true;
}

uint32_t blob_of_bytes(const void *bytes, size_t size) {
  bytes_digest digest = digest_of(bytes, size);
  blob wanted = {.low = digest.low, .high = digest.high, .size = size, .number = count, .used = true};
  if (count >= capacity / 2 && !grow()) {
    unsuitable("the capture ran out of memory");
    return CAPTURE_NONE;
  }
  blob *found = locate(table, capacity, &wanted);
  if (found->used) return found->number;
  file_record(RECORD_BLOB, bytes, size);
  if (!recording()) return CAPTURE_NONE;
  *found = wanted;
  return count++;
}

uint32_t blob_of(const area *a) {
  unsigned char *owned;
  const unsigned char *bytes = area_bytes(a, &owned);
  uint32_t number = CAPTURE_NONE;
  if (bytes != NULL)
    number = blob_of_bytes(bytes, area_size(a));
  else
    unsuitable("the capture ran out of memory");
  free(owned);
  return number;
}

void area_digest(const area *a, capture_command *c) {
  unsigned char *owned;
  const unsigned char *bytes = area_bytes(a, &owned);
  c->known = bytes != NULL;
  if (bytes != NULL) {
    bytes_digest digest = digest_of(bytes, area_size(a));
    c->low = digest.low;
    c->high = digest.high;
  }
  free(owned);
}

void blob_after_fork(void) {
  free(table);
  table = NULL;
  capacity = 0;
  count = 0;
}
