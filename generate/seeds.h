/* Launches that tests make become inputs. */
#ifndef CLTC_GENERATE_SEEDS_H
#define CLTC_GENERATE_SEEDS_H

#include "generate/draw.h"

/* The input of a launch that was seen: its sizes, numbers and memory, and of small buffers of integers what they held; what
 * was not seen is drawn. False: there is none that satisfies the conditions. Release with input_free. */
bool seed_of_launch(inputs *in, unsigned number, const observed_launch *l, input *out);

#endif
