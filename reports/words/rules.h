/* The rules of findings and of verdicts on schedules, one table. */
#ifndef CLTC_REPORTS_WORDS_RULES_H
#define CLTC_REPORTS_WORDS_RULES_H

#include "reports/words/finding_words.h"

typedef struct finding_rule {
  const char *name, *title;
  /* Of a finding, as finding_sentence; NULL: its record has none of its own. */
  void (*sentence)(const told_finding *f, char *const *files, buffer *to);
} finding_rule;
extern const finding_rule finding_rules[];
extern const size_t finding_rule_count;

/* NULL: there is none such. */
const finding_rule *rule_find(const char *name);
/* What it is called in reports; the name itself where it is none of these. */
const char *rule_title(const char *name);
/* Appends all names, "barrier-divergence, async-divergence, …". */
void rule_names(buffer *to);

#endif
