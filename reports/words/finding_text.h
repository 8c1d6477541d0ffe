/* Inside of reports/words: elements and texts. */
#ifndef CLTC_REPORTS_WORDS_FINDING_TEXT_H
#define CLTC_REPORTS_WORDS_FINDING_TEXT_H

#include "reports/words/finding_words.h"

/* What is not known is NULL where it was never stored, and "" where it was. */
static inline const char *text_or_empty(const char *text) { return text == NULL ? "" : text; }

/* "x[3]", "x[3] (byte 1 of it)", "pixel (3, 4) of img"; the name alone of what is one element. */
void finding_element(const told_finding *f, buffer *to);
/* Who accesses at the place of a role: "work-item 0 of work-group 2". */
void finding_side(const told_finding *f, const char *role, buffer *to);

/* What the finding says of `what` beside its places; "": nothing. */
const char *finding_witness(const told_finding *f, const char *what);

/* Sentences of rules (rules.c has the others): those of accesses and of barriers are in finding_words.c, those of commands in
 * command_words.c. */
#define SENTENCE(put) void put(const told_finding *f, char *const *files, buffer *to)
SENTENCE(put_race);
SENTENCE(put_divergence);
SENTENCE(put_async_divergence);
SENTENCE(put_bounds);
SENTENCE(put_memory);
SENTENCE(put_unwritten);
SENTENCE(put_commands);
#undef SENTENCE
/* The parts of a race between commands. */
void give_commands(const told_finding *f, finding_part *take, void *context);

#endif
