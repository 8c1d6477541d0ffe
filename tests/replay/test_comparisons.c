/* A program by itself, compared with its capture: the line on standard output and the exit code. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "checks.h"

/* What replay_compare prints; its exit code is `code`. */
static void says(const script *s, unsigned turns, int code, const char *words) {
  char line[512] = "";
  FILE *to = tmpfile();
  (void)fflush(stdout);
  const int before = dup(STDOUT_FILENO);
  assert_non_null(to);
  (void)dup2(fileno(to), STDOUT_FILENO);
  replay *r = open_script(s, NULL);
  const int result = replay_compare(r, &(replay_comparing){.turns = turns});
  replay_close(r);
  (void)fflush(stdout);
  (void)dup2(before, STDOUT_FILENO);
  (void)close(before);
  rewind(to);
  line[fread(line, 1, sizeof line - 1, to)] = '\0';
  (void)fclose(to);
  assert_int_equal(result, code);
  if (strncmp(line, words, strlen(words)) != 0 || strchr(line, '\n') != line + strlen(line) - 1)
    fail_msg("not a line with \"%s\": %s", words, line);
}

static void comparisons(void **state) {
  unsigned char bytes[6] = {1, 2, 3, 4, 5, 6}, other[6] = {1, 2, 3, 4, 5, 7};
  char device[] = "some device\nits vendor\n1\n2";
  script s = {0};
  (void)state;
  says(&s, 1, EXIT_FINE, "0 of 0 reads as captured\n");
  (void)script_buffer(&s, 0, 4, NULL);
  const uint32_t memory = script_buffer(&s, 0, sizeof bytes, bytes);
  script_read(&s, memory, 0, 6, bytes);
  script_read(&s, memory, 2, 4, bytes + 2);
  says(&s, 1, EXIT_FINE, "2 of 2 reads as captured\n");
  says(&s, 7, EXIT_FINE, "2 of 2 reads as captured, in each of 7 turns of ");
  script_read(&s, memory, 2, 4, NULL);
  says(&s, 1, EXIT_FINE, "2 of 2 reads as captured, 1 more that the capture does not know\n");
  script_read(&s, memory, 0, 6, other);
  script_read(&s, memory, 0, 5, bytes + 1);
  s.capture.device = device;
  says(&s, 3, EXIT_USAGE,
       "read 3 differs from the captured one, in turn 1: 6 bytes of buffer 1; captured on: some device\n");
  script_free(&s);
}

int test_comparisons(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(comparisons)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
