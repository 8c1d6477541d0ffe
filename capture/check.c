/* Consistency of a capture: objects exist and are not released, what a command names lies in them, blobs have the size
 * that it needs. The second half compares two captures. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "capture/capture.h"
#include "capture/capture_internal.h"
#include "wire/capture.h"
#include "wire/capture_shape.h"

/* Whether two runs did the same to the device. */

enum { DIGEST_SIZE = 20, PART = 1 << 16 };

typedef struct record {
  uint64_t kind, length;
} record;

static bool next_record(stream *s, record *out) {
  unsigned char header[RECORD_HEADER];
  error ignored;
  if (stream_bytes(s, header, sizeof header, &ignored) != 0) return false;
  *out = (record){stream_number(header, 4), stream_number(header + 4, 8)};
  return true;
}

/* Of calls only their commands count: how often a program asks whether one is complete depends on time. */
static bool next(stream *s, record *out) {
  error ignored;
  bool there = next_record(s, out);
  while (there && (out->kind == RECORD_CALL || out->kind == RECORD_QUEUE))
    there = stream_skip(s, out->length, &ignored) == 0 && next_record(s, out);
  return there;
}

static bool same_bytes(stream *a, stream *b, uint64_t size) {
  unsigned char first[PART], second[PART];
  error ignored;
  while (size) {
    size_t part = size < PART ? (size_t)size : PART;
    if (stream_bytes(a, first, part, &ignored) != 0 || stream_bytes(b, second, part, &ignored) != 0 ||
        memcmp(first, second, part) != 0)
      return false;
    size -= part;
  }
  return true;
}

/* What was read may differ: a digest at the end of the record. */
static bool same_record(stream *a, stream *b, const record *r) {
  const uint64_t digest = capture_is_read((capture_kind)r->kind) && r->length >= DIGEST_SIZE ? DIGEST_SIZE : 0;
  error ignored;
  return same_bytes(a, b, r->length - digest) && stream_skip(a, digest, &ignored) == 0 &&
         stream_skip(b, digest, &ignored) == 0;
}

static bool same_streams(stream *a, stream *b) {
  record first = {0}, second = {0};
  while (first.kind != RECORD_END)
    if (!next(a, &first) || !next(b, &second) || first.kind != second.kind || first.length != second.length ||
        first.kind == RECORD_UNSUITABLE || !same_record(a, b, &first))
      return false;
  return true;
}

bool capture_same_work(const char *one, const char *other) {
  stream *a = NULL, *b = NULL;
  error ignored;
  const bool same = stream_open(&a, one, &ignored) == 0 && stream_open(&b, other, &ignored) == 0 && same_streams(a, b);
  stream_close(a);
  stream_close(b);
  return same;
}

typedef struct object {
  capture_shape shape;
  uint32_t parent; /* CAPTURE_NONE: it is no part of another */
  uint32_t parts;  /* that are made of it and not released */
  bool released;
  bool sub_buffer;
} object;

typedef struct kernel {
  bool released;
  bindings arguments;
} kernel;

struct checker {
  object *objects;
  size_t object_count, object_capacity;
  kernel *kernels;
  size_t kernel_count, kernel_capacity;
  size_t program_count, sampler_count;
  binding_pool pool;
};

static const char *const no_memory = "there is no such memory object";
static const char *const no_kernel = "there is no such kernel";
static const char *const no_blob = "there is no such blob, or it has another size";
static const char *const no_flags = "such flags are unknown";
static const char *const no_size = "the size is impossible";

checker *checker_new(void) { return mem_calloc(1, sizeof(checker)); }

void checker_free(checker *k) {
  if (k == NULL) return;
  binding_pool_free(&k->pool);
  free(k->objects);
  free(k->kernels);
  free(k);
}

/* ---- objects ---- */

static object *memory_of(const checker *k, uint32_t number) {
  return number < k->object_count && !k->objects[number].released ? &k->objects[number] : NULL;
}

static kernel *kernel_of(const checker *k, uint32_t number) {
  return number < k->kernel_count && !k->kernels[number].released ? &k->kernels[number] : NULL;
}

static bool blob_right(const capture *c, uint32_t number, uint64_t size) {
  return number < c->blob_count && c->blobs[number].size == size;
}

