/* From records of checked kernels to findings: two accesses, two work-items, and a place in memory. */
#include "detectors/races/decoder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/session/internal.h"
#include "wire/protocol.h"

access_words access_words_of(check_kind kind) {
  static const access_words all[] = {
      [CHECK_READ] = {"read", ""},
      [CHECK_WRITE] = {"write", ""},
      [CHECK_UPDATE] = {"write", "update"},
      [CHECK_ATOMIC] = {"atomic", ""},
      [CHECK_ATOMIC_LOAD] = {"atomic", "load"},
      [CHECK_COPY_READ] = {"read", ""},
      [CHECK_COPY_WRITE] = {"write", ""},
  };
  return all[kind];
}

/* --- records ------------------------------------------------------------------------------------------------------- */

bool checked_slot_read(const instrument_result *of, const uint32_t *record, uint32_t number, checked_slot *out) {
  const uint32_t *slot = record + CHECKED_SLOTS + (size_t)number * CHECKED_SLOT_WORDS;
  const uint32_t key = slot[CHECK_KEY] - 1;
  if (slot[CHECK_KEY] == 0) return false;
  *out = (checked_slot){.words = slot, .before = key / 4096, .now = key % 4096};
  out->whole = slot[CHECK_FILLED] != 0 && out->now < of->check_count &&
               (out->before < of->check_count || out->before == CHECKED_ACCESSES);
  out->same = slot[CHECK_SAME] >= slot[CHECK_COUNT];
  return true;
}

