/* Commands of a captured run into the findings of `memory` and `check`: those that race, and those that touch what the host has mapped,
 * where both touch the same bytes in every run. */
#ifndef CLTC_RUNNER_ORDER_COMMANDS_H
#define CLTC_RUNNER_ORDER_COMMANDS_H

#include "runner/measure/measure.h"

int commands_judge(const commands_seen *seen, char **why, error *e);

#endif
