/* OpenCL C with other white space: the same tokens with a blank between any two, with as little as possible, or each on
 * a line of its own. Directives keep their lines. */
#ifndef CLTC_TESTS_RESPACE_H
#define CLTC_TESTS_RESPACE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum spacing { SPACING_BLANKS, SPACING_LEAST, SPACING_LINES, SPACING_COUNT } spacing;
extern const char *const spacing_names[SPACING_COUNT]; /* "blanks", "least", "lines" */

/* The text without comments and line splices, its white space changed; to be freed. */
char *respace(const char *text, spacing how);

/* One after another, the tokens of a text without splices: *at moves after the next one, which `begin` and the result
 * delimit; NULL when there is none left. `*line_start`: no other token stands before it on its line. */
const char *next_token(const char **at, const char **begin, bool *line_start);
/* The text without backslashes at the ends of lines; to be freed. */
char *without_splices(const char *text);

#endif
