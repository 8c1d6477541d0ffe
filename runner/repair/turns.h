/* How often places of a repair are executed in the launches that were seen. */
#ifndef CLTC_RUNNER_REPAIR_TURNS_H
#define CLTC_RUNNER_REPAIR_TURNS_H

#include "repair/spots.h"
#include "runner/sources/source.h"

/* Sets `executed` of the spots in kernels of which launches were seen: the turns of the loops around each, multiplied, on
 * average over the launches. A loop whose turns do not follow from a launch counts `turns`. */
void repair_count_turns(spots *s, const asked_source *source, double turns);

#endif
