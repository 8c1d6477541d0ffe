/* Commands of the program. Whichever call gives one, it is the same record: what the call is told, under names that are the
 * same for all of them (layer/common/calls.h). A guest looks at commands with functions that stand one over the other: each
 * does something, has what lies below do the command, and does something more. */
#ifndef CLTC_LAYER_COMMON_COMMAND_H
#define CLTC_LAYER_COMMON_COMMAND_H

#include <stdbool.h>

#include "layer/common/bytes.h"
#include "layer/common/calls.h"

typedef enum command_kind {
  COMMAND_LAUNCH,
  COMMAND_READ, /* also a mapping, and a copy or mapping of shared virtual memory */
  COMMAND_WRITE,
  COMMAND_COPY,
  COMMAND_FILL,
  COMMAND_UNMAP,
  COMMAND_OTHER
} command_kind;

#define COMMAND_CALL(type, name, parameters, arguments) CALL_##name,
typedef enum command_call { COMMANDS(COMMAND_CALL) COMMAND_CALLS } command_call;
#undef COMMAND_CALL

/* F(type, name): the parameters of all calls. */
#define COMMAND_FIELDS(F)                                                                    \
  F(cl_command_queue, on)                                                                    \
  F(cl_mem, memory) /* of a copy: what it reads */                                           \
  F(cl_mem, to)                                                                              \
  F(cl_bool, blocking)                                                                       \
  F(cl_map_flags, flags)                                                                     \
  F(size_t, offset) /* in a buffer */                                                        \
  F(size_t, to_offset)                                                                       \
  F(size_t, size)           /* bytes */                                                      \
  F(const size_t *, origin) /* in an image or a rectangle */                                 \
  F(const size_t *, to_origin)                                                               \
  F(const size_t *, host_origin)                                                             \
  F(const size_t *, region)                                                                  \
  F(size_t, row) /* pitches of a buffer, */                                                  \
  F(size_t, slice)                                                                           \
  F(size_t, to_row)                                                                          \
  F(size_t, to_slice)                                                                        \
  F(size_t, host_row) /* and of the host's memory */                                         \
  F(size_t, host_slice)                                                                      \
  F(size_t *, map_row)                                                                       \
  F(size_t *, map_slice)                                                                     \
  F(void *, pointer)      /* that a READ fills; of a map that ends; shared virtual memory */ \
  F(const void *, source) /* of a WRITE, of clEnqueueSVMMemcpy */                            \
  F(void *, target)       /* of clEnqueueSVMMemcpy */                                        \
  F(const void *, pattern)                                                                   \
  F(size_t, pattern_size)                                                                    \
  F(const void *, color)                                                                     \
  F(cl_kernel, kernel_handle)                                                                \
  F(cl_uint, dimensions)                                                                     \
  F(const size_t *, start) /* of a launch: its global offset */                              \
  F(const size_t *, global)                                                                  \
  F(const size_t *, local)                                                                   \
  F(native_function, run)                                                                    \
  F(void *, argument)                                                                        \
  F(cl_uint, count)                                                                          \
  F(const cl_mem *, objects)                                                                 \
  F(const void **, places)                                                                   \
  F(const void **, pointers)                                                                 \
  F(const size_t *, sizes)                                                                   \
  F(cl_uint, waits)                                                                          \
  F(const cl_event *, wait)                                                                  \
  F(cl_event *, event)                                                                       \
  F(cl_int *, error)

/* What a call does not have is 0 or NULL. */
typedef struct command {
  command_call call;
  command_kind kind;
  const char *name; /* of the call */
#define COMMAND_FIELD(type, name) type name;
  COMMAND_FIELDS(COMMAND_FIELD)
#undef COMMAND_FIELD
  /* when it has been done: */
  cl_int result; /* of a mapping: why there is none, as far as it is known */
  void *mapped;  /* what a mapping gives */
  size_t below;  /* functions that are still to come */
} command;

typedef void (*command_function)(command *c);

/* Puts a function over commands of some kinds (a bit each, 1 << COMMAND_…), and over those that were put there before. Before the
 * first call. */
enum { COMMAND_ALL = (1 << (COMMAND_OTHER + 1)) - 1 };
void command_over(command_function f, unsigned kinds);
/* Has the command done by what lies below: the next function, in the end the driver. Also a copy of it, changed. */
void command_below(command *c);

/* For the guest's list of tables. */
extern const guest_call command_calls[];

static inline bool command_worked(const command *c) { return c->result == CL_SUCCESS; }
/* Where the event is that it has given; NULL: nowhere. */
static inline cl_event command_event(const command *c) { return c->event != NULL ? *c->event : NULL; }
static inline bool command_maps(const command *c) {
  return c->call == CALL_clEnqueueMapBuffer || c->call == CALL_clEnqueueMapImage;
}
/* It reads, writes or maps an image: elements of `region`. */
static inline bool command_of_image(const command *c) {
  return c->call == CALL_clEnqueueReadImage || c->call == CALL_clEnqueueWriteImage || c->call == CALL_clEnqueueMapImage;
}

/* The host's memory that it reads into, writes from or maps; rows of 0 bytes: not known, or not yet. */
area command_area(const command *c);
/* Bytes of an area; SIZE_MAX: too many to be true. */
size_t area_checked_size(const area *a);

#endif
