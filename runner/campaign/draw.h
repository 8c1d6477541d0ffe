/* Drawing mutants: a sample, a share, an order. The same on every machine. */
#ifndef CLTC_RUNNER_CAMPAIGN_DRAW_H
#define CLTC_RUNNER_CAMPAIGN_DRAW_H

#include <stddef.h>
#include <stdint.h>

/* A mutant, by what it has in common with others. */
typedef struct draw_item {
  uint32_t program, index;
  uint32_t id;
  uint32_t kernel, op, file, line; /* its stratum, with the program */
  uint64_t lot;                    /* of draw_order */
} draw_item;

/* A number that looks random. */
uint64_t draw_lot(uint64_t seed, uint64_t id);

/* Puts them into an order drawn at random within strata: however many of the first ones are taken, they are spread
 * evenly over the strata. */
void draw_order(draw_item *items, size_t count, uint64_t seed);

#endif
