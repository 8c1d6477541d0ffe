/* Reading what is to be proved from the command line. */
#include "cli/options_verify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define LARGEST_SIZE (UINT64_C(1) << 31)

/* A whole number from `least` to `most` at `text`, which ends where `*end` is put; false: there is none. */
static bool read_number(const char *text, uint64_t least, uint64_t most, uint64_t *out, char **end) {
  errno = 0;
  *out = text[0] >= '0' && text[0] <= '9' ? strtoull(text, end, 10) : 0;
  return text[0] >= '0' && text[0] <= '9' && errno == 0 && *out >= least && *out <= most;
}

/* "64,4", "*,1": up to three entries. */
int take_sizes(const option *o, void *part, const char *value, error *e) {
  launch_sizes *out = part;
  *out = (launch_sizes){0};
  const char *at = value;
  bool right = true;
  while (right && out->dimensions < 3) {
    char *end = (char *)at + 1;
    right = *at == '*' || read_number(at, 1, LARGEST_SIZE, &out->sizes[out->dimensions], &end);
    right = right && (*end == ',' || *end == '\0');
    out->dimensions++;
    if (right && *end == '\0') {
      return 0;
    }
    at = end + 1;
  }
  return error_set(e, EXIT_USAGE, "--%s wants one to three numbers above 0 with commas, such as 64 or 16,*, not \"%s\"",
                   o->name, value);
}

int take_second_opinion(const option *o, void *part, const char *value, error *e) {
  proof_settings *s = part;
  enum { MOST = 1000 };
  uint64_t n = 0;
  char *end = NULL;
  (void)o;
  s->second_opinion_given = true;
  s->second_opinion = 0;
  if (strcmp(value, "off") == 0) {
    return 0;
  }
  if (!read_number(value, 0, MOST, &n, &end) || *end != '\0') {
    return error_set(e, EXIT_USAGE, "--second-opinion wants a number of launches up to %d, or off, not \"%s\"", MOST,
                     value);
  }
  s->second_opinion = (unsigned)n;
  return 0;
}
