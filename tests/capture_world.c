/* Making captures by hand. */
#include "capture_world.h"

#include <stdlib.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "mutate/disjoint.h"

/* --- commands --------------------------------------------------------------------------------------------------------
 */

capture_command *add_command(world *w, capture_kind kind) {
  capture_command *c = &w->commands[w->capture.command_count++];
  assert_true(w->capture.command_count <= COMMANDS);
  *c = (capture_command){.kind = kind};
  return c;
}

void buffer_of(world *w, uint32_t blob) {
  capture_command *c = add_command(w, CAPTURE_BUFFER);
  c->u.buffer.size = 16;
  c->u.buffer.blob = blob;
}

void sub_buffer_of(world *w, uint32_t parent) {
  capture_command *c = add_command(w, CAPTURE_SUB_BUFFER);
  c->u.sub_buffer.parent = parent;
  c->u.sub_buffer.size = 8;
}

void program_of(world *w, size_t source) {
  capture_command *c = add_command(w, CAPTURE_PROGRAM);
  c->u.program.sources = &w->sources[source];
  c->u.program.source_count = 1;
  c->u.program.link_options = (char *)"";
}

void kernel_of(world *w, uint32_t program, const char *name) {
  capture_command *c = add_command(w, CAPTURE_KERNEL);
  c->u.kernel.program = program;
  c->u.kernel.name = (char *)name;
}

void memory_argument(world *w, uint32_t kernel, uint32_t memory) {
  capture_command *c = add_command(w, CAPTURE_ARGUMENT);
  c->u.argument.kernel = kernel;
  c->u.argument.kind = CAPTURE_MEMORY;
  c->u.argument.object = memory;
}

void value_argument(world *w, uint32_t kernel) {
  capture_command *c = add_command(w, CAPTURE_ARGUMENT);
  c->u.argument.kernel = kernel;
  c->u.argument.index = 1;
  c->u.argument.kind = CAPTURE_VALUE;
  c->u.argument.bytes = &w->value;
  c->u.argument.size = 1;
}

capture_command *launch(world *w, uint32_t kernel, uint64_t items) {
  capture_command *c = add_command(w, CAPTURE_LAUNCH);
  c->u.launch.kernel = kernel;
  c->u.launch.dimensions = 1;
  c->u.launch.global[0] = items;
  return c;
}

void write_to(world *w, uint32_t memory, uint32_t blob) {
  capture_command *c = add_command(w, CAPTURE_WRITE);
  c->u.bytes.memory = memory;
  c->u.bytes.size = 16;
  c->u.bytes.blob = blob;
}

void copy_from(world *w, uint32_t from, uint32_t to) {
  capture_command *c = add_command(w, CAPTURE_COPY);
  c->u.copy.from = from;
  c->u.copy.to = to;
  c->u.copy.size = 16;
}

void read_from(world *w, uint32_t memory, uint64_t seen) {
  capture_command *c = add_command(w, CAPTURE_READ);
  c->u.bytes.memory = memory;
  c->u.bytes.size = 16;
  c->known = true;
  c->low = seen;
}

/* --- worlds ----------------------------------------------------------------------------------------------------------
 */

void begin(world *w) {
  *w = (world){0};
  static char text[] =
      "kernel void a(global int *p, uchar v) { p[get_global_id(0)] = v; }\n"
      "kernel void b(global int *p, uchar v) { p[0] += v; }\n";
  w->source = (request_source){.text = text, .options = (char *)""};
  w->source.input = (pp_input){.name = "kernel.cl", .text = text, .length = sizeof text - 1};
  w->kernels[A].name = (char *)"a";
  w->kernels[B].name = (char *)"b";
  w->digests[A] = (char *)"digest of a";
  w->digests[B] = (char *)"digest of b";
  w->program.request = (program_request){.sources = &w->source, .source_count = 1, .link_options = (char *)""};
  w->program.schema = (mutate_result){
      .model = {.kernels = w->kernels, .kernel_count = 2}, .kernel_digests = w->digests, .kernel_digest_count = 2};
  w->programs[0] = &w->program;
  w->programs[1] = &w->other;
  w->campaign = (campaign){.programs = w->programs, .program_count = 1};
  for (size_t i = 0; i < 3; i++) {
    static unsigned char bytes[3][16] = {{1}, {2}, {3}};
    w->blobs[i] = (capture_blob){bytes[i], 16};
  }
  w->sources[0] = (capture_source){.text = w->source.text, .options = (char *)""};
  w->sources[1] = (capture_source){.text = (char *)"another text", .options = (char *)""};
  w->capture = (capture){.device = (char *)"device", .commands = w->commands, .blobs = w->blobs, .blob_count = 3};
}

void begin_with_objects(world *w) {
  begin(w);
  program_of(w, 0);
  buffer_of(w, 0);
  buffer_of(w, 1);
  kernel_of(w, 0, "a");
  kernel_of(w, 0, "b");
  memory_argument(w, A, 0);
  memory_argument(w, B, 1);
}

void world_free(world *w) {
  disjoint_free(w->program.disjoint);
  noted_free(&w->program);
  w->program.disjoint = NULL;
  w->program.noted = NULL;
  w->program.noted_count = w->program.noted_capacity = 0;
}
