/* A pretended layer: composes each kind of message of wire/protocol.h, and reads the answers. */
#include "layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "wire/fields.h"
#include "wire/protocol.h"

/* --- programs --- */

typedef struct request {
  const char *text, *options, *header; /* "h.h", NULL: none */
  const char *second;                  /* linked with this source */
} request;

static const request own[] = {
    {"__kernel void k(__global int *a) { if (a[0] > 1) a[1] = 2; for (int i = 0; i < a[0]; i++) a[i]++; }\n", "", NULL,
     NULL},
    {"__kernel void b(__global int *a) { if (a[get_global_id(0)] > 1) barrier(CLK_LOCAL_MEM_FENCE); a[0] = 1; }\n"
     "__kernel void c(__global int *a) { barrier(CLK_GLOBAL_MEM_FENCE); a[0] = a[1] && a[2] ? 1 : 0; }\n",
     "-DN=4 -cl-std=CL1.2", NULL, NULL},
    {"#include \"h.h\"\n__kernel void h(__global int *a) { a[0] = twice(a[1]); }\n", "-I.",
     "int twice(int x) { return x > 0 ? x + x : 0; }\n", NULL},
    {"#if __OPENCL_VERSION__ >= 200\n__kernel void q(__global int *a) { a[0] = 1; }\n#endif\n"
     "#ifdef cl_khr_fp64\n__kernel void d(__global double *a) { a[0] = 1; }\n#else\n#define X 1\n#endif\n",
     "", NULL, NULL},
    {"int f(int);\n__kernel void l(__global int *a) { a[0] = f(a[0]); }\n", "-w", NULL,
     "int f(int x) { switch (x) { case 0: return 1; case 1: return 4; default: return x; } }\n"},
    {"__kernel void broken(__global int *a) { a[0] = ; }\n", "", NULL, NULL},
};
enum { OWN = sizeof own / sizeof *own };

static char **files;
static size_t file_count, file_capacity;

void layer_add_source(const char *path) {
  char part[4096];
  size_t n = 0;
  buffer text = {0};
  FILE *f = fopen(path, "rb");
  while (f != NULL && (n = fread(part, 1, sizeof part, f)) > 0) buffer_append(&text, part, n);
  if (f == NULL || text.length == 0) {
    fprintf(stderr, "%s cannot be read\n", path);
    exit(2);
  }
  fclose(f);
  *ARRAY_ADD(files, file_count, file_capacity) = buffer_take(&text);
}

void layer_forget_sources(void) {
  for (size_t i = 0; i < file_count; i++) free(files[i]);
  free(files);
}

static void put_text(buffer *b, const char *text) { wire_put_string(b, text, strlen(text)); }

static void put_source(buffer *b, const char *text, const char *options, const char *header) {
  put_text(b, text);
  put_text(b, options);
  wire_put_u32(b, header == NULL ? 0 : 1);
  if (header != NULL) {
    put_text(b, "h.h");
    put_text(b, header);
  }
}

static void say_instrument(layer *l, random_state *r, buffer *b) {
  if (!l->asking) {
    l->asked = fuzz_below(r, OWN + file_count);
    buffer_free(&l->facts);
    l->fact_count = l->rounds = 0;
  }
  const request one = l->asked < OWN ? own[l->asked] : (request){files[l->asked - OWN], "", NULL, NULL};
  put_text(b, "Device\nVendor\n1.0\nOpenCL C 1.2");
  put_text(b, l->directory);
  wire_put_u32(b, one.second == NULL ? 1 : 2);
  put_source(b, one.text, one.options, one.header);
  if (one.second != NULL) put_source(b, one.second, one.options, NULL);
  wire_put_u32(b, one.second != NULL);
  put_text(b, "");
  wire_put_u32(b, 0);
  wire_put_u32(b, l->fact_count);
  buffer_append(b, l->facts.data, l->facts.length);
  l->asking = true;
}

/* --- what is answered --- */

/* What follows for a kernel of this form; one that there is not is malformed. */
static void hear_form(wire_reader *in, uint32_t form) {
  switch (form) {
    case KERNEL_COUNTED:
      (void)wire_u32(in);
      (void)wire_u32(in);
      break;
    case KERNEL_GATED: (void)wire_u32(in); break;
    case KERNEL_MUTATED:
      free(wire_string(in, NULL));
      (void)wire_u32(in);
      (void)wire_u32(in);
      break;
    case KERNEL_CHECKED: {
      (void)wire_u32(in);
      for (uint32_t n = wire_u32(in); n > 0 && !in->failed; n--)
        for (int i = 0; i < 4; i++) (void)wire_u32(in);
      break;
    }
    default: in->failed = true;
  }
}

