/* A turn: the program's commands as calls of OpenCL, from the first or from a later place, on a queue of its own; and
 * the places where one can begin. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cl_error.h"
#include "base/memory.h"
#include "capture/capture.h"
#include "replay/arena.h"
#include "replay/replay_internal.h"

/* ---- commands ---- */

static const char *const transfer_calls[CAPTURE_KINDS] = {
    [CAPTURE_WRITE] = "clEnqueueWriteBuffer",
    [CAPTURE_WRITE_RECT] = "clEnqueueWriteBufferRect",
    [CAPTURE_WRITE_IMAGE] = "clEnqueueWriteImage",
    [CAPTURE_FILL] = "clEnqueueFillBuffer",
    [CAPTURE_FILL_IMAGE] = "clEnqueueFillImage",
    [CAPTURE_COPY] = "clEnqueueCopyBuffer",
    [CAPTURE_COPY_RECT] = "clEnqueueCopyBufferRect",
    [CAPTURE_COPY_IMAGE] = "clEnqueueCopyImage",
    [CAPTURE_COPY_IMAGE_TO_BUFFER] = "clEnqueueCopyImageToBuffer",
    [CAPTURE_COPY_BUFFER_TO_IMAGE] = "clEnqueueCopyBufferToImage",
    [CAPTURE_READ] = "clEnqueueReadBuffer",
    [CAPTURE_READ_RECT] = "clEnqueueReadBufferRect",
    [CAPTURE_READ_IMAGE] = "clEnqueueReadImage",
};

/* Writes `bytes`, fills, or reads to there. */
static cl_int enqueue(const turn *t, const capture_command *c, unsigned char *bytes) {
  static const size_t host[3];
  const capture_span *at = &c->u.transfer.at;
  const uint64_t *region = c->u.transfer.region, size = c->u.transfer.size;
  const unsigned char *pattern = c->u.transfer.pattern;
  cl_command_queue queue = t->queue;
  cl_mem memory = t->replay->objects[at->memory];
  switch (c->kind) {
    case CAPTURE_WRITE: return clEnqueueWriteBuffer(queue, memory, CL_FALSE, at->offset, size, bytes, 0, NULL, NULL);
    case CAPTURE_WRITE_RECT:
      return clEnqueueWriteBufferRect(queue, memory, CL_FALSE, at->origin, host, region, at->row, at->slice, 0, 0,
                                      bytes, 0, NULL, NULL);
    case CAPTURE_WRITE_IMAGE:
      return clEnqueueWriteImage(queue, memory, CL_FALSE, at->origin, region, 0, 0, bytes, 0, NULL, NULL);
    case CAPTURE_FILL:
      return clEnqueueFillBuffer(queue, memory, pattern, c->u.transfer.pattern_size, at->offset, size, 0, NULL, NULL);
    case CAPTURE_FILL_IMAGE: return clEnqueueFillImage(queue, memory, pattern, at->origin, region, 0, NULL, NULL);
    case CAPTURE_READ: return clEnqueueReadBuffer(queue, memory, CL_TRUE, at->offset, size, bytes, 0, NULL, NULL);
    case CAPTURE_READ_RECT:
      return clEnqueueReadBufferRect(queue, memory, CL_TRUE, at->origin, host, region, at->row, at->slice, 0, 0, bytes,
                                     0, NULL, NULL);
    default: return clEnqueueReadImage(queue, memory, CL_TRUE, at->origin, region, 0, 0, bytes, 0, NULL, NULL);
  }
}

/* Two buffers that become one would have to have the same pitches. */
static bool separable(const replay *r, const capture_span *from, const capture_span *to) {
  const outline_object *objects = r->outline.objects;
  const bool apart = objects[from->memory].storage != objects[to->memory].storage;
  return apart || (from->row == to->row && from->slice == to->slice);
}

