/* From transfers that nobody has waited for to findings: `used-before-read` of what they fill, `host-race` of what they take. One for
 * each call, and what came next. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/memory_rules.h"
#include "runner/call_places.h"
#include "runner/session/internal.h"
#include "wire/fields.h"

typedef struct unawaited {
  const session_client *client; /* NULL: it is gone */
  int64_t row;                  /* of the test case */
  uint64_t number, size, offset, next_offset, count;
  bool takes; /* what has changed meanwhile */
  char *call, *next, *module, *next_module;
} unawaited;

static void free_one(unawaited *u) {
  free(u->call);
  free(u->next);
  free(u->module);
  free(u->next_module);
}

void unawaited_free(session *s) {
  for (size_t i = 0; i < s->unawaited_count; i++) free_one(&s->unawaited[i]);
  free(s->unawaited);
  s->unawaited = NULL;
  s->unawaited_count = s->unawaited_capacity = 0;
}

int session_unawaited(session *s, session_client *c, wire_reader *in, error *e) {
  unawaited u = {.client = c, .row = session_row(s, c, 0), .count = 1};
  u.number = wire_u64(in);
  u.call = wire_string(in, NULL);
  u.size = wire_u64(in);
  u.next = wire_string(in, NULL);
  u.module = wire_string(in, NULL);
  u.offset = wire_u64(in);
  u.takes = wire_u32(in) != 0;
  u.next_module = wire_string(in, NULL);
  u.next_offset = wire_u64(in);
  if (in->failed || u.size > INT64_MAX || c->repeats) {
    free_one(&u);
    return in->failed || u.size > INT64_MAX ? error_set(e, EXIT_INTERNAL, "the layer sent a malformed message") : 0;
  }
  *ARRAY_ADD(s->unawaited, s->unawaited_count, s->unawaited_capacity) = u;
  return 0;
}

int session_awaited(session *s, session_client *c, wire_reader *in, error *e) {
  const uint64_t number = wire_u64(in);
  for (size_t i = s->unawaited_count; i-- > 0;) {
    unawaited *u = &s->unawaited[i];
    if (u->client == c && u->number == number && u->next[0] == '\0') {
      free_one(u);
      *u = s->unawaited[--s->unawaited_count];
    }
  }
  return in->failed ? error_set(e, EXIT_INTERNAL, "the layer sent a malformed message") : 0;
}

void unawaited_client_gone(session *s, const session_client *c) {
  for (size_t i = 0; i < s->unawaited_count; i++) {
    unawaited *u = &s->unawaited[i];
    u->client = u->client == c ? NULL : u->client;
  }
}

static bool are_alike(const unawaited *a, const unawaited *b) {
  return a->row == b->row && a->takes == b->takes && a->offset == b->offset && strcmp(a->call, b->call) == 0 &&
         strcmp(a->next, b->next) == 0 && strcmp(a->module, b->module) == 0;
}

static int write_one(session *s, const unawaited *u, error *e) {
  buffer place = {0}, next = {0}, same = {0};
  put_call_place(u->module, u->offset, &place);
  put_call_place(u->next_module, u->next_offset, &next);
  const db_witness witness[] = {{.what = "place", .value = buffer_text(&place)},
                                {.what = "next call", .value = u->next},
                                {.what = "next place", .value = buffer_text(&next)}};
  buffer_printf(&same, "%s %s %s %llu", u->call, u->next, u->module, (unsigned long long)u->offset);
  const db_finding row = {.of.run = s->run,
                          .of.test_case = u->row,
                          .rule = u->takes ? "host-race" : "used-before-read",
                          .detail = {.call = u->call, .size = {u->size > 0, u->size}, .count = {true, u->count}},
                          .witness = witness,
                          .witness_count = sizeof witness / sizeof witness[0],
                          .distinct = buffer_text(&same)};
  s->summary.findings++;
  const int result = db_put_finding(s->db, &row, e);
  buffer_free(&place);
  buffer_free(&next);
  buffer_free(&same);
  return result;
}

int session_end_unawaited(session *s, error *e) {
  int result = 0;
  for (size_t i = 0; i < s->unawaited_count && result == 0; i++) {
    size_t first = 0;
    while (!are_alike(&s->unawaited[first], &s->unawaited[i])) first++;
    s->unawaited[first].count += first < i ? 1 : 0;
  }
  for (size_t i = 0; i < s->unawaited_count && result == 0; i++) {
    size_t first = 0;
    while (!are_alike(&s->unawaited[first], &s->unawaited[i])) first++;
    const char *rule = s->unawaited[i].takes ? "host-race" : "used-before-read";
    result = first == i && memory_rule_is_wanted(s->rules, rule) ? write_one(s, &s->unawaited[i], e) : 0;
  }
  unawaited_free(s);
  return result;
}
