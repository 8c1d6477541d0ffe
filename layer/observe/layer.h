/* What the files of the layer share. The layer is a guest in the user's process: it never exits, prints or changes an
 * answer of the OpenCL API; whatever fails in it, the user's own call still happens. */
#ifndef CLTC_LAYER_OBSERVE_LAYER_H
#define CLTC_LAYER_OBSERVE_LAYER_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/protocol.h"

#define LAYER_EXPORT __attribute__((visibility("default")))

/* ---- dispatch.c: entry points and tables ---- */

/* Whether an OpenCL call was made. */
bool layer_started(void);
/* What lies below us: the loader's (or the preloaded program's) own functions. */
extern cl_icd_dispatch driver;

/* ---- message.c: bytes of the protocol ---- */

typedef struct message {
  unsigned char *data; /* header, then fields */
  size_t length;
  size_t capacity;
  bool failed; /* out of memory or beyond the cap: it is not sent */
} message;

void message_start(message *m, uint32_t type);
void message_u32(message *m, uint32_t value);
void message_u64(message *m, uint64_t value);
void message_bytes(message *m, const void *bytes, size_t length); /* u32 length + bytes */
void message_string(message *m, const char *s);
void message_words(message *m, const uint32_t *words, size_t count);
/* The whole of another message behind it. */
void message_append(message *m, const message *other);
void message_free(message *m);

typedef struct reader {
  const unsigned char *at;
  size_t left;
  bool failed; /* read beyond the end, or out of memory */
} reader;

uint32_t read_u32(reader *r);
uint64_t read_u64(reader *r);
/* Owned by the caller, NUL-terminated; NULL once the reader has failed. */
char *read_string(reader *r);

/* ---- connection.c: the socket to cltestcheck ---- */

/* Opens the connection (in a forked child: a fresh one) and says hello. False: the layer is inert. */
bool connection_ready(void);
/* Whether it stands, without waiting for another thread's exchange. */
bool connection_alive(void);
/* Sends the message and frees it. */
void connection_send(message *m);
/* Sends the message, frees it and waits for the answer; its body is in `*body` (free it). */
bool connection_ask(message *m, uint32_t answer_type, unsigned char **body, size_t *length);
/* Sends what waits of test cases. */
void connection_tell(void);
void connection_after_fork(void);
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Something of the program of this number ran as the user wrote it. */
void note_uninstrumented(uint32_t number, const char *format, ...) __attribute__((format(printf, 2, 3)));
void skipped(const char *what, const char *reason);

/* ---- test_case.c: test cases that the program names ---- */

/* Number of the one that has begun, 0: none. */
uint32_t test_case_now(void);
/* Whether messages about test cases wait, and these: to be freed. */
bool test_case_news(void);
message test_case_take(void);
/* A test case that the process which started this one has named is begun. */
void test_case_start(void);
/* The connection is a new one: it is told of the test case that has begun. */
void test_case_again(void);
void test_case_after_fork(void);

/* ---- object.c: records of the user's handles ---- */

typedef enum object_kind { OBJECT_CONTEXT, OBJECT_QUEUE, OBJECT_PROGRAM, OBJECT_KERNEL, OBJECT_MEMORY } object_kind;

/* First member of every record. A record is dropped when the user's references and our holds are both gone. */
typedef struct object {
  void *handle;
  object_kind kind;
  long references; /* the user's */
  long holds;      /* by other records */
  struct object *next;
} object;

/* Takes over the record. A stale record of the same handle is forgotten. */
void object_add(object *o, object_kind kind, void *handle, long references);
object *object_find(object_kind kind, void *handle);
void object_retain(object_kind kind, void *handle);
/* One user's reference less; the record when it is to be dropped (it is out of the map then), else NULL. */
object *object_release(object_kind kind, void *handle);
/* True when this is the user's last reference. */
bool object_last(object_kind kind, void *handle);
void object_hold(object *o);
/* True when the record is to be dropped (it is out of the map then). */
bool object_unhold(object *o);
/* Up to `capacity` records of a kind, held for the caller. */
size_t object_list(object_kind kind, object **list, size_t capacity);
void object_after_fork(void);

/* ---- context.c ---- */

typedef struct context {
  object object;
  atomic_long open_events; /* user events that are not set yet: commands may wait for the program itself */
  atomic_long buffers;     /* hidden objects alive, for the reference count */
  atomic_long programs;
  pthread_mutex_t lock;
  cl_program reduction; /* built lazily, reduction.c */
  bool reduction_tried;
} context;

