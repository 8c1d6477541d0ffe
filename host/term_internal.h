/* What term.c and term_simplify.c share. */
#ifndef CLTC_HOST_TERM_INTERNAL_H
#define CLTC_HOST_TERM_INTERNAL_H

#include "host/term.h"

/* A term of more parts than this is not followed: a symbol stands for it. */
enum { TERM_HEAVY = 60 };

/* The one term that is made as `wanted` says. */
const host_term *term_make(host_terms *t, const host_term *wanted);

#endif
