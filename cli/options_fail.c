/* The words of --fail-on that commands which run programs know. */
#include "cli/options_fail.h"

#include <string.h>

int take_fail_on_order(settings *s, const char *value, error *e) {
  s->fail_on_order = strcmp(value, "order-dependent") == 0;
  return s->fail_on_order
             ? 0
             : error_set(e, EXIT_USAGE, "--fail-on knows only the word order-dependent, not \"%s\"", value);
}

int take_fail_on_refused(settings *s, const char *value, error *e) {
  s->fail_on_refused = strcmp(value, "api-error") == 0;
  return s->fail_on_refused ? 0
                            : error_set(e, EXIT_USAGE, "--fail-on knows only the word api-error, not \"%s\"", value);
}

/* One of two words, or both. */
int take_fail_on_benign(settings *s, const char *value, error *e) {
  const bool both = strcmp(value, "benign,api-error") == 0 || strcmp(value, "api-error,benign") == 0;
  s->fail_on_benign = both || strcmp(value, "benign") == 0;
  s->fail_on_refused = both || strcmp(value, "api-error") == 0;
  return s->fail_on_benign || s->fail_on_refused
             ? 0
             : error_set(e, EXIT_USAGE, "--fail-on takes benign, api-error or both with a comma, not \"%s\"", value);
}
