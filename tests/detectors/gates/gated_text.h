/* Kernel source with the gate in it, as cltestcheck hands it to a device's compiler. */
#ifndef CLTC_TESTS_GATED_TEXT_H
#define CLTC_TESTS_GATED_TEXT_H

#include "instrument/instrument.h"

/* Answers a question of the preprocessor for a source with these options. */
typedef bool (*gated_answer)(void *context, const char *expression, const char *options);

/* Instruments `text` with the gate; relative include paths start in the current directory. Returns 0, or -1 with a
 * sentence. Release `*out` in every case. */
int gated_source(const char *name, const char *text, const char *options, gated_answer answer, void *context,
                 instrument_result *out, error *e);

#endif
