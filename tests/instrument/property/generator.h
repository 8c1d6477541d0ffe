/* Random valid OpenCL programs with everything that is known of them: text, launches, input, and by running them in an
 * interpreter the output and every outcome that coverage should report. The same seed gives the same program. */
#ifndef CLTC_TESTS_PROPERTY_GENERATOR_H
#define CLTC_TESTS_PROPERTY_GENERATOR_H

#include "tree.h"

/* Free with random_tree_free. */
tree *program_make(uint64_t seed);

#endif
