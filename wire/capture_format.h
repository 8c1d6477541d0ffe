/* The records of a capture and their fields, as the layer writes them and capture_read reads them: the one place where
 * the two agree. docs/formats/capture.md has the same for people. */
#ifndef CLTC_WIRE_CAPTURE_FORMAT_H
#define CLTC_WIRE_CAPTURE_FORMAT_H

#include "wire/capture.h"

/* A record is {u32 kind, u64 bytes of its payload} and the payload. The kind is a capture_kind or one of these. */
enum {
  RECORD_START = 100, /* u32 version, string program, string directory: the first record */
  RECORD_DEVICE,      /* string: before the first command */
  RECORD_BLOB,        /* the bytes */
  RECORD_UNSUITABLE,  /* string: why; only the end may follow */
  RECORD_END,         /* u64 commands, u64 blobs: the last record */
  RECORD_INCLUDE,     /* string path, string text */
  RECORD_QUEUE,       /* flag in order */
  RECORD_CALL,        /* u32 function, u32 thread, u32 queue, flag blocking, u32 event, u32 memory, u64 flags,
                         u64 offset, u64 size, u32 count, so many times u32 event; string path, u64 address: where the
                         program makes it (left out by earlier versions) */
  RECORD_EXPECT       /* after a READ: string name, u32 number, u32 lanes, u32 used, u64 first, u32 blob, u64 ulp,
                         u64 bits of relative, u64 bits of absolute */
};

enum {
  CAPTURE_MAGIC_SIZE = 8,
  RECORD_HEADER = 12,
  RECORD_END_SIZE = RECORD_HEADER + 16,
  CAPTURE_ARGUMENTS_MOST = 4096, /* of a kernel */
};

/* The file of this name beside a raw capture says that another process of the program used OpenCL, too. */
#define CAPTURE_MORE ".more"

typedef enum capture_field_type {
  FIELD_NONE, /* there are no more */
  FIELD_U32,
  FIELD_U64,
  FIELD_FLAG,    /* bool; u32 0 or 1 */
  FIELD_THREE,   /* three u64 */
  FIELD_STRING,  /* char *; u32 length and bytes, none of them NUL */
  FIELD_COLOR,   /* 16 bytes */
  FIELD_PATTERN, /* of u.transfer: u32 size and bytes */
  FIELD_VALUE,   /* of u.argument: its `size` bytes if it is a CAPTURE_VALUE, else nothing */
  FIELD_SOURCES, /* of u.program: u32 count, each: string text, string options, u32 headers, each: string name, string
                    text */
  FIELD_DIGEST   /* flag known, u64 low, u64 high */
} capture_field_type;

typedef struct capture_field {
  capture_field_type type;
  size_t offset; /* in capture_command; of those above that do not say where they are */
} capture_field;

enum { CAPTURE_FIELDS_MOST = 13 };

#define FIELD_AT(type, member) \
  { type, offsetof(capture_command, u.member) }
#define U32(member) FIELD_AT(FIELD_U32, member)
#define U64(member) FIELD_AT(FIELD_U64, member)
#define FLAG(member) FIELD_AT(FIELD_FLAG, member)
#define THREE(member) FIELD_AT(FIELD_THREE, member)
#define STRING(member) FIELD_AT(FIELD_STRING, member)
#define COLOR(member) FIELD_AT(FIELD_COLOR, member)
#define SPECIAL(type) \
  { type, 0 }
#define AT_BYTES U32(transfer.at.memory), U64(transfer.at.offset), U64(transfer.size)
#define AT_REGION U32(transfer.at.memory), THREE(transfer.at.origin), THREE(transfer.region)
#define AT_PITCHES U64(transfer.at.row), U64(transfer.at.slice)
#define FROM_TO U32(transfer.at.memory), U32(transfer.to.memory)

