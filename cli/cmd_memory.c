/* cltestcheck memory: each test case with its accesses held against the memory that they are meant for; once more where one has left
 * it, to see which. */
#include "cli/commands.h"
#include "cli/once_more.h"

int cmd_memory(const settings *s) {
  const measuring_command how = {.settings = s, .look = &look_for_faults, .form = FORM_BOUNDS};
  return measuring_or_once_more(&how);
}
