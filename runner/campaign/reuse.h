/* Verdicts of earlier runs that still hold: what a verdict depends on, its key in the database, looking it up. See
 * "Verdicts of earlier runs" in docs/mutation.md. */
#ifndef CLTC_RUNNER_CAMPAIGN_REUSE_H
#define CLTC_RUNNER_CAMPAIGN_REUSE_H

#include "capture/capture.h"
#include "capture/storage.h"
#include "runner/campaign/internal.h"

enum { KEY_SIZE = 33 }; /* 128 bits of a digest, hexadecimal */

/* --- reuse.c: what a test case does on the device, from its capture --- */

struct case_inputs {
  char *device;   /* as the capture has it: name, vendor, driver and language version */
  char all[65];   /* digest of everything */
  double **items; /* per program and kernel: work-items of its launches */
  size_t program_count;
  bool steady;    /* repeats of its launches cannot differ, without a mutant */
  char files[65]; /* reuse.c: digest of the files of its program, */
  bool looked;    /* once it was looked for */
};

/* Reads the capture of a test case. NULL: not all that it does on the device is known, and no verdict has a key. */
case_inputs *case_inputs_read(const campaign *c, size_t test);
/* The same of a capture that was read; programs and kernel digests are the campaign's. */
case_inputs *case_inputs_of(const campaign *c, const capture *captured);
void case_inputs_free(case_inputs *i);
/* program.c: the only program of the campaign that a command builds; SIZE_MAX: none, or which is not clear. */
size_t campaign_program_of(const campaign_programs *all, const capture_command *built);

/* --- prepare.c: launches whose repeats cannot differ --- */

typedef struct launch_setting {
  const capture_command *launch;
  const capture_command **arguments; /* as set last, NULL where none is */
  uint32_t argument_count;
  const stored_objects *stored;
} launch_setting;

/* Notes a launch of the model's kernel. False: its repeats may differ, as far as is known. */
bool note_launch(campaign_program *p, uint32_t kernel, const launch_setting *s);
/* Whether all launches that were noted since the last call have one work-group, or work-items that are disjoint
 * (runner/build/disjoint.h). Unless `wanted`, nothing is looked at, and the answer is false. */
bool noted_are_steady(const campaign_programs *among, bool wanted);
void noted_free(campaign_program *p);

/* --- reuse.c --- */

/* By what decides. A key is "" where that cannot be known. */
typedef enum verdict_basis {
  BASIS_PROGRAM, /* runs of the program */
  BASIS_REPLAY,
  BASIS_REVEAL /* of what the program notices: runs of it */
} verdict_basis;
void verdict_key(const campaign *c, size_t program, uint32_t index, size_t test, verdict_basis basis,
                 char key[KEY_SIZE]);
/* What a compiler makes of a mutant alone, or of the original in the kernels that reach it. */
void code_key(const campaign_program *p, uint32_t index, bool original, char key[KEY_SIZE]);

#endif