static const capture_field capture_fields[CAPTURE_KINDS][CAPTURE_FIELDS_MOST] = {
    [CAPTURE_BUFFER] = {U64(buffer.flags), U64(buffer.size), U32(buffer.blob)},
    [CAPTURE_SUB_BUFFER] = {U32(sub_buffer.parent), U64(sub_buffer.flags), U64(sub_buffer.origin),
                            U64(sub_buffer.size)},
    [CAPTURE_IMAGE] = {U64(image.flags), U32(image.order), U32(image.data_type), U32(image.type), U64(image.width),
                       U64(image.height), U64(image.depth), U64(image.array_size), U32(image.buffer),
                       U64(image.row_pitch), U32(image.blob)},
    [CAPTURE_SAMPLER] = {U32(sampler.normalized), U32(sampler.addressing), U32(sampler.filter)},
    [CAPTURE_PROGRAM] = {FLAG(program.linked), STRING(program.link_options), SPECIAL(FIELD_SOURCES)},
    [CAPTURE_KERNEL] = {U32(kernel.program), STRING(kernel.name)},
    [CAPTURE_CLONE] = {U32(clone.kernel)},
    [CAPTURE_ARGUMENT] = {U32(argument.kernel), U32(argument.index), U32(argument.kind), U32(argument.object),
                          U64(argument.size), SPECIAL(FIELD_VALUE)},
    [CAPTURE_LAUNCH] = {U32(launch.kernel), U32(launch.dimensions), FLAG(launch.has_offset), FLAG(launch.has_local),
                        FLAG(launch.task), THREE(launch.offset), THREE(launch.global), THREE(launch.local)},
    [CAPTURE_WRITE] = {AT_BYTES, U32(transfer.blob)},
    [CAPTURE_WRITE_RECT] = {AT_REGION, AT_PITCHES, U32(transfer.blob)},
    [CAPTURE_WRITE_IMAGE] = {AT_REGION, U32(transfer.blob)},
    [CAPTURE_FILL] = {AT_BYTES, SPECIAL(FIELD_PATTERN)},
    [CAPTURE_FILL_IMAGE] = {AT_REGION, COLOR(transfer.pattern)},
    [CAPTURE_COPY] = {FROM_TO, U64(transfer.at.offset), U64(transfer.to.offset), U64(transfer.size)},
    [CAPTURE_COPY_RECT] = {FROM_TO, THREE(transfer.at.origin), THREE(transfer.to.origin), THREE(transfer.region),
                           AT_PITCHES, U64(transfer.to.row), U64(transfer.to.slice)},
    [CAPTURE_COPY_IMAGE] = {FROM_TO, THREE(transfer.at.origin), THREE(transfer.to.origin), THREE(transfer.region)},
    [CAPTURE_COPY_IMAGE_TO_BUFFER] = {FROM_TO, THREE(transfer.at.origin), THREE(transfer.region),
                                      U64(transfer.to.offset)},
    [CAPTURE_COPY_BUFFER_TO_IMAGE] = {FROM_TO, U64(transfer.at.offset), THREE(transfer.to.origin),
                                      THREE(transfer.region)},
    [CAPTURE_READ] = {AT_BYTES, SPECIAL(FIELD_DIGEST)},
    [CAPTURE_READ_RECT] = {AT_REGION, AT_PITCHES, SPECIAL(FIELD_DIGEST)},
    [CAPTURE_READ_IMAGE] = {AT_REGION, SPECIAL(FIELD_DIGEST)},
    [CAPTURE_RELEASE_MEMORY] = {U32(release.object)},
    [CAPTURE_RELEASE_KERNEL] = {U32(release.object)},
};

/* The command that follows a call; 0: none. */
static inline capture_kind capture_function_kind(capture_function function) {
  static const capture_kind kinds[FUNCTION_KINDS] = {
      [FUNCTION_LAUNCH] = CAPTURE_LAUNCH,
      [FUNCTION_TASK] = CAPTURE_LAUNCH,
      [FUNCTION_WRITE] = CAPTURE_WRITE,
      [FUNCTION_WRITE_RECT] = CAPTURE_WRITE_RECT,
      [FUNCTION_WRITE_IMAGE] = CAPTURE_WRITE_IMAGE,
      [FUNCTION_READ] = CAPTURE_READ,
      [FUNCTION_READ_RECT] = CAPTURE_READ_RECT,
      [FUNCTION_READ_IMAGE] = CAPTURE_READ_IMAGE,
      [FUNCTION_FILL] = CAPTURE_FILL,
      [FUNCTION_FILL_IMAGE] = CAPTURE_FILL_IMAGE,
      [FUNCTION_COPY] = CAPTURE_COPY,
      [FUNCTION_COPY_RECT] = CAPTURE_COPY_RECT,
      [FUNCTION_COPY_IMAGE] = CAPTURE_COPY_IMAGE,
      [FUNCTION_COPY_IMAGE_TO_BUFFER] = CAPTURE_COPY_IMAGE_TO_BUFFER,
      [FUNCTION_COPY_BUFFER_TO_IMAGE] = CAPTURE_COPY_BUFFER_TO_IMAGE,
  };
  return kinds[function];
}

#undef U32
#undef U64
#undef FLAG
#undef THREE
#undef STRING
#undef COLOR
#undef SPECIAL
#undef FIELD_AT
#undef AT_BYTES
#undef AT_REGION
#undef AT_PITCHES
#undef FROM_TO

_Static_assert(sizeof(capture_argument_kind) == sizeof(uint32_t), "it is read and written as a u32");

#endif
