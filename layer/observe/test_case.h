/* Test cases that the program names. */
#ifndef CLTC_LAYER_OBSERVE_TEST_CASE_H
#define CLTC_LAYER_OBSERVE_TEST_CASE_H

#include <stdbool.h>
#include <stdint.h>

#include "layer/common/message.h"

/* Number of the one that has begun, 0: none. */
uint32_t test_case_now(void);
/* Whether messages about test cases wait, and these: to be freed. */
bool test_case_news(void);
message test_case_take(void);
/* A test case that the process which started this one has named is begun. */
void test_case_start(void);
/* The connection is a new one: it is told of the test case that has begun. */
void test_case_again(void);
void test_case_after_fork(void);

#endif
