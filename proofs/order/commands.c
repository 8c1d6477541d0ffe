#include "proofs/order/commands.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/memory_rules.h"
#include "detectors/memory/decoder.h"
#include "proofs/sources/observe.h"
#include "runner/session/session.h"

/* --- keeping ------------------------------------------------------------------------------------------------------ */

size_t overlap_source(const overlap *o) { return o->first.source != SIZE_MAX ? o->first.source : o->second.source; }

/* A place of the other source is not the finding's. */
static void add_place(const kept_source *k, const overlap *o, const overlap_side *s, const char *role, db_place *places,
                      size_t *count) {
  const uint32_t file =
      k == NULL || s->file == NULL || s->source != overlap_source(o) ? MODEL_NONE : kept_source_file(k, s->file);
  if (file != MODEL_NONE && s->line > 0) {
    places[(*count)++] = (db_place){.role = role,
                                    .access = s->command.access,
                                    .file = file,
                                    .line = s->line,
                                    .column = s->column == 0 ? 1 : s->column};
  }
}

/* Races of the same commands, parameters and kinds of access are one. */
static void put_key(const db_command *c, buffer *to) {
  buffer_printf(to, "%s\n%s\n%s\n%s\n", c->function, c->kernel, c->parameter, c->access);
}

int keep_overlap(db *d, int64_t run, int64_t test_case, const kept_source *k, const overlap *o, error *e) {
  const db_command commands[2] = {o->first.command, o->second.command};
  const char *kernel = commands[o->first.source == overlap_source(o) && commands[0].kernel[0] != '\0' ? 0 : 1].kernel;
  const bool part = o->low > 0 || o->high < o->size;
  const db_witness witness[] = {{.what = "first place", .value = o->first.call},
                                {.what = "second place", .value = o->second.call}};
  db_place places[2];
  size_t place_count = 0;
  buffer key = {0};
  add_place(k, o, &o->first, "first", places, &place_count);
  add_place(k, o, &o->second, "second", places, &place_count);
  put_key(&commands[0], &key);
  put_key(&commands[1], &key);
  const db_finding row = {.of.run = run,
                          .of.test_case = test_case,
                          .of.program = place_count == 0 ? 0 : k->stored.id,
                          .of.kernel = k == NULL || kernel[0] == '\0' ? 0 : kept_source_kernel(k, kernel),
                          .rule = o->mapped ? "mapped" : "host-race",
                          .detail = {.space = o->image ? "image" : "global",
                                     .size = {true, o->size},
                                     .element = {part, o->low},
                                     .element_size = {part, o->high - o->low},
                                     .count = {true, o->count}},
                          .places = places,
                          .place_count = place_count,
                          .commands = commands,
                          .command_count = 2,
                          .witness = witness,
                          .witness_count = 2,
                          .possible = !o->definite,
                          .distinct = buffer_text(&key)};
  const int result = db_put_finding(d, &row, e);
  buffer_free(&key);
  return result;
}

static void leave(const commands_seen *seen, const overlap_side *s) {
  session_leave_mapped(seen->further, s->command.kernel, s->command.parameter, s->line);
}

static int keep(const commands_seen *seen, const observation *o, const overlap *x, error *e) {
  static const prove_options none;
  const size_t source = overlap_source(x);
  const bool wanted = x->definite && memory_rule_is_wanted(seen->rules, x->mapped ? "mapped" : "host-race");
  kept_source k;
  if (!wanted) return 0;
  if (x->mapped) { /* what its accesses say is known by that */
    leave(seen, &x->first);
    leave(seen, &x->second);
  }
  if (source == SIZE_MAX) return keep_overlap(seen->db, seen->run, seen->test_case, NULL, x, e);
  int result = kept_source_open(seen->db, seen->run, &o->sources[source], &none, &k, e);
  if (result == 0) result = keep_overlap(seen->db, seen->run, seen->test_case, &k, x, e);
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
  if (result == 0) overlaps_find(&c, &made, o.sources, o.count, &all);
  for (size_t i = 0; i < all.count && result == 0; i++) result = keep(seen, &o, &all.items[i], e);
  *why = c.unsuitable == NULL ? NULL : mem_strdup(c.unsuitable);
  overlaps_free(&all);
  for (size_t i = 0; i < o.count; i++) asked_source_free(&o.sources[i]);
  free(o.sources);
  made_free(&made);
  capture_free(&c);
  scratch_close(scratch);
  return result;
}
