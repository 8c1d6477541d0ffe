/* cltestcheck devices: what --device can choose from. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "runner/devices.h"

int cmd_devices(const settings *s) {
  error e;
  device *all = NULL;
  size_t count = 0;
  if (s->positional.count > 0) {
    (void)error_set(&e, EXIT_USAGE, "devices takes no arguments, but got \"%s\"", s->positional.items[0]);
    return say_error(&e);
  }
  if (devices_list(&all, &count, &e) != 0) {
    return say_error(&e);
  }
  for (size_t i = 0; i < count; i++) {
    (void)printf("%2zu  %s\n    %s, %s, %u compute units, %llu MiB, driver %s\n", i, all[i].name, all[i].platform_name,
                 all[i].type, (unsigned)all[i].compute_units, (unsigned long long)(all[i].memory >> 20), all[i].driver);
  }
  free(all);
  return EXIT_FINE;
}
