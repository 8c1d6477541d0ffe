/* A capture: all that one run of a program did to the device, in order, as it can be done again without the program.
 *
 * Objects are numbered from 0 in the order in which they were made, each kind by itself: blobs (bytes), memory objects,
 * samplers, programs, kernels, queues, events. All contexts are one. For who does the commands again all queues are one
 * in-order queue: the order in which commands were enqueued satisfies every wait list. What the program itself put in
 * order is said by its calls (capture_call). docs/formats/capture.md has the file format. */
#ifndef CLTC_WIRE_CAPTURE_H
#define CLTC_WIRE_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAPTURE_VERSION 3u
#define CAPTURE_NONE UINT32_MAX /* no blob, no memory object, … */
#define CAPTURE_COLOR 16u       /* bytes of the colour of an image */

#define ENV_CAPTURE "CLTESTCHECK_CAPTURE_FILE" /* path of the file that the capture layer writes */
#define ENV_CAPTURE_ORDER \
  "CLTESTCHECK_CAPTURE_ORDER"                     /* "1": nobody replays it; the order of its commands is asked about */
#define ENV_CAPTURE_CAP "CLTESTCHECK_CAPTURE_CAP" /* its largest size in bytes; decimal */

typedef enum capture_kind {
  CAPTURE_BUFFER = 1,
  CAPTURE_SUB_BUFFER,
  CAPTURE_IMAGE,
  CAPTURE_SAMPLER,
  CAPTURE_PROGRAM, /* built, or linked of compiled sources; build it when its first kernel is made */
  CAPTURE_KERNEL,
  CAPTURE_CLONE, /* a kernel like another one, with its arguments */
  CAPTURE_ARGUMENT,
  CAPTURE_LAUNCH,
  CAPTURE_WRITE, /* to a buffer; also what the host wrote into a mapping, when it is unmapped */
  CAPTURE_WRITE_RECT,
  CAPTURE_WRITE_IMAGE,
  CAPTURE_FILL,
  CAPTURE_FILL_IMAGE,
  CAPTURE_COPY,
  CAPTURE_COPY_RECT,
  CAPTURE_COPY_IMAGE,
  CAPTURE_COPY_IMAGE_TO_BUFFER,
  CAPTURE_COPY_BUFFER_TO_IMAGE,
  CAPTURE_READ, /* from a buffer; also a mapping for reading */
  CAPTURE_READ_RECT,
  CAPTURE_READ_IMAGE,     /* also a mapping of an image for reading */
  CAPTURE_RELEASE_MEMORY, /* the program has no reference any more */
  CAPTURE_RELEASE_KERNEL,
  CAPTURE_KINDS
} capture_kind;

/* Bytes that went to the device. Equal ones are stored once. */
typedef struct capture_blob {
  unsigned char *bytes;
  size_t size;
} capture_blob;

typedef struct capture_header {
  char *name, *text;
} capture_header;

typedef struct capture_source {
  char *text, *options;
  capture_header *headers;
  size_t header_count;
} capture_source;

/* A file that kernels include. */
typedef struct capture_include {
  char *path; /* where it was: absolute, without "." and ".." */
  char *text;
} capture_include;

/* A part of a memory object, as the kind of its command says it (capture_shape.h). */
typedef struct capture_span {
  uint32_t memory;
  uint64_t offset;     /* bytes */
  uint64_t origin[3];  /* of a region in an image, in elements, or of a rectangle, in bytes and rows */
  uint64_t row, slice; /* pitches of a rectangle's buffer */
} capture_span;

typedef enum capture_argument_kind {
  CAPTURE_VALUE,  /* bytes */
  CAPTURE_LOCAL,  /* `size` bytes of local memory */
  CAPTURE_MEMORY, /* `object`; CAPTURE_NONE: a null pointer */
  CAPTURE_SAMPLE  /* `object` is a sampler */
} capture_argument_kind;

/* One call. Every number in a capture that was read with capture_read is in range: objects exist and have not been
 * released, blobs have the size that the call needs. */
