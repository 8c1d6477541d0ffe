/* The outline of a capture before any of it is done: which objects there are, from when to when, and which commands
 * have to do with them. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "capture/capture.h"
#include "replay/replay_internal.h"

#define ARGUMENTS 4096u /* of one kernel, at most */

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static void count_objects(outline *o, const capture *c) {
  for (size_t i = 0; i < c->command_count; i++) {
    const capture_kind kind = c->commands[i].kind;
    o->object_count += capture_makes_memory(&c->commands[i]);
    o->sampler_count += kind == CAPTURE_SAMPLER;
    o->program_count += kind == CAPTURE_PROGRAM;
    o->kernel_count += kind == CAPTURE_KERNEL || kind == CAPTURE_CLONE;
  }
  o->numbers = mem_calloc(c->command_count, sizeof *o->numbers);
  o->objects = mem_calloc(o->object_count, sizeof *o->objects);
  o->storages = mem_calloc(o->object_count, sizeof *o->storages);
  o->kernels = mem_calloc(o->kernel_count, sizeof *o->kernels);
  o->names = mem_calloc(o->kernel_count, sizeof *o->names);
  o->programs = mem_calloc(o->program_count, sizeof *o->programs);
  o->first_alike = mem_calloc(o->program_count, sizeof *o->first_alike);
  o->in_order = mem_calloc(o->program_count, sizeof *o->in_order);
  o->samplers = mem_calloc(o->sampler_count, sizeof *o->samplers);
}

/* --- memory objects ----------------------------------------------------------------------------------------------- */

static cl_mem_flags access_of(uint64_t flags, cl_mem_flags otherwise) {
  const cl_mem_flags all = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY | CL_MEM_KERNEL_READ_AND_WRITE;
  return (flags & all) != 0 ? flags & all : otherwise;
}

static void add_storage(outline *o, size_t command, uint32_t object) {
  o->objects[object].storage = (uint32_t)o->storage_count;
  o->storages[o->storage_count++] =
      (outline_storage){.object = object, .made = command, .changed = NEVER, .used = command, .untouched = true};
}

static void add_object(outline *o, size_t command, uint32_t number, const stored_object *made) {
  const bool part = made->part_of != CAPTURE_NONE;
  outline_object *object = &o->objects[number];
  const cl_mem_flags inherited = part ? o->objects[made->part_of].access : CL_MEM_READ_WRITE;
  *object = (outline_object){.made = command, .released = NEVER, .access = access_of(made->flags, inherited)};
  if (part)
    object->storage = o->objects[made->owner].storage;
  else
    add_storage(o, command, number);
  outline_storage *memory = &o->storages[object->storage];
  memory->images = memory->images || (made->made->kind == CAPTURE_IMAGE && part);
  memory->alive++;
  memory->parts += part;
  memory->used = command;
}

static void release_object(outline *o, size_t command, uint32_t number) {
  outline_storage *memory = &o->storages[o->objects[number].storage];
  o->objects[number].released = command;
  if (--memory->alive == 0) memory->released = command;
}

/* --- what commands do to them ------------------------------------------------------------------------------------- */

static bool writes_all(const outline_storage *memory, const capture *c, const capture_command *w) {
  const capture_command *made = &c->commands[memory->made];
  return memory->object == w->u.transfer.at.memory && w->u.transfer.at.offset == 0 && made->kind == CAPTURE_BUFFER &&
         w->u.transfer.size == made->u.buffer.size;
}

static outline_storage *use(outline *o, size_t command, uint32_t object) {
  outline_storage *memory = &o->storages[o->objects[object].storage];
  memory->used = command;
  memory->untouched = false;
  return memory;
}

static void change(outline *o, size_t command, uint32_t object) {
  outline_storage *memory = use(o, command, object);
  if (memory->changed == NEVER) memory->changed = command;
}