static bool hear_program(layer *l, wire_reader *in) {
  layer_program p = {.number = wire_u32(in)};
  for (uint32_t n = wire_u32(in); n > 0 && !in->failed; n--) {
    free(wire_string(in, NULL));
    free(wire_string(in, NULL));
  }
  p.kernels = wire_u32(in);
  for (uint32_t i = 0; i < p.kernels && !in->failed; i++) {
    free(wire_string(in, NULL));
    const uint32_t form = wire_u32(in);
    (void)wire_u32(in);
    const uint32_t words = wire_u32(in);
    if (i < LAYER_KERNELS) p.words[i] = words;
    hear_form(in, form);
  }
  p.kernels = p.kernels > LAYER_KERNELS ? LAYER_KERNELS : p.kernels;
  if (p.kernels > 0) *ARRAY_ADD(l->programs, l->count, l->capacity) = p;
  return !in->failed && in->left == 0;
}

static bool hear_questions(layer *l, random_state *r, wire_reader *in) {
  for (uint32_t n = wire_u32(in); n > 0 && !in->failed; n--) {
    size_t length = 0;
    wire_put_u32(&l->facts, wire_u32(in));
    char *expression = wire_string(in, &length);
    wire_put_string(&l->facts, expression, length);
    wire_put_u32(&l->facts, (uint32_t)fuzz_below(r, 2));
    free(expression);
    l->fact_count++;
  }
  l->asking = l->rounds++ < 20;
  return !in->failed && in->left == 0;
}

bool layer_hear(layer *l, random_state *r, uint32_t type, const void *payload, size_t length) {
  wire_reader in = {.at = payload, .left = length};
  if (type == MESSAGE_IS_NEEDLESS) return wire_u32(&in) <= 1 && !in.failed && in.left == 0;
  if (type != MESSAGE_INSTRUMENTED) return false;
  l->asking = false;
  switch (wire_u32(&in)) {
    case INSTRUMENTED_OK: return hear_program(l, &in);
    case INSTRUMENTED_QUESTIONS: return hear_questions(l, r, &in);
    case INSTRUMENTED_NOT: free(wire_string(&in, NULL)); return !in.failed && in.left == 0;
    default: return false;
  }
}

/* --- the other messages --- */

static const char *word(random_state *r) {
  static const char *const words[] = {"",         "clEnqueueNDRangeKernel", "clBuildProgram", "k",
                                      "a reason", "f.cl:1: error: no\n"};
  return words[fuzz_below(r, sizeof words / sizeof *words)];
}

static void put_words(random_state *r, buffer *b, uint32_t count) {
  const size_t kind = fuzz_below(r, 3);
  wire_put_u32(b, count);
  for (uint32_t i = 0; i < count; i++)
    wire_put_u32(b, kind == 0 ? 0 : kind == 1 ? UINT32_MAX : (uint32_t)random_next(r));
}

static void say_evidence(const layer *l, random_state *r, buffer *b) {
  const layer_program *p = &l->programs[fuzz_below(r, l->count)];
  const uint32_t kernel = (uint32_t)fuzz_below(r, p->kernels);
  wire_put_u32(b, p->number);
  wire_put_u32(b, kernel);
  wire_put_u64(b, fuzz_below(r, 100));
  wire_put_u32(b, (uint32_t)fuzz_below(r, 100));
  wire_put_u32(b, (uint32_t)fuzz_below(r, 100));
  wire_put_u32(b, (uint32_t)fuzz_below(r, l->tests + 1));
  put_words(r, b, p->words[kernel]);
}

static void say_of_program(layer *l, random_state *r, buffer *b, uint32_t type) {
  layer_program *p = &l->programs[fuzz_below(r, l->count)];
  wire_put_u32(b, p->number);
  if (type == MESSAGE_REFUSED) {
    put_text(b, word(r));
    *p = l->programs[--l->count]; /* it runs as the user wrote it */
  } else if (type == MESSAGE_LAUNCHING) {
    wire_put_u32(b, (uint32_t)fuzz_below(r, p->kernels));
  }
}

static void say_test_case(layer *l, random_state *r, buffer *b) {
  static const char *const names[] = {"t1", "t2", "a test of a longer name", "\xff\xfe", ""};
  const bool begins = l->tests == 0 || fuzz_below(r, 2) == 0;
  wire_put_u32(b, begins ? ++l->tests : 1 + (uint32_t)fuzz_below(r, l->tests));
  wire_put_u32(b, begins);
  wire_put_u32(b, (uint32_t)fuzz_below(r, 3));
  put_text(b, names[fuzz_below(r, sizeof names / sizeof *names)]);
  put_text(b, fuzz_below(r, 2) == 0 ? "" : "./program t1");
}

