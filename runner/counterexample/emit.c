/* OpenCL 1.2 without anything else: a function that fails loudly, memory, arguments, launches. */
#include "runner/counterexample/emit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "runner/engine/record.h"

enum { BYTES_A_LINE = 16, RUNS = 20 };

/* --- texts of the program ----------------------------------------------------------------------------------------- */

static const char head[] =
    "#define CL_TARGET_OPENCL_VERSION 120\n"
    "#include <CL/cl.h>\n"
    "#include <stdint.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "\n"
    "static void check(cl_int error, const char *what) {\n"
    "  if (error != CL_SUCCESS) {\n"
    "    fprintf(stderr, \"%s: OpenCL error %d\\n\", what, (int)error);\n"
    "    exit(2);\n"
    "  }\n"
    "}\n"
    "\n"
    "static char *read_file(const char *path) {\n"
    "  FILE *f = fopen(path, \"rb\");\n"
    "  if (f == NULL || fseek(f, 0, SEEK_END) != 0) {\n"
    "    fprintf(stderr, \"%s cannot be read: run this program in its folder\\n\", path);\n"
    "    exit(2);\n"
    "  }\n"
    "  long size = ftell(f);\n"
    "  char *text = calloc((size_t)size + 1, 1);\n"
    "  rewind(f);\n"
    "  if (text == NULL || fread(text, 1, (size_t)size, f) != (size_t)size) {\n"
    "    exit(2);\n"
    "  }\n"
    "  fclose(f);\n"
    "  return text;\n"
    "}\n"
    "\n"
    "static uint64_t digest(uint64_t before, const unsigned char *bytes, size_t size) {\n"
    "  for (size_t i = 0; i < size; i++) {\n"
    "    before = (before ^ bytes[i]) * UINT64_C(1099511628211);\n"
    "  }\n"
    "  return before;\n"
    "}\n"
    "\n"
    "static cl_kernel build(cl_context context, cl_device_id device) {\n"
    "  cl_int error;\n"
    "  char *text = read_file(FILE_NAME);\n"
    "  cl_program program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &error);\n"
    "  check(error, \"clCreateProgramWithSource\");\n"
    "  error = clBuildProgram(program, 1, &device, OPTIONS, NULL, NULL);\n"
    "  if (error != CL_SUCCESS) {\n"
    "    static char log[1 << 16];\n"
    "    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);\n"
    "    fprintf(stderr, \"%s\\n\", log);\n"
    "  }\n"
    "  check(error, \"clBuildProgram\");\n"
    "  cl_kernel kernel = clCreateKernel(program, KERNEL, &error);\n"
    "  check(error, \"clCreateKernel\");\n"
    "  clReleaseProgram(program);\n"
    "  free(text);\n"
    "  return kernel;\n"
    "}\n"
    "\n";

static const char tail[] =
    "int main(void) {\n"
    "  cl_platform_id platform;\n"
    "  cl_device_id device;\n"
    "  cl_int error;\n"
    "  check(clGetPlatformIDs(1, &platform, NULL), \"clGetPlatformIDs\");\n"
    "  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), \"clGetDeviceIDs\");\n"
    "  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);\n"
    "  check(error, \"clCreateContext\");\n"
    "  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);\n"
    "  check(error, \"clCreateCommandQueue\");\n"
    "  cl_kernel kernel = build(context, device);\n"
    "  uint64_t first = 0;\n"
    "  int different = 0;\n"
    "  for (int i = 0; i < RUNS; i++) {\n"
    "    uint64_t result = run(context, queue, kernel);\n"
    "    first = i == 0 ? result : first;\n"
    "    different += result != first;\n"
    "  }\n"
    "  printf(\"%d of %d runs gave another result than the first\\n\", different, RUNS);\n"
    "  clReleaseKernel(kernel);\n"
    "  clReleaseCommandQueue(queue);\n"
    "  clReleaseContext(context);\n"
    "  return different > 0 ? 1 : 0;\n"
    "}\n";

/* --- pieces ------------------------------------------------------------------------------------------------------- */

