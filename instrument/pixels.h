/* A pixel and the sizes of its image, as arguments. */
#ifndef CLTC_INSTRUMENT_PIXELS_H
#define CLTC_INSTRUMENT_PIXELS_H

#include "base/buffer.h"
#include "frontend/tree.h"

/* Writes ", x, y, z" as ulongs. `coordinates` is a text for the value of `index`; where it has fewer
 * components, the others are 0. `image`: the name of a parameter. */
void put_pixel(const char *coordinates, const tree_node *index, const tree_node *image, buffer *out);
/* Its width, height and depth. `pixels`: how many it has. */
void put_pixel_sizes(const tree_node *image, const char *pixels, buffer *out);

#endif