/* The record of the context, made if need be, and held; NULL without memory. */
context *context_hold(cl_context handle);
void context_unhold(context *c);

/* ---- device.c: the device that is presented ---- */

/* Text that identifies the device and its compiler to cltestcheck; free it. */
char *device_key(cl_device_id device);

/* ---- program.c ---- */

typedef struct header {
  char *name;
  char *text;
  size_t length;
} header;

/* A translation unit: source, options, embedded headers. Immutable, counted. */
typedef struct unit {
  atomic_long references;
  char *text;
  size_t length;
  char *options;
  header *headers;
  size_t header_count;
} unit;

void unit_release(unit *u);

/* What an executable program was made of. */
typedef struct recipe {
  unit **units;
  size_t unit_count;
  bool linked; /* clLinkProgram with these options, and `inputs` that are not from source (retained) */
  char *link_options;
  cl_program *inputs;
  size_t input_count;
  cl_device_id *devices; /* none: all of the context */
  cl_uint device_count;
} recipe;

void recipe_free(recipe *r);
void program_after_fork(void);

struct shadow;

typedef enum program_kind { PROGRAM_SOURCE, PROGRAM_LINKED, PROGRAM_LIBRARY } program_kind;

typedef struct program {
  object object;
  program_kind kind;
  context *context; /* held */
  pthread_mutex_t lock;
  char *text;
  size_t length;
  unit *compiled; /* by clCompileProgram */
  recipe recipe;
  bool asked; /* the shadow of this recipe was tried */
  struct shadow *shadow;
} program;

/* Drops a record that is out of the map. */
void program_dispose(program *p);
/* The shadow of the program's present executable, made at the first call; referenced for the caller, or NULL. */
struct shadow *program_shadow(program *p);

/* ---- shadow.c: the instrumented twin of a program ---- */

/* A kernel of a mutation schema: what is launched in its place, and what its `first` says. */
typedef struct schema {
  char *kernel; /* NULL: not of a schema */
  uint32_t mutant;
  uint32_t fuel;
} schema;

/* One kernel function of an instrumented program in one context. Counted: it outlives its program in the queues. */
typedef struct function {
  atomic_long references;
  struct function *next;
  cl_context context; /* with `program` and `kernel`: its identity */
  uint32_t program;   /* numbers in the run */
  uint32_t kernel;
  char *name; /* the user's */
  schema schema;
  uint32_t item_bytes; /* ITEM_GATED: gated */
  uint32_t flag_words;
  uint32_t total_words;
  uint32_t planes; /* barriers and their guards */
  bool planes_in_slots;
  atomic_uint launches;
  _Atomic uint64_t announced; /* digest of the shape of the last launch that was announced */
  atomic_bool cut;            /* a launch was too large for barrier evidence and the note sent */
  atomic_bool noted;          /* a launch was refused and the note sent */
} function;

void function_retain(function *f);
void function_release(function *f);
void function_after_fork(void);

typedef struct shadow_source {
  char *text;
  char *options;
} shadow_source;

typedef struct shadow {
  atomic_long references;
  context *context;    /* held */
  struct shadow *next; /* of a process that replays: in turn.c's list */
  uint64_t setup;
  uint32_t number;
  shadow_source *sources;
  size_t source_count;
  bool gated;    /* has gated kernels */
  bool watched;  /* these leave behind their gate record how far each work-group has come */
  recipe recipe; /* units dropped; link options, inputs and devices kept for the direct variant */
  cl_program program;
  pthread_mutex_t lock;
  cl_program direct;
  bool direct_tried;
  function **functions;
  size_t function_count;
} shadow;

/* Asks cltestcheck and builds; NULL: run the program untouched. Takes over the recipe's contents. */
shadow *shadow_make(context *c, recipe *r);
shadow *shadow_retain(shadow *s);
void shadow_release(shadow *s);
function *shadow_function(const shadow *s, const char *name);
/* From now on the function of this name is one of a schema. */
void shadow_switch(shadow *s, const char *name, const schema *now);
/* The variant that needs no slots, built at the first call; lent, or NULL. */
cl_program shadow_direct(shadow *s);

/* The device that stands for a program: the first it is built for. */
cl_device_id first_device(const context *c, const recipe *r);

/* ---- quiet.c: nothing of our builds on standard error ---- */