static uint32_t low(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t high(uint32_t a, uint32_t b) { return a < b ? b : a; }

static seen_race *find_race(session *s, const seen_race *like) {
  for (size_t i = 0; i < s->race_count; i++) {
    seen_race *r = &s->races[i];
    if (r->row == like->row && r->program == like->program && r->kernel == like->kernel &&
        low(r->before, r->now) == low(like->before, like->now) &&
        high(r->before, r->now) == high(like->before, like->now))
      return r;
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
  if (real > before) *known = *new;
  known->record[CHECK_COUNT] = count;
  known->record[CHECK_SAME] = count - high(real, before);
}

/* All that was seen since the process made its queue. */
int take_checks(session *s, const form_record *r, error *e) {
  session_program *p = &s->programs[r->program];
  const instrument_result *made = &p->result;
  (void)e;
  p->checks[r->kernel].made = true;
  for (uint32_t i = 0; i < CHECKED_SLOT_COUNT; i++) {
    checked_slot slot;
    if (checked_slot_read(made, r->words, i, &slot) && slot.whole) {
      seen_race seen = {
          .row = r->row, .program = r->program, .kernel = r->kernel, .before = slot.before, .now = slot.now};
      memcpy(seen.record, slot.words, sizeof seen.record);
      take_slot(s, &seen);
    }
  }
  static const char *const notes[] = {
      "a program has accesses that are not checked (docs/races.md, \"What is not seen\")",
      "a kernel has more pairs of racing accesses than are kept; some are not listed",
      "a work-item passed more than 4,094 barriers; accesses of a work-group after these were not checked",
      "a launch has more work-items than can be told apart; it was not checked"};
  const bool apply[] = {made->left_out, r->words[CHECKED_DROPPED] > 0, r->words[CHECKED_DEEP] != 0,
                        r->words[CHECKED_LARGE] != 0};
  for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
    if (apply[i]) {
      session_add_note(s, notes[i]);
      p->checks[r->kernel].unsure = notes[i];
    }
    s->unbounded = s->unbounded || apply[i];
  }
  s->unbounded = s->unbounded || made->unbounded || r->words[CHECKED_UNSEEN] != 0;
  return 0;
}

/* --- as a finding -------------------------------------------------------------------------------------------------- */

typedef struct telling {
  const seen_race *race;
  const instrument_kernel *kernel;
  const instrument_check *before; /* NULL: an earlier write by the same group */
  const instrument_check *now;
  const instrument_object *object; /* NULL: not known */
  uint32_t bits;
} telling;

static uint32_t group_of(const telling *t, uint32_t item) { return item >> t->bits; }
static uint32_t lane_of(const telling *t, uint32_t item) { return item & ((1U << t->bits) - 1); }
static uint32_t state_of(const telling *t) { return t->race->record[CHECK_STATE] >> 12 & 3; }

static bool one_group(const telling *t) {
  const uint32_t *r = t->race->record;
  return state_of(t) != CHECK_GROUPS && group_of(t, r[CHECK_BEFORE]) == group_of(t, r[CHECK_NOW]);
}

static const instrument_object *object_of(const instrument_kernel *k, bool local, uint32_t number) {
  for (size_t i = 0; i < k->object_count; i++)
    if (k->objects[i].local == local && number-- == 0) return &k->objects[i];
  return NULL;
}

/* Who it was, in texts of the race. */
static void set_item(const telling *t, uint32_t item, uint32_t state, race_item *out) {
  const uint32_t mask = (1U << t->bits) - 1;
  const bool copy = (item & mask) == mask;
  (void)snprintf(out->local, sizeof out->local, "%u", lane_of(t, item));
  (void)snprintf(out->group, sizeof out->group, "%u", group_of(t, item));
  out->who = state == CHECK_GROUPS ? "groups" : copy ? "copy" : state == CHECK_MANY ? "several" : "";
  out->local[state >= CHECK_MANY || copy ? 0 : sizeof out->local - 1] = '\0';
  out->group[state == CHECK_GROUPS ? 0 : sizeof out->group - 1] = '\0';
}

static void set_memory(const telling *t, told_race *w) {
  const uint64_t byte = session_wide(t->race->record + CHECK_WHERE),
                 pixel = session_wide(t->race->record + CHECK_PIXEL);
  const instrument_object *o = t->object;
  db_detail *d = &w->detail;
  d->object = o != NULL ? o->name : "";
  d->space = o != NULL && o->image ? "image" : t->now->local ? "local" : "global";
  if (o != NULL && o->image) {
    const int length = snprintf(w->pixel, sizeof w->pixel, "%u,%u", (unsigned)pixel, (unsigned)(pixel >> 32 & 0xffff));
    if (pixel >> 48 > 0)
      (void)snprintf(w->pixel + length, sizeof w->pixel - (size_t)length, ",%u", (unsigned)(pixel >> 48));
    d->pixel = w->pixel;
    return;
  }
  d->element_size = db_known(o != NULL && o->size > 0 ? o->size : 1);
  d->element = db_known(byte / d->element_size.value);
}

static void set_sight(const telling *t, db_detail *d) {
  const uint32_t *r = t->race->record;
  d->launch = db_known(r[CHECK_LAUNCH]);
  d->count = db_known(r[CHECK_COUNT]);
  d->barriers = (db_number){one_group(t), r[CHECK_INTERVAL]};
  if (r[CHECK_BYTES] > 0) {
    d->value_size = db_known(r[CHECK_BYTES]);
    d->value_before = db_known(session_wide(r + CHECK_OLD));
    d->value_after = db_known(session_wide(r + CHECK_NEW));
  }
}

static db_place place_of(const char *role, const instrument_check *c, const race_item *i) {
  return (db_place){.role = role,
                    .access = access_words_of(c->kind).access,
                    .how = access_words_of(c->kind).how,
                    .file = c->file,
                    .line = c->line,
                    .column = c->column,
                    .who = i->who,
                    .local = i->local,
                    .group = i->group};
}

static bool is_benign(const seen_race *r) { return r->record[CHECK_SAME] >= r->record[CHECK_COUNT]; }

static telling telling_of(const session *s, const seen_race *r) {
  const instrument_result *made = &s->programs[r->program].result;
  telling t = {.race = r,
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
  set_item(&t, r->record[CHECK_BEFORE], state_of(&t), &out->items[0]);
  set_item(&t, r->record[CHECK_NOW], CHECK_ONE, &out->items[1]);
  if (t.before != NULL) {
    out->places[out->place_count++] = place_of("first", t.before, &out->items[0]);
  } else {
    out->detail.access = (r->record[CHECK_STATE] >> 15 & 1) != 0 ? "read" : "write";
    out->detail.who = out->items[0].who;
    out->detail.local = out->items[0].local;
    out->detail.group = out->items[0].group;
  }
  out->places[out->place_count++] = place_of("second", t.now, &out->items[1]);
  set_memory(&t, out);
  set_sight(&t, &out->detail);
}

static int write_race(session *s, const seen_race *r, error *e) {
  const session_program *p = &s->programs[r->program];
  told_race told;
  races_tell(s, r, &told);
  const db_finding finding = {.of.run = s->run,
                              .of.test_case = r->row,
                              .of.program = p->stored.id,
                              .of.kernel = p->stored.kernels[r->kernel],
                              .rule = told.benign ? "benign-race" : "data-race",
                              .detail = told.detail,
                              .places = told.places,
                              .place_count = told.place_count};
  s->summary.findings += told.benign ? 0 : 1;
  return db_put_finding(s->db, &finding, e);
}

/* Whether another finding says more: which access the other one is. */
static bool is_known_better(const session *s, const seen_race *r) {
  for (size_t i = 0; i < s->race_count && r->before == CHECKED_ACCESSES; i++) {
    const seen_race *o = &s->races[i];
    const bool both = o->before != CHECKED_ACCESSES && (o->before == r->now || o->now == r->now);
    if (both && o->row == r->row && o->program == r->program && o->kernel == r->kernel) return true;
  }
  return false;
}

int session_end_checks(session *s, error *e) {
  int result = 0;
  for (size_t i = 0; i < s->race_count && result == 0; i++)
    result = is_known_better(s, &s->races[i]) ? 0 : write_race(s, &s->races[i], e);
  s->race_count = 0;
  return result;
}

/* --- of one kernel ------------------------------------------------------------------------------------------------- */

void races_forget(session *s) {
  s->race_count = 0;
  for (size_t i = 0; i < s->program_count; i++) {
    session_program *p = &s->programs[i];
    if (p->checks != NULL) memset(p->checks, 0, p->result.model.kernel_count * sizeof *p->checks);
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
  if (p->reason != NULL || p->checks == NULL || !p->checks[kernel].made)
    return p->reason != NULL ? p->reason : "no launch of it was checked";
  return p->checks[kernel].unsure != NULL ? p->checks[kernel].unsure : note_of(s, p->result.model.kernels[kernel].name);
}

/* --- what is checked ----------------------------------------------------------------------------------------------- */

enum { MOST_ROUNDS = 16 }; /* a run each */

bool session_take_unordered(session *s) {
  const bool was = s->unordered;
  s->unordered = false;
  return was;
}

int races_hear(session *s, uint32_t type, wire_reader *in) {
  s->rounds = type == MESSAGE_SHORT ? high(s->rounds, wire_u32(in)) : s->rounds;
  s->shared = s->shared || type == MESSAGE_SHARED;
  s->unordered = s->unordered || type == MESSAGE_UNORDERED;
  return 0;
}

void session_check_apart(session *s, bool apart) {
  s->apart = apart;
  s->shared = false;
  s->rounds = 0;
}

bool session_has_shared(const session *s) { return s->shared; }

bool session_is_inside(const session *s) {
  bool made = false, whole = s->untouched_count == 0 && s->summary.skipped == 0;
  for (size_t i = 0; i < s->program_count; i++) {
    const session_program *p = &s->programs[i];
    whole = whole && p->reason == NULL && p->checks != NULL;
    for (size_t k = 0; whole && k < p->result.model.kernel_count; k++) {
      made = made || p->checks[k].made;
      whole = !p->kernels[k].left;
    }
  }
  return s->options.bounds && made && whole && !s->unbounded && s->note_count == 0 && s->rounds <= 1;
}

unsigned session_check_rounds(const session *s) { return s->rounds > MOST_ROUNDS ? MOST_ROUNDS : s->rounds; }

bool session_check_lacks_rounds(const session *s) { return s->rounds > MOST_ROUNDS; }
