/* The capture that is kept: the records of one, in a zstd frame, in a file that is there in full or not at all. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/memory.h"
#include "capture/capture_internal.h"
#include "capture/pack_includes.h"

#define LEVEL 3

enum { CHUNK = 1 << 16 };

typedef struct pack {
  const char *to;
  char *temporary;
  int fd;
  ZSTD_CStream *frame;
  error *e;
} pack;

static int failed(const pack *p) {
  return error_set(p->e, EXIT_INTERNAL, "cannot write the capture %s: %s", p->to, strerror(errno));
}

static int write_all(const pack *p, const void *bytes, size_t length) {
  const char *at = bytes;
  while (length) {
    ssize_t written = write(p->fd, at, length);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return failed(p);
    }
    at += written;
    length -= (size_t)written;
  }
  return 0;
}

/* ---- the frame ---- */

static int compress(const pack *p, const void *bytes, size_t length, ZSTD_EndDirective how) {
  char room[CHUNK];
  ZSTD_inBuffer in = {bytes, length, 0};
  size_t left;
  do {
    ZSTD_outBuffer out = {room, sizeof room, 0};
    left = ZSTD_compressStream2(p->frame, &out, &in, how);
    if (ZSTD_isError(left)) {
      return error_set(p->e, EXIT_INTERNAL, "cannot compress the capture %s: %s", p->to, ZSTD_getErrorName(left));
    }
    if (write_all(p, room, out.pos) != 0) {
      return -1;
    }
  } while (in.pos < in.size || (how == ZSTD_e_end && left));
  return 0;
}

/* `size`: bytes that will come, which the frame says at its beginning. */
static int begin_frame(pack *p, uint64_t size) {
  p->frame = ZSTD_createCStream();
  if (p->frame == NULL || ZSTD_isError(ZSTD_CCtx_setParameter(p->frame, ZSTD_c_compressionLevel, LEVEL)) ||
      ZSTD_isError(ZSTD_CCtx_setParameter(p->frame, ZSTD_c_checksumFlag, 1)) ||
      ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(p->frame, size))) {
    return error_set(p->e, EXIT_INTERNAL, "there is not enough memory to compress the capture %s", p->to);
  }
  return write_all(p, CAPTURE_MAGIC_PACKED, CAPTURE_MAGIC_SIZE);
}

static int copy(const pack *p, stream *from, uint64_t size) {
  unsigned char some[CHUNK];
  while (size) {
    size_t part = size < sizeof some ? (size_t)size : sizeof some;
    if (stream_bytes(from, some, part, p->e) != 0 || compress(p, some, part, ZSTD_e_continue) != 0) {
      return -1;
    }
    size -= part;
  }
  return 0;
}

/* `last`: how many bytes are before the end, and `more`: what is to be put there. */
static int write_frame(pack *p, stream *from, uint64_t last, const buffer *more) {
  if (begin_frame(p, last + more->length + RECORD_END_SIZE) == 0 && copy(p, from, last) == 0 &&
      (more->length == 0 || compress(p, more->data, more->length, ZSTD_e_continue) == 0) &&
      copy(p, from, RECORD_END_SIZE) == 0 && compress(p, NULL, 0, ZSTD_e_end) == 0) {
    return 0;
  }
  return -1;
}

/* ---- the file ---- */

static int open_temporary(pack *p) {
  const char *end = ".XXXXXX";
  p->temporary = mem_calloc(1, strlen(p->to) + strlen(end) + 1);
  strcat(strcpy(p->temporary, p->to), end);
  p->fd = mkostemp(p->temporary, O_CLOEXEC);
  return p->fd >= 0 ? 0 : failed(p);
}

/* The name is on the disk, too, before we say so. */
static void sync_folder(const char *path) {
  char *name = mem_strdup(path);
  int fd = open(dirname(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    (void)fsync(fd);
    close(fd);
  }
  free(name);
}

static int take_place(pack *p) {
  int closed = fsync(p->fd);
  if (close(p->fd) != 0) {
    closed = -1;
  }
  p->fd = -1;
  if (closed != 0 || rename(p->temporary, p->to) != 0) {
    return failed(p);
  }
  sync_folder(p->to);
  return 0;
}

static int write_file(pack *p, stream *from, uint64_t last, const buffer *more) {
  if (open_temporary(p) != 0) {
    return -1;
  }
  int result = write_frame(p, from, last, more);
  if (result == 0) {
    result = take_place(p);
  }
  if (result != 0) {
    if (p->fd >= 0) {
      close(p->fd);
    }
    (void)unlink(p->temporary);
  }
  return result;
}

int capture_pack(const char *from, const char *to, error *e) {
  capture read;
  scan_facts facts;
  stream *in = NULL;
  pack p = {.to = to, .fd = -1, .e = e};
  buffer more = {0};
  if (capture_scan(from, SCAN_COMMANDS, &read, &facts, e) != 0) {
    return -1;
  }
  if (facts.marked) { /* what the file beside a raw capture says becomes a record of the packed one */
    record_strings(&more, RECORD_UNSUITABLE, 1, (const char *const[]){read.unsuitable});
  } else if (!facts.packed && read.unsuitable == NULL) {
    includes_write(&read, &more);
  }
  int result = stream_open(&in, from, e);
  if (result == 0) {
    result = write_file(&p, in, facts.last, &more);
  }
  stream_close(in);
  buffer_free(&more);
  ZSTD_freeCStream(p.frame);
  free(p.temporary);
  capture_free(&read);
  return result;
}
