/* What the files of cltestcheck-replay share. One thread does everything; functions that return bool say true when all
 * went well, and otherwise have put a sentence into the turn's error. */
#ifndef CLTC_RUNNER_REPLAY_INTERNAL_H
#define CLTC_RUNNER_REPLAY_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "capture/capture.h"

#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include "replay/arena.h"
#include "replay/replay.h"
#include "wire/capture_shape.h"

#define NEVER SIZE_MAX /* after all commands */

/* ---- outline.c: what is known of a capture before any of it is done ---- */

typedef struct outline_object {
  size_t made, released; /* commands; released: NEVER if it is not */
  uint32_t storage;
  cl_mem_flags access; /* what kernels may do */
} outline_object;

/* Memory of its own: a buffer with its sub-buffers and the images made of them, or an image. */
typedef struct outline_storage {
  uint32_t object;       /* the buffer or the image */
  size_t made, released; /* released: by the last of its objects */
  size_t changed;        /* the first command that may change it after it was made; NEVER */
  size_t used;           /* the last command that has to do with it */
  bool overwritten;      /* before anything else is done with it: its first contents do not matter */
  bool images;           /* images are made of it */
  uint32_t parts;        /* sub-buffers and images made of it */
  bool untouched;        /* while outlining: nothing was done with it, and so many objects are not released */
  uint32_t alive;
} outline_storage;

typedef struct outline_kernel {
  uint32_t program;
  const char *name;
  size_t made;
  size_t launched; /* the last time; NEVER: not at all */
  uint32_t arguments;
  size_t first_slot; /* its arguments among those of all kernels */
  size_t *inherited; /* of a clone: for each argument the command that set it, or NEVER */
} outline_kernel;

/* A kernel by name, and its first launch. */
typedef struct outline_name {
  const char *name;
  size_t launched;
} outline_name;

typedef struct outline {
  uint32_t *numbers; /* by command: of the object that it makes; of a READ command */
  outline_object *objects;
  size_t object_count;
  outline_storage *storages;
  size_t storage_count;
  outline_kernel *kernels;
  size_t kernel_count, slot_count;
  outline_name *names; /* of kernels that are launched */
  size_t name_count;
  size_t *programs;      /* their commands */
  uint32_t *first_alike; /* by program: the first with its source and options */
  uint32_t *in_order;    /* programs that have kernels, in the order of their first ones */
  size_t program_count, in_order_count;
  size_t *samplers; /* their commands */
  size_t sampler_count;
} outline;

/* `trusting`: kernels do not write to objects that are CL_MEM_READ_ONLY. */
int outline_make(outline *o, const capture *c, bool trusting, error *e);
void outline_free(outline *o);
/* For each argument of each kernel (slot_count) the command that set it last before `command`, or NEVER; free it. */
size_t *outline_arguments(const outline *o, const capture *c, size_t command);

/* ---- programs.c: the device ---- */

typedef struct device {
  cl_platform_id platform;
  cl_device_id id;
  cl_context context;
  bool unified;                /* mapping memory costs nothing */
  bool cpu;                    /* and its kernels run in this process */
  uint64_t memory, allocation; /* bytes: all, and at most in one object */
  size_t alignment;            /* bytes */
  bool images_of_parts;        /* it makes images of sub-buffers */
} device;

int device_open(device *d, const replay_options *o, error *e);
void device_close(device *d);
/* -1 with one sentence if the capture cannot be done again, or not on this device. */
int device_suits(const device *d, const capture *c, error *e);
/* Appends "; it has work-groups of …": why a launch may be refused. */
struct buffer;
void device_say_groups(const device *d, struct buffer *out);
bool device_images_of_parts(const device *d);

/* ---- memory.c: what memory holds, or is to hold again ---- */

/* Counted. With neither a copy nor bytes: zeros. */
typedef struct contents {
  unsigned references;
  size_t size;
  cl_mem copy;          /* on the device: a buffer, images without padding */
  unsigned char *bytes; /* in the host's memory, the same way */
  bool owned;           /* `bytes` */
  uint64_t *counter;    /* of the bytes that such copies take */
  unsigned puts;        /* how often bytes were put from the host's memory */
} contents;

typedef struct storage storage;

contents *contents_retain(contents *c);
/* First contents are the capture's bytes only, again. */
void contents_demote(replay *r);

/* ---- what a replay keeps ---- */

#define SETUPS 8 /* whose programs are kept */

typedef struct setup {
  bool taken;
  uint64_t id, used;
  cl_program *programs; /* by number; NULL: not built yet */
} setup;

struct storage {
  cl_mem whole;                /* with guard zones; NULL: there are none, the object itself is all */
  size_t guard;                /* bytes on each side */
  unsigned char filling;       /* what each of them is */
  size_t size;                 /* of the object, images without padding */
  uint64_t region[3], element; /* of an image; else 0 */
  bool layers;                 /* an array of 1D images: region[1] counts them */
  contents *first;             /* what it holds when it is made */
  contents *holds;             /* not referenced; NULL: something else */
  bool exposed;                /* a launch may have written to it since its guard zones were looked at */
  bool lent;   /* a launch was given it as CL_MEM_READ_ONLY and nobody has looked whether it is unchanged */
  bool looked; /* somebody has */
};