#define OPTION_QUIET "-w"

typedef struct quiet {
  int saved, memory;
} quiet;

void quiet_begin(quiet *q, cl_device_id device);
void quiet_end(quiet *q);
void quiet_after_fork(void);

/* "options more"; free it. */
char *join_options(const char *options, const char *more);

/* ---- probe.c: questions that only the device's compiler can answer ---- */

typedef struct fact {
  uint32_t source;
  char *expression;
  uint32_t value;
} fact;

/* Sets the value of `count` facts of one source. */
void probe_answer(const context *c, const recipe *r, const char *options, fact **facts, size_t count);

/* ---- observe.c: what mutation testing wants to see ---- */

typedef struct observe_options {
  bool reads;
  bool blocks; /* with digests of blocks */
  bool times;
  bool kernels; /* any of it: every kernel object has a record */
  bool worker;  /* the process replays */
  char *watch;  /* file for watched launches; NULL: none */
} observe_options;

extern observe_options observe; /* set once, before the first call */

void observe_start(void);
void observe_after_fork(void);
/* Launches count from 0 again. */
void observe_restart(void);

/* A kernel name in this process, over all kernel objects. */
typedef struct tally {
  struct tally *next;
  atomic_uint_fast64_t launches;
  atomic_uint_fast64_t timed; /* launches */
  atomic_uint_fast64_t ns;
  char name[];
} tally;

/* NULL without memory. */
tally *tally_of(cl_kernel handle);
tally *tally_first(void);

/* A launch that was given a memory object. */
typedef struct mark {
  const tally *tally; /* NULL: none */
  cl_uint argument;
  uint64_t launch;
} mark;

struct kernel;

/* The kernel was launched: marks the memory among its arguments. */
void observe_launched(struct kernel *k);

/* ---- memory.c: the user's memory objects ---- */

void memory_mark(cl_mem handle, const mark *last);
mark memory_last(cl_mem handle);
/* The same for shared virtual memory. */
void memory_mark_pointer(const void *pointer, const mark *last);
/* False: the address is none. */
bool memory_last_pointer(const void *pointer, mark *last);
/* The allocation that the address is in. */
bool memory_extent(const void *pointer, const void **first, size_t *size);
void memory_after_fork(void);

/* ---- digest.c ---- */

/* Bytes in memory: slices of rows. */
typedef struct area {
  const unsigned char *first;
  size_t row, rows, slices; /* bytes in a row, rows in a slice, slices */
  size_t pitch, slice_pitch;
} area;

typedef struct read_digest {
  uint64_t low, high;
} read_digest;

/* Adds size, digest and blocks of the rows one behind the other. False without memory: nothing is added. */
bool digest_put(message *m, const area *a, read_digest *d);

/* ---- times.c ---- */

/* Waits until the queue is empty. 0: the next launch cannot be timed; else times_end must follow it. */
uint64_t times_begin(cl_command_queue handle);
void times_end(cl_command_queue handle, tally *t, uint64_t begin, bool launched);
void times_send(void);
void times_after_fork(void);

/* ---- kernel.c ---- */

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
  cl_mem flags, slots, planes;
  uint64_t serial; /* of the buffers: a handle may be reused */
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
  exec_info *exec_infos;
  twin stored; /* stores to slots */
  twin direct; /* straight into flags */
  bool direct_tried;
  bool broken; /* a call that the original took was refused by the twin */
} kernel;

/* The twin that needs no slots, made at the first call with all arguments so far; NULL if there is none. */
twin *kernel_direct(kernel *k);
/* Hands a pointer argument that `set` gave the original to the twins. */
void kernel_set_pointer(cl_kernel handle, cl_uint index, const void *pointer, set_pointer_function set);

/* ---- slots.c: memory per work-item, within a cap ---- */

typedef struct slots {
  cl_mem memory;
  size_t capacity; /* bytes */
  uint64_t serial;
} slots;

/* A zeroed hidden buffer; NULL if the device has none. */
cl_mem hidden_buffer(context *c, size_t bytes);
void hidden_buffer_release(context *c, cl_mem memory);
uint64_t next_serial(void);
bool slots_make(context *c, slots *s, size_t bytes);
void slots_release(context *c, slots *s);
void slots_after_fork(void);

/* ---- queue.c ---- */

/* Slots of one launch on an out-of-order queue. */
typedef struct chunk {
  struct chunk *next;
  slots slots;
  struct slots planes;
  cl_event reduced; /* busy until then; NULL: free */
} chunk;

