/* Captures made in memory. */
#include "script.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/memory.h"
#include "capture/capture_internal.h"

capture_command *script_add(script *s, capture_kind kind) {
  capture_command *c = ARRAY_ADD(s->capture.commands, s->capture.command_count, s->command_capacity);
  c->kind = kind;
  return c;
}

static uint32_t blob(script *s, const void *bytes, size_t size) {
  if (bytes == NULL) return CAPTURE_NONE;
  capture_blob *b = ARRAY_ADD(s->capture.blobs, s->capture.blob_count, s->blob_capacity);
  *b = (capture_blob){.bytes = mem_calloc(size, 1), .size = size};
  memcpy(b->bytes, bytes, size);
  return (uint32_t)s->capture.blob_count - 1;
}

void script_free(script *s) {
  for (size_t i = 0; i < s->capture.command_count; i++) command_free(&s->capture.commands[i]);
  for (size_t i = 0; i < s->capture.blob_count; i++) free(s->capture.blobs[i].bytes);
  free(s->capture.commands);
  free(s->capture.blobs);
  *s = (script){0};
}

/* --- memory objects ----------------------------------------------------------------------------------------------- */

uint32_t script_buffer(script *s, uint64_t flags, uint64_t size, const void *bytes) {
  const uint32_t contents = blob(s, bytes, size);
  capture_command *c = script_add(s, CAPTURE_BUFFER);
  c->u.buffer.flags = flags;
  c->u.buffer.size = size;
  c->u.buffer.blob = contents;
  return s->memories++;
}

uint32_t script_sub_buffer(script *s, uint32_t parent, uint64_t flags, uint64_t origin, uint64_t size) {
  capture_command *c = script_add(s, CAPTURE_SUB_BUFFER);
  c->u.sub_buffer.parent = parent;
  c->u.sub_buffer.flags = flags;
  c->u.sub_buffer.origin = origin;
  c->u.sub_buffer.size = size;
  return s->memories++;
}

uint32_t script_image(script *s, const capture_command *image, const void *bytes, size_t size) {
  const uint32_t contents = blob(s, bytes, size);
  capture_command *c = script_add(s, CAPTURE_IMAGE);
  c->u.image = image->u.image;
  c->u.image.blob = contents;
  return s->memories++;
}

