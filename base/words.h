/* A list of strings that are lent. */
#ifndef CLTC_BASE_WORDS_H
#define CLTC_BASE_WORDS_H

#include <stddef.h>

typedef struct word_list {
  const char **items;
  size_t count, capacity;
} word_list;

#endif
