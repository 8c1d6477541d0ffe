/* Launches, and the file of them (launches_file): how many there are whose evidence is to come, and which was the last. */
#ifndef CLTC_LAYER_OBSERVE_ENQUEUE_H
#define CLTC_LAYER_OBSERVE_ENQUEUE_H

#include "layer/common/opencl.h"
#include "layer/observe/kernel.h"

/* Over commands that are launches: the driver's is another one, or the same. */
struct command;
void launch_over(struct command *c);
/* Finds it beside the socket; of no effect when it was found before or is not there. */
void announced_open(const char *socket_path);
/* build_text, which is counted. */
cl_program announced_build(cl_context context, cl_uint device_count, const cl_device_id *devices, const char *text,
                           const char *options, cl_int *result);
/* All commands of the queue have ended; the event's command has. */
void last_launch_waited(cl_command_queue queue);
void last_launch_event(cl_event event);
/* "global size 64 x 4, work-group size 16 x 4"; "" for a launch without sizes. */
void launch_in_words(const launch *l, char *text, size_t size);
void announced_after_fork(void);

#endif
