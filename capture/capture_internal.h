/* What the files that read captures share. */
#ifndef CLTC_CAPTURE_CAPTURE_INTERNAL_H
#define CLTC_CAPTURE_CAPTURE_INTERNAL_H

#include "capture/capture.h"
#include "wire/capture_format.h"

/* ---- stream.c: the records' bytes, of a raw or a packed capture ---- */

typedef struct stream stream;

/* Opens a file and reads its magic number. -1 with `e` set: there is no such file, or it is not a capture. */
int stream_open(stream **out, const char *path, error *e);
const char *stream_path(const stream *s);
bool stream_packed(const stream *s);
/* Bytes of the file; and bytes of the stream that are still to come. */
uint64_t stream_stored(const stream *s);
uint64_t stream_left(const stream *s);
/* Reads exactly so many bytes. -1 with `e` set: there are fewer, or they are damaged. */
int stream_bytes(stream *s, void *to, size_t size, error *e);
/* The same in memory that grows as the bytes come; free it. */
int stream_take(stream *s, size_t size, unsigned char **out, error *e);
/* The same, and forgets them. */
int stream_skip(stream *s, uint64_t size, error *e);
/* -1 with `e` set: something follows, or the checksum is wrong. */
int stream_end(stream *s, error *e);
void stream_close(stream *s);
/* A number as captures have it. */
uint64_t stream_number(const unsigned char *bytes, size_t size);
/* Sets `e`: the capture is damaged in this way. Returns -1. */
int stream_damaged(const stream *s, error *e, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- read.c ---- */

/* One command of a record's payload; false: it is not of this form, and there is nothing to free. */
bool decode(capture_command *c, uint32_t kind, const unsigned char *payload, size_t length);
/* What the command owns. */
void command_free(capture_command *c);

/* ---- check.c: whether commands make sense one after another ---- */

typedef struct checker checker;

checker *checker_new(void);
void checker_free(checker *k);
/* What is wrong with the next command, or NULL. */
const char *check_command(checker *k, const capture *c, const capture_command *next);
/* What is wrong with the next call, or NULL. `events`: of which calls have told; counts on. */
const char *check_call(const checker *k, const capture *c, const capture_call *next, uint32_t *events);
/* What is wrong with what the READ must have got, or NULL. `read`: the command before it, NULL: none. */
const char *check_expectation(const checker *k, const capture *c, const capture_command *read,
                              const capture_expectation *next);
/* Whether it is done on the device. */
bool command_on_device(capture_kind kind);

/* ---- the memory objects among the arguments of a kernel ---- */

typedef struct binding binding;

/* Zeroed: none is set. A copy shares what is set with the original. */
typedef struct bindings {
  const binding *last;
  size_t count;     /* how often one was set */
  size_t distinct;  /* when it was last written anew */
  uint32_t indices; /* all are below */
} bindings;

typedef struct binding_pool {
  binding **blocks;
  size_t block_count, block_capacity, used; /* in the last one */
} binding_pool;

/* `object`: CAPTURE_NONE if it is not a memory object. */
void bindings_set(bindings *b, binding_pool *pool, uint32_t index, uint32_t object);
/* Whether `right` is true of all memory objects that are set. */
bool bindings_all(const bindings *b, bool (*right)(const void *data, uint32_t object), const void *data);
void binding_pool_free(binding_pool *pool);

/* ---- read.c ---- */

/* Reads and checks all records. Only what is kept is in `out`: */
typedef enum scan_keep {
  SCAN_FACTS,    /* neither commands nor the bytes of blobs */
  SCAN_COMMANDS, /* not the bytes of blobs */
  SCAN_ALL
} scan_keep;

typedef struct scan_facts {
  uint64_t last; /* bytes of the stream before its last record */
  bool marked;   /* it is unsuitable because of a file beside it, not of a record */
  bool packed;
} scan_facts;

int capture_scan(const char *path, scan_keep keep, capture *out, scan_facts *facts, error *e);

#endif
