/* Which sizes of a launch are free, and launches that have others. */
#include "verify/sizes.h"

enum { DIMENSIONS = 3 };

bool sizes_any_free(const launch *l) {
  for (unsigned d = 0; d < DIMENSIONS; d++) {
    if (l->local[d] == SIZE_FREE || l->groups[d] == SIZE_FREE) {
      return true;
    }
  }
  return false;
}

launch sizes_small(const launch *l, bool same_group, bool smallest) {
  launch small = *l;
  unsigned count = 0;
  for (unsigned d = 0; d < DIMENSIONS; d++) {
    count += l->local[d] == SIZE_FREE;
  }
  for (unsigned d = 0; d < DIMENSIONS; d++) {
    const uint64_t few = count == 1 ? 8 : d == 0 ? 4 : 2, least = same_group ? 2 : 1;
    small.local[d] = l->local[d] != SIZE_FREE ? l->local[d] : smallest ? least : few;
    small.groups[d] = l->groups[d] != SIZE_FREE ? l->groups[d] : smallest && same_group ? 1 : 2;
  }
  return small;
}
