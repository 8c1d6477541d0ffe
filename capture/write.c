/* Writers of captures: one composed in memory, one with another source, and the packed file that is kept. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/buffer.h"
#include "base/files.h"
#include "base/memory.h"
#include "capture/capture_internal.h"
#include "frontend/preprocess.h"
#include "wire/capture_format.h"
#include "wire/capture_shape.h"
#include "wire/fields.h"

/* ---- files that sources include ---- */

enum { PATH_MOST = 4096, NAME_MOST = 255 };

bool capture_path_plain(const char *path) {
  if (path[0] != '/' || strlen(path) > PATH_MOST) return false;
  for (const char *at = path; *at == '/';) {
    const char *name = at + 1;
    size_t length = strcspn(name, "/");
    if (!length || length > NAME_MOST || (length == 1 && name[0] == '.') || (length == 2 && !memcmp(name, "..", 2)))
      return false;
    at = name + length;
  }
  return true;
}

/* An absolute path without "." and ".."; free it. */
static char *plain(const char *path) {
  buffer out = {0};
  while (*path) {
    size_t length = strcspn(path, "/");
    if (length == 2 && !memcmp(path, "..", 2)) {
      while (out.length && out.data[--out.length] != '/')
        ;
    } else if (length && !(length == 1 && path[0] == '.')) {
      buffer_putc(&out, '/');
      buffer_append(&out, path, length);
    }
    path += length + (path[length] == '/');
  }
  buffer_puts(&out, "");
  return buffer_take(&out);
}

/* ---- what is found ---- */

typedef struct found {
  buffer *records;
  char **paths;
  size_t count, capacity;
} found;

static bool is_known(const found *f, const char *path) {
  for (size_t i = 0; i < f->count; i++)
    if (!strcmp(f->paths[i], path)) return true;
  return false;
}

/* Appends a record of strings. */
static void record_strings(buffer *out, uint32_t kind, size_t count, const char *const *strings) {
  size_t length = 0;
  for (size_t i = 0; i < count; i++) length += 4 + strlen(strings[i]);
  wire_put_u32(out, kind);
  wire_put_u64(out, length);
  for (size_t i = 0; i < count; i++) wire_put_string(out, strings[i], strlen(strings[i]));
}

static void take_file(found *f, const pp_file *file) {
  char *path = file->path[0] == '/' ? plain(file->path) : mem_strdup("");
  if (memchr(file->text, 0, file->length) || !capture_path_plain(path) || is_known(f, path)) {
    free(path);
    return;
  }
  record_strings(f->records, RECORD_INCLUDE, 2, (const char *const[]){path, file->text});
  *ARRAY_ADD(f->paths, f->count, f->capacity) = path;
}

static void preprocess(found *f, const pp_input *in, pp_result *out) {
  error ignored;
  (void)pp_run(in, out, &ignored); /* what it does not understand may yet be right for the device's compiler */
  for (size_t i = 0; i < out->file_count; i++)
    if (out->files[i].path) take_file(f, &out->files[i]);
}

/* Both ways where a condition depends on the device. */
static void find(found *f, const capture *c, const capture_source *s) {
  scoped pp_header *headers = mem_calloc(s->header_count + 1, sizeof *headers);
  for (size_t i = 0; i < s->header_count; i++)
    headers[i] = (pp_header){s->headers[i].name, s->headers[i].text, strlen(s->headers[i].text)};
  pp_input in = {.name = "kernel.cl",
                 .text = s->text,
                 .length = strlen(s->text),
                 .options = s->options,
                 .directory = c->directory,
                 .headers = headers,
                 .header_count = s->header_count};
  pp_result first = {0}, second = {0};
  preprocess(f, &in, &first);
  if (first.question_count) {
    pp_fact *facts = mem_calloc(first.question_count, sizeof *facts);
    for (size_t i = 0; i < first.question_count; i++) facts[i] = (pp_fact){first.questions[i], true};
    in.facts = facts;
    in.fact_count = first.question_count;
    preprocess(f, &in, &second);
    free(facts);
  }
  pp_result_free(&first);
  pp_result_free(&second);
}

/* ---- records ---- */

/* Looks for the files that the programs of a capture include, where they were, and appends their records. */
static void includes_write(const capture *c, buffer *out) {
  found f = {.records = out};
  for (size_t i = 0; i < c->command_count; i++) {
    if (c->commands[i].kind == CAPTURE_PROGRAM)
      for (size_t s = 0; s < c->commands[i].u.program.source_count; s++)
        find(&f, c, &c->commands[i].u.program.sources[s]);
  }
  for (size_t i = 0; i < f.count; i++) free(f.paths[i]);
  free(f.paths);
  if (out->overflowed) { /* then without them */
    buffer_free(out);
    *out = (buffer){0};
  }
}

