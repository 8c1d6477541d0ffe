/* Sentences of findings, made of their records (db/db.h), and of schedules; the rules. */
#ifndef CLTC_REPORTS_WORDS_WORDS_H
#define CLTC_REPORTS_WORDS_WORDS_H

#include "base/buffer.h"
#include "db/db.h"

/* "work-item 0 of work-group 2 reads x[0] (line 3), and …; no barrier for local memory stands between them". `files`: names
 * of the files of places, which stand before their lines then, or NULL. A rule that is not known has no sentence. */
void finding_sentence(const db_finding *f, char *const *files, buffer *to);
/* A remark after it: " (launch 1, seen 60 times)", or nothing. */
void finding_sight(const db_finding *f, buffer *to);

/* The ids of a finding have as many dimensions as one of them needs: "3", "(3, 1)". */
void finding_id(const db_finding *f, const char *id, buffer *to);

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
void finding_parts(const db_finding *f, finding_part *take, void *context);

/* "out[0] is 1 with the gate open, and 2 with group 17 first, ticket gate; written at line 3; race: …"; nothing where
 * the schedule has no explanation. */
void explanation_text(const view *v, const db_launch *l, const db_schedule *s, buffer *to);
/* The groups that never ended: "group 3 (at the barrier on line 12), group 4 and 7 more"; nothing where none is known. */
void explanation_unfinished(const db_explanation *x, buffer *to);
/* What the schedule that shows a finding says of it: "launch 3, group 17 first, ticket gate: …"; nothing where the view does
 * not have it. */
void explanation_of_finding(const view *v, const db_finding *f, buffer *to);

typedef struct finding_rule {
  const char *name, *title;
  /* Of a finding, as finding_sentence; NULL: its record has none of its own. */
  void (*sentence)(const db_finding *f, char *const *files, buffer *to);
  /* For who sees the rule for the first time: a name in one word, in a sentence, what it means, what to do, of what kind it
   * is. */
  const char *called, *brief, *what, *todo, *tag;
} finding_rule;
extern const finding_rule finding_rules[];
extern const size_t finding_rule_count;

/* NULL: there is none such. */
const finding_rule *rule_find(const char *name);
/* What it is called in reports; the name itself where it is none of these. */
const char *rule_title(const char *name);
/* Appends all names, "barrier-divergence, async-divergence, …". */
void rule_names(buffer *to);

/* Inside of reports/words: elements and texts. */

/* What is not known is NULL where it was never stored, and "" where it was. */
static inline const char *text_or_empty(const char *known) { return known == NULL ? "" : known; }

/* What the finding says of `what` beside its places; "": nothing. */
const char *finding_witness(const db_finding *f, const char *what);

/* Sentences of rules (rules.c has the others): those of accesses and of barriers are in finding_words.c, those of commands in
 * finding_words.c. */
#define SENTENCE(put) void put(const db_finding *f, char *const *files, buffer *to)
SENTENCE(put_race);
SENTENCE(put_divergence);
SENTENCE(put_async_divergence);
SENTENCE(put_bounds);
SENTENCE(put_memory);
SENTENCE(put_unwritten);
SENTENCE(put_commands);
#undef SENTENCE

#endif