/* Text inside a comment: nothing in it ends the comment, or is no character. */
static void put_comment(buffer *out, const char *text) {
  for (const char *c = text; *c != '\0'; c++) {
    buffer_putc(out, (unsigned char)*c < ' ' || (*c == '*' && c[1] == '/') ? ' ' : *c);
  }
}

static void put_literal(buffer *out, const char *text) {
  buffer_putc(out, '"');
  for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\') {
      buffer_printf(out, "\\%c", *c);
    } else if (*c < ' ' || *c > '~' || *c == '?') {
      buffer_printf(out, "\\%03o", (unsigned)*c);
    } else {
      buffer_putc(out, (char)*c);
    }
  }
  buffer_putc(out, '"');
}

static void put_three(buffer *out, const char *name, const uint64_t *n) {
  buffer_printf(out, "static const size_t %s[3] = {%" PRIu64 ", %" PRIu64 ", %" PRIu64 "};\n", name, n[0], n[1], n[2]);
}

static const char *sight_of(const char *rule) {
  if (strcmp(rule, "data-race") == 0) {
    return "Look for runs whose results differ, on several devices: the two accesses have no order. Where none does,\n"
           "oclgrind --data-races ./PROGRAM says so all the same.";
  }
  if (strcmp(rule, "barrier-divergence") == 0) {
    return "Look for a run that hangs, crashes or gives another result on some device: not all work-items of a group\n"
           "meet the barrier. oclgrind ./PROGRAM says so.";
  }
  return "Look for a crash, or for another result on some device: an access is past the end of its buffer.\n"
         "oclgrind ./PROGRAM says so.";
}

static void put_introduction(const replica *r, const char *name, buffer *out) {
  const answer_finding *f = r->finding;
  buffer sentence = {0};
  record_sentence(f, &sentence);
  buffer_puts(out, "/* ");
  put_comment(out, buffer_text(&sentence));
  buffer_free(&sentence);
  buffer_printf(out, "\n *\n * Kernel ");
  put_comment(out, r->kernel);
  buffer_puts(out, " of ");
  put_comment(out, asked_text(r->source)->name);
  buffer_puts(out, ":\n");
  for (size_t i = 0; i < f->place_count; i++) {
    const answer_place *p = &f->places[i];
    buffer_puts(out, " *   ");
    put_comment(out, p->at.file);
    buffer_printf(out, ":%u: ", (unsigned)p->at.line);
    put_comment(out, p->access[0] != '\0' ? p->access : p->role);
    if (p->has_item) {
      buffer_printf(
          out, " by work-item (%" PRIu64 ", %" PRIu64 ", %" PRIu64 ") of group (%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")",
          p->local[0], p->local[1], p->local[2], p->group[0], p->group[1], p->group[2]);
    }
    buffer_putc(out, '\n');
  }
  buffer_printf(out, " *\n * Build and run, in this folder:\n *   cc -std=c99 %s.c -o %s -lOpenCL && ./%s\n *\n * ",
                name, name, name);
  for (const char *c = sight_of(f->rule); *c != '\0'; c++) {
    buffer_printf(out, *c == '\n' ? "\n * " : "%c", *c);
  }
  buffer_puts(out, " */\n");
}

/* --- arguments ---------------------------------------------------------------------------------------------------- */

static bool is_memory(const replica_argument *a) { return a->is->kind == PARAMETER_GLOBAL; }

/* Bytes of the memory that argument `index` and those that share it lie in. */
static uint64_t whole_size(const replica *r, size_t index) {
  uint64_t size = 0;
  for (size_t i = 0; i < r->count; i++) {
    const replica_argument *a = &r->arguments[i];
    const uint64_t end = a->offset + a->size;
    size = is_memory(a) && a->same_as == index && end > size ? end : size;
  }
  return size;
}

static void put_value(const replica_argument *a, size_t index, buffer *out) {
  buffer_printf(out, "static const unsigned char value_%zu[%" PRIu64 "] = { /* ", index, a->size);
  put_comment(out, a->is->type);
  buffer_putc(out, ' ');
  put_comment(out, a->is->name);
  buffer_puts(out, " */");
  for (uint64_t i = 0; i < a->size; i++) {
    buffer_printf(out, "%s0x%02x,", i % BYTES_A_LINE == 0 ? "\n    " : " ", (unsigned)a->bytes[i]);
  }
  buffer_puts(out, "\n};\n");
}

