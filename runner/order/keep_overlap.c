#include "runner/order/keep_overlap.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/buffer.h"

size_t overlap_source(const overlap *o) { return o->first.source != SIZE_MAX ? o->first.source : o->second.source; }

/* Of the other source's kernel the message says all. */
static void add_place(const kept_source *k, const overlap *o, const overlap_side *s, const char *role, db_place *places,
                      size_t *count) {
  const uint32_t file =
      k == NULL || s->file == NULL || s->source != overlap_source(o) ? MODEL_NONE : kept_source_file(k, s->file);
  if (file != MODEL_NONE && s->line > 0) {
    places[(*count)++] = (db_place){
        .role = role, .access = s->access, .file = file, .line = s->line, .column = s->column == 0 ? 1 : s->column};
  }
}

static void put_side(const overlap_side *s, buffer *out) { buffer_printf(out, "%s (%s)", s->what, s->where); }

int keep_overlap(db *d, int64_t run, const kept_source *k, const overlap *o, error *e) {
  const char *kernel =
      o->first.source == overlap_source(o) && o->first.kernel != NULL ? o->first.kernel : o->second.kernel;
  db_place places[2];
  size_t place_count = 0;
  buffer first = {0}, second = {0};
  char pairs[32];
  add_place(k, o, &o->first, "first", places, &place_count);
  add_place(k, o, &o->second, "second", places, &place_count);
  put_side(&o->first, &first);
  put_side(&o->second, &second);
  (void)snprintf(pairs, sizeof pairs, "%" PRIu64, o->count);
  const db_witness witness[] = {{.what = "first command", .value = buffer_text(&first)},
                                {.what = "second command", .value = buffer_text(&second)},
                                {.what = "memory", .value = o->memory},
                                {.what = "pairs of commands", .value = pairs}};
  const db_finding row = {.run = run,
                          .program = place_count == 0 ? 0 : k->stored.id,
                          .kernel = k == NULL || kernel == NULL ? 0 : kept_source_kernel(k, kernel),
                          .rule = HOST_RACE,
                          .message = o->message,
                          .places = places,
                          .place_count = place_count,
                          .witness = witness,
                          .witness_count = sizeof witness / sizeof witness[0],
                          .possible = !o->definite,
                          .distinct = o->message};
  const int result = db_put_finding(d, &row, e);
  buffer_free(&first);
  buffer_free(&second);
  return result;
}