static cl_int enqueue_copy(const turn *t, const capture_command *c) {
  const replay *r = t->replay;
  const capture_span *at = &c->u.transfer.at, *to = &c->u.transfer.to;
  const uint64_t *region = c->u.transfer.region;
  const bool roots = c->kind == CAPTURE_COPY_RECT && separable(r, at, to);
  size_t first = 0, second = 0;
  cl_mem source =
      roots || c->kind == CAPTURE_COPY_BUFFER_TO_IMAGE ? memory_root(r, at->memory, &first) : r->objects[at->memory];
  cl_mem target =
      roots || c->kind == CAPTURE_COPY_IMAGE_TO_BUFFER ? memory_root(r, to->memory, &second) : r->objects[to->memory];
  const size_t from_origin[3] = {at->origin[0] + first, at->origin[1], at->origin[2]};
  const size_t to_origin[3] = {to->origin[0] + second, to->origin[1], to->origin[2]};
  switch (c->kind) {
    case CAPTURE_COPY:
      return clEnqueueCopyBuffer(t->queue, source, target, at->offset, to->offset, c->u.transfer.size, 0, NULL, NULL);
    case CAPTURE_COPY_RECT:
      return clEnqueueCopyBufferRect(t->queue, source, target, from_origin, to_origin, region, at->row, at->slice,
                                     to->row, to->slice, 0, NULL, NULL);
    case CAPTURE_COPY_IMAGE:
      return clEnqueueCopyImage(t->queue, source, target, at->origin, to->origin, region, 0, NULL, NULL);
    case CAPTURE_COPY_IMAGE_TO_BUFFER:
      return clEnqueueCopyImageToBuffer(t->queue, source, target, at->origin, region, second + to->offset, 0, NULL,
                                        NULL);
    default:
      return clEnqueueCopyBufferToImage(t->queue, source, target, first + at->offset, to->origin, region, 0, NULL,
                                        NULL);
  }
}

/* Writes, fills and copies. */
static bool change(turn *t, const capture_command *c, uint32_t number) {
  const replay *r = t->replay;
  capture_effect effects[2];
  const bool copies = capture_effects(c, effects) == 2;
  const bool fills = c->kind == CAPTURE_FILL || c->kind == CAPTURE_FILL_IMAGE;
  (void)number;
  const cl_int status =
      copies ? enqueue_copy(t, c) : enqueue(t, c, fills ? NULL : r->capture->blobs[c->u.transfer.blob].bytes);
  memory_changed(t->replay, effects[copies ? 1 : 0].at->memory);
  return succeeded(t, status, transfer_calls[c->kind]);
}

/* --- reads ---------------------------------------------------------------------------------------------------------- */

/* Room for so many bytes; NULL: the machine has not that much memory. */
static unsigned char *room(turn *t, size_t size) {
  replay *r = t->replay;
  if (size > r->scratch_size || r->scratch == NULL) {
    free(r->scratch);
    r->scratch = malloc(size > 0 ? size : 1);
    r->scratch_size = r->scratch == NULL ? 0 : size;
  }
  if (r->scratch == NULL) {
    (void)error_set(t->error, EXIT_INTERNAL, "there are no %zu bytes of memory for what the program reads; free some",
                    size);
  }
  return r->scratch;
}

