/* What every command that runs programs needs beside them: our libraries, and the device to present. */
#ifndef CLTC_CLI_TARGET_H
#define CLTC_CLI_TARGET_H

#include "cli/settings.h"

typedef struct target {
  char *layer;   /* path of the layer library */
  char *capture; /* path of the capture layer, and of the program that replays; NULL: not there */
  char *replay;
  char *preload;  /* path of the preload library, NULL without --preload */
  char *device;   /* "P:D" to present as the device, NULL without --device and --platform */
  char **devices; /* all of them, where there are several; the first is `device` */
  size_t device_count;
} target;

/* Release with target_free in every case. */
int target_find(const device_settings *s, target *out, error *e);
/* The same for a command that compares devices: they may be of several kinds. */
int target_find_any(const device_settings *s, target *out, error *e);
/* The same for a command that uses one device. */
int target_find_one(const device_settings *s, target *out, error *e);
void target_free(target *t);

#endif
