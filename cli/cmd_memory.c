/* cltestcheck memory: each test case once, with its accesses held against the memory that they are meant for. */
#include "cli/commands.h"
#include "cli/once_more.h"

int cmd_memory(const settings *s) {
  const measuring_command how = {.settings = s, .form = FORM_MEMORY};
  return s->replay != 0 ? finding_once_more(s, &how) : measuring_run(&how);
}