/* A file is looked at before it is written again. */

/* --- whether they are where they were ----------------------------------------------------------------------------- */

static bool holds(const char *path, const char *text) {
  const size_t length = strlen(text);
  FILE *f = fopen(path, "rbe");
  char part[1 << 14];
  size_t at = 0, n = 0;
  bool same = f != NULL;
  while (same && (n = fread(part, 1, sizeof part, f)) > 0) {
    same = n <= length - at && memcmp(part, text + at, n) == 0;
    at += n;
  }
  if (f != NULL) {
    same = same && ferror(f) == 0 && at == length;
    (void)fclose(f);
  }
  return same;
}

bool included_are_there(const capture *c) {
  for (size_t i = 0; i < c->include_count; i++)
    if (!holds(c->includes[i].path, c->includes[i].text)) return false;
  return true;
}

/* --- putting them somewhere else ---------------------------------------------------------------------------------- */

void included_folder(const char *path) {
  scoped char *part = mem_strdup(path);
  for (char *at = part; *at != '\0'; at++) {
    if (*at == '/' && at > part) {
      *at = '\0';
      (void)mkdir(part, 0700);
      *at = '/';
    }
  }
  (void)mkdir(part, 0700);
}

int included_put(const char *root, const char *at, const char *text, error *e) {
  scoped_buffer path = buffer_with("%s%s", root, at);
  scoped char *folder = mem_strndup(path.data, (size_t)(strrchr(path.data, '/') - path.data));
  included_folder(folder);
  const int reason = holds(path.data, text) ? 0 : file_replace(path.data, text, strlen(text)); /* others may share it */
  const int result =
      reason == 0 ? 0
                  : error_set(e, EXIT_INTERNAL, "a file that the capture's kernels include cannot be written to %s: %s",
                              path.data, strerror(reason));
  return result;
}

bool included_stays_below(const char *path) {
  long depth = 0;
  while (*path != '\0' && depth >= 0) {
    const size_t length = strcspn(path, "/");
    const bool up = length == 2 && memcmp(path, "..", 2) == 0;
    depth += up ? -1 : length > 0 && !(length == 1 && path[0] == '.');
    path += length + (path[length] == '/' ? 1 : 0);
  }
  return depth >= 0;
}

typedef struct place {
  const char *root, *directory; /* the working directory is `directory` below `root` */
} place;

/* A directory of -I may be left by "..", and be there for that alone. */
static void make_searched(void *context, const char *directory) {
  const place *p = context;
  const size_t length = strlen(p->root);
  const bool absolute = strncmp(directory, p->root, length) == 0;
  scoped_buffer path = buffer_with("%s/%s", absolute ? "" : p->directory, absolute ? directory + length : directory);
  if (included_stays_below(path.data)) {
    scoped_buffer whole = buffer_with("%s%s", p->root, path.data);
    included_folder(whole.data);
  }
}

static const char *working_directory(const capture *c) {
  return c->directory != NULL && capture_path_plain(c->directory) ? c->directory : "";
}

char *included_options(const capture *c, const char *root, const char *options) {
  place p = {root, working_directory(c)};
  return pp_options_below(options, root, make_searched, &p);
}

int included_place(const capture *c, const char *root, char **directory, error *e) {
  for (size_t i = 0; i < c->include_count; i++) {
    const capture_include *file = &c->includes[i];
    if (capture_path_plain(file->path) && included_put(root, file->path, file->text, e) != 0) return -1;
  }
  buffer path = buffer_with("%s%s", root, working_directory(c));
  included_folder(path.data);
  *directory = buffer_take(&path);
  return 0;
}

/* ---- writing ---- */

typedef struct writing {
  const capture *capture;
  FILE *out;
  const char *to; /* its name */
  error *e;
} writing;

static int put(const writing *w, const void *bytes, size_t length) {
  return length == 0 || fwrite(bytes, 1, length, w->out) == length
             ? 0
             : error_set(w->e, EXIT_INTERNAL, "cannot write the capture %s: %s", w->to, strerror(errno));
}

