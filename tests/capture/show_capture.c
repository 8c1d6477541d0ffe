/* show_capture FILE [PACKED]: what capture_read makes of a file, a line a command, for the tests of the capture layer.
 * With a second name it also packs the capture there and says whether the packed one is the same and smaller. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/capture.h"

static const char *const names[CAPTURE_KINDS] = {
    [CAPTURE_BUFFER] = "buffer",
    [CAPTURE_SUB_BUFFER] = "sub-buffer",
    [CAPTURE_IMAGE] = "image",
    [CAPTURE_SAMPLER] = "sampler",
    [CAPTURE_PROGRAM] = "program",
    [CAPTURE_KERNEL] = "kernel",
    [CAPTURE_CLONE] = "clone",
    [CAPTURE_ARGUMENT] = "argument",
    [CAPTURE_LAUNCH] = "launch",
    [CAPTURE_WRITE] = "write",
    [CAPTURE_WRITE_RECT] = "write-rect",
    [CAPTURE_WRITE_IMAGE] = "write-image",
    [CAPTURE_FILL] = "fill",
    [CAPTURE_FILL_IMAGE] = "fill-image",
    [CAPTURE_COPY] = "copy",
    [CAPTURE_COPY_RECT] = "copy-rect",
    [CAPTURE_COPY_IMAGE] = "copy-image",
    [CAPTURE_COPY_IMAGE_TO_BUFFER] = "copy-image-to-buffer",
    [CAPTURE_COPY_BUFFER_TO_IMAGE] = "copy-buffer-to-image",
    [CAPTURE_READ] = "read",
    [CAPTURE_READ_RECT] = "read-rect",
    [CAPTURE_READ_IMAGE] = "read-image",
    [CAPTURE_RELEASE_MEMORY] = "release-memory",
    [CAPTURE_RELEASE_KERNEL] = "release-kernel",
};

/* A number, or "-" for none. */
static void put(const char *name, uint32_t number) {
  if (number == CAPTURE_NONE)
    printf(" %s=-", name);
  else
    printf(" %s=%" PRIu32, name, number);
}

static void put_three(const char *name, const uint64_t n[3]) {
  printf(" %s=%" PRIu64 ",%" PRIu64 ",%" PRIu64, name, n[0], n[1], n[2]);
}

/* The bytes of a blob: all of a short one, else its size. */
static void put_blob(const capture *c, uint32_t number) {
  if (number == CAPTURE_NONE) {
    printf(" blob=-");
    return;
  }
  const capture_blob *b = &c->blobs[number];
  printf(" blob=");
  for (size_t i = 0; i < b->size && b->size <= 16; i++) printf("%02x", b->bytes[i]);
  if (b->size > 16) printf("(%zu)", b->size);
}

static void put_lines(const char *name, const char *text) {
  printf(" %s=\"", name);
  for (; *text; text++) printf(*text == '\n' ? "\\n" : "%c", *text);
  printf("\"");
}

static void put_object(const capture *c, const capture_command *k) {
  if (k->kind == CAPTURE_BUFFER) {
    printf(" flags=%" PRIu64 " size=%" PRIu64, k->u.buffer.flags, k->u.buffer.size);
    put_blob(c, k->u.buffer.blob);
  } else if (k->kind == CAPTURE_SUB_BUFFER) {
    put("parent", k->u.sub_buffer.parent);
    printf(" origin=%" PRIu64 " size=%" PRIu64, k->u.sub_buffer.origin, k->u.sub_buffer.size);
  } else if (k->kind == CAPTURE_IMAGE) {
    const uint64_t size[3] = {k->u.image.width, k->u.image.height, k->u.image.depth};
    printf(" type=%x format=%x/%x", k->u.image.type, k->u.image.order, k->u.image.data_type);
    put_three("size", size);
    printf(" layers=%" PRIu64 " pitch=%" PRIu64, k->u.image.array_size, k->u.image.row_pitch);
    put("buffer", k->u.image.buffer);
    put_blob(c, k->u.image.blob);
  } else {
    printf(" normalized=%" PRIu32 " addressing=%x filter=%x", k->u.sampler.normalized, k->u.sampler.addressing,
           k->u.sampler.filter);
  }
}

static void put_program(const capture_command *k) {
  if (k->u.program.linked) put_lines("linked", k->u.program.link_options);
  for (size_t i = 0; i < k->u.program.source_count; i++) {
    const capture_source *s = &k->u.program.sources[i];
    put_lines("source", s->text);
    put_lines("options", s->options);
    for (size_t h = 0; h < s->header_count; h++) put_lines(s->headers[h].name, s->headers[h].text);
  }
}

static void put_argument(const capture_command *k) {
  static const char *const kinds[] = {"value", "local", "memory", "sampler"};
  put("kernel", k->u.argument.kernel);
  printf(" %" PRIu32 " %s", k->u.argument.index, kinds[k->u.argument.kind]);
  if (k->u.argument.kind >= CAPTURE_MEMORY)
    put("object", k->u.argument.object);
  else
    printf(" size=%" PRIu64, k->u.argument.size);
  if (k->u.argument.kind == CAPTURE_VALUE && k->u.argument.size <= 16) {
    printf(" ");
    for (uint64_t i = 0; i < k->u.argument.size; i++) printf("%02x", k->u.argument.bytes[i]);
  }
}

static void put_launch(const capture_command *k) {
  put("kernel", k->u.launch.kernel);
  printf(" dimensions=%" PRIu32 "%s", k->u.launch.dimensions, k->u.launch.task ? " task" : "");
  put_three("global", k->u.launch.global);
  if (k->u.launch.has_offset) put_three("offset", k->u.launch.offset);
  if (k->u.launch.has_local) put_three("local", k->u.launch.local);
}

