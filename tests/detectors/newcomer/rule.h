/* The newcomer's rule: what the word of a kernel says. */
#ifndef CLTC_TESTS_NEWCOMER_RULE_H
#define CLTC_TESTS_NEWCOMER_RULE_H

#include <stdint.h>

static inline const char *lengths_verdict(uint32_t word, uint32_t parameter) {
  return (word >> parameter & 1) != 0 ? "too short" : "long enough";
}

#endif
