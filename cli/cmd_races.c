/* cltestcheck races: as coverage, and each test case once more with its accesses to memory checked. */
#include "cli/commands.h"
#include "cli/once_more.h"

int cmd_races(const settings *s) {
  const measuring_command how = {.settings = s, .look = &look_for_races};
  return measuring_or_once_more(&how);
}