/* First contents, which there need not be. */
static bool contents_right(const capture *c, uint32_t number, uint64_t size) {
  return number == CAPTURE_NONE || blob_right(c, number, size);
}

static bool flags_right(uint64_t flags) {
  return flags == 0 || flags == CL_MEM_READ_WRITE || flags == CL_MEM_WRITE_ONLY || flags == CL_MEM_READ_ONLY;
}

static object *add(checker *k, const capture_shape *shape, uint32_t parent) {
  object *o = ARRAY_ADD(k->objects, k->object_count, k->object_capacity);
  *o = (object){.shape = *shape, .parent = parent};
  if (parent != CAPTURE_NONE) k->objects[parent].parts++;
  return o;
}

static const char *check_buffer(checker *k, const capture *c, const capture_command *next) {
  capture_shape shape = {.size = next->u.buffer.size};
  if (!flags_right(next->u.buffer.flags)) return no_flags;
  if (!shape.size || shape.size >= CAPTURE_SIZE_MOST) return no_size;
  if (!contents_right(c, next->u.buffer.blob, shape.size)) return no_blob;
  add(k, &shape, CAPTURE_NONE);
  return NULL;
}

static const char *check_sub_buffer(checker *k, const capture *c, const capture_command *next) {
  (void)c;
  const object *parent = memory_of(k, next->u.sub_buffer.parent);
  capture_shape shape = {.size = next->u.sub_buffer.size};
  if (parent == NULL || parent->sub_buffer) return no_memory;
  if (!flags_right(next->u.sub_buffer.flags)) return no_flags;
  if (!shape.size || !capture_bytes_fit(&parent->shape, next->u.sub_buffer.origin, shape.size)) return no_size;
  add(k, &shape, next->u.sub_buffer.parent)->sub_buffer = true;
  return NULL;
}

/* An image that is made of a buffer. */
static const char *check_made_of(const checker *k, const capture_command *next, const capture_shape *shape) {
  const object *buffer = memory_of(k, next->u.image.buffer);
  if (buffer == NULL || buffer->shape.image) return no_memory;
  if (next->u.image.blob != CAPTURE_NONE) return no_blob;
  return capture_image_fits(next, shape, &buffer->shape) ? NULL : no_size;
}