/* Words of the launches of a gated kernel (schedamp/gate.h), zero again before each. */
typedef struct gate_record {
  struct gate_record *next;
  cl_mem memory;
  uint64_t serial;
  bool in_order;   /* of the last launch */
  cl_event zeroed; /* busy until then; NULL: never used */
} gate_record;

/* One kernel function on one queue, in one test case. */
typedef struct function_on_queue { /* search.h has a `struct entry` */
  struct function_on_queue *next;
  function *function;
  uint32_t test_case; /* 0: none has begun */
  cl_mem flags;
  uint64_t flags_serial;
  uint64_t launches;  /* since the last evidence */
  slots ring;         /* in-order queues */
  size_t used;        /* items in the ring since its last reduction */
  unsigned unreduced; /* launches in it */
  slots planes;       /* in-order queues */
  cl_kernel judge;    /* compares work-items at barriers */
  chunk *chunks;      /* out-of-order queues */
  cl_event *pending;  /* out-of-order: what a read of `flags` has to wait for */
  size_t pending_count, pending_capacity;
  gate_record *records; /* of a gated kernel */
} entry;

typedef struct queue {
  object object;
  context *context; /* held */
  cl_device_id device;
  bool out_of_order;
  bool cpu;
  bool non_uniform; /* the last work-group of a dimension may be smaller */
  cl_uint units;
  pthread_mutex_t lock;
  entry *entries;
  cl_kernel reduce;
  bool reduce_tried;
  atomic_bool dirty;
  atomic_bool busy;   /* kernels were launched as the user wrote them, and the program has not waited for the queue */
  uint64_t collected; /* when, in ns */
  uint64_t cost;      /* of the last collection, in ns */
} queue;

void queue_record(cl_command_queue handle, cl_context context_handle, cl_device_id device);
/* Flushes all queues of the context; only once waits_wanted is set. */
void queues_flush(const context *c);
void queue_after_fork(void);
/* The function's entry on this queue, made if need be; NULL if the device has no memory for it. */
entry *queue_entry(queue *q, function *f);
void recursive_mutex(pthread_mutex_t *lock);

/* ---- reduction.c ---- */

/* Makes the queue's reduction kernel at the first call; false: only the direct variant can be used. */
bool reduction_ready(queue *q);
/* Enqueues the OR of `items` items of `memory` into the entry's flags. */
bool reduction_enqueue(queue *q, entry *e, cl_mem memory, size_t items, cl_uint waits, const cl_event *wait,
                       cl_event *event);

/* ---- planes.c: barriers ---- */

/* Room in `s` for the barrier evidence of `items` work-items; `*capacity` says for how many there is. */
bool planes_place(queue *q, entry *e, slots *s, size_t items, cl_uint *capacity);
/* Makes the entry's comparing kernel at the first call. */
bool planes_ready(entry *e, cl_program owner);
/* Enqueues the comparison of the work-items of the launch of this number, by what they left in `memory` and from item
 * `first` on in `items` (NULL: nowhere). */
bool planes_judge(queue *q, entry *e, cl_mem memory, cl_mem items, cl_ulong first, cl_uint number, cl_uint waits,
                  const cl_event *wait, cl_event *event);

/* ---- enqueue.c ---- */

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

/* ---- gate.c: launches whose work-groups follow a schedule ---- */

/* What cltestcheck said about a launch, and its gate record. All zero without an answer: any order. */
typedef struct gate_turn {
  bool answered;
  uint64_t number, first;
  uint32_t flags;
  cl_mem memory;
  uint64_t serial;
  gate_record *record; /* NULL: the memory is this launch's only */
} gate_turn;

/* Before a launch; false: there is no memory for its record. */
bool gate_begin(queue *q, const kernel *k, entry *e, const launch *l, gate_turn *t);
/* The launch did not take place. */
void gate_cancel(queue *q, gate_turn *t);
/* Behind the launch: reads its record and zeroes it. `done`: on an out-of-order queue the launch, else NULL. */
void gate_end(queue *q, entry *e, gate_turn *t, cl_event done);
void gate_records_release(queue *q, entry *e);
/* As reads_poll. */
bool gate_poll(const queue *q, bool any);
void gate_after_fork(void);

/* ---- watch.c: a gate record that outlives the process ---- */

