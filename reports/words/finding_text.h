/* Inside of reports/words: elements and texts. */
#ifndef CLTC_REPORTS_WORDS_FINDING_TEXT_H
#define CLTC_REPORTS_WORDS_FINDING_TEXT_H

#include "reports/words/words.h"

/* What is not known is NULL where it was never stored, and "" where it was. */
static inline const char *text_or_empty(const char *text) { return text == NULL ? "" : text; }

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
