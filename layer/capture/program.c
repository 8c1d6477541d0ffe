/* Programs: what they are made of is kept until they are built. An executable is recorded once its build is known to
 * have succeeded, or when its first kernel is made. */
#include <stdlib.h>
#include <string.h>

#include "layer/capture/layer.h"
#include "layer/common/builds.h"

static uint32_t count;

static const char *const binary_reason = "a program was made from a binary";
static const char *const unknown_reason = "a program was made of something that is not known";

static program *find(cl_program handle) { return (program *)object_find(OBJECT_PROGRAM, handle); }

/* ---- executables ---- */

static void executable_free(executable *r) {
  recipe_free(&r->recipe);
  *r = (executable){.number = CAPTURE_NONE};
}

static void executable_add(executable *r, unit *const *units, size_t added) {
  if (!units_add(&r->recipe.units, units, added)) r->foreign = unknown_reason;
}

/* For clBuildProgram. */
static executable executable_build(const program *p, const char *options) {
  executable r = {.number = CAPTURE_NONE};
  unit *u = unit_make(&p->source, options, 0, NULL, NULL);
  if (u != NULL)
    executable_add(&r, &u, 1);
  else
    r.foreign = unknown_reason;
  unit_release(u);
  return r;
}

/* What one input of a link is made of: a library's inputs take its place. */
static void executable_add_linked(executable *r, cl_program input) {
  program *p = find(input);
  if (p != NULL && p->source.compiled != NULL)
    executable_add(r, &p->source.compiled, 1);
  else if (p != NULL && p->kind == PROGRAM_LINKED && p->executable.recipe.units.count && p->executable.foreign == NULL)
    executable_add(r, p->executable.recipe.units.items, p->executable.recipe.units.count);
  else
    r->foreign = p != NULL && p->executable.foreign != NULL ? p->executable.foreign : unknown_reason;
}

static executable executable_link(const char *options, cl_uint num_inputs, const cl_program *inputs) {
  executable r = {.number = CAPTURE_NONE, .recipe = {.linked = true}};
  r.recipe.link_options = copy_text(options, options != NULL ? strlen(options) : 0);
  if (r.recipe.link_options == NULL) r.foreign = unknown_reason;
  for (cl_uint i = 0; inputs != NULL && i < num_inputs; i++) executable_add_linked(&r, inputs[i]);
  return r;
}

/* Its headers are to be freed. */
static bool describe(const unit *u, capture_source *to) {
  *to = (capture_source){.text = u->text, .options = u->options};
  to->headers = calloc(u->header_count + 1, sizeof *to->headers);
  for (; to->headers != NULL && to->header_count < u->header_count; to->header_count++) {
    const source_header *from = &u->headers[to->header_count];
    to->headers[to->header_count] = (capture_header){.name = from->name, .text = from->text};
  }
  return to->headers != NULL;
}

static void record_program(executable *r) {
  scoped capture_source *sources = calloc(r->recipe.units.count, sizeof *sources);
  bool complete = sources != NULL;
  for (size_t i = 0; complete && i < r->recipe.units.count; i++)
    complete = describe(r->recipe.units.items[i], &sources[i]);
  if (complete) {
    record(&(capture_command){.kind = CAPTURE_PROGRAM,
                              .u.program = {.linked = r->recipe.linked,
                                            .link_options = r->recipe.link_options,
                                            .sources = sources,
                                            .source_count = r->recipe.units.count}});
    r->number = count++;
  } else {
    unsuitable("the capture ran out of memory");
  }
  for (size_t i = 0; sources != NULL && i < r->recipe.units.count; i++) free(sources[i].headers);
}

uint32_t program_number(program *p) {
  executable *r = &p->executable;
  if (r->number == CAPTURE_NONE && (r->foreign != NULL || !r->recipe.units.count))
    unsuitable("%s", r->foreign != NULL ? r->foreign : unknown_reason);
  else if (r->number == CAPTURE_NONE)
    record_program(r);
  return r->number;
}

bool program_described(const program *p) {
  const executable *r = &p->executable;
  bool all = r->recipe.units.count != 0;
  for (size_t i = 0; all && i < r->recipe.units.count; i++)
    all = strstr(r->recipe.units.items[i]->options, "-cl-kernel-arg-info") != NULL;
  return all;
}

/* ---- records ---- */

static program *add(cl_program handle, program_kind kind) {
  program *p = calloc(1, sizeof *p);
  if (p == NULL) {
    unsuitable("the capture ran out of memory");
    return NULL;
  }
  p->kind = kind;
  p->executable.number = CAPTURE_NONE;
  object_add(&p->source.object, OBJECT_PROGRAM, handle, 1);
  return p;
}

static void dispose(program *p) {
  executable_free(&p->executable);
  source_free(&p->source);
  free(p);
}

void program_unhold(program *p) {
  if (object_unhold(&p->source.object)) dispose(p);
}