typedef struct capture_command {
  capture_kind kind;
  union {
    struct {
      uint64_t flags, size; /* cl_mem_flags, without those about host memory */
      uint32_t blob;        /* first contents */
    } buffer;
    struct {
      uint32_t parent; /* a buffer that is no sub-buffer */
      uint64_t flags, origin, size;
    } sub_buffer;
    struct {
      uint64_t flags;
      uint32_t order, data_type, type; /* cl_channel_order, cl_channel_type, cl_mem_object_type */
      uint64_t width, height, depth, array_size;
      uint32_t buffer;    /* that it is made of, or CAPTURE_NONE */
      uint64_t row_pitch; /* with a buffer; else 0 */
      uint32_t blob;      /* first contents, rows without padding */
    } image;
    struct {
      uint32_t normalized, addressing, filter;
    } sampler;
    struct {
      capture_source *sources;
      size_t source_count;
      bool linked;
      char *link_options;
    } program;
    struct {
      uint32_t program;
      char *name;
    } kernel;
    struct {
      uint32_t kernel; /* that is cloned */
    } clone;
    struct {
      uint32_t kernel, index;
      capture_argument_kind kind;
      unsigned char *bytes;
      uint64_t size;
      uint32_t object;
    } argument;
    struct {
      uint32_t kernel, dimensions;
      bool has_offset, has_local, task;
      uint64_t offset[3], global[3], local[3];
    } launch;
    struct {
      capture_span at;    /* of a copy: what it reads */
      uint64_t size;      /* bytes */
      uint64_t region[3]; /* or, of images and rectangles, elements or bytes, rows, slices */
      uint32_t blob;      /* of a WRITE…: rows without padding */
      uint32_t pattern_size;
      union {
        capture_span to;            /* of a COPY… */
        unsigned char pattern[128]; /* of a FILL; of a FILL_IMAGE the colour, CAPTURE_COLOR bytes */
      };
    } transfer; /* WRITE… to READ… */
    struct {
      uint32_t object;
    } release;
  } u;
  /* READ…: XXH3-128 of the bytes that the host got (images and rectangles: rows without padding); `known` false: they
   * could not be looked at. Reads count from 0 as MESSAGE_READ does. */
  bool known;
  uint64_t low, high;
} capture_command;

/* The function that the program called. Those up to FUNCTION_COPY_BUFFER_TO_IMAGE are each followed by a command. */
typedef enum capture_function {
  FUNCTION_LAUNCH = 1,
  FUNCTION_TASK,
  FUNCTION_WRITE,
  FUNCTION_WRITE_RECT,
  FUNCTION_WRITE_IMAGE,
  FUNCTION_READ,
  FUNCTION_READ_RECT,
  FUNCTION_READ_IMAGE,
  FUNCTION_FILL,
  FUNCTION_FILL_IMAGE,
  FUNCTION_COPY,
  FUNCTION_COPY_RECT,
  FUNCTION_COPY_IMAGE,
  FUNCTION_COPY_IMAGE_TO_BUFFER,
  FUNCTION_COPY_BUFFER_TO_IMAGE,
  FUNCTION_MAP,
  FUNCTION_MAP_IMAGE,
  FUNCTION_UNMAP,
  FUNCTION_MIGRATE,
  FUNCTION_MARKER,  /* clEnqueueMarkerWithWaitList, clEnqueueMarker */
  FUNCTION_BARRIER, /* clEnqueueBarrierWithWaitList, clEnqueueBarrier, clEnqueueWaitForEvents */
  FUNCTION_FINISH,
  FUNCTION_WAIT,       /* clWaitForEvents */
  FUNCTION_USER_EVENT, /* clCreateUserEvent */
  FUNCTION_SET_EVENT,  /* clSetUserEventStatus */
  FUNCTION_COMPLETE,   /* the program learned that an event is complete: it asked, or its callback runs */
  FUNCTION_KINDS
} capture_function;

/* A call of the program that has to do with the order of commands; in the order in which they were made, or for what
 * waits for something: in which they returned. */
