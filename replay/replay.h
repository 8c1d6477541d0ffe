/* Doing a captured program again, turn after turn: all its commands, in order, on one device. */
#ifndef CLTC_REPLAY_REPLAY_H
#define CLTC_REPLAY_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "capture/capture.h"
#include "wire/turn.h"

typedef struct replay replay;

/* All zero: the first device, as much memory as it has. */
typedef struct replay_options {
  bool chosen; /* a device: its index on its platform, and the platform's */
  unsigned platform, device;
  uint64_t memory;    /* bytes that all memory objects together may take; with fewer, released ones are given back */
  uint64_t snapshots; /* bytes that kept contents of memory may take on the device; default a quarter of its memory */
  uint64_t host_snapshots; /* and in the machine's memory, where the device has no room; default a quarter of it */
  bool discrete;           /* treats the device as one with memory of its own, whatever it says */
  bool named;              /* each launch is a test case of its own, named by its number from 0 */
} replay_options;

/* What a READ command got; READ commands count from 0. `bytes`: rows without padding, lent until it returns. */
typedef void (*replay_reader)(void *data, uint64_t number, const capture_command *command, const unsigned char *bytes,
                              size_t size);

/* Opens a device and makes the capture's memory objects there. The capture must outlive the replay. -1 with `e` set:
 * EXIT_USAGE if the capture cannot be done again or the device lacks something that it needs, EXIT_INTERNAL if there is
 * not enough memory. */
int replay_open(replay **out, const capture *c, const replay_options *o, error *e);
void replay_close(replay *r); /* NULL is fine */

/* From now on `reader` is called after every READ command; NULL: nobody is. */
void replay_show(replay *r, replay_reader reader, void *data);

/* The table behind REPLAY_FUNCTION; NULL: no layer below has one. */
const replay_functions *replay_layer(const replay *r);

/* One turn. `functions` NULL: nobody is told of it and nobody ends it. Returns 0 if it is complete; else -1 with `e`
 * set (EXIT_BASELINE: a program did not build or a command failed; EXIT_INTERNAL: the device's memory was short:
 * another try does with less). Memory is right again in the next turn, whatever happened. */
int replay_do(replay *r, const replay_turn *what, const replay_functions *functions, replay_result *result, error *e);

/* Turns until there is none any more; sentences about those that fail go to standard error. */
void replay_work(replay *r, const replay_functions *functions);

typedef struct replay_comparing {
  unsigned turns;
  bool any;            /* nothing that is read is wrong */
  bool is_case;        /* a kernel case: one turn; only what is not as expected is said */
  const char *results; /* of a case: a folder for the bytes of its reads, in files named by their numbers; NULL: none */
  const char *record;  /* a file for what was read (wire/turn.h), NULL: none */
} replay_comparing;

/* Turns of the program as it is; one line on standard output about what they read, of a kernel case one for each result
 * that is wrong. The exit code: EXIT_FINE, EXIT_USAGE if a read differs from the captured one (but for `any`), or that
 * of a turn that failed. */
int replay_compare(replay *r, const replay_comparing *how);

/* One turn of a capture that launch_cut has cut: a line for each buffer that its last launch was given. */
int replay_print(replay *r);

/* The commands up to launch `number` (from 0) and, after it, a read of every buffer among its arguments. Strings and
 * blobs stay `whole`'s; free(out->commands) is all that is to be done. -1 with `e` set if there is no such launch. */
int launch_cut(const capture *whole, uint64_t number, capture *out, error *e);

#endif