/* Contents of one argument, at its place in the memory `host`. */
static void put_contents(const replica_argument *a, size_t memory, buffer *out) {
  const uint64_t element = a->is->size, width = element < sizeof(int64_t) ? element : sizeof(int64_t);
  if (a->fill != FILL_ZERO && element > 0) {
    buffer_printf(out,
                  "  for (int64_t i = 0; i < %" PRIu64
                  "; i++) {\n"
                  "    int64_t number = %" PRId64
                  "%s;\n"
                  "    memcpy(host_%zu + %" PRIu64 " + %" PRIu64 " * (size_t)i, &number, %" PRIu64 ");\n  }\n",
                  a->size / element, a->from, a->fill == FILL_COUNTING ? " + i" : "", memory, a->offset, element,
                  width);
  }
  for (size_t i = 0; i < a->cell_count; i++) {
    const answer_cell *c = &a->cells[i];
    if (c->element < a->size / c->size) {
      buffer_printf(out, "  memcpy(host_%zu + %" PRIu64 ", &(int64_t){%" PRId64 "}, %u);\n", memory,
                    a->offset + c->element * c->size, c->value, (unsigned)c->size);
    }
  }
}

static void put_memory(const replica *r, size_t index, buffer *out) {
  const uint64_t size = whole_size(r, index);
  buffer_printf(out, "  unsigned char *host_%zu = calloc(%" PRIu64 ", 1);\n", index, size);
  buffer_printf(out, "  if (host_%zu == NULL) {\n    exit(2);\n  }\n", index);
  for (size_t i = 0; i < r->count; i++) {
    if (is_memory(&r->arguments[i]) && r->arguments[i].same_as == index) {
      put_contents(&r->arguments[i], index, out);
    }
  }
  buffer_printf(out,
                "  cl_mem memory_%zu = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, %" PRIu64
                ", host_%zu, &error); /* ",
                index, size, index);
  put_comment(out, r->arguments[index].is->name);
  buffer_puts(out, " */\n  check(error, \"clCreateBuffer\");\n");
}

static void put_argument(const replica_argument *a, size_t i, buffer *out) {
  if (a->is->kind == PARAMETER_VALUE) {
    buffer_printf(out, "  check(clSetKernelArg(kernel, %zu, sizeof value_%zu, value_%zu), \"clSetKernelArg\");\n", i, i,
                  i);
  } else if (a->is->kind == PARAMETER_LOCAL) {
    buffer_printf(out, "  check(clSetKernelArg(kernel, %zu, %" PRIu64 ", NULL), \"clSetKernelArg\");\n", i, a->size);
  } else if (a->offset > 0) {
    buffer_printf(out,
                  "  cl_mem part_%zu = clCreateSubBuffer(memory_%zu, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,\n"
                  "      &(cl_buffer_region){%" PRIu64 ", %" PRIu64
                  "}, &error);\n"
                  "  check(error, \"clCreateSubBuffer\");\n"
                  "  check(clSetKernelArg(kernel, %zu, sizeof part_%zu, &part_%zu), \"clSetKernelArg\");\n",
                  i, a->same_as, a->offset, a->size, i, i, i);
  } else {
    buffer_printf(out, "  check(clSetKernelArg(kernel, %zu, sizeof memory_%zu, &memory_%zu), \"clSetKernelArg\");\n", i,
                  a->same_as, a->same_as);
  }
}

