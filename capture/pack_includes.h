/* Files that the kernels of a capture include, on their way into the packed capture. */
#ifndef CLTC_CAPTURE_PACK_INCLUDES_H
#define CLTC_CAPTURE_PACK_INCLUDES_H

#include "base/buffer.h"
#include "capture/capture.h"

/* Looks for the files that the programs of a capture include, where they were, and appends their records. */
void includes_write(const capture *c, buffer *out);
/* Appends a record of strings. */
void record_strings(buffer *out, uint32_t kind, size_t count, const char *const *strings);

#endif
