/* Words of a command line as a shell takes them. */
#ifndef CLTC_BASE_SHELL_H
#define CLTC_BASE_SHELL_H

#include "base/buffer.h"

/* Appends a word, in single quotes where it needs them. */
void shell_word(buffer *to, const char *word);

#endif
