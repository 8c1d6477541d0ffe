/* Reading schedules from the command line. */
#include "cli/options_amplify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

int take_order(const option *o, void *part, const char *value, error *e) {
  amplification_settings *s = part;
  (void)o;
  for (const char *at = value; *at != '\0';) {
    size_t length = strcspn(at, ",");
    char *name = mem_strndup(at, length);
    int order = schedule_order_find(name);
    free(name);
    if (order <= ORDER_NONE || order >= ORDER_OCCUPANCY) {
      return error_set(e, EXIT_USAGE, "--order is a list of first, last, ascending, reverse and random, not \"%s\"",
                       value);
    }
    s->orders[order] = true;
    s->orders_given = true;
    at += length + (at[length] == ',' ? 1 : 0);
  }
  return s->orders_given ? 0 : error_set(e, EXIT_USAGE, "--order names no order");
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

int take_targets(const option *o, void *part, const char *value, error *e) {
  amplification_settings *s = part;
  (void)o;
  const char *at = value;
  s->targets_all = strcmp(value, "all") == 0;
  s->targets_list = strchr(value, ',') != NULL;
  s->target_count = 0;
  if (s->targets_all) {
    return 0;
  }
  for (long n = 0; *at != '\0' && (n = read_number(&at)) >= 0 && (*at == ',' || *at == '\0');) {
    *ARRAY_ADD(s->targets, s->target_count, s->target_capacity) = (uint32_t)n;
    at += *at == ',' ? 1 : 0;
  }
  if (*at != '\0' || s->target_count == 0 || (!s->targets_list && s->targets[0] == 0)) {
    return error_set(e, EXIT_USAGE,
                     "--targets is all, the number of groups to draw, or a list of group ids with commas (\"17,\" for "
                     "one), not \"%s\"",
                     value);
  }
  return 0;
}
