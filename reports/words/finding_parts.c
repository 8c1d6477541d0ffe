/* The parts of a finding's record: ids, elements, pairs of words. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "reports/words/finding_text.h"

/* --- ids ----------------------------------------------------------------------------------------------------------- */

/* The numbers of an id that count: up to the last that is not 0. */
static size_t dimensions_of(const char *id) {
  size_t most = 1;
  size_t dimension = 1;
  for (const char *c = text_or_empty(id); *c != '\0'; c++) {
    dimension += *c == ',' ? 1 : 0;
    most = *c >= '1' && *c <= '9' ? dimension : most;
  }
  return most;
}

static size_t higher(size_t a, size_t b) { return a > b ? a : b; }

static void put_numbers(const char *id, size_t most, buffer *to) {
  const char *end = most > 1 ? ")" : "";
  buffer_puts(to, most > 1 ? "(" : "");
  for (const char *c = id; *c != '\0' && (*c != ',' || --most > 0); c++) {
    buffer_putc(to, *c);
    buffer_puts(to, *c == ',' ? " " : "");
  }
  buffer_puts(to, end);
}

void finding_id(const told_finding *f, const char *id, buffer *to) {
  size_t most = higher(dimensions_of(f->detail->local), dimensions_of(f->detail->group));
  for (size_t i = 0; i < f->place_count; i++) {
    most = higher(most, higher(dimensions_of(f->places[i].local), dimensions_of(f->places[i].group)));
  }
  if (id[0] != '\0') {
    put_numbers(id, most, to);
  }
}

void finding_element(const told_finding *f, buffer *to) {
  const db_detail *d = f->detail;
  const char *object = text_or_empty(d->object)[0] == '\0' ? "memory" : d->object;
  const char *pixel = text_or_empty(d->pixel);
  if (pixel[0] != '\0') {
    buffer_puts(to, "pixel ");
    put_numbers(pixel, strchr(pixel, ',') == NULL ? 1 : 3, to);
    buffer_printf(to, " of %s", object);
    return;
  }
  const bool whole = d->size.known && d->element_size.known && d->size.value == d->element_size.value;
  buffer_puts(to, object);
  if (d->element.known && !(whole && d->element.value == 0)) {
    buffer_printf(to, "[%" PRId64 "]", (int64_t)d->element.value);
  }
  if (d->byte.known) {
    buffer_printf(to, " (byte %" PRIu64 " of it)", d->byte.value);
  }
}

/* --- pairs --------------------------------------------------------------------------------------------------------- */

/* A part that is being given. */
typedef struct giving {
  const told_finding *f;
  finding_part *take;
  void *context;
  finding_part_kind kind;
} giving;

static void give(const giving *g, const char *what, buffer *value) {
  g->take(g->context, g->kind, what, buffer_text(value));
  buffer_free(value);
}

static void give_text(const giving *g, const char *what, const char *value) {
  if (text_or_empty(value)[0] != '\0') {
    g->take(g->context, g->kind, what, value);
  }
}

static void give_number(const giving *g, const char *what, db_number n) {
  buffer value = {0};
  if (n.known) {
    buffer_printf(&value, "%" PRIu64, n.value);
    give(g, what, &value);
  }
}

static void give_element(const giving *g) {
  buffer value = {0};
  finding_element(g->f, &value);
  give(g, "element", &value);
}

/* "0x00000007", as wide as the access. */
static void give_value(const giving *g, const char *what, db_number n) {
  const uint64_t bytes = g->f->detail->value_size.value;
  buffer value = {0};
  if (n.known) {
    buffer_printf(&value, "0x%0*" PRIx64, (int)(bytes > 8 ? 16 : 2 * bytes), n.value);
    give(g, what, &value);
  }
}

static void give_sides(const giving *g) {
  static const char *const roles[] = {"first", "second"};
  for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
    buffer value = {0};
    finding_side(g->f, roles[i], &value);
    give(g, roles[i], &value);
  }
}

