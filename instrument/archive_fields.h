/* The parts that archives are made of. One description serves both directions: each function reads or writes its part.
 */
#ifndef CLTC_INSTRUMENT_ARCHIVE_FIELDS_H
#define CLTC_INSTRUMENT_ARCHIVE_FIELDS_H

#include "base/buffer.h"
#include "base/memory.h"
#include "base/model.h"
#include "instrument/instrument.h"

typedef struct archive {
  buffer *out;    /* writing when set */
  const char *in; /* else reading */
  size_t left;
  bool failed;
} archive;

void archive_raw(archive *a, void *value, size_t size);
void archive_u32(archive *a, uint32_t *value);
void archive_flag(archive *a, bool *value);
/* A count; what follows takes at least a byte an element, so a count beyond the input is a broken archive. */
void archive_count(archive *a, size_t *count);
/* `length` NULL: up to the NUL. */
void archive_string(archive *a, char **text, size_t *length);
void archive_term(archive *a, model_term *t);
void archive_model(archive *a, model *m);
void archive_questions(archive *a, instrument_question **questions, size_t *count);
/* Texts and their options. */
void archive_sources(archive *a, char ***texts, char ***options, size_t *count);

/* Sizes an array when reading. */
#define ARCHIVE_ARRAY(a, items, count)                \
  do {                                                \
    archive_count((a), &(count));                     \
    if ((a)->out == NULL) {                           \
      (items) = mem_calloc((count), sizeof *(items)); \
    }                                                 \
  } while (0)

#endif
