/* Memory of the program that a command which does not block reads or writes (or that it maps), as long as the program has done
 * nothing after which the command is complete. What is not certain counts as complete. */
#ifndef CLTC_LAYER_OBSERVE_UNAWAITED_H
#define CLTC_LAYER_OBSERVE_UNAWAITED_H

#include <stdbool.h>
#include <stddef.h>

#include "layer/common/area.h"
#include "layer/common/guest.h"

/* Whether it is looked for. */
bool unawaited_start(void);
extern const guest_call unawaited_calls[];
/* What lies below these calls. */
extern cl_icd_dispatch unawaited_below;

/* The command fills this memory, or takes what is there; `event`: its, NULL: the program has none. */
void unawaited_read(const char *call, cl_command_queue queue, cl_event event, const void *first, size_t size);
void unawaited_write(const char *call, cl_command_queue queue, cl_event event, area from);
/* A command was enqueued, `event` as above; `all`: it waits for all before it in its queue, `holds`: and what comes after it waits for
 * it. */
void unawaited_enqueued(cl_command_queue queue, cl_event event, bool all, bool holds);
/* `call` begins, after which the program knows that all of a queue (NULL: none) or these events are complete. */
void unawaited_before(const char *call, cl_command_queue queue, cl_uint count, const cl_event *events);
/* It has waited for all of a queue, for events, or knows that they are complete. */
void unawaited_finished(cl_command_queue queue);
void unawaited_waited(cl_uint count, const cl_event *events);
/* Somebody else waits for these events: a command of a queue, or (NULL) a callback. */
void unawaited_handed(const char *call, cl_command_queue to, cl_uint count, const cl_event *events);
/* A call reads or writes this memory at once, or by a command in a queue that waits for no event. */
void unawaited_used(const char *call, const void *first, size_t size);
void unawaited_given(const char *call, cl_command_queue queue, const void *first, size_t size, cl_uint waits);
/* A command that comes from now on may change memory of the program that others take, which is right. */
void unawaited_changes(const char *call);
/* Kernels may change this memory (NULL: it is not known which). */
void unawaited_lent(const void *first, size_t size);
/* The mapping to this pointer ends. */
void unawaited_unmapped(const void *pointer);
/* A call sets an argument of the kernel or launches it; gives what is to be handed over when it has done so. Two at the same
 * time, one of which sets an argument, are a race. */
int unawaited_kernel(const char *call, cl_kernel kernel);
void unawaited_kernel_done(int at);
/* The process ends, as far as is known. */
void unawaited_send(void);
void unawaited_after_fork(void);

#endif