static void put_bytes(const capture *c, const capture_command *k) {
  put("memory", k->u.transfer.at.memory);
  printf(" offset=%" PRIu64 " size=%" PRIu64, k->u.transfer.at.offset, k->u.transfer.size);
  if (k->kind == CAPTURE_WRITE) put_blob(c, k->u.transfer.blob);
  for (uint32_t i = 0; i < k->u.transfer.pattern_size; i++)
    printf(i ? "%02x" : " pattern=%02x", k->u.transfer.pattern[i]);
}

static void put_area(const capture *c, const capture_command *k) {
  put("memory", k->u.transfer.at.memory);
  put_three("origin", k->u.transfer.at.origin);
  put_three("region", k->u.transfer.region);
  if (k->u.transfer.at.row) printf(" row=%" PRIu64 " slice=%" PRIu64, k->u.transfer.at.row, k->u.transfer.at.slice);
  if (k->kind == CAPTURE_WRITE_RECT || k->kind == CAPTURE_WRITE_IMAGE) put_blob(c, k->u.transfer.blob);
  for (int i = 0; k->kind == CAPTURE_FILL_IMAGE && i < 16; i++)
    printf(i ? "%02x" : " color=%02x", k->u.transfer.pattern[i]);
}

static void put_copy(const capture_command *k) {
  put("from", k->u.transfer.at.memory);
  put("to", k->u.transfer.to.memory);
  printf(" offsets=%" PRIu64 ",%" PRIu64, k->u.transfer.at.offset, k->u.transfer.to.offset);
  if (k->kind == CAPTURE_COPY) {
    printf(" size=%" PRIu64, k->u.transfer.size);
    return;
  }
  put_three("from", k->u.transfer.at.origin);
  put_three("to", k->u.transfer.to.origin);
  put_three("region", k->u.transfer.region);
  if (k->kind == CAPTURE_COPY_RECT)
    printf(" pitches=%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, k->u.transfer.at.row, k->u.transfer.at.slice,
           k->u.transfer.to.row, k->u.transfer.to.slice);
}

static void show(const capture *c, const capture_command *k) {
  printf("%s", names[k->kind]);
  if (k->kind <= CAPTURE_SAMPLER) {
    put_object(c, k);
  } else if (k->kind == CAPTURE_PROGRAM) {
    put_program(k);
  } else if (k->kind == CAPTURE_KERNEL) {
    put("program", k->u.kernel.program);
    printf(" %s", k->u.kernel.name);
  } else if (k->kind == CAPTURE_CLONE) {
    put("kernel", k->u.clone.kernel);
  } else if (k->kind == CAPTURE_ARGUMENT) {
    put_argument(k);
  } else if (k->kind == CAPTURE_LAUNCH) {
    put_launch(k);
  } else if (k->kind == CAPTURE_WRITE || k->kind == CAPTURE_FILL || k->kind == CAPTURE_READ) {
    put_bytes(c, k);
  } else if (k->kind >= CAPTURE_COPY && k->kind <= CAPTURE_COPY_BUFFER_TO_IMAGE) {
    put_copy(k);
  } else if (k->kind >= CAPTURE_RELEASE_MEMORY) {
    put("object", k->u.release.object);
  } else {
    put_area(c, k);
  }
  if (k->kind >= CAPTURE_READ && k->kind <= CAPTURE_READ_IMAGE) {
    if (k->known)
      printf(" digest=%016" PRIx64 "%016" PRIx64, k->high, k->low);
    else
      printf(" unknown");
  }
  printf("\n");
}

static bool texts_equal(const capture *a, const capture *b) {
  return strcmp(a->device, b->device) == 0 && strcmp(a->program, b->program) == 0 &&
         strcmp(a->directory, b->directory) == 0 &&
         strcmp(a->unsuitable ? a->unsuitable : "", b->unsuitable ? b->unsuitable : "") == 0;
}

static bool blobs_equal(const capture *a, const capture *b) {
  bool equal = a->blob_count == b->blob_count && a->command_count == b->command_count;
  for (size_t i = 0; equal && i < a->blob_count; i++)
    equal = a->blobs[i].size == b->blobs[i].size && memcmp(a->blobs[i].bytes, b->blobs[i].bytes, a->blobs[i].size) == 0;
  for (size_t i = 0; equal && i < a->command_count; i++) equal = a->commands[i].kind == b->commands[i].kind;
  return equal;
}

static int pack(const capture *c, const char *from, const char *to, error *e) {
  capture packed;
  if (capture_pack(from, to, e) != 0 || capture_read(to, &packed, e) != 0) return -1;
  printf("packed: %s, %s\n", texts_equal(c, &packed) && blobs_equal(c, &packed) ? "the same" : "another",
         packed.stored_bytes < c->stored_bytes ? "smaller" : "not smaller");
  capture_free(&packed);
  return 0;
}

int main(int argc, char **argv) {
  capture c;
  error e;
  if (argc < 2) {
    fprintf(stderr, "usage: show_capture FILE [PACKED]\n");
    return 2;
  }
  if (capture_read(argv[1], &c, &e) != 0) {
    printf("error: %s\n", e.text);
    return 1;
  }
  for (size_t i = 0; i < c.command_count; i++) show(&c, &c.commands[i]);
  printf("device known: %s\n", c.device[0] ? "yes" : "no");
  if (c.unsuitable) printf("unsuitable: %s\n", c.unsuitable);
  int result = argc > 2 ? pack(&c, argv[1], argv[2], &e) : 0;
  capture_free(&c);
  if (result != 0) printf("error: %s\n", e.text);
  return result != 0;
}