void program_after_fork(void) { count = 0; }

static cl_program CL_API_CALL create_with_source(cl_context handle, cl_uint parts, const char **strings,
                                                 const size_t *lengths, cl_int *status) {
  cl_program made = driver.clCreateProgramWithSource(handle, parts, strings, lengths, status);
  if (made == NULL || !record_begin()) return made;
  size_t length;
  char *text = join_strings(parts, strings, lengths, &length);
  program *p = add(made, text != NULL ? PROGRAM_SOURCE : PROGRAM_FOREIGN);
  if (p != NULL) {
    p->source.text = text;
    p->source.length = length;
    p->executable.foreign = text != NULL ? NULL : unknown_reason;
  } else {
    free(text);
  }
  record_end();
  return made;
}

/* Some programs only look at it: what cannot be captured is a kernel of it. */
static void foreign_made(cl_program made, const char *reason) {
  if (made == NULL || !record_begin()) return;
  program *p = add(made, PROGRAM_FOREIGN);
  if (p != NULL) p->executable.foreign = reason;
  record_end();
}

/* A binary of what was built from source before; `r` is taken. */
static void known_made(cl_program made, binary_kind kind, recipe *r) {
  if (record_begin()) {
    program *p = add(made, PROGRAM_LINKED);
    if (p != NULL && kind == BINARY_OBJECT) {
      p->source.compiled = r->units.items[0];
      r->units.count = 0; /* the reference is the program's */
    } else if (p != NULL) {
      p->executable.recipe = *r;
      *r = (recipe){0};
    }
    record_end();
  }
  recipe_free(r);
}

static cl_int CL_API_CALL get_info(cl_program handle, cl_program_info name, size_t size, void *value,
                                   size_t *size_ret) {
  cl_int result = driver.clGetProgramInfo(handle, name, size, value, size_ret);
  if (result == CL_SUCCESS && name == CL_PROGRAM_BINARIES && value != NULL && size > 0 && record_begin()) {
    const program *p = find(handle);
    if (p != NULL && p->executable.foreign == NULL)
      binaries_keep(handle, &p->executable.recipe, p->source.compiled, value);
    record_end();
  }
  return result;
}

static cl_program CL_API_CALL create_with_binary(cl_context handle, cl_uint num_devices, const cl_device_id *devices,
                                                 const size_t *lengths, const unsigned char **binaries,
                                                 cl_int *binary_status, cl_int *status) {
  cl_program made =
      driver.clCreateProgramWithBinary(handle, num_devices, devices, lengths, binaries, binary_status, status);
  recipe r = {0};
  const binary_kind kind =
      made != NULL && recording() ? binaries_find(num_devices, lengths, binaries, &r) : BINARY_UNKNOWN;
  if (kind == BINARY_UNKNOWN)
    foreign_made(made, binary_reason);
  else
    known_made(made, kind, &r);
  return made;
}

static cl_program CL_API_CALL create_with_built_in_kernels(cl_context handle, cl_uint num_devices,
                                                           const cl_device_id *devices, const char *names,
                                                           cl_int *status) {
  cl_program made = driver.clCreateProgramWithBuiltInKernels(handle, num_devices, devices, names, status);
  foreign_made(made, "kernels are built into the device");
  return made;
}

static cl_program CL_API_CALL create_with_il(cl_context handle, const void *il, size_t length, cl_int *status) {
  cl_program made = driver.clCreateProgramWithIL(handle, il, length, status);
  foreign_made(made, "a program was made from an intermediate language");
  return made;
}

static HOOK_RETAIN(retain_program, cl_program, clRetainProgram, OBJECT_PROGRAM)

    static cl_int CL_API_CALL release_program(cl_program handle) {
  if (record_begin()) {
    program *p = (program *)object_release(OBJECT_PROGRAM, handle);
    if (p != NULL) dispose(p);
    record_end();
  }
  return driver.clReleaseProgram(handle);
}

/* ---- building ---- */

/* A build under way. The program has its new executable, for a callback may make kernels before the call returns. */
typedef struct attempt {
  bool installed;
  executable old;
} attempt;

static attempt build_begin(cl_program handle, const char *options) {
  attempt a = {0};
  if (!record_begin()) return a;
  program *p = find(handle);
  if (p != NULL && p->kind == PROGRAM_SOURCE) {
    a.installed = true;
    a.old = p->executable;
    p->executable = executable_build(p, options);
  }
  record_end();
  return a;
}

/* A call that was refused leaves the program as it was. After one with a callback the program may be gone already. */
static void build_end(attempt *a, cl_program handle, cl_int result, bool callback) {
  if (!a->installed || !record_begin()) return;
  bool refused = result != CL_SUCCESS && result != CL_BUILD_PROGRAM_FAILURE;
  program *p = refused || !callback ? find(handle) : NULL;
  if (p != NULL && refused) {
    executable_free(&p->executable);
    p->executable = a->old;
  } else {
    executable_free(&a->old);
  }
  if (p != NULL && result == CL_SUCCESS) program_number(p);
  record_end();
}

