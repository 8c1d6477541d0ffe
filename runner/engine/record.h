/* A finding of the proof engine as the record that the database keeps (db/rows.h), and its sentence. */
#ifndef CLTC_RUNNER_ENGINE_RECORD_H
#define CLTC_RUNNER_ENGINE_RECORD_H

#include "base/buffer.h"
#include "db/db.h"
#include "runner/engine/answer.h"
#include "runner/sources/signature.h"

/* The number of a file that the engine names, of those that places refer to; MODEL_NONE: it is none of them. */
typedef uint32_t record_file(const void *context, const char *name);

/* What it points to is of the finding, or released with record_free. */
typedef struct finding_record {
  db_detail detail;
  db_place *places;
  db_call *calls;
  db_step *path;
  db_witness *witness;
  size_t place_count, path_count, witness_count, witness_capacity;
  char **texts;
  size_t text_count, text_capacity;
} finding_record;

/* Places in files that are none are left out. `of`: of its kernel, NULL where it is not known. */
void record_make(const answer_finding *f, const signature *of, record_file *file, const void *context,
                 finding_record *out);
void record_free(finding_record *r);

/* The sentence that reports have for it. */
void record_sentence(const answer_finding *f, buffer *to);

#endif
