/* Bytes of buffers in the words of a suite file. */
#ifndef CLTC_CASES_DESCRIBE_H
#define CLTC_CASES_DESCRIBE_H

#include "cases/internal.h"

/* Appends "fill: 0", "ramp: {…}", … which give exactly these bytes; where none does, writes the file `name` of the folder.
 * -1 with `e` set: it cannot be written. */
int describe_bytes(const element_type *type, const unsigned char *bytes, size_t size, const char *folder,
                   const char *name, buffer *out, error *e);
/* Appends one number; and whether that text gives the same bytes again. */
void describe_number(uint32_t kind, const unsigned char *bytes, buffer *out);
bool describe_is_exact(uint32_t kind, const unsigned char *bytes);

#endif
