#include "runner/repair/judge.h"

#include <stdlib.h>

#include "base/memory.h"

static bool is_claimed(const repair_kernel *k) {
  return k->chosen && (k->outcome == REPAIR_DONE || k->outcome == REPAIR_FINE);
}

/* Whether a barrier of the source is taken out, or orders less than it did. */
static bool takes_out(const repair_file *f) {
  bool any = false;
  for (size_t i = 0; i < f->spots.count; i++) {
    const unsigned before = f->repair.cover.existing[i];
    any = any || (f->spots.items[i].kind == SPOT_BARRIER && (f->repair.flags[i] & before) != before);
  }
  return any;
}

int repair_judge(repair_file *f, const repair_options *s, error *e) {
  const size_t count = f->engine.kernel_count;
  const bool changes = repair_changes(&f->repair), out = changes && takes_out(f);
  bool *marked = mem_calloc(count + 1, sizeof *marked);
  f->objections = mem_calloc(count + 1, sizeof *f->objections);
  for (size_t i = 0; i < count; i++) {
    marked[i] = is_claimed(&f->repair.kernels[i]);
  }
  const int result = repair_object(&f->engine, s, &f->result, marked, f->objections, e);
  for (size_t i = 0; i < count && result == 0 && changes; i++) {
    const repair_kernel *k = &f->repair.kernels[i];
    buffer text = {0};
    if (k->outcome == REPAIR_DONE && f->objections[i] != NULL) {
      buffer_printf(&text, "verify of the changed source objects to kernel %s: %s", k->name, f->objections[i]);
    } else if (marked[i] && out && k->last.order_shows) {
      buffer_printf(&text,
                    "a barrier of the source would go, and what atomic functions give kernel %s may depend on it",
                    k->name);
    }
    if (text.length > 0) {
      repair_file_step(f, true, buffer_take(&text));
    }
    buffer_free(&text);
  }
  free(marked);
  return result != 0 ? -1 : 0;
}
