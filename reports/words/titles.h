/* What findings and verdicts of schedules are called, in all reports. */
#ifndef CLTC_REPORTS_WORDS_TITLES_H
#define CLTC_REPORTS_WORDS_TITLES_H

/* "data race" of the rule "data-race"; of an unknown rule the rule. Lent. */
const char *rule_title(const char *rule);

#endif
