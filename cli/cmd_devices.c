/* cltestcheck devices: what --device can choose from. */
#include <stdio.h>
#include <stdlib.h>

#include "base/say.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "runner/devices.h"

static const char *promised(uint32_t flag) { return flag != 0 ? "promised" : "not promised"; }

static const char *there(uint32_t flag) { return flag != 0 ? "yes" : "no"; }

static void print_device(size_t number, const device *d) {
  say(stdout, "%2zu  %s\n    %s, %s, %u compute units, %llu MiB, driver %s\n", number, d->name, d->platform_name,
      d->type, (unsigned)d->compute_units, (unsigned long long)(d->memory >> 20), d->driver);
  say(stdout,
      "    double precision: %s, images: %s, shared virtual memory: %s\n"
      "    work-groups of up to %llu work-items\n    progress of each sub-group by itself: %s\n"
      "    atomics from one work-group to another (device scope): %s\n",
      there(d->fp64), there(d->images), there(d->svm), (unsigned long long)d->largest_group,
      promised(d->forward_progress), promised(d->scopes));
}

static int cmd_devices(const settings *s) {
  error e;
  device *all = NULL;
  size_t count = 0;
  if (s->given.positional.count > 0) {
    (void)error_set(&e, EXIT_USAGE, "devices takes no arguments, but got \"%s\"", s->given.positional.items[0]);
    return say_error(&e);
  }
  if (devices_list(&all, &count, &e) != 0) return say_error(&e);
  for (size_t i = 0; i < count; i++) print_device(i, &all[i]);
  say(stdout,
      "\nNo device promises an order of work-groups, nor that two of them are in flight\n"
      "together: `cltestcheck amplify` tries orders, and shows how many were.\n");
  free(all);
  return EXIT_FINE;
}

const command command_devices = {"devices",
                                 "list the OpenCL devices of this machine, and what they promise",
                                 "",
                                 "Lists the devices with the numbers that --device takes.",
                                 "cltestcheck devices",
                                 cmd_devices,
                                 FOR_DEVICES};