static void say_read(layer *l, random_state *r, buffer *b) {
  wire_put_u64(b, fuzz_below(r, 8) == 0 ? fuzz_below(r, 30) : l->reads++);
  put_text(b, fuzz_below(r, 2) == 0 ? "" : "k");
  wire_put_u32(b, (uint32_t)fuzz_below(r, 4));
  wire_put_u64(b, fuzz_below(r, 9));
  wire_put_u64(b, fuzz_below(r, 2));
  wire_put_u32(b, (uint32_t)fuzz_below(r, 2));
  wire_put_u64(b, 64);
  wire_put_u64(b, fuzz_below(r, 3));
  wire_put_u64(b, fuzz_below(r, 3));
  put_words(r, b, (uint32_t)fuzz_below(r, 20));
}

static void say_refusal(random_state *r, buffer *b) {
  put_text(b, word(r));
  put_text(b, word(r));
  wire_put_u32(b, 0U - (uint32_t)fuzz_below(r, 80));
  put_text(b, word(r));
  wire_put_u64(b, 1 + fuzz_below(r, 9));
  put_text(b, "");
  wire_put_u64(b, fuzz_below(r, 8));
}

static void say_unnoticed(random_state *r, buffer *b) {
  put_text(b, word(r));
  put_text(b, word(r));
  wire_put_u32(b, 0U - (uint32_t)fuzz_below(r, 80));
  put_text(b, word(r));
  put_text(b, word(r));
  for (int i = 0; i < 3; i++) wire_put_u32(b, (uint32_t)fuzz_below(r, 3));
}

static void say_overrun(const layer *l, random_state *r, buffer *b) {
  put_text(b, word(r));
  wire_put_u32(b, l->count > 0 && fuzz_below(r, 2) == 0 ? l->programs[0].number : NO_PROGRAM);
  for (int i = 0; i < 3; i++) wire_put_u32(b, (uint32_t)fuzz_below(r, 3));
  for (int i = 0; i < 4; i++) wire_put_u64(b, fuzz_below(r, 64));
  wire_put_u64(b, 64 + fuzz_below(r, 64));
}

static void say_alive(random_state *r, buffer *b) {
  const uint32_t count = (uint32_t)fuzz_below(r, 6);
  wire_put_u32(b, (uint32_t)fuzz_below(r, 4) != 0);
  wire_put_u64(b, count);
  wire_put_u32(b, count);
  for (uint32_t i = 0; i < count; i++) {
    for (int k = 0; k < 3; k++) wire_put_u64(b, fuzz_below(r, 8));
    wire_put_u32(b, (uint32_t)fuzz_below(r, ALIVE_KINDS));
    wire_put_u64(b, fuzz_below(r, 64));
    put_text(b, word(r));
    put_text(b, word(r));
    put_text(b, "");
    wire_put_u64(b, fuzz_below(r, 64));
  }
}

static void say_unawaited(random_state *r, buffer *b) {
  wire_put_u64(b, fuzz_below(r, 8));
  put_text(b, word(r));
  wire_put_u64(b, fuzz_below(r, 64));
  put_text(b, fuzz_below(r, 2) == 0 ? "" : word(r));
  put_text(b, "");
  wire_put_u64(b, fuzz_below(r, 8));
  wire_put_u32(b, (uint32_t)fuzz_below(r, 2));
  put_text(b, "");
  wire_put_u64(b, fuzz_below(r, 8));
}

static void say_words(const layer *l, random_state *r, buffer *b, uint32_t type) {
  const size_t texts = type == MESSAGE_FAILED ? 3 : type == MESSAGE_SKIPPED ? 2 : 1;
  if (type == MESSAGE_NOTE) wire_put_u32(b, l->count > 0 ? l->programs[0].number : NO_PROGRAM);
  for (size_t i = 0; i < texts; i++) put_text(b, word(r));
}

