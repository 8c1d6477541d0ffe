/* Command buffers (cl_khr_command_buffer): what a program records in one is kept here, too, and when the program runs it,
 * its commands are given to the queue one by one, by the calls of the guest that each of them has outside of a command
 * buffer. So nothing in them is overlooked. The driver keeps its own buffer, whose answers are the program's.
 *
 * Where that cannot be done, the driver runs its buffer, and the guest is told (guest_description.overlooked). */
#ifndef CLTC_LAYER_COMMON_COMMAND_BUFFER_H
#define CLTC_LAYER_COMMON_COMMAND_BUFFER_H

#include "layer/common/guest.h"

extern const guest_extension command_buffer_extensions[];
void command_buffer_after_fork(void);
/* The program has set an argument of a kernel. Drivers differ in whether launches that a command buffer has recorded see it
 * (the standard says no), so those command buffers are the driver's from now on. */
void command_buffer_argument_set(cl_kernel kernel);

/* ---- of the two files that make it ---- */

enum { COMMAND_NUMBERS = 13 };

/* A command as it was recorded. */
typedef struct buffer_command {
  struct buffer_command *next;
  /* The call of the guest that it is. */
  cl_int (*run)(const struct buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                cl_event *event);
  cl_kernel kernel;   /* a clone of the program's: what is set later is of no effect. NULL: it is no launch */
  cl_kernel original; /* the program's */
  cl_mem from, to;
  cl_uint dimensions;
  bool has_offset, has_local;
  size_t numbers[COMMAND_NUMBERS]; /* of the call, in its order */
  unsigned char *pattern;
  size_t pattern_size;
  cl_uint point, *points; /* its sync point, and those that it waits for */
  cl_uint point_count;
} buffer_command;

typedef struct command_buffer {
  struct command_buffer *next;
  void *handle;
  cl_context context;
  cl_command_queue queue;
  unsigned references;
  bool finalized, simultaneous;
  const char *overlooked; /* why the driver runs it; NULL: it does not */
  bool told;
  buffer_command *first, *last;
  cl_event running; /* of the last time that it was run */
} command_buffer;

/* command_run.c: all of it. `event` as of the call. */
cl_int command_buffer_run(command_buffer *b, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                          cl_event *event);
cl_int run_launch(const buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                  cl_event *event);
cl_int run_copy(const buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait, cl_event *event);
cl_int run_copy_rectangle(const buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                          cl_event *event);
cl_int run_copy_to_image(const buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                         cl_event *event);
cl_int run_copy_image(const buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                      cl_event *event);
cl_int run_copy_from_image(const buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                           cl_event *event);
cl_int run_fill(const buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait, cl_event *event);
cl_int run_fill_image(const buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                      cl_event *event);
cl_int run_barrier(const buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                   cl_event *event);

#endif
