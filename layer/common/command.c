/* Functions of OpenCL that give commands, made from the table of calls: each makes a record of its parameters; and the
 * driver's calls, made of such records. */
#include "layer/common/command.h"

#include <stdint.h>

/* ---- records of parameters, and back ---- */

/* A function that has no parameter of this name sees these. */
#define ABSENT(type, name) static type const name __attribute__((unused)) = 0;
COMMAND_FIELDS(ABSENT)
#pragma GCC diagnostic ignored "-Wshadow"

#define TAKEN(type, name) .name = name,
#define ENTRY(KIND, type, function, parameters, arguments)                                                            \
  static type CL_API_CALL entry_##function parameters {                                                               \
    command c = {.call = CALL_##function, .kind = KIND, .name = #function, COMMAND_FIELDS(TAKEN).below = over_count}; \
    command_below(&c);                                                                                                \
    return _Generic((type){0}, cl_int : c.result, default : c.mapped);                                                \
  }
#define LAUNCH(...) ENTRY(COMMAND_LAUNCH, __VA_ARGS__)
#define READ(...) ENTRY(COMMAND_READ, __VA_ARGS__)
#define WRITE(...) ENTRY(COMMAND_WRITE, __VA_ARGS__)
#define COPY(...) ENTRY(COMMAND_COPY, __VA_ARGS__)
#define FILL(...) ENTRY(COMMAND_FILL, __VA_ARGS__)
#define UNMAP(...) ENTRY(COMMAND_UNMAP, __VA_ARGS__)
#define OTHER(...) ENTRY(COMMAND_OTHER, __VA_ARGS__)

enum { OVER_MOST = 8 };
static struct {
  command_function function;
  unsigned kinds;
} over[OVER_MOST];
static size_t over_count;

CALLS_ENQUEUE(LAUNCH)
CALLS_READ(READ)
CALLS_WRITE(WRITE)
CALLS_COPY(COPY)
CALLS_FILL(FILL)
CALLS_UNMAP(UNMAP)
CALLS_OTHER_COMMANDS(OTHER)

#define ROW(type, name, parameters, arguments) CALL(name, entry_##name),
const guest_call command_calls[] = {COMMANDS(ROW){NULL, 0, NULL}};

static void answered(command *c, cl_int result) { c->result = result; }

static void mapped(command *c, void *pointer) {
  c->mapped = pointer;
  const bool said = c->error != NULL && *c->error != CL_SUCCESS;
  c->result = pointer != NULL ? CL_SUCCESS : said ? *c->error : CL_INVALID_VALUE;
}

static void ask_driver(command *c) {
#define GIVEN(type, name) type name = c->name;
  COMMAND_FIELDS(GIVEN)
  switch (c->call) {
#define ASK(type, name, parameters, arguments) \
  case CALL_##name: _Generic((type){0}, cl_int : answered, default : mapped)(c, driver.name arguments); break;
    COMMANDS(ASK)
    default: break;
  }
}

/* ---- functions over commands ---- */

void command_over(command_function f, unsigned kinds) {
  if (over_count == OVER_MOST) return;
  over[over_count].function = f;
  over[over_count++].kinds = kinds;
}

void command_below(command *c) {
  const size_t below = c->below;
  while (c->below > 0 && (over[c->below - 1].kinds & 1U << c->kind) == 0) c->below--;
  if (c->below > 0)
    over[--c->below].function(c);
  else
    ask_driver(c);
  c->below = below;
}

/* ---- the host's memory ---- */

static size_t product(size_t a, size_t b, size_t c) {
  size_t result;
  return __builtin_mul_overflow(a, b, &result) || __builtin_mul_overflow(result, c, &result) ? SIZE_MAX : result;
}

size_t area_checked_size(const area *a) { return product(a->row, a->rows, a->slices); }

/* The region of an image as rows; pitches of 0 are the least ones. The layers of a 1D array are slices. */
static area image_area(const command *c, const void *first, size_t row_pitch, size_t slice_pitch) {
  area a = {.first = first};
  size_t element = 0;
  cl_mem_object_type type = 0;
  if (c->region == NULL ||
      driver.clGetImageInfo(c->memory, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, NULL) != CL_SUCCESS ||
      driver.clGetMemObjectInfo(c->memory, CL_MEM_TYPE, sizeof type, &type, NULL) != CL_SUCCESS)
    return a;
  const bool layers = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  a.row = product(c->region[0], element, 1);
  a.rows = layers ? 1 : c->region[1];
  a.slices = layers ? c->region[1] : c->region[2];
  a.pitch = row_pitch ? row_pitch : a.row;
  a.slice_pitch = slice_pitch ? slice_pitch : product(a.pitch, a.rows, 1);
  return a;
}

area command_area(const command *c) {
  const void *first = command_maps(c)                      ? c->mapped
                      : c->kind == COMMAND_WRITE           ? c->source
                      : c->call == CALL_clEnqueueSVMMemcpy ? c->target
                                                           : c->pointer;
  const bool given = c->mapped != NULL; /* pitches by the mapping */
  if (command_of_image(c))
    return image_area(c, first, given && c->map_row != NULL ? *c->map_row : c->host_row,
                      given && c->map_slice != NULL ? *c->map_slice : c->host_slice);
  if (c->call != CALL_clEnqueueReadBufferRect && c->call != CALL_clEnqueueWriteBufferRect)
    return area_of_bytes(first, c->size);
  return c->host_origin != NULL && c->region != NULL && first != NULL
             ? area_of_rectangle(c->host_origin, c->region, c->host_row, c->host_slice, first)
             : (area){0};
}
