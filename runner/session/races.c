/* From records to findings: two accesses, two work-items, a place in memory, and what orders them nowhere. */
#include "runner/session/races.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "wire/check_record.h"

/* --- records ------------------------------------------------------------------------------------------------------- */

static uint32_t low(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t high(uint32_t a, uint32_t b) { return a < b ? b : a; }

static seen_race *find_race(session *s, const seen_race *like) {
  for (size_t i = 0; i < s->race_count; i++) {
    seen_race *r = &s->races[i];
    if (r->row == like->row && r->program == like->program && r->kernel == like->kernel &&
        low(r->before, r->now) == low(like->before, like->now) &&
        high(r->before, r->now) == high(like->before, like->now)) {
      return r;
    }
  }
  return NULL;
}

/* The same pair may come in either order, and from several queues and processes: the one that tells most stays. */
static void take_slot(session *s, seen_race *new) {
  seen_race *known = find_race(s, new);
  if (known == NULL) {
    *ARRAY_ADD(s->races, s->race_count, s->race_capacity) = *new;
    return;
  }
  const uint32_t real = new->record[CHECK_COUNT] - new->record[CHECK_SAME];
  const uint32_t before = known->record[CHECK_COUNT] - known->record[CHECK_SAME];
  const uint32_t count = high(known->record[CHECK_COUNT], new->record[CHECK_COUNT]);
  if (real > before) {
    *known = *new;
  }
  known->record[CHECK_COUNT] = count;
}

void races_take(session *s, uint32_t program, uint32_t kernel, int64_t row, const uint32_t *words) {
  const instrument_result *made = &s->programs[program].result;
  for (uint32_t i = 0; i < CHECKED_SLOT_COUNT; i++) {
    const uint32_t *slot = words + CHECKED_SLOTS + (size_t)i * CHECKED_SLOT_WORDS;
    const uint32_t key = slot[CHECK_KEY] - 1;
    if (slot[CHECK_KEY] == 0 || slot[CHECK_FILLED] == 0 || key % 4096 >= made->check_count) {
      continue;
    }
    seen_race r = {.row = row, .program = program, .kernel = kernel, .before = key / 4096, .now = key % 4096};
    memcpy(r.record, slot, sizeof r.record);
    if (r.before < made->check_count || r.before == CHECKED_ACCESSES) {
      take_slot(s, &r);
    }
  }
  if (made->left_out) {
    session_add_note(s, "a program has accesses that are not checked (docs/races.md, \"What is not seen\")");
  }
  if (words[CHECKED_DROPPED] > 0) {
    session_add_note(s, "a kernel has more pairs of racing accesses than are kept; some are not listed");
  }
  if (words[CHECKED_DEEP] != 0) {
    session_add_note(s,
                     "a work-item passed more than 4,094 barriers; accesses of one work-group behind these were not "
                     "checked against each other");
  }
  if (words[CHECKED_LARGE] != 0) {
    session_add_note(s, "a launch has more work-items than can be told apart; it was not checked");
  }
}

/* --- words --------------------------------------------------------------------------------------------------------- */

static const struct {
  const char *does, *access;
} words_of[] = {
    [CHECK_READ] = {"reads", "read"},
    [CHECK_WRITE] = {"writes", "write"},
    [CHECK_UPDATE] = {"reads and writes", "write"},
    [CHECK_ATOMIC] = {"updates atomically", "atomic"},
    [CHECK_ATOMIC_LOAD] = {"reads atomically", "atomic"},
    [CHECK_COPY_READ] = {"reads", "read"},
    [CHECK_COPY_WRITE] = {"writes", "write"},
};

typedef struct telling {
  const seen_race *race;
  const instrument_result *made;
  const instrument_kernel *kernel;
  const instrument_check *before; /* NULL: an earlier write by the same group */
  const instrument_check *now;
  const instrument_object *object; /* NULL: not known */
  uint32_t bits;
} telling;

static bool is_copy(const telling *t, uint32_t item) {
  const uint32_t mask = (1U << t->bits) - 1;
  return (item & mask) == mask;
}

static uint32_t group_of(const telling *t, uint32_t item) { return item >> t->bits; }
static uint32_t lane_of(const telling *t, uint32_t item) { return item & ((1U << t->bits) - 1); }
static uint32_t state_of(const telling *t) { return t->race->record[CHECK_STATE] >> 12 & 3; }

static bool one_group(const telling *t) {
  const uint32_t *r = t->race->record;
  return state_of(t) != CHECK_GROUPS && group_of(t, r[CHECK_BEFORE]) == group_of(t, r[CHECK_NOW]);
}

static const instrument_object *object_of(const instrument_kernel *k, bool local, uint32_t number) {
  for (size_t i = 0; i < k->object_count; i++) {
    if (k->objects[i].local == local && number-- == 0) {
      return &k->objects[i];
    }
  }
  return NULL;
}

static uint64_t wide(const uint32_t *words) { return words[0] | (uint64_t)words[1] << 32; }

static void put_element(const telling *t, buffer *out) {
  const uint64_t byte = wide(t->race->record + CHECK_WHERE);
  const uint32_t size = t->object != NULL && t->object->size > 0 ? t->object->size : 1;
  buffer_printf(out, "%s[%llu]", t->object != NULL ? t->object->name : "memory", (unsigned long long)(byte / size));
}

static void put_item(const telling *t, uint32_t item, uint32_t state, buffer *out) {
  if (state == CHECK_GROUPS) {
    buffer_puts(out, "work-items of several work-groups");
  } else if (is_copy(t, item)) {
    buffer_printf(out, "a copy by work-group %u", group_of(t, item));
  } else if (state == CHECK_MANY) {
    buffer_printf(out, "several work-items of work-group %u", group_of(t, item));
  } else {
    buffer_printf(out, "work-item %u of work-group %u", lane_of(t, item), group_of(t, item));
  }
}

static void put_why(const telling *t, buffer *out) {
  const uint32_t *r = t->race->record;
  if (!one_group(t)) {
    buffer_puts(out, "nothing orders work-groups of one launch");
  } else if (is_copy(t, r[CHECK_BEFORE])) {
    buffer_puts(out, "no wait_group_events stands between them");
  } else {
    buffer_printf(out, "no barrier for %s memory stands between them", t->now->local ? "local" : "global");
  }
}

/* "does", of one or several. */
static void put_does(const char *does, bool several, buffer *out) {
  const char *space = strchr(does, ' ');
  const size_t verb = space == NULL ? strlen(does) : (size_t)(space - does);
  if (!several) {
    buffer_puts(out, does);
  } else if (strcmp(does, "reads and writes") == 0) {
    buffer_puts(out, "read and write");
  } else {
    buffer_append(out, does, verb - 1);
    buffer_puts(out, does + verb);
  }
}

static char *message_of(const telling *t, bool benign) {
  const uint32_t *r = t->race->record;
  buffer out = {0};
  const bool several = state_of(t) >= CHECK_MANY;
  put_item(t, r[CHECK_BEFORE], state_of(t), &out);
  buffer_putc(&out, ' ');
  const bool read = (r[CHECK_STATE] >> 15 & 1) != 0;
  put_does(t->before != NULL ? words_of[t->before->kind].does
           : read            ? "reads"
                             : "wrote",
           several && (t->before != NULL || read), &out);
  buffer_putc(&out, ' ');
  put_element(t, &out);
  if (t->before != NULL) {
    buffer_printf(&out, " (line %u)", t->before->line);
  }
  buffer_puts(&out, ", and ");
  put_item(t, r[CHECK_NOW], CHECK_ONE, &out);
  buffer_printf(&out, " %s %sit (line %u); ", words_of[t->now->kind].does, benign ? "the same value to " : "",
                t->now->line);
  put_why(t, &out);
  buffer_printf(&out, " (launch %u, seen %u time%s)", r[CHECK_LAUNCH] + 1, r[CHECK_COUNT],
                r[CHECK_COUNT] == 1 ? "" : "s");
  return buffer_take(&out);
}

/* --- findings ------------------------------------------------------------------------------------------------------ */

static void put_value(const telling *t, const uint32_t *words, char *out, size_t size) {
  const uint32_t bytes = t->race->record[CHECK_BYTES];
  (void)snprintf(out, size, "0x%0*llx", (int)(bytes > 8 ? 16 : 2 * bytes), (unsigned long long)wide(words));
}

enum { WITNESSES = 8 };

/* Texts of the witness, in room of the caller's. */
typedef struct witness_texts {
  buffer element, first, second;
  char launch[16], times[16], interval[16], old[24], new[24];
  db_witness items[WITNESSES];
  size_t count;
} witness_texts;

static void add(witness_texts *w, const char *what, const char *value) {
  w->items[w->count++] = (db_witness){what, value};
}

static void make_witness(const telling *t, witness_texts *w) {
  const uint32_t *r = t->race->record;
  *w = (witness_texts){0};
  put_element(t, &w->element);
  put_item(t, r[CHECK_BEFORE], state_of(t), &w->first);
  put_item(t, r[CHECK_NOW], CHECK_ONE, &w->second);
  (void)snprintf(w->launch, sizeof w->launch, "%u", r[CHECK_LAUNCH] + 1);
  (void)snprintf(w->times, sizeof w->times, "%u", r[CHECK_COUNT]);
  (void)snprintf(w->interval, sizeof w->interval, "%u", r[CHECK_INTERVAL]);
  add(w, "launch", w->launch);
  add(w, "element", buffer_text(&w->element));
  add(w, "first", buffer_text(&w->first));
  add(w, "second", buffer_text(&w->second));
  if (one_group(t)) {
    add(w, "barriers passed", w->interval);
  }
  if (r[CHECK_BYTES] > 0) {
    put_value(t, r + CHECK_OLD, w->old, sizeof w->old);
    put_value(t, r + CHECK_NEW, w->new, sizeof w->new);
    add(w, "value before", w->old);
    add(w, "value behind", w->new);
  }
  add(w, "times", w->times);
}

static void free_witness(witness_texts *w) {
  buffer_free(&w->element);
  buffer_free(&w->first);
  buffer_free(&w->second);
}

static db_place place_of(const telling *t, const char *role, const instrument_check *c, uint32_t item, uint32_t state,
                         char local[16], char group[16]) {
  (void)snprintf(local, 16, "%u", lane_of(t, item));
  (void)snprintf(group, 16, "%u", group_of(t, item));
  const bool known = state < CHECK_MANY && !is_copy(t, item);
  return (db_place){.role = role,
                    .access = words_of[c->kind].access,
                    .file = c->file,
                    .line = c->line,
                    .column = c->column,
                    .local = known ? local : NULL,
                    .group = state == CHECK_GROUPS ? NULL : group};
}

static int write_race(session *s, const seen_race *r, error *e) {
  const session_program *p = &s->programs[r->program];
  const instrument_check *checks = p->result.checks;
  telling t = {.race = r,
               .made = &p->result,
               .kernel = &p->result.kernels[r->kernel],
               .before = r->before == CHECKED_ACCESSES ? NULL : &checks[r->before],
               .now = &checks[r->now],
               .bits = r->record[CHECK_BITS] & 31};
  t.object = object_of(t.kernel, t.now->local, r->record[CHECK_OBJECT]);
  const bool benign = r->record[CHECK_SAME] >= r->record[CHECK_COUNT];
  char numbers[4][16];
  db_place places[2];
  size_t count = 0;
  if (t.before != NULL) {
    places[count++] = place_of(&t, "first", t.before, r->record[CHECK_BEFORE], state_of(&t), numbers[0], numbers[1]);
  }
  places[count++] = place_of(&t, "second", t.now, r->record[CHECK_NOW], CHECK_ONE, numbers[2], numbers[3]);
  witness_texts w;
  make_witness(&t, &w);
  char *message = message_of(&t, benign);
  const db_finding finding = {.run = s->run,
                              .test_case = r->row,
                              .program = p->stored.id,
                              .kernel = p->stored.kernels[r->kernel],
                              .rule = benign ? "benign-race" : "data-race",
                              .message = message,
                              .places = places,
                              .place_count = count,
                              .witness = w.items,
                              .witness_count = w.count};
  const int result = db_put_finding(s->db, &finding, e);
  s->summary.findings += benign ? 0 : 1;
  free(message);
  free_witness(&w);
  return result;
}

/* Whether another finding says more: which access the other one is. */
static bool is_known_better(const session *s, const seen_race *r) {
  for (size_t i = 0; i < s->race_count && r->before == CHECKED_ACCESSES; i++) {
    const seen_race *o = &s->races[i];
    const bool both = o->before != CHECKED_ACCESSES && (o->before == r->now || o->now == r->now);
    if (both && o->row == r->row && o->program == r->program && o->kernel == r->kernel) {
      return true;
    }
  }
  return false;
}

int races_write(session *s, error *e) {
  int result = 0;
  for (size_t i = 0; i < s->race_count && result == 0; i++) {
    result = is_known_better(s, &s->races[i]) ? 0 : write_race(s, &s->races[i], e);
  }
  s->race_count = 0;
  return result;
}

/* --- what is checked ----------------------------------------------------------------------------------------------- */

enum { MOST_ROUNDS = 16 }; /* a run each */

void session_check(session *s) { s->checked = true; }

void races_want_rounds(session *s, uint32_t rounds) { s->rounds = high(s->rounds, rounds); }

unsigned session_check_rounds(const session *s) { return s->rounds > MOST_ROUNDS ? MOST_ROUNDS : s->rounds; }

int session_end_checks(session *s, error *e) { return races_write(s, e); }
