/* The end of the process. */
#ifndef CLTC_LAYER_OBSERVE_EXIT_H
#define CLTC_LAYER_OBSERVE_EXIT_H

#include <stdbool.h>

/* Has evidence_exit called at the end, before the driver is taken down. To be called where kernels are launched;
 * `fresh`: one that the driver may compile only now. */
void exit_before_driver(bool fresh);

#endif
