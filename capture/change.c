/* A capture with another source: what its programs are built from is replaced, all else is copied, but for what the
 * program read where that is to be forgotten. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "capture/capture_internal.h"

enum { CHUNK = 1 << 16 };

typedef struct changing {
  stream *in;
  FILE *out;
  const char *to; /* its name */
  const char *old_text, *new_text;
  bool forget;
  size_t changed;
  error *e;
} changing;

static int put(const changing *c, const void *bytes, size_t length) {
  return length == 0 || fwrite(bytes, 1, length, c->out) == length
             ? 0
             : error_set(c->e, EXIT_INTERNAL, "cannot write the capture %s: %s", c->to, strerror(errno));
}

static void add_number(buffer *b, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++) {
    buffer_putc(b, (char)(value >> (8 * i) & 0xff));
  }
}

static void add_string(buffer *b, const char *text) {
  add_number(b, strlen(text), 4);
  buffer_puts(b, text);
}

/* The payload of a program, with the new text wherever the old one is. */
static void write_program(changing *c, const capture_command *program, buffer *b) {
  add_number(b, program->u.program.linked ? 1 : 0, 4);
  add_string(b, program->u.program.link_options);
  add_number(b, program->u.program.source_count, 4);
  for (size_t i = 0; i < program->u.program.source_count; i++) {
    const capture_source *s = &program->u.program.sources[i];
    const bool other = strcmp(s->text, c->old_text) == 0;
    c->changed += other ? 1 : 0;
    add_string(b, other ? c->new_text : s->text);
    add_string(b, s->options);
    add_number(b, s->header_count, 4);
    for (size_t k = 0; k < s->header_count; k++) {
      add_string(b, s->headers[k].name);
      add_string(b, s->headers[k].text);
    }
  }
}

static int change_program(changing *c, uint64_t length) {
  unsigned char *payload = NULL;
  capture_command program;
  if (stream_take(c->in, (size_t)length, &payload, c->e) != 0) {
    return -1;
  }
  int result = decode(&program, CAPTURE_PROGRAM, payload, (size_t)length)
                   ? 0
                   : stream_damaged(c->in, c->e, "a program's fields are not those of its kind");
  free(payload);
  if (result != 0) {
    return -1;
  }
  buffer changed = {0}, header = {0};
  write_program(c, &program, &changed);
  add_number(&header, CAPTURE_PROGRAM, 4);
  add_number(&header, changed.length, 8);
  result = put(c, header.data, header.length) != 0 || put(c, changed.data, changed.length) != 0 ? -1 : 0;
  buffer_free(&header);
  buffer_free(&changed);
  command_free(&program);
  return result;
}

/* The digest stands at the end of the payload, with a flag in front that says whether it is known. */
static int forget_read(const changing *c, uint64_t length) {
  enum { DIGEST = 20, FLAG = 4 };
  unsigned char *payload = NULL;
  if (stream_take(c->in, (size_t)length, &payload, c->e) != 0) {
    return -1;
  }
  if (length >= DIGEST) {
    memset(payload + length - DIGEST, 0, FLAG);
  }
  const int result = put(c, payload, (size_t)length);
  free(payload);
  return result;
}

static bool is_read(uint64_t kind) {
  return kind == CAPTURE_READ || kind == CAPTURE_READ_RECT || kind == CAPTURE_READ_IMAGE;
}

static int copy(const changing *c, uint64_t size) {
  unsigned char some[CHUNK];
  while (size > 0) {
    const size_t part = size < sizeof some ? (size_t)size : sizeof some;
    if (stream_bytes(c->in, some, part, c->e) != 0 || put(c, some, part) != 0) {
      return -1;
    }
    size -= part;
  }
  return 0;
}

static int change_records(changing *c) {
  int result = put(c, CAPTURE_MAGIC_RAW, CAPTURE_MAGIC_SIZE);
  for (bool more = true; result == 0 && more;) {
    unsigned char header[RECORD_HEADER];
    if (stream_bytes(c->in, header, sizeof header, c->e) != 0) {
      return -1;
    }
    const uint64_t kind = stream_number(header, 4), length = stream_number(header + 4, 8);
    more = kind != RECORD_END;
    if (kind == RECORD_EXPECT && c->forget) {
      result = stream_skip(c->in, length, c->e);
      continue;
    }
    if (kind == CAPTURE_PROGRAM) {
      result = change_program(c, length);
    } else {
      const bool read = c->forget && is_read(kind);
      result = put(c, header, sizeof header) != 0 || (read ? forget_read(c, length) : copy(c, length)) != 0 ? -1 : 0;
    }
  }
  return result;
}

int capture_change(const char *from, const char *to, const capture_change_of *what, size_t *changed, error *e) {
  changing c = {.to = to, .old_text = what->old_text, .new_text = what->new_text, .forget = what->forget, .e = e};
  if (stream_open(&c.in, from, e) != 0) {
    return -1;
  }
  c.out = fopen(to, "wbe");
  int result = c.out == NULL ? error_set(e, EXIT_INTERNAL, "cannot write the capture %s: %s", to, strerror(errno))
                             : change_records(&c);
  if (c.out != NULL && fclose(c.out) != 0 && result == 0) {
    result = error_set(e, EXIT_INTERNAL, "cannot write the capture %s: %s", to, strerror(errno));
  }
  stream_close(c.in);
  *changed = c.changed;
  return result;
}
