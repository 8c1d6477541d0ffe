/* Saying something to a person, perhaps on a terminal. */
#ifndef CLTC_BASE_SAY_H
#define CLTC_BASE_SAY_H

#include <stdio.h>

/* Like fprintf, but control characters other than line ends, and what is not UTF-8, become U+FFFD, and tabs a space:
 * names, logs and messages are strangers' text, and a terminal would obey it. */
void say(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
