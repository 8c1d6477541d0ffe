/* Kernel objects and their twins. */
#ifndef CLTC_LAYER_OBSERVE_KERNEL_H
#define CLTC_LAYER_OBSERVE_KERNEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layer/common/object.h"
#include "layer/common/opencl.h"
#include "layer/observe/observe.h"
#include "layer/observe/shadow.h"

typedef enum argument_kind { ARGUMENT_UNSET, ARGUMENT_VALUE, ARGUMENT_POINTER } argument_kind;

typedef cl_int(CL_API_CALL *set_pointer_function)(cl_kernel, cl_uint, const void *);

typedef struct argument {
  argument_kind kind;
  size_t size;
  void *value;         /* bytes, NULL for local memory */
  const void *pointer; /* for ARGUMENT_POINTER: `set` gives it to a kernel */
  set_pointer_function set;
} argument;

typedef struct exec_info {
  struct exec_info *next;
  cl_kernel_exec_info name;
  size_t size;
  unsigned char value[];
} exec_info;

/* A twin kernel object and what its hidden arguments were last set to. */
typedef struct twin {
  cl_kernel kernel;
  cl_mem buffers[HIDDEN_MOST]; /* by their places in the form's row */
  uint64_t serial;             /* of the buffers: a handle may be reused; 0: not set */
} twin;

/* Without a function it has no twins and is only observed. */
typedef struct kernel {
  object object;
  program *program; /* held */
  shadow *shadow;
  function *function;
  tally *tally; /* NULL: not observed */
  pthread_mutex_t lock;
  cl_uint argument_count;
  argument *arguments;
  bool *constant; /* arguments through which it writes nothing; NULL: not looked for */
  exec_info *exec_infos;
  twin stored; /* stores to slots */
  twin direct; /* straight into flags */
  bool direct_tried;
  bool broken; /* a call that the original took was refused by the twin */
} kernel;

/* What may be the handle of a memory object: a value of that size; else NULL. */
cl_mem argument_memory(const argument *a);
/* The twin that needs no slots, made at the first call with all arguments so far; NULL if there is none. */
twin *kernel_direct(kernel *k);
/* Hands a pointer argument that `set` gave the original to the twins. */
void kernel_set_pointer(cl_kernel handle, cl_uint index, const void *pointer, set_pointer_function set);

typedef struct launch {
  cl_uint dimensions;
  const size_t *offset, *global, *local;
  cl_uint waits;
  const cl_event *wait;
  cl_event *event; /* the user's, may be NULL */
  bool task;
  size_t items;
  size_t full_items;     /* the same or more: with the last work-group of each dimension in full */
  struct contents *left; /* to be read once it has ended; NULL: nothing */
} launch;

#endif