static int put_record(const writing *w, uint32_t kind, const void *payload, size_t length) {
  scoped_buffer header = {0};
  wire_put_u32(&header, kind);
  wire_put_u64(&header, length);
  return put(w, header.data, header.length) != 0 || put(w, payload, length) != 0 ? -1 : 0;
}

/* ---- fields ---- */

static void put_string(buffer *b, const char *text) { wire_put_string(b, text, strlen(text)); }

static void put_sources(const capture_command *c, buffer *b) {
  wire_put_u32(b, (uint32_t)c->u.program.source_count);
  for (size_t i = 0; i < c->u.program.source_count; i++) {
    const capture_source *s = &c->u.program.sources[i];
    put_string(b, s->text);
    put_string(b, s->options);
    wire_put_u32(b, (uint32_t)s->header_count);
    for (size_t h = 0; h < s->header_count; h++) {
      put_string(b, s->headers[h].name);
      put_string(b, s->headers[h].text);
    }
  }
}

static void put_special(const capture_command *c, capture_field_type type, buffer *b) {
  if (type == FIELD_SOURCES) {
    put_sources(c, b);
  } else if (type == FIELD_PATTERN) {
    wire_put_u32(b, c->u.transfer.pattern_size);
    buffer_append(b, c->u.transfer.pattern, c->u.transfer.pattern_size);
  } else if (type == FIELD_DIGEST) {
    wire_put_u32(b, c->known ? 1 : 0);
    wire_put_u64(b, c->low);
    wire_put_u64(b, c->high);
  } else if (type == FIELD_VALUE && c->u.argument.kind == CAPTURE_VALUE) {
    buffer_append(b, c->u.argument.bytes, (size_t)c->u.argument.size);
  }
}

static void put_field(const capture_command *c, const capture_field *f, buffer *b) {
  const char *at = (const char *)c + f->offset;
  switch (f->type) {
    case FIELD_U32: wire_put_u32(b, *(const uint32_t *)(const void *)at); break;
    case FIELD_U64: wire_put_u64(b, *(const uint64_t *)(const void *)at); break;
    case FIELD_FLAG: wire_put_u32(b, *(const bool *)at ? 1 : 0); break;
    case FIELD_THREE:
      for (size_t i = 0; i < 3; i++) wire_put_u64(b, ((const uint64_t *)(const void *)at)[i]);
      break;
    case FIELD_STRING: put_string(b, *(char *const *)(const void *)at); break;
    case FIELD_COLOR: buffer_append(b, at, 16); break;
    default: put_special(c, f->type, b);
  }
}

static int put_command(const writing *w, const capture_command *c) {
  scoped_buffer payload = {0};
  for (size_t i = 0; i < CAPTURE_FIELDS_MOST && capture_fields[c->kind][i].type != FIELD_NONE; i++)
    put_field(c, &capture_fields[c->kind][i], &payload);
  return put_record(w, c->kind, payload.data, payload.length);
}

static void put_real(buffer *b, double value) {
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  wire_put_u64(b, bits);
}

static int put_expectation(const writing *w, const capture_expectation *x) {
  scoped_buffer payload = {0};
  put_string(&payload, x->name);
  wire_put_u32(&payload, x->number);
  wire_put_u32(&payload, x->lanes);
  wire_put_u32(&payload, x->used);
  wire_put_u64(&payload, x->first);
  wire_put_u32(&payload, x->blob);
  wire_put_u64(&payload, x->ulp);
  put_real(&payload, x->relative);
  put_real(&payload, x->absolute);
  return put_record(w, RECORD_EXPECT, payload.data, payload.length);
}

/* ---- the whole ---- */

static int put_start(const writing *w) {
  const capture *c = w->capture;
  buffer start = {0}, device = {0}, includes = {0};
  wire_put_u32(&start, CAPTURE_VERSION);
  put_string(&start, c->program);
  put_string(&start, c->directory);
  put_string(&device, c->device);
  for (size_t i = 0; i < c->include_count; i++)
    record_strings(&includes, RECORD_INCLUDE, 2, (const char *const[]){c->includes[i].path, c->includes[i].text});
  const bool fine = put(w, CAPTURE_MAGIC_RAW, CAPTURE_MAGIC_SIZE) == 0 &&
                    put_record(w, RECORD_START, start.data, start.length) == 0 &&
                    put_record(w, RECORD_DEVICE, device.data, device.length) == 0 &&
                    put(w, includes.data, includes.length) == 0;
  buffer_free(&start);
  buffer_free(&device);
  buffer_free(&includes);
  return fine ? 0 : -1;
}

