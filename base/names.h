/* Names: in lists, in arrays of what has one, and of files. */
#ifndef CLTC_BASE_NAMES_H
#define CLTC_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