static void put_result(const replica *r, size_t index, buffer *out) {
  const uint64_t size = whole_size(r, index);
  buffer_printf(out,
                "  check(clEnqueueReadBuffer(queue, memory_%zu, CL_TRUE, 0, %" PRIu64
                ", host_%zu, 0, NULL, NULL), \"clEnqueueReadBuffer\");\n"
                "  result = digest(result, host_%zu, %" PRIu64 ");\n",
                index, size, index, index, size);
  for (size_t i = 0; i < r->count; i++) {
    if (is_memory(&r->arguments[i]) && r->arguments[i].same_as == index && r->arguments[i].offset > 0) {
      buffer_printf(out, "  clReleaseMemObject(part_%zu);\n", i);
    }
  }
  buffer_printf(out, "  clReleaseMemObject(memory_%zu);\n  free(host_%zu);\n", index, index);
}

static void put_run(const replica *r, buffer *out) {
  buffer_puts(out,
              "/* One launch with fresh memory; a digest of all that it leaves there. */\n"
              "static uint64_t run(cl_context context, cl_command_queue queue, cl_kernel kernel) {\n"
              "  cl_int error = CL_SUCCESS;\n"
              "  uint64_t result = UINT64_C(14695981039346656037);\n");
  for (size_t i = 0; i < r->count; i++) {
    if (is_memory(&r->arguments[i]) && r->arguments[i].same_as == i) {
      put_memory(r, i, out);
    }
  }
  buffer_puts(out, "  (void)context;\n  (void)error;\n");
  for (size_t i = 0; i < r->count; i++) {
    put_argument(&r->arguments[i], i, out);
  }
  buffer_printf(out,
                "  check(clEnqueueNDRangeKernel(queue, kernel, %u, offset, global, local, 0, NULL, NULL),\n"
                "        \"clEnqueueNDRangeKernel\");\n"
                "  check(clFinish(queue), \"clFinish\");\n",
                (unsigned)r->dimensions);
  for (size_t i = 0; i < r->count; i++) {
    if (is_memory(&r->arguments[i]) && r->arguments[i].same_as == i) {
      put_result(r, i, out);
    }
  }
  buffer_puts(out, "  return result;\n}\n\n");
}

/* The text of NAME.c, for tests. */
static void emit_write(const replica *r, const char *name, buffer *out) {
  put_introduction(r, name, out);
  buffer file = {0};
  buffer_printf(&file, "%s.cl", name);
  const struct {
    const char *name, *value;
  } names[] = {{"FILE_NAME", buffer_text(&file)}, {"OPTIONS", asked_text(r->source)->options}, {"KERNEL", r->kernel}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    buffer_printf(out, "#define %s ", names[i].name);
    put_literal(out, names[i].value);
    buffer_putc(out, '\n');
  }
  buffer_free(&file);
  buffer_printf(out, "#define RUNS %d\n\n", RUNS);
  buffer_puts(out, head);
  put_three(out, "global", r->global);
  put_three(out, "local", r->local);
  put_three(out, "offset", r->offset);
  for (size_t i = 0; i < r->count; i++) {
    if (r->arguments[i].is->kind == PARAMETER_VALUE) {
      put_value(&r->arguments[i], i, out);
    }
  }
  buffer_putc(out, '\n');
  put_run(r, out);
  buffer_puts(out, tail);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static int write_file(const char *directory, const char *name, const char *end, const char *text, error *e) {
  buffer path = {0};
  buffer_printf(&path, "%s/%s%s", directory, name, end);
  FILE *f = fopen(buffer_text(&path), "wbe");
  bool written = f != NULL && fputs(text, f) >= 0;
  if (f != NULL) {
    written = fclose(f) == 0 && written;
  }
  const int result =
      written ? 0
              : error_set(e, EXIT_USAGE, "the test \"%s\" cannot be written: %s", buffer_text(&path), strerror(errno));
  buffer_free(&path);
  return result;
}

int emit_test(const replica *r, const char *directory, const char *name, error *e) {
  if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
    return error_set(e, EXIT_USAGE, "the folder \"%s\" of --emit-test cannot be made: %s", directory, strerror(errno));
  }
  buffer text = {0};
  emit_write(r, name, &text);
  const bool written = write_file(directory, name, ".c", buffer_text(&text), e) == 0 &&
                       write_file(directory, name, ".cl", asked_text(r->source)->text, e) == 0;
  buffer_free(&text);
  return written ? 0 : -1;
}
