/* A random kernel, and a file in which it is written as a string: whoever writes it knows where each character is. */
#ifndef CLTC_TESTS_HOME_WRITTEN_H
#define CLTC_TESTS_HOME_WRITTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

#define NOWHERE UINT32_MAX

typedef struct random_source {
  uint64_t state;
} random_source;
uint32_t random_below(random_source *r, uint32_t n);

/* What a character of a kernel is. */
typedef enum written_kind { WRITTEN_BLANK, WRITTEN_COMMENT, WRITTEN_CODE } written_kind;

typedef struct kernel_text {
  buffer text;
  unsigned char *kinds; /* one a character */
  size_t capacity;
} kernel_text;
/* `serial` makes its names different from those of others. */
kernel_text random_kernel(random_source *r, unsigned serial);
void kernel_free(kernel_text *k);
/* The same with one token changed. */
kernel_text changed_kernel(random_source *r, const kernel_text *k);

/* A file, and the source that the program builds from it. */
typedef struct written {
  buffer file;
  buffer built;
  unsigned char *kinds; /* of `built` */
  uint32_t *places;     /* of each character of `built`: its offset in `file`, NOWHERE for what is not in it */
  size_t capacity, place_capacity;
} written;
void written_free(written *w);

/* A way to write it. */
typedef struct written_style {
  const char *name, *extension;
  void (*write)(random_source *r, const kernel_text *k, written *w);
  bool whole; /* one token that differs, and nothing is found */
} written_style;
extern const written_style written_styles[]; /* ended by a NULL name */

#endif