/* About a launch. */
static void say_question(const layer *l, random_state *r, buffer *b) {
  const uint32_t dimensions = 1 + (uint32_t)fuzz_below(r, 3), arguments = (uint32_t)fuzz_below(r, 6);
  const layer_program *p = &l->programs[fuzz_below(r, l->count)];
  wire_put_u32(b, p->number);
  wire_put_u32(b, (uint32_t)fuzz_below(r, p->kernels));
  wire_put_u32(b, dimensions);
  for (uint32_t i = 0; i < dimensions; i++) {
    wire_put_u64(b, fuzz_below(r, 3));
    wire_put_u64(b, 1 + fuzz_below(r, 64));
    wire_put_u64(b, fuzz_below(r, 9));
  }
  wire_put_u32(b, arguments);
  for (uint32_t i = 0; i < arguments; i++) {
    wire_put_u32(b, (uint32_t)fuzz_below(r, 3));
    wire_put_u64(b, fuzz_below(r, 64));
    wire_put_u64(b, fuzz_below(r, 512));
  }
}

/* Which message comes next: some are more frequent. */
static uint32_t choose(const layer *l, random_state *r) {
  static const uint32_t types[] = {MESSAGE_INSTRUMENT, MESSAGE_BUILT,        MESSAGE_BUILT,          MESSAGE_REFUSED,
                                   MESSAGE_SKIPPED,    MESSAGE_EVIDENCE,     MESSAGE_EVIDENCE,       MESSAGE_EVIDENCE,
                                   MESSAGE_NOTE,       MESSAGE_FAILED,       MESSAGE_LAUNCHING,      MESSAGE_LAUNCHING,
                                   MESSAGE_READ,       MESSAGE_READ,         MESSAGE_REQUEST_DENIED, MESSAGE_TEST_CASE,
                                   MESSAGE_TEST_CASE,  MESSAGE_CALL_REFUSED, MESSAGE_SHORT,          MESSAGE_SHARED,
                                   MESSAGE_NEEDLESS,   MESSAGE_UNNOTICED,    MESSAGE_OVERRUN,        MESSAGE_ALIVE,
                                   MESSAGE_RELEASED,   MESSAGE_UNAWAITED,    MESSAGE_AWAITED,        MESSAGE_UNORDERED};
  const uint32_t type = types[fuzz_below(r, sizeof types / sizeof *types)];
  const bool of_program = type == MESSAGE_BUILT || type == MESSAGE_REFUSED || type == MESSAGE_EVIDENCE ||
                          type == MESSAGE_LAUNCHING || type == MESSAGE_NEEDLESS;
  if (!l->greeted) return MESSAGE_HELLO;
  return l->asking || (of_program && l->count == 0) ? MESSAGE_INSTRUMENT : type;
}

static void say_hello(layer *l, buffer *b) {
  wire_put_u32(b, PROTOCOL_VERSION);
  wire_put_u32(b, 4711);
  buffer path = {0};
  buffer_printf(&path, "%s/program", l->directory);
  put_text(b, buffer_text(&path));
  buffer_free(&path);
  l->greeted = true;
}

static void say(layer *l, random_state *r, buffer *b, uint32_t type) {
  switch (type) {
    case MESSAGE_HELLO: say_hello(l, b); break;
    case MESSAGE_INSTRUMENT: say_instrument(l, r, b); break;
    case MESSAGE_EVIDENCE: say_evidence(l, r, b); break;
    case MESSAGE_TEST_CASE: say_test_case(l, r, b); break;
    case MESSAGE_READ: say_read(l, r, b); break;
    case MESSAGE_CALL_REFUSED: say_refusal(r, b); break;
    case MESSAGE_UNNOTICED: say_unnoticed(r, b); break;
    case MESSAGE_OVERRUN: say_overrun(l, r, b); break;
    case MESSAGE_ALIVE: say_alive(r, b); break;
    case MESSAGE_UNAWAITED: say_unawaited(r, b); break;
    case MESSAGE_AWAITED:
    case MESSAGE_RELEASED: wire_put_u64(b, fuzz_below(r, 8)); break;
    case MESSAGE_REQUEST_DENIED:
    case MESSAGE_SHORT: wire_put_u32(b, 4); break;
    case MESSAGE_SHARED:
    case MESSAGE_UNORDERED: break;
    case MESSAGE_NEEDLESS: say_question(l, r, b); break;
    case MESSAGE_NOTE:
    case MESSAGE_FAILED:
    case MESSAGE_SKIPPED: say_words(l, r, b, type); break;
    default: say_of_program(l, r, b, type); break;
  }
}

uint32_t layer_say(layer *l, random_state *r, buffer *out) {
  const uint32_t type = choose(l, r);
  buffer b = {0};
  wire_begin(&b, type);
  say(l, r, &b, type);
  wire_end(&b);
  buffer_append(out, b.data, b.length);
  buffer_free(&b);
  return type;
}

void layer_free(layer *l) {
  free(l->programs);
  buffer_free(&l->facts);
  *l = (layer){0};
}
