/* What kernels that record coverage have seen: which bits are new, what they mean, and where barriers and async calls diverged. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/session/internal.h"

enum { RECORD_WORDS = 5, RECORD_CLAIMED = 0, RECORD_LAUNCH, RECORD_GROUP, RECORD_DIFFERING, RECORD_ITEMS };

static bool bit_set(const uint32_t *words, size_t bit) { return (words[bit / 32] >> (bit % 32) & 1u) != 0; }

/* The record of a plane, NULL if nothing diverged there. */
static const uint32_t *record_of(const instrument_kernel *k, const uint32_t *words, uint32_t record) {
  const uint32_t *r = words + k->flag_words + (size_t)RECORD_WORDS * record;
  return r[RECORD_CLAIMED] == 0 ? NULL : r;
}

/* The guard that diverged and stands first in the source; NULL if none did. */
static const instrument_plane *first_diverged_guard(const model *m, const instrument_kernel *k, const uint32_t *words,
                                                    const instrument_plane *barrier) {
  const instrument_plane *first = NULL;
  for (size_t g = 0; g < barrier->guard_count; g++) {
    const instrument_plane *guard = &k->planes[barrier->guards[g]];
    if (record_of(k, words, guard->record) != NULL &&
        (first == NULL || m->sites[guard->site].offset < m->sites[first->site].offset))
      first = guard;
  }
  return first;
}

/* Whether work-items surely miss it: they come to it a different number of times, or decide differently right before it, or,
 * where nothing before it decides, after it in its loop. A decision further away may differ where nobody comes to the barrier. */
static bool is_missed(const model *m, const instrument_kernel *k, const uint32_t *words,
                      const instrument_plane *barrier) {
  const instrument_plane *nearest = NULL;
  const uint32_t at = m->sites[barrier->site].offset;
  for (size_t g = 0; g < barrier->guard_count; g++) {
    const instrument_plane *guard = &k->planes[barrier->guards[g]];
    const uint32_t offset = m->sites[guard->site].offset;
    nearest = offset < at && (nearest == NULL || offset > m->sites[nearest->site].offset) ? guard : nearest;
  }
  return record_of(k, words, barrier->record) != NULL || nearest == NULL ||
         record_of(k, words, nearest->record) != NULL;
}

/* The name of the function that is called at a site; free it. */
static char *call_of(const model *m, const model_site *call) {
  const model_file *f = &m->files[call->file];
  size_t length = 0;
  while (call->offset + length < f->length &&
         (isalnum((unsigned char)f->text[call->offset + length]) || f->text[call->offset + length] == '_'))
    length++;
  return mem_strndup(f->text + call->offset, length);
}

static db_place place_of(const model *m, const char *role, uint32_t site) {
  const model_site *s = &m->sites[site];
  return (db_place){.role = role, .access = "", .file = s->file, .line = s->line, .column = s->column};
}

/* `row`: the test case. */
static int add_divergence(session *s, const session_program *p, uint32_t kernel, int64_t row,
                          const instrument_plane *barrier, const instrument_plane *guard, const uint32_t *record,
                          error *e) {
  const model *m = &p->result.model;
  char group[16];
  (void)snprintf(group, sizeof group, "%u", record[RECORD_GROUP]);
  db_place places[2] = {place_of(m, barrier->async ? "async" : "barrier", barrier->site)};
  if (guard != NULL) {
    places[1] = place_of(m, "decision", guard->site);
    places[1].construct =
        m->sites[guard->site].kind == SITE_CONDITIONAL ? "?:" : site_kind_name(m->sites[guard->site].kind);
  }
  char *call = call_of(m, &m->sites[barrier->site]);
  const db_finding finding = {.of.run = s->run,
                              .of.test_case = row,
                              .of.program = p->stored.id,
                              .of.kernel = p->stored.kernels[kernel],
                              .of.site = p->stored.sites[barrier->site],
                              .rule = barrier->async ? "async-divergence" : "barrier-divergence",
                              .detail = {.launch = db_known(record[RECORD_LAUNCH]),
                                         .differing = db_known(record[RECORD_DIFFERING]),
                                         .items = db_known(record[RECORD_ITEMS]),
                                         .group = group,
                                         .call = call,
                                         .cause = barrier->arguments ? "arguments" : ""},
                              .places = places,
                              .place_count = guard == NULL ? 1 : 2};
  int result = db_put_finding(s->db, &finding, e);
  free(call);
  return result;
}

/* Whether a plane of an async call says nothing that others do not say: arguments of one that is not reached alike. */
static bool said_elsewhere(const instrument_kernel *k, const uint32_t *words, const instrument_plane *plane,
                           const instrument_plane *guard) {
  bool said = plane->arguments && guard != NULL;
  for (size_t i = 0; i < k->plane_count && plane->arguments; i++) {
    const instrument_plane *other = &k->planes[i];
    said = said || (other->site == plane->site && !other->arguments && record_of(k, words, other->record) != NULL);
  }
  return said;
}

