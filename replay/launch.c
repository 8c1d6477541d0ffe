/* Cutting a capture after a launch. */
#include "replay/launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "capture/storage.h"

enum { ARGUMENTS = 4096 /* of a kernel at most: capture_read */ };

/* Memory objects by argument. */
typedef struct given {
  uint32_t objects[ARGUMENTS];
} given;

static size_t find_launch(const capture *c, uint64_t number, uint64_t *launches) {
  *launches = 0;
  for (size_t i = 0; i < c->command_count; i++) {
    if (c->commands[i].kind == CAPTURE_LAUNCH && (*launches)++ == number) {
      return i;
    }
  }
  return SIZE_MAX;
}

/* What kernel `kernel` was last given before command `end`; a clone begins with the arguments of its original. */
static void find_given(const capture *c, uint32_t kernel, size_t end, given *g) {
  uint32_t kernels = 0;
  for (size_t i = 0; i < end; i++) {
    const capture_command *d = &c->commands[i];
    const bool makes = d->kind == CAPTURE_KERNEL || d->kind == CAPTURE_CLONE;
    if (makes && kernels++ == kernel && d->kind == CAPTURE_CLONE) {
      find_given(c, d->u.clone.kernel, i, g);
    } else if (d->kind == CAPTURE_ARGUMENT && d->u.argument.kernel == kernel) {
      g->objects[d->u.argument.index] = d->u.argument.kind == CAPTURE_MEMORY ? d->u.argument.object : CAPTURE_NONE;
    }
  }
}

int launch_cut(const capture *whole, uint64_t number, capture *out, error *e) {
  uint64_t launches = 0;
  const size_t at = find_launch(whole, number, &launches);
  if (at == SIZE_MAX) {
    return error_set(e, EXIT_USAGE, "there is no launch %llu: the capture has %llu (0 to %llu)",
                     (unsigned long long)number, (unsigned long long)launches,
                     (unsigned long long)(launches > 0 ? launches - 1 : 0));
  }
  stored_objects stored = stored_of(whole);
  given *g = mem_calloc(1, sizeof *g);
  memset(g, 0xff, sizeof *g);
  find_given(whole, whole->commands[at].u.launch.kernel, at, g);
  *out = *whole;
  out->commands = mem_calloc(at + 1 + ARGUMENTS, sizeof *out->commands);
  memcpy(out->commands, whole->commands, (at + 1) * sizeof *out->commands);
  out->command_count = at + 1;
  for (uint32_t i = 0; i < ARGUMENTS; i++) {
    const uint64_t size = g->objects[i] == CAPTURE_NONE ? 0 : stored.items[g->objects[i]].size;
    if (size > 0) {
      capture_command *read = &out->commands[out->command_count++];
      read->kind = CAPTURE_READ;
      read->u.bytes.memory = g->objects[i];
      read->u.bytes.size = size;
      read->low = i; /* not known: launch_argument */
    }
  }
  free(g);
  stored_free(&stored);
  return 0;
}

uint32_t launch_argument(const capture *cut, size_t nth) {
  size_t last = cut->command_count;
  while (last > 0 && cut->commands[last - 1].kind != CAPTURE_LAUNCH) {
    last--;
  }
  return (uint32_t)cut->commands[last + nth].low;
}
