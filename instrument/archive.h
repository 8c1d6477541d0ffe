/* An instrumentation result as bytes, so that a process of its own can make it: a crash of libclang then costs one
 * program's coverage. */
#ifndef CLTC_INSTRUMENT_ARCHIVE_H
#define CLTC_INSTRUMENT_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "instrument/instrument.h"

void archive_write(const instrument_result *r, buffer *out);
/* Returns -1 when the bytes end early. Release `*out` in every case. */
int archive_read(const void *bytes, size_t length, instrument_result *out);

/* What archives are made of: tables of fields. One table serves writing, reading and freeing. */

typedef enum archive_kind {
  ARCHIVE_U32, /* enumerations, too */
  ARCHIVE_FLAG,
  ARCHIVE_STRING,  /* up to the NUL; NULL stays NULL */
  ARCHIVE_TEXT,    /* char *, and its length */
  ARCHIVE_DIGEST,  /* char[65] */
  ARCHIVE_ARRAY,   /* a pointer to structs, and their number */
  ARCHIVE_AS_MANY, /* such a pointer, as long as an array in front of it */
  ARCHIVE_PART     /* a struct in the struct; what it owns is freed elsewhere */
} archive_kind;

typedef struct archive_table archive_table;
typedef struct archive_field {
  archive_kind kind;
  size_t at, count;           /* where they are in the struct */
  const archive_table *items; /* of an array or part */
} archive_field;
struct archive_table {
  size_t size; /* of the struct */
  const archive_field *fields;
  size_t count;
};

/* A table of some fields of a struct; `storage`: static, or nothing. */
#define ARCHIVE(storage, name, type, ...)                     \
  static const archive_field name##_fields[] = {__VA_ARGS__}; \
  storage const archive_table name = {sizeof(type), name##_fields, sizeof name##_fields / sizeof *name##_fields}
#define U32(type, member) \
  { ARCHIVE_U32, offsetof(type, member), 0, NULL }
#define FLAG(type, member) \
  { ARCHIVE_FLAG, offsetof(type, member), 0, NULL }
#define STRING(type, member) \
  { ARCHIVE_STRING, offsetof(type, member), 0, NULL }
#define ARRAY(type, member, number, items) \
  { ARCHIVE_ARRAY, offsetof(type, member), offsetof(type, number), &(items) }
#define AS_MANY(type, member, number, items) \
  { ARCHIVE_AS_MANY, offsetof(type, member), offsetof(type, number), &(items) }
#define PART(type, member, items) \
  { ARCHIVE_PART, offsetof(type, member), 0, &(items) }

extern const archive_table archive_numbers, archive_strings, archive_terms, archive_models, archive_questions;

void archive_put(const archive_table *t, const void *value, buffer *out);
/* -1: the bytes are none of the table's. */
int archive_take(const archive_table *t, const void *bytes, size_t length, void *value);
/* Frees what its fields own. */
void archive_free(const archive_table *t, void *value);

#endif