typedef struct capture_call {
  capture_function function;
  uint32_t thread;       /* that made it; from 0 */
  uint32_t queue;        /* CAPTURE_NONE: of no queue, or of one that is not known */
  bool blocking;         /* it returned when its command was done */
  uint32_t event;        /* that it gives, or that it is about; CAPTURE_NONE: none */
  uint32_t memory;       /* MAP…, UNMAP, else CAPTURE_NONE */
  uint64_t flags;        /* of these: cl_map_flags */
  uint64_t offset, size; /* of these, in a buffer; of an image `size` 1: all of it */
  uint32_t *waits;       /* events; CAPTURE_NONE: one that is not known */
  size_t wait_count;     /* with 0, MARKER and BARRIER wait for all that is in their queue */
  size_t command;        /* commands before it */
  char *module;          /* path of the program or library that makes it, "": not known, */
  uint64_t place;        /* and the address in that */
} capture_call;

typedef struct capture_queue {
  bool in_order;
} capture_queue;

/* What the numbers of a buffer are. */
typedef enum capture_number {
  NUMBER_CHAR,
  NUMBER_UCHAR,
  NUMBER_SHORT,
  NUMBER_USHORT,
  NUMBER_INT,
  NUMBER_UINT,
  NUMBER_LONG,
  NUMBER_ULONG,
  NUMBER_HALF,
  NUMBER_FLOAT,
  NUMBER_DOUBLE,
  NUMBER_KINDS
} capture_number;

/* What the READ before it must have got (cases/): its bytes, but for a tolerance, or the digest of the READ. A number
 * is right when one of the tolerances takes it. */
typedef struct capture_expectation {
  size_t command;  /* the READ */
  char *name;      /* of what is read, for a person: "y" */
  uint32_t number; /* capture_number */
  uint32_t lanes;  /* numbers of an element, padding included */
  uint32_t used;   /* of these, that count: a float3 has 4 and uses 3 */
  uint64_t first;  /* the element that is read first */
  uint32_t blob;   /* CAPTURE_NONE: the digest says it */
  uint64_t ulp;    /* units in the last place that a number may be off; 0: none */
  double relative, absolute;
} capture_expectation;

/* Where a command of a kernel case stands: beside the capture, in FILE.places. */
typedef struct capture_place {
  size_t command;
  uint64_t element; /* bytes, of a part of a buffer; else 0 */
  char *text;       /* for a person: "suite.yaml:12:9: test n=64, launch 2 of kernel k" */
} capture_place;

typedef struct capture {
  char *device;     /* name, vendor, driver version, OpenCL C version, joined with '\n' */
  char *program;    /* what was captured, for a person: its command line */
  char *directory;  /* where it ran: "-I" and "#include" of its sources may be relative to it */
  char *unsuitable; /* why it cannot be done again (NULL: it can): "shared virtual memory", … */
  capture_blob *blobs;
  size_t blob_count;
  capture_command *commands;
  size_t command_count;
  capture_call *calls;
  size_t call_count;
  capture_queue *queues;
  size_t queue_count;
  capture_include *includes;
  size_t include_count;
  capture_expectation *expectations; /* in the order of their commands */
  size_t expectation_count;
  capture_place *places; /* in the order of their commands; none: it is no kernel case */
  size_t place_count, place_capacity;
  uint64_t stored_bytes; /* of the file */
} capture;

/* Folder into which replays put files that kernels include and that are not where they were, or not the same. */
#define ENV_INCLUDES "CLTESTCHECK_INCLUDES"

/* A capture layer writes its file as it goes, without compression (magic CAPTURE_MAGIC_RAW); capture_pack makes the
 * file that is kept of it (CAPTURE_MAGIC_PACKED). After the magic and, when packed, inside one zstd frame with a
 * checksum, both are the same stream of records. */
#define CAPTURE_MAGIC_RAW "CLTCCAPr"
#define CAPTURE_MAGIC_PACKED "CLTCCAPz"

#endif
