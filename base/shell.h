/* Words of a command line as a shell takes them. */
#ifndef CLTC_BASE_SHELL_H
#define CLTC_BASE_SHELL_H

#include "base/buffer.h"

/* Appends a word, in single quotes where it needs them. */
void shell_word(buffer *to, const char *word);
/* The other way round: the words of a line that shell_word has made, spaces between them, ended by NULL. To be given to
 * shell_free. NULL: the line has something else in it, or no word. */
char **shell_split(const char *line);
void shell_free(char **words);

#endif
