/* OK(call): the test fails with the sentence in `e` when the call does. For cmocka's tests. */
#ifndef CLTC_TESTS_OK_H
#define CLTC_TESTS_OK_H

#define OK(call)              \
  do {                        \
    if ((call) != 0) {        \
      fail_msg("%s", e.text); \
    }                         \
  } while (0)

#endif
