/* A mutate_result as bytes, so that a process of its own can make it (instrument/archive.h). */
#ifndef CLTC_MUTATE_ARCHIVE_H
#define CLTC_MUTATE_ARCHIVE_H

#include "base/buffer.h"
#include "mutate/mutate.h"

void mutate_archive_write(const mutate_result *r, buffer *out);
/* Returns -1 when the bytes end early. Release `*out` in every case. */
int mutate_archive_read(const void *bytes, size_t length, mutate_result *out);

#endif