/* A race that was seen. */
static void give_race(const giving *shown) {
  const db_detail *d = shown->f->detail;
  giving said = *shown;
  said.kind = PART_SAID;
  give_number(&said, "launch", (db_number){true, d->launch.value + 1});
  give_element(&said);
  give_sides(&said);
  give_number(shown, "barriers passed", d->barriers);
  give_value(shown, "value before", d->value_before);
  give_value(shown, "value after", d->value_after);
  give_number(&said, "times", d->count);
}

/* An error with memory that was seen. */
static void give_wrong_access(const giving *shown) {
  const db_detail *d = shown->f->detail;
  giving said = *shown;
  said.kind = PART_SAID;
  buffer value = {0};
  give_number(&said, "launch", (db_number){true, d->launch.value + 1});
  give_element(&said);
  finding_side(shown->f, "access", &value);
  give(&said, "access", &value);
  give_number(&said, "times", d->count);
}

/* A guard zone that was written to: which launch has done it is said, where it is known. */
static void give_overrun(const giving *shown) {
  const db_number launch = shown->f->detail->launch;
  giving said = *shown;
  said.kind = PART_SAID;
  give_number(&said, "launch", (db_number){launch.known, launch.value + 1});
}

static bool is_one_access(const told_finding *f) {
  return f->place_count == 1 && strcmp(f->places[0].role, "access") == 0;
}

static void give_detail(const giving *g) {
  const db_detail *d = g->f->detail;
  if (g->f->proved) {
    if (text_or_empty(d->object)[0] != '\0') {
      give_element(g);
    }
    give_text(g, "local size", d->local_size);
    give_text(g, "groups", d->groups);
    give_text(g, "offset", d->offset);
  } else if (strcmp(g->f->rule, "buffer-overrun") == 0 || strcmp(g->f->rule, "memory-error") == 0) {
    give_overrun(g);
  } else if (d->launch.known && d->count.known) {
    (is_one_access(g->f) ? give_wrong_access : give_race)(g);
  } else {
    give_number(g, "launch", d->launch);
    give_text(g, "work-group", d->group);
  }
}

/* Versions before 19 of the database have told all in pairs. */
static finding_part_kind kind_of_pair(const told_finding *f, const char *what) {
  static const char *const said[] = {"launch", "element", "first", "second", "times"};
  if (strcmp(f->rule, "api-error") == 0 || strcmp(f->rule, "buffer-overrun") == 0 || strcmp(f->rule, "leak") == 0 ||
      strcmp(f->rule, "memory-error") == 0 || strcmp(f->rule, "used-before-read") == 0 ||
      strcmp(f->rule, "copy-not-awaited") == 0 || strcmp(f->rule, "uninitialized-read") == 0) {
    return PART_SAID;
  }
  const bool race = !f->proved && f->place_count > 0 && strstr(f->rule, "-race") != NULL;
  for (size_t i = 0; race && i < sizeof said / sizeof said[0]; i++) {
    if (strcmp(what, said[i]) == 0) {
      return PART_SAID;
    }
  }
  return strcmp(what, "depends on") == 0 ? PART_DOUBT : PART_SHOWN;
}

void finding_parts(const told_finding *f, finding_part *take, void *context) {
  const giving g = {f, take, context, PART_SHOWN};
  give_detail(&g);
  give_commands(f, take, context);
  for (size_t i = 0; i < f->witness_count; i++) {
    const db_witness *w = &f->witness[i];
    const bool doubt = strcmp(text_or_empty(w->kind), "doubt") == 0;
    buffer what = {0};
    buffer_puts(&what, doubt ? "depends on" : w->what);
    if (w->element.known) {
      buffer_printf(&what, "[%" PRIu64 "]", w->element.value);
    }
    take(context, kind_of_pair(f, buffer_text(&what)), buffer_text(&what), text_or_empty(w->value));
    buffer_free(&what);
  }
}
