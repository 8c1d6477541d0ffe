/* Changes of a text, and where places of the changed text come from. */
#ifndef CLTC_REPAIR_PATCH_H
#define CLTC_REPAIR_PATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

#define PATCH_NOWHERE SIZE_MAX
#define PATCH_NO_SPOT UINT32_MAX

typedef struct patch_change {
  size_t offset, removed; /* bytes of the original */
  char *text;             /* put there instead */
  uint32_t spot;          /* on whose account, PATCH_NO_SPOT: of none */
  size_t number;          /* at one offset the earlier one comes first */
} patch_change;

typedef struct patch {
  patch_change *items;
  size_t count, capacity;
} patch;

/* Takes over `text`. */
void patch_add(patch *p, size_t offset, size_t removed, char *text, uint32_t spot);
/* Writes the changed text; puts the changes in order. Removed parts must not overlap. */
void patch_apply(patch *p, const char *text, size_t length, buffer *out);
/* Where a byte of the changed text was in the original, after patch_apply. In text that was put in it is the offset of
 * the change, and `*spot` says on whose account; else that is PATCH_NO_SPOT. */
size_t patch_origin(const patch *p, size_t offset, uint32_t *spot);
void patch_free(patch *p);

/* The offset of a line and column (from 1, in bytes) of a text; PATCH_NOWHERE: there is no such line. */
size_t text_offset(const char *text, size_t length, uint32_t line, uint32_t column);
/* The line of an offset, from 1. */
uint32_t line_at(const char *text, size_t offset);

#endif
