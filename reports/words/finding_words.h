/* The sentence of a finding, made of its record (db/finding.h), and the parts of the record as pairs of words. */
#ifndef CLTC_REPORTS_WORDS_FINDING_WORDS_H
#define CLTC_REPORTS_WORDS_FINDING_WORDS_H

#include "base/buffer.h"
#include "db/db.h"

/* What the words are made of; all lent. */
typedef struct told_finding {
  const char *rule;
  bool proved; /* by `verify`, and not seen while a program ran */
  const db_detail *detail;
  const db_place *places;
  size_t place_count;
  const db_witness *witness;
  size_t witness_count;
  const db_command *commands;
  size_t command_count;
  bool possible;
} told_finding;

told_finding finding_told(const db_finding *f);

/* "work-item 0 of work-group 2 reads x[0] (line 3), and …; no barrier for local memory stands between them". `files`: names
 * of the files of places, which stand before their lines then, or NULL. A rule that is not known has no sentence. */
void finding_sentence(const told_finding *f, char *const *files, buffer *to);
/* A remark after it: " (launch 1, seen 60 times)", or nothing. */
void finding_sight(const told_finding *f, buffer *to);

/* The ids of a finding have as many dimensions as one of them needs: "3", "(3, 1)". */
void finding_id(const told_finding *f, const char *id, buffer *to);

/* What a person reads of it: the sentence with its remark, what the schedule says that shows it, or what the database has in
 * its place. */
void finding_message(const view *v, const db_finding *f, buffer *to);

/* Gives each part of the record: how it can be seen again, as pairs of what and value. */
typedef enum finding_part_kind {
  PART_SHOWN,
  PART_SAID, /* the sentence says it, too */
  PART_DOUBT /* what a proof does not know, and the finding depends on */
} finding_part_kind;
typedef void finding_part(void *context, finding_part_kind kind, const char *what, const char *value);
void finding_parts(const told_finding *f, finding_part *take, void *context);

#endif
