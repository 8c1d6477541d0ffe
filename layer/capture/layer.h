/* What the files of the capture layer share. The layer is a guest in the user's process: it never exits, prints or
 * changes an answer of the OpenCL API; whatever fails in it, the user's own call still happens.
 *
 * Every call goes to the driver first and is recorded after it succeeded, before it returns: what a program puts in
 * order between its threads is in that order in the capture, too. One lock guards all records and tables; it is never
 * held during a call of the driver that may wait. */
#ifndef CLTC_LAYER_CAPTURE_LAYER_H
#define CLTC_LAYER_CAPTURE_LAYER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layer/common/builds.h"
#include "layer/common/bytes.h"
#include "layer/common/command.h"
#include "layer/common/guest.h"
#include "layer/common/object.h"
#include "wire/capture_format.h"
#include "wire/capture_shape.h"

/* ---- dispatch.c: the tables; every file has one of its own ---- */

extern const guest_call queue_calls[], order_calls[], memory_calls[], program_calls[], kernel_calls[];

/* queue.c */
cl_command_queue CL_API_CALL create_queue_khr(cl_context handle, cl_device_id device,
                                              const cl_queue_properties *properties, cl_int *status);

/* ---- file.c: the file ---- */

/* Whether and where to capture, as the environment says. Once, before the first call. */
void file_start(void);
/* With the lock held, from here on. Makes the file; false: nothing is recorded any more. */
bool file_ready(void);
/* Appends a record; what cannot be written stops the recording. */
void file_record(uint32_t kind, const void *payload, size_t length);
/* What is about to be done, should the process end while it is: the file has it until the next record takes its place, */
void file_record_ahead(uint32_t kind, const void *payload, size_t length);
/* or until it is said that it was not done. */
void file_not_ahead(void);
/* What no replay could follow is no matter. */
bool file_is_for_order(void);
/* Recording stops for the reason that is given, in a few words for a person. */
void unsuitable(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Writes what there is, and the end: records that follow take its place. */
void file_finish(void);
/* In a child process, whose calls belong to another capture: there is none. */
void file_after_fork(void);

/* ---- commands, blobs, and what a record holds ---- */

/* Whether there is still something to record; a glance without the lock. */
bool recording(void);
/* Takes the lock. False, without it: nothing is recorded any more. */
bool record_begin(void);
/* The same for a command: all must go to one device. */
bool record_begin_command(cl_command_queue queue);
/* The same for a command that is not made yet. False, too, if it goes to another device. */
bool record_begin_ahead(cl_command_queue queue);
/* A call of the program that has to do with the order of commands. */
typedef struct host_call {
  capture_function function;
  cl_command_queue queue;
  bool blocking;
  cl_uint waits;
  const cl_event *wait;
  const cl_event *event; /* where the driver has put the event; NULL: the program wants none */
} host_call;
/* record_begin_command and order_record. */
bool record_begin_call(const host_call *call);
void record_end(void);
/* The program releases a handle: its record goes with the last reference. */
void record_release(object_kind kind, void *handle);
/* The same after a command, of which the program has waited for the end if it blocks. */
void record_end_blocking(cl_command_queue queue, bool blocking);
void record(const capture_command *c);
void record_ahead(const capture_command *c); /* file_record_ahead */
/* That something which cannot be done again has happened. Without the lock. */
void refuse(const char *reason);
void record_after_fork(void);

/* The number of the blob with these bytes, recorded if it is new. */
uint32_t blob_of_bytes(const void *bytes, size_t size);
uint32_t blob_of(const area *a);
/* Fills in `known` and the digest of the bytes, which are not recorded. */
void area_digest(const area *a, capture_command *c);

const unsigned char *encode_call(const capture_call *c, size_t *length);
/* ---- queue.c: queues, and waiting for commands ---- */

/* NULL: not known. */
cl_device_id queue_device(cl_command_queue handle);
bool queue_in_order(cl_command_queue handle);
void queue_after_fork(void);

/* A command that the program does not wait for. We do, where that is safe, so that its bytes can be looked at. */
typedef struct waiting {
  bool blocking;
  bool may;        /* wait */
  cl_event *event; /* the program's, may be NULL */
  cl_event own;
} waiting;

waiting wait_begin(bool blocking, cl_event *event);
/* Has the command done by what lies below. Whether it has taken place. Without the lock. */
bool wait_for_command(waiting *w, command *c);
/* A reference to the command's event; NULL: it has none. */
cl_event wait_keep_event(waiting *w, bool success);
void wait_end(waiting *w);

/* ---- queue.c: calls that put commands in order ---- */

/* Records the call. With the lock held, and before the command that it makes. */
void order_record(const host_call *call);
/* The same of a mapping that was made. */
void order_mapped(const host_call *call, cl_mem handle, const void *pointer, const capture_call *region);
/* The same of one that ends; false: it is none that was made. */
bool order_unmapped(const host_call *call, cl_mem handle, const void *pointer);
/* The program learned that an event is complete. Takes the lock. */
void order_complete(cl_event event);
void order_forget_memory(uint32_t number);
void order_after_fork(void);

/* ---- memory.c ---- */

typedef struct memory {
  object object;
  uint32_t number;
  capture_shape shape;
  struct memory *parent; /* held */
  unsigned mapped;       /* how often it is mapped for writing */
  unsigned parts_mapped; /* and what is made of it */
} memory;

/* NULL, and the capture unsuitable: it is none that we know. */
memory *memory_find(cl_mem handle);
/* As above, without a judgement. */
memory *memory_look_up(cl_mem handle);
/* The same by number; NULL: released. */
memory *memory_numbered(uint32_t number);
/* Part of it is mapped, or what it is a part of. */
bool memory_is_mapped(const memory *m);
/* The number and, if it fits its memory, the record of a command. `second` may be NULL. */
void memory_command(capture_command *c, cl_mem first, cl_mem second);
void memory_after_fork(void);
/* The memory object is gone, and so are its mappings. */
void map_forget(uint32_t number);
void map_after_fork(void);

/* Memory of the program's own (CL_MEM_USE_HOST_PTR), which it sees without a call; with the lock held. */
void own_memory_finished(cl_command_queue queue);
void own_memory_event(cl_event event);
/* It is gone, or the program ends, and nobody knows whether the program has looked at it. */
void own_memory_missed(void);

#define ACCESS_FLAGS ((cl_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY))
#define HOST_CONTENTS ((cl_mem_flags)(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR))

/* ---- program.c ---- */

/* What an executable is made of. */
typedef struct executable {
  recipe recipe;
  const char *foreign; /* why it cannot be captured; NULL: it can */
  uint32_t number;     /* CAPTURE_NONE: not recorded yet */
} executable;

typedef enum program_kind { PROGRAM_SOURCE, PROGRAM_LINKED, PROGRAM_FOREIGN } program_kind;

typedef struct program {
  source_program source;
  program_kind kind;
  executable executable;
} program;

/* The number of the program's executable, recorded if it is not yet. */
uint32_t program_number(program *p);
/* Whether the driver keeps what the declarations of its kernels say. */
bool program_described(const program *p);
/* One hold less. */
void program_unhold(program *p);
void program_after_fork(void);

/* ---- kernel.c ---- */

void kernel_after_fork(void);

/* ---- transfer.c ---- */

#define SVM "shared virtual memory"

host_call call_of(const command *c);
/* What a capture has of a command that writes, fills, copies, reads or maps, but for the numbers of its memory objects, and
 * for bytes. */
capture_command transfer_of(const command *c, capture_kind kind);
/* Over all commands; and over those that launch, map and unmap. */
void capture_over(command *c);
void launch_over(command *c);
void map_over(command *c);
void unmap_over(command *c);

#endif
