/* Digests of what the host reads, as messages have them. */
#ifndef CLTC_LAYER_OBSERVE_DIGEST_H
#define CLTC_LAYER_OBSERVE_DIGEST_H

#include <stdbool.h>

#include "layer/common/area.h"
#include "layer/common/message.h"

/* Adds size, digest and blocks of the rows one after the other. False without memory: nothing is added. */
bool digest_put(message *m, const area *a, bytes_digest *d);

#endif
