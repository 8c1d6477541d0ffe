/* What a layer says for a program, message by message: each is well-formed and fits what was answered before. */
#ifndef CLTC_TESTS_FUZZ_LAYER_H
#define CLTC_TESTS_FUZZ_LAYER_H

#include "base/buffer.h"
#include "random.h"

/* Sources of programs: those of the fuzzer, and files. */
void layer_add_source(const char *path);
void layer_forget_sources(void);

enum { LAYER_KERNELS = 64 };

/* A program as MESSAGE_INSTRUMENTED has it. */
typedef struct layer_program {
  uint32_t number;
  uint32_t kernels, words[LAYER_KERNELS];
} layer_program;

/* One process. Zero it before its first message. */
typedef struct layer {
  layer_program *programs;
  size_t count, capacity;
  char *directory; /* where it runs; lent */
  bool greeted, asking;
  size_t asked; /* the request that waits for an answer, and goes out again with facts */
  buffer facts; /* as they stand in it */
  uint32_t fact_count, rounds;
  uint32_t tests, reads;
} layer;

/* Appends the next message; its type. */
uint32_t layer_say(layer *l, random_state *r, buffer *out);
/* Takes a whole answer: its type and what follows the header. False when it is malformed. */
bool layer_hear(layer *l, random_state *r, uint32_t type, const void *payload, size_t length);
void layer_free(layer *l);

#endif