static int add_findings(session *s, session_program *p, uint32_t kernel, int64_t row, const uint32_t *words, error *e) {
  const model *m = &p->result.model;
  const instrument_kernel *k = &p->result.kernels[kernel];
  int result = 0;
  for (size_t i = 0; i < k->plane_count && result == 0; i++) {
    const instrument_plane *plane = &k->planes[i];
    const instrument_plane *guard = first_diverged_guard(m, k, words, plane); /* none of a decision */
    const uint32_t *record = record_of(k, words, guard != NULL ? guard->record : plane->record);
    const bool unsure = s->options.all && record != NULL && !is_missed(m, k, words, plane);
    if (!(plane->barrier || plane->async) || record == NULL || unsure || said_elsewhere(k, words, plane, guard))
      continue;
    result = add_divergence(s, p, kernel, row, plane, guard, record, e);
    s->summary.findings++;
  }
  return result;
}

/* Whether an implication of a bit that is set says nothing new: another bit said the same. */
static bool said_before(const instrument_kernel *k, const uint32_t *seen, const uint32_t *words, size_t implication) {
  const model_term term = k->implied[implication].term;
  for (size_t i = 0; i < k->implied_count; i++) {
    const instrument_implication *other = &k->implied[i];
    if (other->term.site == term.site && other->term.outcome == term.outcome &&
        (bit_set(seen, other->bit) || (i < implication && bit_set(words, other->bit))))
      return true;
  }
  return false;
}

/* ORs what came into what is known; returns what is new. */
static model_term *take_new(session_program *p, uint32_t kernel, const uint32_t *words, size_t *count, bool *diverged) {
  const instrument_kernel *k = &p->result.kernels[kernel];
  const uint32_t *seen = p->seen[kernel];
  model_term *items = mem_calloc(k->bit_count + k->implied_count, sizeof *items);
  *count = 0;
  size_t implied = 0;
  for (size_t bit = 0; bit < k->bit_count; bit++) {
    bool new = bit_set(words, bit) && !bit_set(seen, bit) && k->bits[bit].site != MODEL_NONE;
    if (new) {
      *diverged = *diverged || k->bits[bit].outcome == OUTCOME_DIVERGED;
      items[(*count)++] = k->bits[bit];
    }
    for (; implied < k->implied_count && k->implied[implied].bit == bit; implied++)
      if (new && !said_before(k, seen, words, implied)) items[(*count)++] = k->implied[implied].term;
  }
  for (uint32_t w = 0; w < k->total_words; w++)
    p->seen[kernel][w] |= w < k->flag_words || p->seen[kernel][w] == 0 ? words[w] : 0;
  return items;
}

/* Tells who listens for code that is reached; how its conditions were seen is no matter of that. */
static void tell_reached(session *s, uint32_t number, uint32_t kernel, const model_term *items, size_t count) {
  const session_program *p = &s->programs[number];
  for (size_t i = 0; i < count && s->options.reached != NULL; i++) {
    site_kind kind = p->result.model.sites[items[i].site].kind;
    if (kind != SITE_CONDITION && kind != SITE_DECISION)
      s->options.reached(s->options.context, number, kernel, p->stored.sites[items[i].site], items[i].outcome);
  }
}

/* What is known from now on is what `row` has shown; what it showed before may come again, which changes nothing. */
static void look_at(session *s, int64_t row) {
  for (size_t i = 0; i < s->program_count && s->seen_in != row; i++) {
    session_program *p = &s->programs[i];
    for (size_t k = 0; k < p->result.model.kernel_count; k++)
      memset(p->seen[k], 0, p->result.kernels[k].total_words * sizeof **p->seen);
  }
  s->seen_in = row;
}

int take_coverage(session *s, const form_record *r, error *e) {
  session_program *p = &s->programs[r->program];
  bool diverged = false;
  size_t count = 0;
  look_at(s, r->row);
  model_term *items = take_new(p, r->kernel, r->words, &count, &diverged);
  tell_reached(s, r->program, r->kernel, items, count);
  s->summary.launches += r->launches;
  int result = s->options.aside ? 0 : session_store_evidence(s, r, items, count, e);
  const unsigned before = s->summary.findings;
  if (result == 0 && diverged) result = add_findings(s, p, r->kernel, r->row, r->words, e);
  if (s->summary.findings > before) {
    *ARRAY_ADD(s->diverged, s->diverged_count, s->diverged_capacity) =
        (struct diverged_kernel){r->row, r->program, r->kernel};
  }
  free(items);
  return result;
}
