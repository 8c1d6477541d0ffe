/* Names chosen by globs, as --kernel and --exclude do. */
#ifndef CLTC_BASE_GLOBS_H
#define CLTC_BASE_GLOBS_H

#include <stdbool.h>
#include <stddef.h>

/* Does the name match one of `wanted`, if there are any, and none of `exclude`? */
bool globs_select(const char *const *wanted, size_t wanted_count, const char *const *exclude, size_t exclude_count,
                  const char *name);

/* The kernels that a person has chosen; zeroed: all. */
typedef struct kernel_choice {
  const char *const *wanted; /* globs */
  size_t wanted_count;
  const char *const *exclude;
  size_t exclude_count;
} kernel_choice;
bool kernel_chosen(const kernel_choice *c, const char *kernel);

#endif
