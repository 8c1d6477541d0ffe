/* Names: in lists, in arrays of what has one, and of files. */
#ifndef CLTC_BASE_NAMES_H
#define CLTC_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* A list of strings that are lent. */
typedef struct word_list {
  const char **items;
  size_t count, capacity;
} word_list;

/* The number of a name in a list; -1: it is not there. */
int name_number(const char *const *names, size_t count, const char *name);
/* The same as the index in an array of structs whose member at offset `at` is the name. */
int name_index(const void *items, size_t count, size_t size, size_t at, const char *name);
/* The item of an array whose member is this name; NULL: there is none. */
#define NAMED(items, count, member, name) \
  named(items, count, sizeof *(items), offsetof(__typeof__(*(items)), member), name)
void *named(const void *items, size_t count, size_t size, size_t at, const char *name);

/* Whether a path ends in another one, by whole names. */
bool path_ends(const char *path, const char *end);
/* The last part of a path; lent. */
const char *path_end(const char *path);

/* Names chosen by globs, as --kernel and --exclude do. */

/* The kernels that a person has chosen by globs; zeroed: all. */
typedef struct kernel_choice {
  word_list wanted, exclude;
} kernel_choice;
/* Whether the name matches one of `wanted`, if there are any, and none of `exclude`. */
bool kernel_chosen(const kernel_choice *c, const char *kernel);

/* "did you mean …?": the known word that is nearest to a misspelt one. */

/* `{WORD}` to begin with. */
typedef struct suggestion {
  const char *word;
  const char *best; /* lent by the caller; NULL: nothing is near enough */
  unsigned distance;
} suggestion;

/* Letters to insert, delete, replace or exchange with the next, to get from `a` to `b`; capped at 64 letters. */
unsigned suggest_distance(const char *a, const char *b);
/* Keeps the candidate if it is nearer than what there is: one mistake in three letters at most, or the word is how the
 * candidate begins. */
void suggest_consider(suggestion *s, const char *candidate);

#endif