static int put_end(const writing *w) {
  scoped_buffer end = {0};
  wire_put_u64(&end, w->capture->command_count);
  wire_put_u64(&end, w->capture->blob_count);
  return put_record(w, RECORD_END, end.data, end.length);
}

static int put_all(const writing *w) {
  const capture *c = w->capture;
  const capture_expectation *next = c->expectations, *behind = next + c->expectation_count;
  int result = put_start(w);
  for (size_t i = 0; i < c->blob_count && result == 0; i++)
    result = put_record(w, RECORD_BLOB, c->blobs[i].bytes, c->blobs[i].size);
  for (size_t i = 0; i < c->command_count && result == 0; i++) {
    result = put_command(w, &c->commands[i]);
    for (; result == 0 && next < behind && next->command == i; next++) result = put_expectation(w, next);
  }
  return result == 0 ? put_end(w) : -1;
}

int capture_write(const capture *c, const char *to, error *e) {
  writing w = {c, fopen(to, "wbe"), to, e};
  if (w.out == NULL) return error_set(e, EXIT_INTERNAL, "cannot write the capture %s: %s", to, strerror(errno));
  int result = put_all(&w);
  if (fclose(w.out) != 0 && result == 0)
    result = error_set(e, EXIT_INTERNAL, "cannot write the capture %s: %s", to, strerror(errno));
  return result;
}

/* The capture that is kept: the records of one, in a zstd frame, in a file that is there in full or not at all. */

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
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return failed(p);
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
    if (ZSTD_isError(left))
      return error_set(p->e, EXIT_INTERNAL, "cannot compress the capture %s: %s", p->to, ZSTD_getErrorName(left));
    if (write_all(p, room, out.pos) != 0) return -1;
  } while (in.pos < in.size || (how == ZSTD_e_end && left));
  return 0;
}

/* `size`: bytes that will come, which the frame says at its beginning. */
static int begin_frame(pack *p, uint64_t size) {
  p->frame = ZSTD_createCStream();
  if (p->frame == NULL || ZSTD_isError(ZSTD_CCtx_setParameter(p->frame, ZSTD_c_compressionLevel, LEVEL)) ||
      ZSTD_isError(ZSTD_CCtx_setParameter(p->frame, ZSTD_c_checksumFlag, 1)) ||
      ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(p->frame, size)))
    return error_set(p->e, EXIT_INTERNAL, "there is not enough memory to compress the capture %s", p->to);
  return write_all(p, CAPTURE_MAGIC_PACKED, CAPTURE_MAGIC_SIZE);
}

static int copy_packed(const pack *p, stream *from, uint64_t size) {
  unsigned char some[CHUNK];
  while (size) {
    size_t part = size < sizeof some ? (size_t)size : sizeof some;
    if (stream_bytes(from, some, part, p->e) != 0 || compress(p, some, part, ZSTD_e_continue) != 0) return -1;
    size -= part;
  }
  return 0;
}

