#include "runner/sources/host_way.h"

#include <stdlib.h>

void host_way_free(struct host_way *w) {
  for (size_t i = 0; i < w->fact_count; i++) {
    free(w->facts[i].text);
    free(w->facts[i].from);
  }
  free(w->facts);
  free(w->memory);
  free(w->unsure);
  free(w->from);
}

void host_ways_free(asked_kernel *k) {
  for (size_t i = 0; i < k->way_count; i++) {
    host_way_free(&k->ways[i]);
  }
  free(k->ways);
  free(k->host);
  k->ways = NULL;
  k->host = NULL;
  k->way_count = k->way_capacity = 0;
}