static void transfer(outline *o, const capture *c, size_t i) {
  capture_effect effects[2];
  const size_t count = capture_effects(&c->commands[i], effects);
  for (size_t k = 0; k < count; k++) {
    const uint32_t object = effects[k].at->memory;
    outline_storage *memory = &o->storages[o->objects[object].storage];
    if (!effects[k].writes) {
      (void)use(o, i, object);
    } else {
      const bool whole = count == 1 && effects[k].part == PART_BYTES && memory->untouched;
      memory->overwritten = memory->overwritten || (whole && writes_all(memory, c, &c->commands[i]));
      change(o, i, object);
    }
  }
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static bool same_source(const capture_command *a, const capture_command *b) {
  const capture_source *x = a->u.program.sources, *y = b->u.program.sources;
  return !a->u.program.linked && !b->u.program.linked && strcmp(x->text, y->text) == 0 &&
         strcmp(x->options, y->options) == 0;
}

/* A program that is built again, maybe by another thread, is built once: its kernels are the first one's. */
static void add_program(outline *o, const capture *c, size_t command, uint32_t number) {
  o->programs[number] = command;
  o->first_alike[number] = number;
  for (uint32_t i = 0; i < number; i++) {
    if (o->first_alike[i] == i && same_source(&c->commands[o->programs[i]], &c->commands[command])) {
      o->first_alike[number] = i;
      return;
    }
  }
}

static void add_kernel(outline *o, const capture *c, size_t command, uint32_t number) {
  const capture_command *made = &c->commands[command];
  outline_kernel *k = &o->kernels[number];
  *k = (outline_kernel){.made = command, .launched = NEVER};
  if (made->kind == CAPTURE_CLONE) {
    k->program = o->kernels[made->u.clone.kernel].program;
    k->name = o->kernels[made->u.clone.kernel].name;
    k->arguments = o->kernels[made->u.clone.kernel].arguments;
    return;
  }
  k->program = o->first_alike[made->u.kernel.program];
  k->name = made->u.kernel.name;
  for (size_t i = 0; i < o->in_order_count; i++)
    if (o->in_order[i] == k->program) return;
  o->in_order[o->in_order_count++] = k->program;
}

static int count_argument(outline *o, const capture_command *c, error *e) {
  outline_kernel *k = &o->kernels[c->u.argument.kernel];
  if (c->u.argument.index >= ARGUMENTS) {
    return error_set(e, EXIT_USAGE,
                     "the capture sets argument %u of kernel %s, and no kernel has so many; capture again",
                     c->u.argument.index, k->name);
  }
  if (c->u.argument.index >= k->arguments) k->arguments = c->u.argument.index + 1;
  return 0;
}

static void launched_name(outline *o, size_t command, const outline_kernel *k) {
  for (size_t i = 0; i < o->name_count; i++)
    if (strcmp(o->names[i].name, k->name) == 0) return;
  o->names[o->name_count++] = (outline_name){.name = k->name, .launched = command};
}

static void launch(outline *o, const capture *c, size_t command, const size_t *slots, bool trusting) {
  outline_kernel *k = &o->kernels[c->commands[command].u.launch.kernel];
  if (k->launched == NEVER) launched_name(o, command, k);
  k->launched = command;
  for (size_t i = 0; i < k->arguments; i++) {
    const size_t set = slots[k->first_slot + i];
    const capture_command *a = set == NEVER ? NULL : &c->commands[set];
    if (a == NULL || a->u.argument.kind != CAPTURE_MEMORY || a->u.argument.object == CAPTURE_NONE) continue;
    if (trusting && (o->objects[a->u.argument.object].access & CL_MEM_READ_ONLY) != 0)
      (void)use(o, command, a->u.argument.object);
    else
      change(o, command, a->u.argument.object);
  }
}

/* --- arguments ---------------------------------------------------------------------------------------------------- */

/* What the original is given later than that is none of the clone's. */
static void clone_slots(const outline *o, const capture_command *c, uint32_t number, size_t *slots) {
  const outline_kernel *k = &o->kernels[number], *from = &o->kernels[c->u.clone.kernel];
  memcpy(slots + k->first_slot, slots + from->first_slot, k->arguments * sizeof *slots);
}

/* What the command does to the table of arguments. */
static void set_slots(const outline *o, const capture *c, size_t command, size_t *slots) {
  const capture_command *done = &c->commands[command];
  if (done->kind == CAPTURE_ARGUMENT)
    slots[o->kernels[done->u.argument.kernel].first_slot + done->u.argument.index] = command;
  else if (done->kind == CAPTURE_CLONE)
    clone_slots(o, done, o->numbers[command], slots);
}

static size_t *no_slots(const outline *o) {
  size_t *slots = mem_calloc(o->slot_count, sizeof *slots);
  for (size_t i = 0; i < o->slot_count; i++) slots[i] = NEVER;
  return slots;
}

size_t *outline_arguments(const outline *o, const capture *c, size_t command) {
  size_t *slots = no_slots(o);
  for (size_t i = 0; i < command; i++) set_slots(o, c, i, slots);
  return slots;
}

static void inherit(outline *o, uint32_t number, const size_t *slots) {
  outline_kernel *k = &o->kernels[number];
  k->inherited = mem_calloc(k->arguments, sizeof *k->inherited);
  memcpy(k->inherited, slots + k->first_slot, k->arguments * sizeof *slots);
}

/* --- the passes --------------------------------------------------------------------------------------------------- */

/* Numbers, objects, kernels. */
static int first_pass(outline *o, const capture *c, error *e) {
  uint32_t sampler = 0, program = 0, made = 0, read = 0;
  stored_objects stored = {0};
  for (size_t i = 0; i < c->command_count; i++) {
    const capture_command *command = &c->commands[i];
    const stored_object *memory = stored_take(&stored, command);
    if (memory != NULL) {
      add_object(o, i, o->numbers[i] = (uint32_t)stored.count - 1, memory);
    } else if (command->kind == CAPTURE_SAMPLER) {
      o->samplers[o->numbers[i] = sampler++] = i;
    } else if (command->kind == CAPTURE_PROGRAM) {
      add_program(o, c, i, o->numbers[i] = program++);
    } else if (command->kind == CAPTURE_KERNEL || command->kind == CAPTURE_CLONE) {
      add_kernel(o, c, i, o->numbers[i] = made++);
    } else if (command->kind == CAPTURE_ARGUMENT && count_argument(o, command, e) != 0) {
      stored_free(&stored);
      return -1;
    } else if (capture_is_read(command->kind)) {
      o->numbers[i] = read++;
    }
  }
  stored_free(&stored);
  for (size_t i = 0; i < o->kernel_count; i++) {
    o->kernels[i].first_slot = o->slot_count;
    o->slot_count += o->kernels[i].arguments;
  }
  return 0;
}

/* What happens to memory. */
static void second_pass(outline *o, const capture *c, bool trusting) {
  scoped size_t *slots = no_slots(o);
  for (size_t i = 0; i < o->storage_count; i++) o->storages[i].released = NEVER;
  for (size_t i = 0; i < c->command_count; i++) {
    const capture_command *command = &c->commands[i];
    set_slots(o, c, i, slots);
    transfer(o, c, i);
    if (command->kind == CAPTURE_CLONE)
      inherit(o, o->numbers[i], slots);
    else if (command->kind == CAPTURE_LAUNCH)
      launch(o, c, i, slots, trusting);
    else if (command->kind == CAPTURE_RELEASE_MEMORY)
      release_object(o, i, command->u.release.object);
  }
}

int outline_make(outline *o, const capture *c, bool trusting, error *e) {
  *o = (outline){0};
  count_objects(o, c);
  if (first_pass(o, c, e) != 0) {
    outline_free(o);
    return -1;
  }
  second_pass(o, c, trusting);
  return 0;
}

void outline_free(outline *o) {
  for (size_t i = 0; i < o->kernel_count; i++) free(o->kernels[i].inherited);
  free(o->numbers);
  free(o->objects);
  free(o->storages);
  free(o->kernels);
  free(o->names);
  free(o->programs);
  free(o->first_alike);
  free(o->in_order);
  free(o->samplers);
  *o = (outline){0};
}
