#include "runner/order/commands.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/memory_rules.h"
#include "base/scratch.h"
#include "runner/order/keep_overlap.h"
#include "runner/session/session.h"
#include "runner/sources/observe.h"

static void leave(const commands_seen *seen, const overlap_side *s) {
  session_leave_mapped(seen->further, s->command.kernel, s->command.parameter, s->line);
}

static int keep(const commands_seen *seen, const observation *o, const overlap *x, error *e) {
  static const prove_options none;
  const size_t source = overlap_source(x);
  const bool wanted = x->definite && memory_rule_is_wanted(seen->rules, x->mapped ? "mapped" : "host-race");
  kept_source k;
  if (!wanted) {
    return 0;
  }
  if (x->mapped) { /* what its accesses say is known by that */
    leave(seen, &x->first);
    leave(seen, &x->second);
  }
  if (source == SIZE_MAX) {
    return keep_overlap(seen->db, seen->run, seen->test_case, NULL, x, e);
  }
  int result = kept_source_open(seen->db, seen->run, &o->sources[source], &none, &k, e);
  if (result == 0) {
    result = keep_overlap(seen->db, seen->run, seen->test_case, &k, x, e);
  }
  kept_source_free(&k);
  return result;
}

int commands_judge(const commands_seen *seen, char **why, error *e) {
  capture c;
  run_made made = {0};
  observation o = {.made = &made};
  overlaps all = {0};
  char *scratch = scratch_temporary("cltestcheck-commands", e);
  if (scratch == NULL || capture_read(seen->path, &c, e) != 0) {
    scratch_close(scratch);
    return -1;
  }
  int result = observe_capture(&c, scratch, seen->argv, &o, e);
  if (result == 0) {
    overlaps_find(&c, &made, o.sources, o.count, &all);
  }
  for (size_t i = 0; i < all.count && result == 0; i++) {
    result = keep(seen, &o, &all.items[i], e);
  }
  *why = c.unsuitable == NULL ? NULL : mem_strdup(c.unsuitable);
  overlaps_free(&all);
  for (size_t i = 0; i < o.count; i++) {
    asked_source_free(&o.sources[i]);
  }
  free(o.sources);
  made_free(&made);
  capture_free(&c);
  scratch_close(scratch);
  return result;
}
