/* A sample and a share of mutants: the same on every machine. */
#include "runner/campaign/draw.h"

#include <stdlib.h>

#include "base/memory.h"
#include "runner/campaign/campaign.h"

uint64_t draw_lot(uint64_t seed, uint64_t id) {
  uint64_t z = seed * UINT64_C(0x9E3779B97F4A7C15) + id;
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

typedef struct ticket {
  uint64_t lot;
  bool *chosen;
} ticket;

static int compare_tickets(const void *a, const void *b) {
  const ticket *left = a;
  const ticket *right = b;
  return left->lot < right->lot ? -1 : left->lot > right->lot;
}

static void draw_sample(const campaign_options *o, const selection *all, size_t count) {
  ticket *tickets = mem_calloc(count + 1, sizeof *tickets);
  size_t drawn = 0;
  for (size_t i = 0; i < count; i++) {
    if (*all[i].chosen && !all[i].suppressed) {
      tickets[drawn++] = (ticket){draw_lot(o->common.seed, all[i].id), all[i].chosen};
    }
  }
  if (drawn > o->sample) {
    qsort(tickets, drawn, sizeof *tickets, compare_tickets);
    for (size_t i = o->sample; i < drawn; i++) {
      *tickets[i].chosen = false;
    }
  }
  free(tickets);
}

void campaign_draw(const campaign_options *o, const selection *all, size_t count) {
  if (o->sample > 0) {
    draw_sample(o, all, count);
  }
  size_t number = 0;
  for (size_t i = 0; i < count && o->shards > 1; i++) {
    if (*all[i].chosen) {
      *all[i].chosen = number++ % o->shards == o->shard - 1;
    }
  }
}
