/* Captures made by hand, with the campaign that they belong to: kernels `a` and `b` each work on memory of their own. */
#ifndef CLTC_TESTS_CAPTURE_WORLD_H
#define CLTC_TESTS_CAPTURE_WORLD_H

#include "runner/campaign/reuse.h"

enum { COMMANDS = 64, A = 0, B = 1 };

/* A capture that grows, with the campaign that it belongs to. */
typedef struct world {
  campaign campaign;
  campaign_program program, other;
  campaign_program *programs[2];
  request_source source;
  model_kernel kernels[2];
  char *digests[2];
  capture capture;
  capture_command commands[COMMANDS];
  capture_blob blobs[3];
  capture_source sources[2]; /* as the capture has them: of the program, and of one that the campaign does not know */
  unsigned char value;
} world;

/* A command of that kind, to be filled in. */
capture_command *add_command(world *w, capture_kind kind);
void buffer_of(world *w, uint32_t blob);
void sub_buffer_of(world *w, uint32_t parent);
void program_of(world *w, size_t source);
void kernel_of(world *w, uint32_t program, const char *name);
void memory_argument(world *w, uint32_t kernel, uint32_t memory);
void value_argument(world *w, uint32_t kernel);
capture_command *launch(world *w, uint32_t kernel, uint64_t items);
void write_to(world *w, uint32_t memory, uint32_t blob);
void copy_from(world *w, uint32_t from, uint32_t to);
void read_from(world *w, uint32_t memory, uint64_t seen);
/* Nothing is done yet. */
void begin(world *w);
/* Program 0, its kernels 0 (a) and 1 (b), memory 0 and 1 with blobs 0 and 1, which are their arguments. */
void begin_with_objects(world *w);
void world_free(world *w);

#endif
