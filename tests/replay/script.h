/* Captures made in memory, a command at a time. The functions return the number of what they make. */
#ifndef CLTC_TESTS_REPLAY_SCRIPT_H
#define CLTC_TESTS_REPLAY_SCRIPT_H

#include "capture/capture.h"

/* All zero is an empty one. */
typedef struct script {
  capture capture;
  size_t command_capacity, blob_capacity;
  uint32_t memories, samplers, programs, kernels, reads;
} script;

void script_free(script *s);
capture_command *script_add(script *s, capture_kind kind);

/* `bytes` NULL: no first contents. */
uint32_t script_buffer(script *s, uint64_t flags, uint64_t size, const void *bytes);
uint32_t script_sub_buffer(script *s, uint32_t parent, uint64_t flags, uint64_t origin, uint64_t size);
/* A capture_command whose u.image is filled in but for the blob; `bytes`: first contents or NULL. */
uint32_t script_image(script *s, const capture_command *image, const void *bytes, size_t size);
/* One source that is built; more than one or with headers: linked. */
uint32_t script_program(script *s, const char *text, const char *options);
uint32_t script_kernel(script *s, uint32_t program, const char *name);
uint32_t script_clone(script *s, uint32_t kernel);
void script_value(script *s, uint32_t kernel, uint32_t index, const void *bytes, size_t size);
void script_int(script *s, uint32_t kernel, uint32_t index, int value);
void script_local(script *s, uint32_t kernel, uint32_t index, size_t size);
void script_memory(script *s, uint32_t kernel, uint32_t index, uint32_t object);
void script_sample(script *s, uint32_t kernel, uint32_t index, uint32_t sampler);
/* One dimension; `local` 0: the device chooses. */
void script_launch(script *s, uint32_t kernel, size_t global, size_t local);
void script_write(script *s, uint32_t memory, uint64_t offset, const void *bytes, size_t size);
void script_fill(script *s, uint32_t memory, uint64_t offset, uint64_t size, const void *pattern,
                 uint32_t pattern_size);
void script_copy(script *s, uint32_t from, uint32_t to, uint64_t from_offset, uint64_t to_offset, uint64_t size);
/* A read that is to give these bytes; NULL: any. */
void script_read(script *s, uint32_t memory, uint64_t offset, uint64_t size, const void *expected);
/* CAPTURE_WRITE_IMAGE, CAPTURE_FILL_IMAGE, CAPTURE_READ_IMAGE, …_RECT: all of u.transfer but blob and digest is `area`'s.
 */
void script_area(script *s, capture_kind kind, const capture_command *area, const void *bytes, size_t size);
void script_release_memory(script *s, uint32_t memory);
void script_release_kernel(script *s, uint32_t kernel);

#endif
