/* From records to findings: two accesses, two work-items, a place in memory, and what orders them nowhere. */
#include "runner/session/races.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "runner/session/internal.h"
#include "wire/check_record.h"
#include "wire/protocol.h"

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
  known->record[CHECK_SAME] = count - high(real, before);
}

void races_take(session *s, uint32_t program, uint32_t kernel, int64_t row, const uint32_t *words) {
  const instrument_result *made = &s->programs[program].result;
  s->programs[program].checks[kernel].made = true;
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
  static const char *const notes[] = {
      "a program has accesses that are not checked (docs/races.md, \"What is not seen\")",
      "a kernel has more pairs of racing accesses than are kept; some are not listed",
      "a work-item passed more than 4,094 barriers; accesses of a work-group behind these were not checked",
      "a launch has more work-items than can be told apart; it was not checked"};
  const bool apply[] = {made->left_out, words[CHECKED_DROPPED] > 0, words[CHECKED_DEEP] != 0,
                        words[CHECKED_LARGE] != 0};
  for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
    if (apply[i]) {
      session_add_note(s, notes[i]);
      s->programs[program].checks[kernel].unsure = notes[i];
    }
  }
}

/* --- words --------------------------------------------------------------------------------------------------------- */

static const struct {
  const char *does, *how, *access;
} words_of[] = {
    [CHECK_READ] = {"reads", "", "read"},
    [CHECK_WRITE] = {"writes", "", "write"},
    [CHECK_UPDATE] = {"reads and writes", "", "write"},
    [CHECK_ATOMIC] = {"updates", " atomically", "atomic"},
    [CHECK_ATOMIC_LOAD] = {"reads", " atomically", "atomic"},
    [CHECK_COPY_READ] = {"reads", "", "read"},
    [CHECK_COPY_WRITE] = {"writes", "", "write"},
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

static bool is_image(const telling *t) { return t->object != NULL && t->object->image; }

static void put_element(const telling *t, buffer *out) {
  const uint64_t byte = wide(t->race->record + CHECK_WHERE);
  const uint64_t pixel = wide(t->race->record + CHECK_PIXEL);
  if (is_image(t)) {
    buffer_printf(out, "pixel (%u, %u", (unsigned)pixel, (unsigned)(pixel >> 32 & 0xffff));
    if (pixel >> 48 > 0) {
      buffer_printf(out, ", %u", (unsigned)(pixel >> 48));
    }
    buffer_printf(out, ") of %s", t->object->name);
    return;
  }
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
    buffer_printf(out, "no barrier for %s stands between them",
                  is_image(t)     ? "images"
                  : t->now->local ? "local memory"
                                  : "global memory");
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

static void put_line(const telling *t, const instrument_check *c, bool files, buffer *out) {
  if (files) {
    buffer_printf(out, " (%s:%u)", t->made->model.files[c->file].name, c->line);
  } else {
    buffer_printf(out, " (line %u)", c->line);
  }
}

static void put_message(const telling *t, bool benign, bool files, buffer *out) {
  const uint32_t *r = t->race->record;
  const bool several = state_of(t) >= CHECK_MANY;
  put_item(t, r[CHECK_BEFORE], state_of(t), out);
  buffer_putc(out, ' ');
  const bool read = (r[CHECK_STATE] >> 15 & 1) != 0;
  put_does(t->before != NULL ? words_of[t->before->kind].does
           : read            ? "reads"
                             : "wrote",
           several && (t->before != NULL || read), out);
  buffer_putc(out, ' ');
  put_element(t, out);
  if (t->before != NULL) {
    buffer_puts(out, words_of[t->before->kind].how);
    put_line(t, t->before, files, out);
  }
  buffer_puts(out, ", and ");
  put_item(t, r[CHECK_NOW], CHECK_ONE, out);
  buffer_printf(out, " %s %sit%s", words_of[t->now->kind].does, benign ? "the same value to " : "",
                words_of[t->now->kind].how);
  put_line(t, t->now, files, out);
  buffer_puts(out, "; ");
  put_why(t, out);
}

/* --- findings ------------------------------------------------------------------------------------------------------ */

static void put_value(const telling *t, const uint32_t *words, char *out, size_t size) {
  const uint32_t bytes = t->race->record[CHECK_BYTES];
  (void)snprintf(out, size, "0x%0*llx", (int)(bytes > 8 ? 16 : 2 * bytes), (unsigned long long)wide(words));
}

static void add(told_race *w, const char *what, const char *value) {
  w->witness[w->witness_count++] = (db_witness){what, value};
}

static void make_witness(const telling *t, told_race *w) {
  const uint32_t *r = t->race->record;
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
    add(w, "value after", w->new);
  }
  add(w, "times", w->times);
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

static bool is_benign(const seen_race *r) { return r->record[CHECK_SAME] >= r->record[CHECK_COUNT]; }

static telling telling_of(const session *s, const seen_race *r) {
  const instrument_result *made = &s->programs[r->program].result;
  telling t = {.race = r,
               .made = made,
               .kernel = &made->kernels[r->kernel],
               .before = r->before == CHECKED_ACCESSES ? NULL : &made->checks[r->before],
               .now = &made->checks[r->now],
               .bits = r->record[CHECK_BITS] & 31};
  t.object = object_of(t.kernel, t.now->local, r->record[CHECK_OBJECT]);
  return t;
}

void races_tell(const session *s, const seen_race *r, told_race *out) {
  const telling t = telling_of(s, r);
  *out = (told_race){.benign = is_benign(r)};
  if (t.before != NULL) {
    out->places[out->place_count++] =
        place_of(&t, "first", t.before, r->record[CHECK_BEFORE], state_of(&t), out->numbers[0], out->numbers[1]);
  }
  out->places[out->place_count++] =
      place_of(&t, "second", t.now, r->record[CHECK_NOW], CHECK_ONE, out->numbers[2], out->numbers[3]);
  make_witness(&t, out);
  buffer message = {0};
  put_message(&t, out->benign, false, &message);
  buffer_printf(&message, " (launch %s, seen %s time%s)", out->launch, out->times,
                r->record[CHECK_COUNT] == 1 ? "" : "s");
  out->message = buffer_take(&message);
  put_message(&t, out->benign, true, &out->with_files);
}

void races_told_free(told_race *t) {
  free(t->message);
  buffer_free(&t->with_files);
  buffer_free(&t->element);
  buffer_free(&t->first);
  buffer_free(&t->second);
}

static int write_race(session *s, const seen_race *r, error *e) {
  const session_program *p = &s->programs[r->program];
  told_race told;
  races_tell(s, r, &told);
  const db_finding finding = {.run = s->run,
                              .test_case = r->row,
                              .program = p->stored.id,
                              .kernel = p->stored.kernels[r->kernel],
                              .rule = told.benign ? "benign-race" : "data-race",
                              .message = told.message,
                              .places = told.places,
                              .place_count = told.place_count,
                              .witness = told.witness,
                              .witness_count = told.witness_count};
  const int result = db_put_finding(s->db, &finding, e);
  s->summary.findings += told.benign ? 0 : 1;
  races_told_free(&told);
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

/* --- of one kernel ------------------------------------------------------------------------------------------------- */

void races_forget(session *s) {
  s->race_count = 0;
  for (size_t i = 0; i < s->program_count; i++) {
    session_program *p = &s->programs[i];
    if (p->checks != NULL) {
      memset(p->checks, 0, p->result.model.kernel_count * sizeof *p->checks);
    }
  }
}

/* How much a race says of why the order of work-groups shows: 0: nothing. */
static int rank_of(const session *s, const seen_race *r) {
  const telling t = telling_of(s, r);
  const int both = t.before != NULL ? 2 : 0, groups = one_group(&t) ? 0 : 4;
  return is_benign(r) ? 0 : 1 + groups + both + (state_of(&t) != CHECK_GROUPS ? 1 : 0);
}

const seen_race *races_worst(const session *s, uint32_t program, uint32_t kernel) {
  const seen_race *worst = NULL;
  int rank = 0;
  for (size_t i = 0; i < s->race_count; i++) {
    const seen_race *r = &s->races[i];
    if (r->program == program && r->kernel == kernel && rank_of(s, r) > rank) {
      worst = r;
      rank = rank_of(s, r);
    }
  }
  return worst;
}

/* What the layer has said of the kernel; NULL: nothing. */
static const char *note_of(const session *s, const char *kernel) {
  const size_t length = strlen(kernel);
  const char *found = NULL;
  for (size_t i = 0; i < s->note_count && found == NULL; i++) {
    const char *text = s->notes[i];
    const bool about = strncmp(text, "kernel ", 7) == 0 && strncmp(text + 7, kernel, length) == 0;
    found = about && text[7 + length] == ':' ? text : NULL;
  }
  return found;
}

const char *races_obstacle(const session *s, uint32_t program, uint32_t kernel) {
  const session_program *p = &s->programs[program];
  if (p->reason != NULL || p->checks == NULL || !p->checks[kernel].made) {
    return p->reason != NULL ? p->reason : "no launch of it was checked";
  }
  return p->checks[kernel].unsure != NULL ? p->checks[kernel].unsure : note_of(s, p->result.model.kernels[kernel].name);
}

/* --- what is checked ----------------------------------------------------------------------------------------------- */

enum { MOST_ROUNDS = 16 }; /* a run each */

void session_check(session *s) { s->kernels = KERNEL_CHECKED; }

void session_check_aside(session *s) {
  session_check(s);
  s->aside = true;
}

int races_hear(session *s, uint32_t type, wire_reader *in) {
  s->rounds = type == MESSAGE_SHORT ? high(s->rounds, wire_u32(in)) : s->rounds;
  s->shared = s->shared || type == MESSAGE_SHARED;
  return 0;
}

void session_check_apart(session *s, bool apart) {
  s->apart = apart;
  s->shared = false;
  s->rounds = 0;
}

bool session_has_shared(const session *s) { return s->shared; }

unsigned session_check_rounds(const session *s) { return s->rounds > MOST_ROUNDS ? MOST_ROUNDS : s->rounds; }

bool session_check_lacks_rounds(const session *s) { return s->rounds > MOST_ROUNDS; }

int session_end_checks(session *s, error *e) { return races_write(s, e); }
