/* cltestcheck races: as coverage, and each test case once more with its accesses to memory checked. */
#include "cli/commands.h"
#include "cli/once_more.h"

int cmd_races(const settings *s) {
  const measuring_command how = {.settings = s, .look = &look_for_races};
  return s->replay != 0 ? finding_once_more(s, &how) : measuring_run(&how);
}
