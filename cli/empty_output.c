/* Saying where a report went. */
#include "cli/empty_output.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/say.h"

static bool reported;
static off_t size_before = -1; /* of the file; below 0: standard output goes to none */

static off_t size_now(void) {
  struct stat s;
  return fstat(STDOUT_FILENO, &s) == 0 && S_ISREG(s.st_mode) ? s.st_size : -1;
}

void empty_output_begin(void) { size_before = size_now(); }

void empty_output_report(void) { reported = true; }

void empty_output_say(void) {
  (void)fflush(stdout);
  if (reported && size_before >= 0 && size_now() == size_before) {
    say(stderr,
        "cltestcheck: the report went to standard error, as standard output is the program's; nothing came "
        "there. --format text=FILE writes the report to a file\n");
  }
}
