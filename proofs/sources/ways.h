/* The launches of a kernel that host code can make, as host/ finds them: sizes, facts and memory of each way to launch
 * it. */
#ifndef CLTC_PROOFS_SOURCES_WAYS_H
#define CLTC_PROOFS_SOURCES_WAYS_H

#include "proofs/host/host.h"
#include "proofs/sources/source.h"

enum { WAYS_MOST = 64 };

/* Gives the kernels of a source their ways, which are not used after the facts are freed. `host` is a name for people: "main.c". */
void ways_add(asked_source *s, const host_facts *facts, const char *host);

typedef enum way_fit { WAY_FITS, WAY_MAY_FIT, WAY_CONTRADICTS } way_fit;

/* Whether a launch that was seen can have been made in this way. `*fact`: the first fact that it contradicts, NULL: it
 * has other sizes or other memory. */
way_fit way_fits(const struct host_way *w, const signature *of, const observed_launch *l, const way_fact **fact);

#endif