/* A zeroed hidden buffer over the watched file; NULL: there is no such file, or a launch has it. */
cl_mem watch_buffer(context *c, size_t bytes);
void watch_after_fork(void);

/* ---- contents.c: what a launch leaves in its arguments ---- */

typedef struct contents contents;

/* The memory among the arguments of a launch, `done` as above; NULL: none, or no memory. */
contents *contents_of(const kernel *k, uint64_t number, cl_event done);
/* Waits for the launch, unless that is not safe, sends MESSAGE_MEMORY and frees `c`, which may be NULL. */
void contents_send(cl_command_queue handle, contents *c);

/* ---- event.c ---- */

/* Set once the layer may want to wait for commands: it then needs to know of callbacks, and of queues that go. */
extern atomic_bool waits_wanted;
/* Whether commands of this queue may be waited for by this thread: not while a user event of its context is open, or
 * in a callback of an event. */
bool may_wait(const queue *q);
void event_after_fork(void);

/* ---- evidence.c ---- */

/* Before a synchronisation point on the queue: enqueues reductions and reads. Skipped when the last one was dear and
 * recent, unless `always`. */
void evidence_before(queue *q, bool always);
/* After it: sends what has arrived. Never waits. */
void evidence_after(void);
/* The same as evidence_before for a queue about to go: waits a bounded time. */
void evidence_last(queue *q);
/* A launch comes that the driver may compile first. */
void evidence_compiling(void);
/* Process exit or unloading: all queues, with a bounded wait for what runs, so that the driver does not compile or run
 * kernels while it is taken down. */
void evidence_exit(void);
/* Another test case has begun or none has any more: what belongs to the one before is put on its way. Never waits. */
void evidence_boundary(void);
cl_int event_status(cl_event event);
void evidence_after_fork(void);
/* An in-order ring is full: reduce and start again. */
bool evidence_reduce(queue *q, entry *e);
/* Waits a bounded time until all that was enqueued has arrived and is sent. */
void evidence_settle(void);

/* ---- announced.c ---- */

/* Finds the file beside the socket; of no effect when it was found before or is not there. */
void announced_open(const char *socket_path);
/* An instrumented launch has been made. */
void announced_launch(void);

/* ---- refused.c ---- */

/* A call that the driver has refused; `kernel` and `detail` may be "", `call` is a literal. */
void refused(const char *call, const char *kernel, cl_int error, const char *detail);
void refused_launch(cl_kernel handle, const launch *l, cl_int error);
/* At the end of the process: numbers that were not told yet. */
void refused_send(void);
void refused_after_fork(void);

/* ---- exit.c ---- */

/* Has evidence_exit called at the end, before the driver is taken down. To be called where kernels are launched;
 * `fresh`: one that the driver may compile only now. */
void exit_before_driver(bool fresh);
/* Forgets events of `pending` that are complete. */
void entry_prune(entry *e);
uint64_t now_ns(void);

/* ---- reads.c: what the host reads ---- */

/* Sends what has arrived. True while a read is under way: any, or one of this queue, or (NULL) one that does not wait
 * for the program. */
bool reads_poll(const queue *q, bool any);
/* The next read has this number. */
void reads_begin(uint64_t number);
void reads_after_fork(void);

/* ---- turn.c: a process that replays ---- */

/* The functions of wire/turn.h, if this is REPLAY_FUNCTION and a worker; else NULL. */
void *turn_extension(const char *name);
/* A new shadow belongs to the present setup. */
void turn_shadow(shadow *s);
void turn_forget(const shadow *s);
/* What the host read. */
void turn_read(uint64_t number, const read_digest *d);

/* ---- the calls that we intercept; dispatch.c has the table ---- */

#define HOOK(name) hook_##name

#include "layer/observe/hooks.h"

extern cl_icd_dispatch hooks; /* dispatch.c */

/* reads.c: the reading calls, observed */
#define READ_DECLARE(type, name, parameters, arguments) type CL_API_CALL read_##name parameters;
CALLS_READ(READ_DECLARE)
#undef READ_DECLARE

/* Answers of the clGet…Info kind. */
cl_int info_answer(const void *value, size_t size, size_t param_value_size, void *param_value, size_t *size_ret);

/* device.c: for clCreateContextFromType, with the presented device where there is one. */
cl_context device_create_context(const cl_context_properties *properties, cl_device_type type, context_notify notify,
                                 void *user_data, cl_int *error);

#endif
