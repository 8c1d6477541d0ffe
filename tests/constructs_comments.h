/* The comments `// KEY: VALUE` by which the kernel files in constructs/ say how they run and what is expected. */
#ifndef CLTC_TESTS_CONSTRUCTS_COMMENTS_H
#define CLTC_TESTS_CONSTRUCTS_COMMENTS_H

#include <stdbool.h>
#include <stddef.h>

enum { COMMENT_SIZE = 1024 };

/* A whole file, ended by a NUL; the program ends when it cannot be read. free() it. */
char *read_whole(const char *path, size_t *length);

/* The value of comment number `index` (from 0) with that key, without blanks around it. False: there are not so many.
 */
bool comment_value(const char *text, const char *key, size_t index, char value[COMMENT_SIZE]);
/* Whether the file says `// WORD`. */
bool comment_word(const char *text, const char *word);

/* Takes the next part of a list off its front: up to one of `separators`, without blanks around it. False at the end.
 */
bool next_part(const char **list, const char *separators, char part[COMMENT_SIZE]);

#endif
