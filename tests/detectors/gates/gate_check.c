/* Completeness, order, and the words of the record. */
#include "gate_check.h"

#include <stdarg.h>
#include <stdio.h>

#include "tests/fixtures/order_reference.h"

enum { MANY_SECONDS = 60 };

typedef struct checked {
  const char *what;
  const traces *t;
  const schedule *order;
  unsigned faults;
} checked;

static void __attribute__((format(printf, 2, 3))) fault(checked *c, const char *format, ...) {
  char text[SCHEDULE_TEXT];
  c->faults++;
  if (c->faults > 5) return;
  schedule_describe(c->order, text);
  printf("FAILED %s, %u groups, %s: ", c->what, (unsigned)c->t->groups, text);
  va_list arguments;
  va_start(arguments, format);
  (void)vprintf(format, arguments);
  va_end(arguments);
  printf("\n");
}

static void word(checked *c, const char *name, uint32_t index, uint32_t expected) {
  if (c->t->record[index] != expected)
    fault(c, "%s is %u, not %u", name, (unsigned)c->t->record[index], (unsigned)expected);
}

/* Every group is stood for by one group, and every work-item is there once. */
static void check_complete(checked *c) {
  const traces *t = c->t;
  for (uint32_t g = 0; g < t->groups; g++)
    if (t->members[g] != t->items / t->groups)
      fault(c, "group %u has %u work-items", (unsigned)g, (unsigned)t->members[g]);
  for (uint32_t i = 0; i < t->items; i++)
    if (t->visits[i] != 1) fault(c, "work-item %u was there %u times", (unsigned)i, (unsigned)t->visits[i]);
}

static void check_before(checked *c, uint32_t former, uint32_t latter) {
  const traces *t = c->t;
  if (former != latter && t->end[former] >= t->begin[latter]) {
    fault(c, "group %u ended at %u, and group %u began at %u", (unsigned)former, (unsigned)t->end[former],
          (unsigned)latter, (unsigned)t->begin[latter]);
  }
}

/* How many groups the others wait for. */
static uint32_t awaited(const checked *c) {
  switch (c->order->order) {
    case ORDER_FIRST: return 1;
    case ORDER_LAST: return c->t->groups - 1;
    case ORDER_REVERSE:
    case ORDER_RANDOM:
    case ORDER_ASCENDING: return c->t->groups;
    default: return 0;
  }
}

static void check_order(checked *c) {
  const schedule *s = c->order;
  for (uint32_t p = 0; p < c->t->groups; p++)
    if (s->order == ORDER_FIRST)
      check_before(c, s->target, p);
    else if (s->order == ORDER_LAST)
      check_before(c, p, s->target);
    else if (p > 0 && awaited(c) == c->t->groups)
      check_before(c, order_group(s, c->t->groups, p - 1), order_group(s, c->t->groups, p));
}

static void check_record(checked *c) {
  const uint32_t *record = c->t->record;
  const bool ordered = awaited(c) > 0 || c->order->order == ORDER_LAST;
  word(c, "GATE_GROUPS", GATE_GROUPS, c->t->groups);
  word(c, "GATE_LOCAL", GATE_LOCAL, c->t->items / c->t->groups);
  word(c, "GATE_UNEVEN", GATE_UNEVEN, 0);
  word(c, "GATE_STARTED", GATE_STARTED, awaited(c));
  word(c, "GATE_DONE", GATE_DONE, awaited(c));
  word(c, "GATE_TICKET_NEXT", GATE_TICKET_NEXT, ordered && c->order->gate == GATE_TICKET ? c->t->groups : 0);
  if (c->order->gate == GATE_TICKET || record[GATE_GAVE_UP] != GATE_UP_ABSENT) word(c, "GATE_GAVE_UP", GATE_GAVE_UP, 0);
  const bool counted = record[GATE_COUNT] >= 1 && record[GATE_COUNT] <= c->t->groups;
  if (counted != (c->order->order == ORDER_OCCUPANCY)) fault(c, "GATE_COUNT is %u", (unsigned)record[GATE_COUNT]);
}

static void check_states(checked *c, bool watch) {
  for (uint32_t g = 0; g < c->t->groups; g++)
    if (c->t->states[g] != (watch ? GATE_STATE_ENDED : GATE_STATE_OUT))
      fault(c, "the state of group %u is %u", (unsigned)g, (unsigned)c->t->states[g]);
}

unsigned check_traces(const char *what, const traces *t, const schedule *order, const check_build *built) {
  checked c = {what, t, order, 0};
  if (!t->launched) {
    fault(&c, "was not launched");
    return c.faults;
  }
  check_complete(&c);
  check_record(&c);
  check_states(&c, built->watch);
  if (t->record[GATE_GAVE_UP] == 0) check_order(&c);
  if (built->bare != (t->flags == 0)) fault(&c, "the first word of the coverage is %u", (unsigned)t->flags);
  if (t->seconds > MANY_SECONDS) fault(&c, "took %.1f s", t->seconds);
  return c.faults;
}
