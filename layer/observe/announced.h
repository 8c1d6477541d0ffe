/* The file of launches (launches_file): how many there are whose evidence is to come, and which was the last. */
#ifndef CLTC_LAYER_OBSERVE_ANNOUNCED_H
#define CLTC_LAYER_OBSERVE_ANNOUNCED_H

#include "layer/common/opencl.h"
#include "layer/observe/kernel.h"

/* Finds it beside the socket; of no effect when it was found before or is not there. */
void announced_open(const char *socket_path);
/* One more launch whose evidence is to come. */
void announced_launch(void);

/* build_text, which is counted. */
cl_program announced_build(cl_context context, cl_uint device_count, const cl_device_id *devices, const char *text,
                           const char *options, cl_int *result);

/* A launch of any kernel begins: it is the last one. Should the driver refuse it, the one before it is that again. */
void last_launch_begins(cl_command_queue queue, cl_kernel kernel, const launch *l);
void last_launch_made(const cl_event *event); /* the program's, may be NULL */
void last_launch_refused(void);
/* All commands of the queue have ended; the event's command has. */
void last_launch_waited(cl_command_queue queue);
void last_launch_event(cl_event event);

/* "global size 64 x 4, work-group size 16 x 4"; "" for a launch without sizes. */
void launch_in_words(const launch *l, char *text, size_t size);

void announced_after_fork(void);

#endif