static const char *check_image(checker *k, const capture *c, const capture_command *next) {
  capture_shape shape = {.image = true, .element = capture_element(next->u.image.order, next->u.image.data_type)};
  if (!flags_right(next->u.image.flags)) return no_flags;
  if (!shape.element) return "its format is unknown";
  if (!capture_extent(next, shape.extent)) return no_size;
  uint64_t bytes = capture_region_bytes(shape.extent, shape.element);
  if (bytes >= CAPTURE_SIZE_MOST) return no_size;
  const char *wrong = NULL;
  if (next->u.image.buffer != CAPTURE_NONE)
    wrong = check_made_of(k, next, &shape);
  else if (next->u.image.row_pitch || next->u.image.type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
    wrong = no_size;
  else if (!contents_right(c, next->u.image.blob, bytes))
    wrong = no_blob;
  if (wrong == NULL) add(k, &shape, next->u.image.buffer);
  return wrong;
}

static const char *check_sampler(checker *k, const capture *c, const capture_command *next) {
  (void)c;
  if (next->u.sampler.normalized > 1 || next->u.sampler.addressing < CL_ADDRESS_NONE ||
      next->u.sampler.addressing > CL_ADDRESS_MIRRORED_REPEAT || next->u.sampler.filter < CL_FILTER_NEAREST ||
      next->u.sampler.filter > CL_FILTER_LINEAR)
    return "such a sampler is unknown";
  k->sampler_count++;
  return NULL;
}

static const char *check_release_memory(checker *k, const capture *c, const capture_command *next) {
  (void)c;
  object *o = memory_of(k, next->u.release.object);
  if (o == NULL) return no_memory;
  if (o->parts) return "there are still objects that are made of it";
  o->released = true;
  if (o->parent != CAPTURE_NONE) k->objects[o->parent].parts--;
  return NULL;
}

/* ---- programs and kernels ---- */

static const char *check_program(checker *k, const capture *c, const capture_command *next) {
  (void)c;
  size_t sources = next->u.program.source_count;
  if (sources == 0) return "it has no sources";
  if (!next->u.program.linked &&
      (sources != 1 || next->u.program.sources[0].header_count || next->u.program.link_options[0]))
    return "it is not linked, but has what only a linked one has";
  k->program_count++;
  return NULL;
}

static const char *check_kernel(checker *k, const capture *c, const capture_command *next) {
  (void)c;
  if (next->u.kernel.program >= k->program_count) return "there is no such program";
  if (!next->u.kernel.name[0]) return "it has no name";
  (void)ARRAY_ADD(k->kernels, k->kernel_count, k->kernel_capacity);
  return NULL;
}

static const char *check_clone(checker *k, const capture *c, const capture_command *next) {
  (void)c;
  if (!kernel_of(k, next->u.clone.kernel)) return no_kernel;
  kernel *made = ARRAY_ADD(k->kernels, k->kernel_count, k->kernel_capacity);
  made->arguments = k->kernels[next->u.clone.kernel].arguments;
  return NULL;
}

static const char *check_release_kernel(checker *k, const capture *c, const capture_command *next) {
  (void)c;
  kernel *released = kernel_of(k, next->u.release.object);
  if (released == NULL) return no_kernel;
  released->released = true;
  return NULL;
}

/* The object and the size that an argument of each kind has. */
static bool argument_right(const checker *k, const capture_command *next) {
  uint32_t number = next->u.argument.object;
  switch (next->u.argument.kind) {
    case CAPTURE_VALUE: return number == CAPTURE_NONE && next->u.argument.size;
    case CAPTURE_LOCAL: return number == CAPTURE_NONE;
    case CAPTURE_MEMORY: return (number == CAPTURE_NONE || memory_of(k, number)) && !next->u.argument.size;
    case CAPTURE_SAMPLE: return number < k->sampler_count && !next->u.argument.size;
    default: return false;
  }
}

static const char *check_argument(checker *k, const capture *c, const capture_command *next) {
  (void)c;
  kernel *its = kernel_of(k, next->u.argument.kernel);
  bool memory = next->u.argument.kind == CAPTURE_MEMORY;
  if (its == NULL) return no_kernel;
  if (next->u.argument.index >= CAPTURE_ARGUMENTS_MOST) return "no kernel has so many arguments";
  if (!argument_right(k, next)) return "its kind, object and size do not go together";
  bindings_set(&its->arguments, &k->pool, next->u.argument.index, memory ? next->u.argument.object : CAPTURE_NONE);
  return NULL;
}

/* A dimension of a launch. */
static bool dimension_right(const capture_command *next, uint32_t i) {
  uint64_t offset = next->u.launch.offset[i], global = next->u.launch.global[i], local = next->u.launch.local[i];
  if (i >= next->u.launch.dimensions) return !offset && !global && !local;
  return (next->u.launch.has_offset || !offset) && next->u.launch.has_local == (local != 0);
}

static bool task_right(const capture_command *next) {
  return next->u.launch.dimensions == 1 && !next->u.launch.has_offset && next->u.launch.has_local &&
         next->u.launch.global[0] == 1 && next->u.launch.local[0] == 1;
}

static bool alive(const void *data, uint32_t number) { return memory_of(data, number) != NULL; }

static const char *check_launch(checker *k, const capture *c, const capture_command *next) {
  (void)c;
  const kernel *its = kernel_of(k, next->u.launch.kernel);
  if (its == NULL) return no_kernel;
  bool right = next->u.launch.dimensions >= 1 && next->u.launch.dimensions <= 3;
  for (uint32_t i = 0; i < 3; i++) right = right && dimension_right(next, i);
  if (!right || (next->u.launch.task && !task_right(next))) return "its sizes are impossible";
  return bindings_all(&its->arguments, alive, k) ? NULL : "an argument of its kernel has been released";
}

/* ---- what is done with memory ---- */

static bool written_right(const capture *c, const capture_command *next, const capture_shape *shape) {
  switch (next->kind) {
    case CAPTURE_WRITE: return blob_right(c, next->u.transfer.blob, next->u.transfer.size);
    case CAPTURE_WRITE_RECT:
      return blob_right(c, next->u.transfer.blob, capture_region_bytes(next->u.transfer.region, 1));
    case CAPTURE_WRITE_IMAGE:
      return blob_right(c, next->u.transfer.blob, capture_region_bytes(next->u.transfer.region, shape->element));
    default: return true;
  }
}

static const char *check_access(checker *k, const capture *c, const capture_command *next) {
  capture_effect effects[2];
  const bool copy = capture_effects(next, effects) == 2;
  const object *first = memory_of(k, effects[0].at->memory),
               *second = copy ? memory_of(k, effects[1].at->memory) : NULL;
  if (first == NULL || (copy && second == NULL)) return no_memory;
  if (!capture_fits(next, &first->shape, second != NULL ? &second->shape : NULL))
    return "it goes beyond its memory object, or is of another kind";
  return written_right(c, next, &first->shape) ? NULL : no_blob;
}

static const char *(*const checks[CAPTURE_KINDS])(checker *k, const capture *c, const capture_command *next) = {
    [CAPTURE_BUFFER] = check_buffer,
    [CAPTURE_SUB_BUFFER] = check_sub_buffer,
    [CAPTURE_IMAGE] = check_image,
    [CAPTURE_SAMPLER] = check_sampler,
    [CAPTURE_PROGRAM] = check_program,
    [CAPTURE_KERNEL] = check_kernel,
    [CAPTURE_CLONE] = check_clone,
    [CAPTURE_ARGUMENT] = check_argument,
    [CAPTURE_LAUNCH] = check_launch,
    [CAPTURE_RELEASE_MEMORY] = check_release_memory,
    [CAPTURE_RELEASE_KERNEL] = check_release_kernel,
};

bool command_on_device(capture_kind kind) { return kind >= CAPTURE_LAUNCH && kind <= CAPTURE_READ_IMAGE; }

const char *check_command(checker *k, const capture *c, const capture_command *next) {
  return checks[next->kind] ? checks[next->kind](k, c, next) : check_access(k, c, next);
}

/* ---- calls ---- */

static bool maps(capture_function function) { return function >= FUNCTION_MAP && function <= FUNCTION_UNMAP; }

/* What is mapped lies in a buffer; of an image `size` says whether all is. */
static bool mapped_right(const checker *k, const capture_call *next) {
  const object *o = memory_of(k, next->memory);
  if (o == NULL) return false;
  return o->shape.image ? !next->offset && next->size <= 1 : capture_bytes_fit(&o->shape, next->offset, next->size);
}

const char *check_call(const checker *k, const capture *c, const capture_call *next, uint32_t *events) {
  if (next->function < FUNCTION_LAUNCH || next->function >= FUNCTION_KINDS) return "such a function is unknown";
  if (next->queue != CAPTURE_NONE && next->queue >= c->queue_count) return "there is no such queue";
  if (maps(next->function) ? !mapped_right(k, next) : next->memory != CAPTURE_NONE)
    return maps(next->function) ? no_memory : "it is no mapping, but has memory";
  for (size_t i = 0; i < next->wait_count; i++)
    if (next->waits[i] != CAPTURE_NONE && next->waits[i] >= *events) return "there is no such event";
  if (next->event != CAPTURE_NONE && next->event != *events) return "its event is not the next one";
  *events += next->event != CAPTURE_NONE;
  return NULL;
}

/* ---- expectations ---- */

/* Bytes that a READ gets. */
static uint64_t read_bytes(const checker *k, const capture_command *read) {
  if (read->kind == CAPTURE_READ) return read->u.transfer.size;
  return capture_region_bytes(read->u.transfer.region, k->objects[read->u.transfer.at.memory].shape.element);
}

const char *check_expectation(const checker *k, const capture *c, const capture_command *read,
                              const capture_expectation *next) {
  if (read == NULL || (read->kind != CAPTURE_READ && read->kind != CAPTURE_READ_IMAGE))
    return "there is no read before it";
  if (next->number >= NUMBER_KINDS || next->lanes < 1 || next->lanes > 16 || next->used < 1 ||
      next->used > next->lanes || !(next->relative >= 0) || !(next->absolute >= 0))
    return "it does not say what is expected";
  if (next->blob == CAPTURE_NONE) return read->known ? NULL : no_blob;
  return blob_right(c, next->blob, read_bytes(k, read)) ? NULL : no_blob;
}

/* Storage in a capture: which object owns which bytes, and which objects the arguments of a kernel are. A part is
 * always made after what it is a part of. */

bool capture_makes_memory(const capture_command *c) { return c->kind >= CAPTURE_BUFFER && c->kind <= CAPTURE_IMAGE; }

static stored_object read_object(const capture_command *c) {
  switch (c->kind) {
    case CAPTURE_BUFFER:
      return (stored_object){.made = c, .part_of = CAPTURE_NONE, .size = c->u.buffer.size, .flags = c->u.buffer.flags};
    case CAPTURE_SUB_BUFFER:
      return (stored_object){.made = c,
                             .part_of = c->u.sub_buffer.parent,
                             .origin = c->u.sub_buffer.origin,
                             .size = c->u.sub_buffer.size,
                             .flags = c->u.sub_buffer.flags};
    default: return (stored_object){.made = c, .part_of = c->u.image.buffer, .flags = c->u.image.flags};
  }
}

const stored_object *stored_take(stored_objects *list, const capture_command *c) {
  if (!capture_makes_memory(c)) return NULL;
  stored_object made = read_object(c);
  made.owner = (uint32_t)list->count;
  if (made.part_of != CAPTURE_NONE) {
    made.owner = list->items[made.part_of].owner;
    made.origin += list->items[made.part_of].origin;
  }
  stored_object *added = ARRAY_ADD(list->items, list->count, list->capacity);
  *added = made;
  return added;
}

stored_objects stored_of(const capture *c) {
  stored_objects list = {0};
  for (size_t i = 0; i < c->command_count; i++) (void)stored_take(&list, &c->commands[i]);
  return list;
}

void stored_free(stored_objects *list) {
  free(list->items);
  *list = (stored_objects){0};
}

/* Which memory objects a kernel's arguments are. What was set is kept as a list, of which the last entry of an argument
 * counts: a cloned kernel shares the list so far, so that no file can have more memory taken than it has records. A
 * list that is mostly of entries that do not count any more is written anew. */

struct binding {
  const binding *before;
  uint32_t index, object;
};

enum { BLOCK = 1024, SLACK = 64 };

static binding *make(binding_pool *pool) {
  if (!pool->block_count || pool->used == BLOCK) {
    *ARRAY_ADD(pool->blocks, pool->block_count, pool->block_capacity) = mem_calloc(BLOCK, sizeof(binding));
    pool->used = 0;
  }
  return &pool->blocks[pool->block_count - 1][pool->used++];
}

void binding_pool_free(binding_pool *pool) {
  for (size_t i = 0; i < pool->block_count; i++) free(pool->blocks[i]);
  free(pool->blocks);
  *pool = (binding_pool){0};
}

static void push(bindings *b, binding_pool *pool, uint32_t index, uint32_t number) {
  binding *made = make(pool);
  *made = (binding){.before = b->last, .index = index, .object = number};
  b->last = made;
  b->count++;
  if (index >= b->indices) b->indices = index + 1;
}

/* Leaves only the entries that count. */
static void shorten(bindings *b, binding_pool *pool) {
  bool seen[CAPTURE_ARGUMENTS_MOST];
  bindings fresh = {0};
  memset(seen, 0, b->indices);
  for (const binding *at = b->last; at; at = at->before) {
    if (!seen[at->index]) push(&fresh, pool, at->index, at->object);
    seen[at->index] = true;
  }
  fresh.distinct = fresh.count;
  *b = fresh;
}

void bindings_set(bindings *b, binding_pool *pool, uint32_t index, uint32_t number) {
  push(b, pool, index, number);
  if (b->count > 2 * b->distinct + SLACK) shorten(b, pool);
}

bool bindings_all(const bindings *b, bool (*right)(const void *data, uint32_t object), const void *data) {
  bool seen[CAPTURE_ARGUMENTS_MOST];
  memset(seen, 0, b->indices);
  for (const binding *at = b->last; at; at = at->before) {
    if (!seen[at->index] && at->object != CAPTURE_NONE && !right(data, at->object)) return false;
    seen[at->index] = true;
  }
  return true;
}
