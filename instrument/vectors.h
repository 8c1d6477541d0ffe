/* What the name of vloadn, vstoren and their like says. */
#ifndef CLTC_INSTRUMENT_VECTORS_H
#define CLTC_INSTRUMENT_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

/* Components of vload4, vstorea_half8, …; 1 without a number. */
uint32_t vector_function_components(const char *name);
/* Elements from one index to the next. */
uint32_t vector_function_step(const char *name);
/* vloada_half and vstorea_half: addresses are multiples of the vector. */
bool vector_function_is_aligned(const char *name);

#endif
