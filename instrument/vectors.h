/* What the name of vloadn, vstoren and their like says. */
#ifndef CLTC_INSTRUMENT_VECTORS_H
#define CLTC_INSTRUMENT_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "frontend/tree.h"

/* Components of vload4, vstorea_half8, …; 1 without a number. */
uint32_t vector_function_components(const char *name);
/* Elements from one index to the next. */
uint32_t vector_function_step(const char *name);
/* vloada_half and vstorea_half: addresses are multiples of the vector. */
bool vector_function_is_aligned(const char *name);

/* A pixel and the sizes of its image, as arguments. */

/* Writes ", x, y, z" as ulongs. `coordinates` is a text for the value of `index`; where it has fewer
 * components, the others are 0. `image`: the name of a parameter. */
void put_pixel(const char *coordinates, const tree_node *index, const tree_node *image, buffer *out);
/* Its width, height and depth. `pixels`: how many it has. */
void put_pixel_sizes(const tree_node *image, const char *pixels, buffer *out);

#endif