/* What the program read from the device: it is read again, into memory of our own, and shown. */
static bool read_again(turn *t, const capture_command *c, uint32_t number) {
  replay *r = t->replay;
  const capture_command *made = &r->capture->commands[r->outline.objects[c->u.transfer.at.memory].made];
  const size_t element =
      c->kind == CAPTURE_READ_IMAGE ? capture_element(made->u.image.order, made->u.image.data_type) : 1;
  const size_t size =
      c->kind == CAPTURE_READ ? c->u.transfer.size : capture_region_bytes(c->u.transfer.region, element);
  unsigned char *to = room(t, size);
  if (to == NULL || !succeeded(t, enqueue(t, c, to), transfer_calls[c->kind])) return false;
  t->reads++;
  if (r->reader != NULL) r->reader(r->reader_data, number, c, to, size);
  t->over = t->functions != NULL && t->functions->over();
  return true;
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

/* What is there already: samplers from the beginning, programs since the turn began. */
static bool nothing(turn *t, const capture_command *c, uint32_t number) {
  (void)t;
  (void)c;
  (void)number;
  return true;
}

static bool (*const commands[CAPTURE_KINDS])(turn *t, const capture_command *c, uint32_t number) = {
    [CAPTURE_BUFFER] = memory_make,
    [CAPTURE_SUB_BUFFER] = memory_make,
    [CAPTURE_IMAGE] = memory_make,
    [CAPTURE_SAMPLER] = nothing,
    [CAPTURE_PROGRAM] = nothing,
    [CAPTURE_KERNEL] = kernels_make,
    [CAPTURE_CLONE] = kernels_make,
    [CAPTURE_ARGUMENT] = kernels_argument,
    [CAPTURE_LAUNCH] = kernels_launch,
    [CAPTURE_WRITE] = change,
    [CAPTURE_WRITE_RECT] = change,
    [CAPTURE_WRITE_IMAGE] = change,
    [CAPTURE_FILL] = change,
    [CAPTURE_FILL_IMAGE] = change,
    [CAPTURE_COPY] = change,
    [CAPTURE_COPY_RECT] = change,
    [CAPTURE_COPY_IMAGE] = change,
    [CAPTURE_COPY_IMAGE_TO_BUFFER] = change,
    [CAPTURE_COPY_BUFFER_TO_IMAGE] = change,
    [CAPTURE_READ] = read_again,
    [CAPTURE_READ_RECT] = read_again,
    [CAPTURE_READ_IMAGE] = read_again,
    [CAPTURE_RELEASE_MEMORY] = memory_release,
    [CAPTURE_RELEASE_KERNEL] = kernels_release,
};

static bool command_do(turn *t, size_t index) {
  const capture_command *c = &t->replay->capture->commands[index];
  t->command = index;
  return commands[c->kind](t, c, t->replay->outline.numbers[index]);
}

/* ---- turns ---- */

/* Places where turns can begin: the first command, and the first launch of each kernel that a turn names. What comes
 * before is left out; replay/memory.c knows what it leaves in memory. */

/* --- making one --------------------------------------------------------------------------------------------------- */

static bool *programs_needed(const outline *o, size_t command) {
  bool *needed = mem_calloc(o->program_count, sizeof *needed);
  for (size_t i = 0; i < o->kernel_count; i++)
    if (o->kernels[i].made >= command || (o->kernels[i].launched != NEVER && o->kernels[i].launched >= command))
      needed[o->kernels[i].program] = true;
  return needed;
}

static uint64_t reads_before(const capture *c, size_t command) {
  uint64_t reads = 0;
  for (size_t i = 0; i < command; i++) reads += capture_is_read(c->commands[i].kind);
  return reads;
}

/* Nothing that is used after the place has changed before it. */
static bool unchanged(const outline *o, const start *s) {
  for (size_t i = 0; i < s->saved_count; i++)
    if (o->storages[s->saved[i].storage].changed < s->command) return false;
  return true;
}

static void list_storages(const outline *o, start *s) {
  s->saved = mem_calloc(o->storage_count, sizeof *s->saved);
  for (size_t i = 0; i < o->storage_count; i++) {
    const outline_storage *memory = &o->storages[i];
    const bool overwritten = memory->overwritten && memory->changed >= s->command;
    if (memory->made < s->command && memory->used >= s->command && !overwritten)
      s->saved[s->saved_count++] = (saved){.storage = (uint32_t)i};
  }
}

static start *start_make(replay *r, size_t command) {
  start *s = mem_calloc(1, sizeof *s);
  s->command = command;
  s->reads = reads_before(r->capture, command);
  s->programs = programs_needed(&r->outline, command);
  s->arguments = command == 0 ? NULL : outline_arguments(&r->outline, r->capture, command);
  list_storages(&r->outline, s);
  if (unchanged(&r->outline, s)) {
    for (size_t i = 0; i < s->saved_count; i++)
      s->saved[i].contents = contents_retain(r->storages[s->saved[i].storage].first);
    s->ready = true;
  }
  s->next = r->starts;
  r->starts = s;
  return s;
}

static void starts_close(replay *r) {
  while (r->starts != NULL) {
    start *s = r->starts;
    r->starts = s->next;
    checkpoint_drop(r, s);
    free(s->programs);
    free(s->arguments);
    free(s->saved);
    free(s);
  }
}

/* --- choosing one ------------------------------------------------------------------------------------------------- */

bool turn_changes(const replay_turn *what, const char *name) {
  for (size_t i = 0; i < what->kernel_count; i++)
    if (strcmp(what->kernels[i], name) == 0) return true;
  return false;
}

static size_t first_launch(const replay *r, const replay_turn *what) {
  size_t first = r->capture->command_count;
  for (size_t i = 0; i < r->outline.name_count; i++) {
    const outline_name *n = &r->outline.names[i];
    if (n->launched < first && turn_changes(what, n->name)) first = n->launched;
  }
  return first;
}

/* Where a turn can begin at best. */
static start *starts_wanted(replay *r, const replay_turn *what) {
  /* checkpoints are made with the usual filling */
  const bool whole = what->kernel_count == 0 || what->filling != 0;
  const size_t command = whole ? 0 : first_launch(r, what);
  for (start *s = r->starts; s != NULL; s = s->next)
    if (s->command == command) return s;
  return start_make(r, command);
}

/* The last place that is ready and not after it. */
static start *starts_nearest(replay *r, start *wanted) {
  start *nearest = wanted;
  for (start *s = r->starts; !wanted->ready && s != NULL; s = s->next)
    if (s->ready && s->command <= wanted->command && (!nearest->ready || s->command > nearest->command)) nearest = s;
  return nearest->ready ? nearest : starts_wanted(r, &(replay_turn){0});
}

bool succeeded(turn *t, cl_int status, const char *call) {
  if (status == CL_SUCCESS) return true;
  t->exhausted = t->exhausted || status == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                 (t->command == NEVER && (status == CL_OUT_OF_RESOURCES || status == CL_OUT_OF_HOST_MEMORY));
  const int code = t->exhausted ? EXIT_INTERNAL : EXIT_BASELINE;
  if (t->command == NEVER) {
    (void)error_set(t->error, code, "%s failed on this device: %s (%d)", call, cl_error_constant(status), status);
    return false;
  }
  buffer where = {0}, why = {0};
  const capture_place *place = capture_place_of(t->replay->capture, t->command);
  if (place != NULL)
    buffer_puts(&where, place->text);
  else
    buffer_printf(&where, "command %zu of the capture", t->command);
  if (status == CL_INVALID_WORK_GROUP_SIZE) device_say_groups(&t->replay->device, &why);
  (void)error_set(t->error, code, "%s (%s) failed on this device: %s (%d)%s", buffer_text(&where), call,
                  cl_error_constant(status), status, buffer_text(&why));
  buffer_free(&where);
  buffer_free(&why);
  return false;
}

static bool open_queue(turn *t) {
  cl_int status = CL_SUCCESS;
  t->queue = clCreateCommandQueue(t->replay->device.context, t->replay->device.id, 0, &status);
  return succeeded(t, status, "clCreateCommandQueue");
}

static void close_queue(turn *t) {
  if (t->queue != NULL) clReleaseCommandQueue(t->queue);
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static uint64_t or_default(uint64_t chosen, uint64_t otherwise) { return chosen > 0 ? chosen : otherwise; }

static void set_limits(replay *r, const replay_options *o) {
  const uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  r->memory = or_default(o->memory, r->device.memory / 8 * 7);
  r->snapshots = or_default(o->snapshots, r->device.memory / 4);
  r->host_snapshots = or_default(o->host_snapshots, machine / 4);
}

static int make_samplers(replay *r, error *e) {
  for (size_t i = 0; i < r->outline.sampler_count; i++) {
    const capture_command *c = &r->capture->commands[r->outline.samplers[i]];
    cl_int status = CL_SUCCESS;
    r->samplers[i] = clCreateSampler(r->device.context, c->u.sampler.normalized != 0, c->u.sampler.addressing,
                                     c->u.sampler.filter, &status);
    if (status != CL_SUCCESS) {
      return error_set(e, EXIT_USAGE, "the device makes no sampler like one of the program's (%s)",
                       cl_error_constant(status));
    }
  }
  return 0;
}

static int make_objects(replay *r, error *e) {
  turn t = {.replay = r, .command = NEVER, .error = e};
  r->objects = mem_calloc(r->outline.object_count, sizeof(cl_mem));
  r->storages = mem_calloc(r->outline.storage_count, sizeof *r->storages);
  r->samplers = mem_calloc(r->outline.sampler_count, sizeof(cl_sampler));
  r->kernels = mem_calloc(r->outline.kernel_count, sizeof(cl_kernel));
  r->given = mem_calloc(r->outline.slot_count, sizeof *r->given);
  guards_open(r);
  if (make_samplers(r, e) != 0) return -1;
  const bool done = open_queue(&t) && memory_open(&t);
  close_queue(&t);
  return done ? 0 : -1;
}

int replay_open(replay **out, const capture *c, const replay_options *o, error *e) {
  replay *r = mem_calloc(1, sizeof *r);
  r->capture = c;
  r->trusting = true;
  r->named = o->named;
  if (device_open(&r->device, o, e) != 0 || device_suits(&r->device, c, e) != 0 ||
      outline_make(&r->outline, c, true, e) != 0) {
    replay_close(r);
    return -1;
  }
  for (size_t i = 0; i < r->outline.storage_count && !r->device.images_of_parts; i++)
    r->device.images_of_parts = r->outline.storages[i].images && device_images_of_parts(&r->device);
  set_limits(r, o);
  if (make_objects(r, e) != 0) {
    replay_close(r);
    return -1;
  }
  *out = r;
  return 0;
}

void replay_close(replay *r) {
  if (r == NULL) return;
  starts_close(r);
  programs_close(r);
  memory_close(r);
  guards_close(r);
  for (size_t i = 0; r->samplers != NULL && i < r->outline.sampler_count; i++)
    if (r->samplers[i] != NULL) clReleaseSampler(r->samplers[i]);
  outline_free(&r->outline);
  device_close(&r->device);
  free(r->objects);
  free(r->storages);
  free(r->samplers);
  free(r->kernels);
  free(r->given);
  free(r->scratch);
  free(r);
}

void replay_show(replay *r, replay_reader reader, void *data) {
  r->reader = reader;
  r->reader_data = data;
}

const replay_functions *replay_layer(const replay *r) {
  return clGetExtensionFunctionAddressForPlatform(r->device.platform, REPLAY_FUNCTION);
}

/* --- a turn ------------------------------------------------------------------------------------------------------- */

/* The commands, until there are no more or the turn is over. */
static bool do_commands(turn *t, const start *from, start *wanted) {
  const size_t end = t->replay->capture->command_count;
  for (size_t i = from->command; i < end && !t->over; i++) {
    if (i == wanted->command && i > from->command) checkpoint_save(t, wanted);
    if (!command_do(t, i)) return false;
  }
  return true;
}

static bool do_turn(turn *t, const replay_turn *what, start *from, start *wanted) {
  contents_fill(t->replay, what->filling);
  if (!programs_begin(t, what, from)) return false;
  if (t->functions != NULL) t->functions->begin(from->reads);
  return open_queue(t) && memory_begin(t, from) && kernels_begin(t, from) && do_commands(t, from, wanted);
}

/* After the commands, whether they went well or not. */
static bool finish(turn *t, bool done) {
  error other, *first = t->error;
  if (t->queue == NULL) return false;
  t->command = NEVER;
  t->error = done ? first : &other;
  const bool checked = guards_check(t);
  const bool ended = succeeded(t, clFinish(t->queue), "clFinish");
  t->error = first;
  return done && checked && ended;
}

/* Memory that is not the one it should be costs time, not results: it is put back more often from now on. */
static void distrust(replay *r) {
  r->trusting = false;
  starts_close(r);
  outline_free(&r->outline);
  (void)outline_make(&r->outline, r->capture, false, NULL);
  memory_forget(r);
}

/* Less memory from now on. */
static void spare(replay *r) {
  starts_close(r);
  contents_demote(r);
  r->snapshots = 0;
  memory_go_transient(r);
}

/* A kernel that reached for what is around buffers may have written to the zones of any. */
static bool check_all(turn *t) {
  replay *r = t->replay;
  for (size_t i = 0; i < r->outline.storage_count; i++) r->storages[i].exposed = r->storages[i].whole != NULL;
  return finish(t, true);
}

/* A kernel that left its buffers may have written to any memory of the arena, and where there is none, to any at all.
 */
static void judge(turn *t, const faults *f, bool done, replay_result *result) {
  const bool left = t->escaped || f->near || f->far;
  *result = (replay_result){.complete = done,
                            .escaped = t->escaped || f->written,
                            .reached = f->near || f->far,
                            .faulted = f->far,
                            .spoiled = f->foreign || (left && t->replay->arena == NULL)};
  if (!done || left) memory_forget(t->replay);
}

int replay_do(replay *r, const replay_turn *what, const replay_functions *functions, replay_result *result, error *e) {
  turn t = {.replay = r, .functions = functions, .command = NEVER, .error = e};
  start *wanted = starts_wanted(r, what), *from = starts_nearest(r, wanted);
  r->turns++;
  wanted->used = from->used = r->turns;
  faults left = {0};
  crash_turn();
  if (functions != NULL || what->mends) faults_begin(r->arena, what->filling);
  bool done = do_turn(&t, what, from, wanted);
  const bool trusted = !done || memory_trusted(&t);
  done = finish(&t, done);
  kernels_end(r);
  if (functions != NULL || what->mends) left = faults_end();
  done = done && (!(left.near || left.far) || check_all(&t));
  close_queue(&t);
  judge(&t, &left, done, result);
  if (t.exhausted)
    spare(r);
  else if (!trusted)
    distrust(r);
  if (!what->keep) programs_drop(r, what->setup);
  return done ? 0 : -1;
}