/* `last`: how many bytes are before the end, and `more`: what is to be put there. */
static int write_frame(pack *p, stream *from, uint64_t last, const buffer *more) {
  if (begin_frame(p, last + more->length + RECORD_END_SIZE) == 0 && copy_packed(p, from, last) == 0 &&
      (more->length == 0 || compress(p, more->data, more->length, ZSTD_e_continue) == 0) &&
      copy_packed(p, from, RECORD_END_SIZE) == 0 && compress(p, NULL, 0, ZSTD_e_end) == 0)
    return 0;
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
  scoped char *name = mem_strdup(path);
  int fd = open(dirname(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    (void)fsync(fd);
    close(fd);
  }
}

static int take_place(pack *p) {
  int closed = fsync(p->fd);
  if (close(p->fd) != 0) closed = -1;
  p->fd = -1;
  if (closed != 0 || rename(p->temporary, p->to) != 0) return failed(p);
  sync_folder(p->to);
  return 0;
}

static int write_file(pack *p, stream *from, uint64_t last, const buffer *more) {
  if (open_temporary(p) != 0) return -1;
  int result = write_frame(p, from, last, more);
  if (result == 0) result = take_place(p);
  if (result != 0) {
    if (p->fd >= 0) close(p->fd);
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
  if (capture_scan(from, SCAN_COMMANDS, &read, &facts, e) != 0) return -1;
  if (facts.marked) /* what the file beside a raw capture says becomes a record of the packed one */
    record_strings(&more, RECORD_UNSUITABLE, 1, (const char *const[]){read.unsuitable});
  else if (!facts.packed && read.unsuitable == NULL)
    includes_write(&read, &more);
  int result = stream_open(&in, from, e);
  if (result == 0) result = write_file(&p, in, facts.last, &more);
  stream_close(in);
  buffer_free(&more);
  ZSTD_freeCStream(p.frame);
  free(p.temporary);
  capture_free(&read);
  return result;
}

/* A capture with another source: what its programs are built from is replaced, all else is copied, but for what the
 * program read where that is to be forgotten. */

typedef struct changing {
  stream *in;
  FILE *out;
  const char *to; /* its name */
  const char *old_text, *new_text;
  bool forget;
  size_t changed;
  error *e;
} changing;

static int write_changed(const changing *c, const void *bytes, size_t length) {
  return length == 0 || fwrite(bytes, 1, length, c->out) == length
             ? 0
             : error_set(c->e, EXIT_INTERNAL, "cannot write the capture %s: %s", c->to, strerror(errno));
}

static void add_number(buffer *b, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++) buffer_putc(b, (char)(value >> (8 * i) & 0xff));
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
  if (stream_take(c->in, (size_t)length, &payload, c->e) != 0) return -1;
  int result = decode(&program, CAPTURE_PROGRAM, payload, (size_t)length)
                   ? 0
                   : stream_damaged(c->in, c->e, "a program's fields are not those of its kind");
  free(payload);
  if (result != 0) return -1;
  buffer changed = {0}, header = {0};
  write_program(c, &program, &changed);
  add_number(&header, CAPTURE_PROGRAM, 4);
  add_number(&header, changed.length, 8);
  result =
      write_changed(c, header.data, header.length) != 0 || write_changed(c, changed.data, changed.length) != 0 ? -1 : 0;
  buffer_free(&header);
  buffer_free(&changed);
  command_free(&program);
  return result;
}

/* The digest stands at the end of the payload, with a flag in front that says whether it is known. */
static int forget_read(const changing *c, uint64_t length) {
  enum { DIGEST = 20, FLAG = 4 };
  unsigned char *payload = NULL;
  if (stream_take(c->in, (size_t)length, &payload, c->e) != 0) return -1;
  if (length >= DIGEST) memset(payload + length - DIGEST, 0, FLAG);
  const int result = write_changed(c, payload, (size_t)length);
  free(payload);
  return result;
}

static int copy_changed(const changing *c, uint64_t size) {
  unsigned char some[CHUNK];
  while (size > 0) {
    const size_t part = size < sizeof some ? (size_t)size : sizeof some;
    if (stream_bytes(c->in, some, part, c->e) != 0 || write_changed(c, some, part) != 0) return -1;
    size -= part;
  }
  return 0;
}

static int change_records(changing *c) {
  int result = write_changed(c, CAPTURE_MAGIC_RAW, CAPTURE_MAGIC_SIZE);
  for (bool more = true; result == 0 && more;) {
    unsigned char header[RECORD_HEADER];
    if (stream_bytes(c->in, header, sizeof header, c->e) != 0) return -1;
    const uint64_t kind = stream_number(header, 4), length = stream_number(header + 4, 8);
    more = kind != RECORD_END;
    if (kind == RECORD_EXPECT && c->forget) {
      result = stream_skip(c->in, length, c->e);
      continue;
    }
    if (kind == CAPTURE_PROGRAM) {
      result = change_program(c, length);
    } else {
      const bool read = c->forget && capture_is_read((capture_kind)kind);
      result =
          write_changed(c, header, sizeof header) != 0 || (read ? forget_read(c, length) : copy_changed(c, length)) != 0
              ? -1
              : 0;
    }
  }
  return result;
}

int capture_change(const char *from, const char *to, const capture_change_of *what, size_t *changed, error *e) {
  changing c = {.to = to, .old_text = what->old_text, .new_text = what->new_text, .forget = what->forget, .e = e};
  if (stream_open(&c.in, from, e) != 0) return -1;
  c.out = fopen(to, "wbe");
  int result = c.out == NULL ? error_set(e, EXIT_INTERNAL, "cannot write the capture %s: %s", to, strerror(errno))
                             : change_records(&c);
  if (c.out != NULL && fclose(c.out) != 0 && result == 0)
    result = error_set(e, EXIT_INTERNAL, "cannot write the capture %s: %s", to, strerror(errno));
  stream_close(c.in);
  *changed = c.changed;
  return result;
}
