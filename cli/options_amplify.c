/* Reading schedules from the command line. */
#include "cli/options_amplify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

int take_gate(settings *s, const char *value, error *e) {
  int gate = schedule_gate_find(value);
  if (gate < 0) {
    return error_set(e, EXIT_USAGE, "--gate is ticket or hardware, not \"%s\"", value);
  }
  s->amplification.gate = (schedule_gate)gate;
  return 0;
}

int take_order(settings *s, const char *value, error *e) {
  for (const char *at = value; *at != '\0';) {
    size_t length = strcspn(at, ",");
    char *name = mem_strndup(at, length);
    int order = schedule_order_find(name);
    free(name);
    if (order <= ORDER_NONE || order >= ORDER_OCCUPANCY) {
      return error_set(e, EXIT_USAGE, "--order is a list of first, last, ascending, reverse and random, not \"%s\"",
                       value);
    }
    s->amplification.orders[order] = true;
    s->amplification.orders_given = true;
    at += length + (at[length] == ',' ? 1 : 0);
  }
  return s->amplification.orders_given ? 0 : error_set(e, EXIT_USAGE, "--order names no order");
}

/* A number at `*at`; -1 when there is none. */
static long read_number(const char **at) {
  char *end = NULL;
  errno = 0;
  unsigned long n = strtoul(*at, &end, 10);
  if (end == *at || **at < '0' || **at > '9' || errno != 0 || n >= SCHEDULE_GROUPS_CAP) {
    return -1;
  }
  *at = end;
  return (long)n;
}

int take_targets(settings *s, const char *value, error *e) {
  const char *at = value;
  s->amplification.targets_all = strcmp(value, "all") == 0;
  s->amplification.targets_list = strchr(value, ',') != NULL;
  s->amplification.target_count = 0;
  if (s->amplification.targets_all) {
    return 0;
  }
  for (long n = 0; *at != '\0' && (n = read_number(&at)) >= 0 && (*at == ',' || *at == '\0');) {
    *ARRAY_ADD(s->amplification.targets, s->amplification.target_count, s->amplification.target_capacity) = (uint32_t)n;
    at += *at == ',' ? 1 : 0;
  }
  if (*at != '\0' || s->amplification.target_count == 0 ||
      (!s->amplification.targets_list && s->amplification.targets[0] == 0)) {
    return error_set(e, EXIT_USAGE,
                     "--targets is all, the number of groups to draw, or a list of group ids with commas (\"17,\" for "
                     "one), not \"%s\"",
                     value);
  }
  return 0;
}

static int take_id(const char *option, const char *value, int64_t *id, error *e) {
  char *end = NULL;
  errno = 0;
  *id = strtoll(value, &end, 10);
  if (end == value || *end != '\0' || errno != 0 || *id <= 0) {
    return error_set(e, EXIT_USAGE, "%s wants a number that the report shows, not \"%s\"", option, value);
  }
  return 0;
}

int take_replay(settings *s, const char *value, error *e) { return take_id("--replay", value, &s->replay, e); }

int take_schedule(settings *s, const char *value, error *e) { return take_id("--schedule", value, &s->schedule, e); }

int take_mutant(settings *s, const char *value, error *e) {
  char *end = NULL;
  errno = 0;
  unsigned long n = strtoul(value, &end, 10);
  if (end == value || *end != '\0' || value[0] == '-' || errno != 0 || n == 0 || n > UINT32_MAX) {
    return error_set(e, EXIT_USAGE,
                     "--mutant wants the number of a mutant, as `cltestcheck mutate --list` shows it, "
                     "not \"%s\"",
                     value);
  }
  s->mutant = (uint32_t)n;
  return 0;
}
