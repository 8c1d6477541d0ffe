/* The newcomer's form of a text: kernels set bit n of their one word when the launch has more work-items in its first
 * dimension than the memory of parameter n has elements. */
#ifndef CLTC_TESTS_NEWCOMER_PASS_H
#define CLTC_TESTS_NEWCOMER_PASS_H

#include "instrument/forms.h"

extern const form_text lengths_form;

#endif
