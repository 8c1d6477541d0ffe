/* What is known of counters, images and sub-groups. Private to this room. */
#ifndef CLTC_VERIFY_MODELS_H
#define CLTC_VERIFY_MODELS_H

#include "verify/proof.h"

/* --- counters.c --- */

/* Notes what an atomic function gives that counts. */
void counters_note(proof *p, unsigned thread, const instruction *i, const value *pointer, const value *result,
                   formula enabled);
/* A barrier may come where this holds. */
void counters_interval(proof *p, formula ends);
/* Adds that counters give each another number, as facts. */
void counters_add(proof *p);

/* --- images.c --- */

const value *image_access(proof *p, unsigned thread, const instruction *i, const environment variables, formula enabled,
                          walk w);
/* What get_image_width and its like give. NULL: the function is none of these. */
const value *image_question(proof *p, const instruction *i, const environment variables);

/* --- sub_groups.c --- */

/* A function that asks about the work-item's sub-group. NULL: it does something else. */
const value *sub_group_question(proof *p, unsigned thread, const instruction *i);
/* That both work-items are of one. */
formula sub_group_is_one(proof *p);
/* Orders what the work-items of one sub-group did before. */
void sub_group_barrier(proof *p, const instruction *i, const state *s);

#endif
