/* What highlighting knows of names that are no keywords. */
#ifndef CLTC_FRONTEND_HIGHLIGHT_WORDS_H
#define CLTC_FRONTEND_HIGHLIGHT_WORDS_H

#include "base/highlight.h"

/* HIGHLIGHT_TYPE or HIGHLIGHT_BUILTIN, or -1 for a name of the program's own. `called`: a parenthesis follows. */
int highlight_word(const char *text, size_t length, bool called);

#endif
