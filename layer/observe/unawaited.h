/* Memory of the program that a command which does not block reads or writes (or that it maps), as long as the program
 * has done nothing after which the command is complete. What is not certain counts as complete. */
#ifndef CLTC_LAYER_OBSERVE_UNAWAITED_H
#define CLTC_LAYER_OBSERVE_UNAWAITED_H

#include <stdbool.h>
#include <stddef.h>

#include "layer/common/bytes.h"
#include "layer/common/guest.h"

/* Whether it is looked for. */
bool unawaited_start(void);
extern const guest_call unawaited_calls[];
/* What lies below these calls. */
extern cl_icd_dispatch unawaited_below;

/* The process ends, as far as is known. */
void unawaited_send(void);
void unawaited_after_fork(void);

#endif
