/* Writing MESSAGE_INSTRUMENTED (wire/protocol.h): answer_begin, answer_kernels, answer_kernel_put, wire_end. */
#ifndef CLTC_WIRE_ANSWER_H
#define CLTC_WIRE_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "wire/forms.h"

/* Memory that accesses of a kernel lead to. */
typedef struct answer_object {
  uint32_t argument, shift;
  bool local, writes;
} answer_object;

/* A kernel; only the fields of its form count. All that it points to is lent. */
typedef struct answer_kernel {
  const char *name;
  kernel_form form;
  uint32_t flag_words, total_words;
  uint32_t planes, item_bytes, bits;
  const char *launched; /* in its place */
  uint32_t mutant, fuel;
  uint32_t area;
  const answer_object *objects;
  uint32_t object_count;
} answer_kernel;

/* The whole answer for a program that stays as it is. */
void answer_untouched(buffer *b, const char *reason);
/* `texts` and `options` have `count` members; `more` goes after each of the options. */
void answer_begin(buffer *b, uint32_t program, char *const *texts, char *const *options, size_t count,
                  const char *more);
void answer_kernels(buffer *b, size_t count);
/* So many times. */
void answer_kernel_put(buffer *b, const answer_kernel *k);

#endif
