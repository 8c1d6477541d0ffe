#include "runner/order/keep_overlap.h"

#include "base/buffer.h"

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
