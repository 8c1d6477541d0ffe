/* An instrumentation result as bytes, so that a process of its own can make it: a crash of libclang then costs one
 * program's coverage. */
#ifndef CLTC_INSTRUMENT_ARCHIVE_H
#define CLTC_INSTRUMENT_ARCHIVE_H

#include "base/buffer.h"
#include "instrument/instrument.h"

void archive_write(const instrument_result *r, buffer *out);
/* Returns -1 when the bytes end early. Release `*out` in every case. */
int archive_read(const void *bytes, size_t length, instrument_result *out);

#endif
