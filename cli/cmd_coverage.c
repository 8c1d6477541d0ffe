/* cltestcheck coverage: runs test cases under the layer and reports what their kernels did. */
#include "cli/commands.h"
#include "cli/measuring.h"

int cmd_coverage(const settings *s) { return measuring_run(&(measuring_command){.settings = s}); }