static cl_int CL_API_CALL build(cl_program handle, cl_uint num_devices, const cl_device_id *devices,
                                const char *options, program_notify notify, void *user_data) {
  attempt a = build_begin(handle, options);
  cl_int result = driver.clBuildProgram(handle, num_devices, devices, options, notify, user_data);
  build_end(&a, handle, result, notify != NULL);
  return result;
}

/* Before a callback links it. A compilation that failed cannot be linked, so that it does not matter what it left. */
static void compile_begin(cl_program handle, const char *options, cl_uint num_headers, const cl_program *headers,
                          const char **header_names) {
  if (!record_begin()) return;
  program *p = find(handle);
  if (p != NULL && p->kind == PROGRAM_SOURCE && (!num_headers || (headers != NULL && header_names != NULL))) {
    unit *old = p->source.compiled;
    p->source.compiled = unit_make(&p->source, options, num_headers, headers, header_names);
    unit_release(old);
  }
  record_end();
}

static cl_int CL_API_CALL compile(cl_program handle, cl_uint num_devices, const cl_device_id *devices,
                                  const char *options, cl_uint num_headers, const cl_program *headers,
                                  const char **header_names, program_notify notify, void *user_data) {
  compile_begin(handle, options, num_headers, headers, header_names);
  return driver.clCompileProgram(handle, num_devices, devices, options, num_headers, headers, header_names, notify,
                                 user_data);
}

/* A clLinkProgram: whoever is first, its callback or its return, makes the record. */
typedef struct link_request {
  atomic_int references;
  program_notify notify;
  void *user_data;
  bool recorded;
  executable executable;
} link_request;

static void link_release(link_request *l) {
  if (atomic_fetch_sub(&l->references, 1) == 1) free(l);
}

static bool is_library(const executable *r) {
  return r->recipe.link_options != NULL && strstr(r->recipe.link_options, "-create-library") != NULL;
}

static void link_made(link_request *l, cl_program made, bool succeeded) {
  if (!record_begin()) return;
  program *p = made != NULL && !l->recorded ? add(made, PROGRAM_LINKED) : NULL;
  if (p != NULL) {
    p->executable = l->executable;
    if (succeeded && !is_library(&p->executable) && p->executable.foreign == NULL) program_number(p);
  } else if (!l->recorded) {
    executable_free(&l->executable);
  }
  l->recorded = true;
  record_end();
}

static void CL_CALLBACK link_done(cl_program made, void *data) {
  link_request *l = data;
  link_made(l, made, false);
  l->notify(made, l->user_data);
  link_release(l);
}

/* NULL: nothing is recorded. */
static link_request *link_begin(const char *options, cl_uint num_inputs, const cl_program *inputs,
                                program_notify notify, void *user_data) {
  link_request *l = recording() ? calloc(1, sizeof *l) : NULL;
  if (l == NULL || !record_begin()) {
    free(l);
    return NULL;
  }
  atomic_init(&l->references, notify != NULL ? 2 : 1);
  l->notify = notify;
  l->user_data = user_data;
  l->executable = executable_link(options, num_inputs, inputs);
  record_end();
  return l;
}

static cl_program CL_API_CALL link_programs(cl_context handle, cl_uint num_devices, const cl_device_id *devices,
                                            const char *options, cl_uint num_inputs, const cl_program *inputs,
                                            program_notify notify, void *user_data, cl_int *status) {
  link_request *l = link_begin(options, num_inputs, inputs, notify, user_data);
  if (l == NULL)
    return driver.clLinkProgram(handle, num_devices, devices, options, num_inputs, inputs, notify, user_data, status);
  cl_int result = CL_SUCCESS;
  cl_program made = driver.clLinkProgram(handle, num_devices, devices, options, num_inputs, inputs,
                                         notify != NULL ? link_done : NULL, notify != NULL ? l : user_data, &result);
  link_made(l, made, result == CL_SUCCESS && notify == NULL);
  link_release(l);
  if (status != NULL) *status = result;
  return made;
}

const guest_call program_calls[] = {
    CALL(clCreateProgramWithSource, create_with_source),
    CALL(clCreateProgramWithBinary, create_with_binary),
    CALL(clCreateProgramWithBuiltInKernels, create_with_built_in_kernels),
    CALL(clCreateProgramWithIL, create_with_il),
    CALL(clGetProgramInfo, get_info),
    CALL(clRetainProgram, retain_program),
    CALL(clReleaseProgram, release_program),
    CALL(clBuildProgram, build),
    CALL(clCompileProgram, compile),
    CALL(clLinkProgram, link_programs),
    {NULL, 0, NULL},
};
