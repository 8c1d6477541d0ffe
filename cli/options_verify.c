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
static int take_sizes(const char *name, const char *value, launch_sizes *out, error *e) {
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
                   name, value);
}

int take_local(settings *s, const char *value, error *e) { return take_sizes("local", value, &s->proof.local, e); }

int take_groups(settings *s, const char *value, error *e) { return take_sizes("groups", value, &s->proof.groups, e); }

int take_assume(settings *s, const char *value, error *e) {
  if (value[strspn(value, " \t")] == '\0') {
    return error_set(e, EXIT_USAGE, "--assume wants an expression, such as 'n == get_global_size(0)'");
  }
  *ARRAY_ADD(s->proof.assume.items, s->proof.assume.count, s->proof.assume.capacity) = value;
  return 0;
}

int take_check(settings *s, const char *value, error *e) {
  s->repair.check = value;
  return value[strspn(value, " \t")] != '\0' ? 0
                                             : error_set(e, EXIT_USAGE, "--tests wants a command, such as 'make test'");
}

int take_emit_test(settings *s, const char *value, error *e) {
  s->proof.emit_test = value;
  return value[0] != '\0' ? 0 : error_set(e, EXIT_USAGE, "--emit-test wants the name of a folder");
}

int take_host(settings *s, const char *value, error *e) {
  if (value[0] == '\0') {
    return error_set(e, EXIT_USAGE, "--host wants a file of the host program, such as main.c");
  }
  *ARRAY_ADD(s->proof.hosts.items, s->proof.hosts.count, s->proof.hosts.capacity) = value;
  return 0;
}

int take_host_options(settings *s, const char *value, error *e) {
  s->proof.host_options = value;
  return value[strspn(value, " \t")] != '\0'
             ? 0
             : error_set(e, EXIT_USAGE, "--host-options wants options of the compiler, such as '-I include -DN=4'");
}

int take_compile_commands(settings *s, const char *value, error *e) {
  s->proof.compile_commands = value;
  return value[0] != '\0' ? 0 : error_set(e, EXIT_USAGE, "--compile-commands wants the name of a file");
}

int take_second_opinion(settings *s, const char *value, error *e) {
  enum { MOST = 1000 };
  uint64_t n = 0;
  char *end = NULL;
  s->proof.second_opinion_given = true;
  s->proof.second_opinion = 0;
  if (strcmp(value, "off") == 0) {
    return 0;
  }
  if (!read_number(value, 0, MOST, &n, &end) || *end != '\0') {
    return error_set(e, EXIT_USAGE, "--second-opinion wants a number of launches up to %d, or off, not \"%s\"", MOST,
                     value);
  }
  s->proof.second_opinion = (unsigned)n;
  return 0;
}