/* What a storage holds at some place. */
typedef struct saved {
  uint32_t storage;
  contents *contents;
} saved;

/* A place where turns can begin: before the first launch of a kernel, or at the first command. */
typedef struct start {
  struct start *next;
  size_t command;
  uint64_t reads;    /* READ commands before it */
  bool *programs;    /* by number: one of its kernels is made at or after this place, or launched there */
  size_t *arguments; /* as outline_arguments; NULL at the first command */
  saved *saved;      /* storages that are made before it and used after it */
  size_t saved_count;
  bool ready;    /* their contents are known: turns can begin here */
  bool kept;     /* and some of them are kept for it */
  bool hopeless; /* there was no room for them */
  uint64_t used; /* when, in turns */
} start;

struct replay {
  const capture *capture;
  device device;
  outline outline;
  bool trusting;
  bool transient; /* memory objects go where the program released them */
  uint64_t turns;
  setup setups[SETUPS];
  setup *setup; /* of the turn */
  start *starts;
  cl_mem *objects; /* by number, NULL: there is none now */
  storage *storages;
  cl_sampler *samplers;
  cl_kernel *kernels;
  uint32_t *given;        /* by slot: the memory object that is the argument, or CAPTURE_NONE */
  arena *arena;           /* where buffers are; NULL: where the device puts them */
  size_t guard;           /* bytes of a guard zone */
  unsigned char filling;  /* of guard zones, in this turn */
  bool named;             /* each launch is a test case, */
  unsigned launches;      /* and so many were made in this turn */
  bool apart;             /* zones of each buffer hold bytes of their own: no turns under fillings are compared */
  cl_mem view;            /* copies of guard zones; NULL: they are mapped where they are */
  unsigned char *scratch; /* what was read last */
  size_t scratch_size;
  replay_reader reader;
  void *reader_data;
  uint64_t memory, snapshots, host_snapshots; /* bytes that memory objects and kept contents may take */
  size_t overrun; /* the command that made the buffer outside of which a kernel wrote; 0: it is not known */
  uint64_t on_device, on_host, promoted; /* and that contents take: on the device, not there, first ones */
};

/* One pass over commands. */
typedef struct turn {
  replay *replay;
  const replay_functions *functions;
  cl_command_queue queue;
  size_t command; /* that is being done; NEVER: none */
  uint64_t reads; /* that were done or left out */
  bool over;
  bool escaped;
  bool exhausted; /* a command failed for want of memory */
  error *error;
} turn;

/* ---- turn.c ---- */

/* Whether the turn names the kernel. */
bool turn_changes(const replay_turn *what, const char *name);

/* True if `status` is CL_SUCCESS; else names the command, the call and the status. */
bool succeeded(turn *t, cl_int status, const char *call);

/* ---- memory.c: contents ---- */

/* At the place, at least once: keeps what memory holds there, if there is room. */
void checkpoint_save(turn *t, start *s);
/* Releases what is kept for the place. */
void checkpoint_drop(replay *r, start *s);

/* From now on this is what guard zones hold, and memory that nobody has written. */
void contents_fill(replay *r, unsigned char filling);
/* ---- memory.c ---- */

/* Zones of known bytes around buffers, so that a kernel that writes a little outside of one harms no other. */
void guards_open(replay *r);
void guards_close(replay *r);
/* Looks at the zones of all buffers that a launch may have written to, and repairs them. */
bool guards_check(turn *t);
/* Makes all memory objects, if the device has the memory for that. */
bool memory_open(turn *t);
void memory_close(replay *r);
/* From now on objects are released where the program released them. */
void memory_go_transient(replay *r);
/* Objects that are there before the first command get what they hold there. */
bool memory_begin(turn *t, const start *from);
/* The commands: an object is made and gets its first contents; is released. */
bool memory_make(turn *t, const capture_command *c, uint32_t number);
bool memory_release(turn *t, const capture_command *c, uint32_t number);
/* What a buffer or sub-buffer is a part of, and where. PoCL 3.1 crashes on some copies from and to sub-buffers. */
cl_mem memory_root(const replay *r, uint32_t object, size_t *offset);
/* Its contents are others now; it is an argument of the next launch. */
void memory_changed(replay *r, uint32_t object);
bool memory_launched(turn *t, uint32_t object);
/* False: a kernel has written to an object that is CL_MEM_READ_ONLY. */
bool memory_trusted(turn *t);
/* Nothing is known of any contents. */
void memory_forget(replay *r);

/* ---- turn.c: commands ---- */

/* ---- programs.c ---- */

/* Builds the programs that turns from this place need, unless they are there. One that has none of the turn's kernels
 * is as in the setup 0, the program as it is. */
bool programs_begin(turn *t, const replay_turn *what, const start *from);
/* Releases the setup's programs. */
void programs_drop(replay *r, uint64_t id);
void programs_close(replay *r);

/* Makes the kernels that are there before the first command and used after it. */
bool kernels_begin(turn *t, const start *from);
bool kernels_make(turn *t, const capture_command *c, uint32_t number);
bool kernels_argument(turn *t, const capture_command *c, uint32_t number);
bool kernels_launch(turn *t, const capture_command *c, uint32_t number);
bool kernels_release(turn *t, const capture_command *c, uint32_t number);
/* Releases those that are left. */
void kernels_end(replay *r);

#endif
