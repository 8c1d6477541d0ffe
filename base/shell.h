/* Words of a command line as a shell takes them. */
#ifndef CLTC_BASE_SHELL_H
#define CLTC_BASE_SHELL_H

#include "base/buffer.h"

/* Appends a word, in single quotes where it needs them. */
void shell_word(buffer *to, const char *word);
/* All words of a command; to be freed. */
char *shell_line(char *const *argv);
/* The other way round: the words of a line with blanks between them, quotes and backslashes, ended by NULL. To be given to
 * shell_free. NULL: the line has something in it that a shell would not take as it stands (variables, patterns, `;`, a quote
 * that does not end), or no word. */
char **shell_split(const char *line);
void shell_free(char **words);

#endif