void script_release_memory(script *s, uint32_t memory) {
  script_add(s, CAPTURE_RELEASE_MEMORY)->u.release.object = memory;
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

uint32_t script_program(script *s, const char *text, const char *options) {
  capture_command *c = script_add(s, CAPTURE_PROGRAM);
  c->u.program.sources = mem_calloc(1, sizeof *c->u.program.sources);
  c->u.program.source_count = 1;
  c->u.program.sources[0] = (capture_source){.text = mem_strdup(text), .options = mem_strdup(options)};
  c->u.program.link_options = mem_strdup("");
  return s->programs++;
}

uint32_t script_kernel(script *s, uint32_t program, const char *name) {
  capture_command *c = script_add(s, CAPTURE_KERNEL);
  c->u.kernel.program = program;
  c->u.kernel.name = mem_strdup(name);
  return s->kernels++;
}

uint32_t script_clone(script *s, uint32_t kernel) {
  script_add(s, CAPTURE_CLONE)->u.clone.kernel = kernel;
  return s->kernels++;
}

void script_release_kernel(script *s, uint32_t kernel) {
  script_add(s, CAPTURE_RELEASE_KERNEL)->u.release.object = kernel;
}

static capture_command *argument(script *s, uint32_t kernel, uint32_t index, capture_argument_kind kind) {
  capture_command *c = script_add(s, CAPTURE_ARGUMENT);
  c->u.argument.kernel = kernel;
  c->u.argument.index = index;
  c->u.argument.kind = kind;
  return c;
}

void script_value(script *s, uint32_t kernel, uint32_t index, const void *bytes, size_t size) {
  capture_command *c = argument(s, kernel, index, CAPTURE_VALUE);
  c->u.argument.bytes = mem_calloc(size, 1);
  c->u.argument.size = size;
  memcpy(c->u.argument.bytes, bytes, size);
}

void script_int(script *s, uint32_t kernel, uint32_t index, int value) {
  script_value(s, kernel, index, &value, sizeof value);
}

void script_local(script *s, uint32_t kernel, uint32_t index, size_t size) {
  argument(s, kernel, index, CAPTURE_LOCAL)->u.argument.size = size;
}

void script_memory(script *s, uint32_t kernel, uint32_t index, uint32_t object) {
  argument(s, kernel, index, CAPTURE_MEMORY)->u.argument.object = object;
}

void script_sample(script *s, uint32_t kernel, uint32_t index, uint32_t sampler) {
  argument(s, kernel, index, CAPTURE_SAMPLE)->u.argument.object = sampler;
}

void script_launch(script *s, uint32_t kernel, size_t global, size_t local) {
  capture_command *c = script_add(s, CAPTURE_LAUNCH);
  c->u.launch.kernel = kernel;
  c->u.launch.dimensions = 1;
  c->u.launch.global[0] = global;
  c->u.launch.has_local = local > 0;
  c->u.launch.local[0] = local;
}

/* --- transfers ---------------------------------------------------------------------------------------------------- */

void script_write(script *s, uint32_t memory, uint64_t offset, const void *bytes, size_t size) {
  const uint32_t contents = blob(s, bytes, size);
  capture_command *c = script_add(s, CAPTURE_WRITE);
  c->u.transfer.at.memory = memory;
  c->u.transfer.at.offset = offset;
  c->u.transfer.size = size;
  c->u.transfer.blob = contents;
}

void script_fill(script *s, uint32_t memory, uint64_t offset, uint64_t size, const void *pattern,
                 uint32_t pattern_size) {
  capture_command *c = script_add(s, CAPTURE_FILL);
  c->u.transfer.at.memory = memory;
  c->u.transfer.at.offset = offset;
  c->u.transfer.size = size;
  c->u.transfer.pattern_size = pattern_size;
  memcpy(c->u.transfer.pattern, pattern, pattern_size);
}

void script_copy(script *s, uint32_t from, uint32_t to, uint64_t from_offset, uint64_t to_offset, uint64_t size) {
  capture_command *c = script_add(s, CAPTURE_COPY);
  c->u.transfer.at.memory = from;
  c->u.transfer.to.memory = to;
  c->u.transfer.at.offset = from_offset;
  c->u.transfer.to.offset = to_offset;
  c->u.transfer.size = size;
}

static void expect(script *s, capture_command *c, const void *bytes, size_t size) {
  s->reads++;
  c->known = bytes != NULL;
  if (bytes != NULL) {
    const XXH128_hash_t hash = XXH3_128bits(bytes, size);
    c->low = hash.low64;
    c->high = hash.high64;
  }
}

void script_read(script *s, uint32_t memory, uint64_t offset, uint64_t size, const void *expected) {
  capture_command *c = script_add(s, CAPTURE_READ);
  c->u.transfer.at.memory = memory;
  c->u.transfer.at.offset = offset;
  c->u.transfer.size = size;
  expect(s, c, expected, size);
}

void script_area(script *s, capture_kind kind, const capture_command *area, const void *bytes, size_t size) {
  const bool writes = kind == CAPTURE_WRITE_IMAGE || kind == CAPTURE_WRITE_RECT;
  const uint32_t contents = writes ? blob(s, bytes, size) : CAPTURE_NONE;
  capture_command *c = script_add(s, kind);
  c->u.transfer = area->u.transfer;
  c->u.transfer.blob = contents;
  if (kind == CAPTURE_READ_IMAGE || kind == CAPTURE_READ_RECT) expect(s, c, bytes, size);
}
