/* Captures to requests: which launches, arguments, sizes, memory and facts the engine is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka needs these before it */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/files.h"
#include "proofs/client/request.h"
#include "proofs/sources/observe.h"

static const char text[] =
    "#include <h.h>\n"
    "struct pair { int a; char b; };\n"
    "kernel void k(global int *a, global const uint *index, int n, uint m, float f, struct pair p,\n"
    "              local float *t, TYPE c) { a[index[n]] = m; }\n"
    "kernel void other(constant int *a) { }\n";

/* --- a capture, command by command -------------------------------------------------------------------------------- */

enum { COMMANDS_MOST = 64 };

typedef struct made {
  capture capture;
  capture_command commands[COMMANDS_MOST];
} made;

static capture_command *add(made *m, capture_kind kind) {
  assert_true(m->capture.command_count < COMMANDS_MOST);
  capture_command *c = &m->commands[m->capture.command_count++];
  *c = (capture_command){.kind = kind};
  m->capture.commands = m->commands;
  return c;
}

static void add_buffer(made *m, uint64_t size, uint32_t blob) {
  capture_command *c = add(m, CAPTURE_BUFFER);
  c->u.buffer.size = size;
  c->u.buffer.blob = blob;
}

static void add_argument(made *m, uint32_t index, capture_argument_kind kind, void *bytes, uint64_t size,
                         uint32_t object) {
  capture_command *c = add(m, CAPTURE_ARGUMENT);
  c->u.argument.kernel = 0;
  c->u.argument.index = index;
  c->u.argument.kind = kind;
  c->u.argument.bytes = bytes;
  c->u.argument.size = size;
  c->u.argument.object = object;
}

static void add_launch(made *m, uint32_t kernel, uint64_t global, uint64_t local) {
  capture_command *c = add(m, CAPTURE_LAUNCH);
  c->u.launch.kernel = kernel;
  c->u.launch.dimensions = 1;
  c->u.launch.has_offset = c->u.launch.has_local = true;
  c->u.launch.offset[0] = 3;
  c->u.launch.global[0] = global;
  c->u.launch.local[0] = local;
}

static capture_header header = {"h.h", "#define TYPE char\n"};
static capture_source source = {(char *)text, "-DX=1", &header, 1};
static uint32_t permutation[] = {2, 0, 1, 3};
static unsigned char n_bytes[] = {0xff, 0xff, 0xff, 0xff}, pair_bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
static unsigned char f_bytes[] = {0, 0, 0x80, 0x3f}, c_bytes[] = {0xfe};

/* Buffers 0 (64 bytes), 1 (a permutation of 0..3), 2 (bytes 16 to 48 of 0); kernel 0 is k, 1 is other. */
static void make(made *m) {
  static capture_blob blob = {(unsigned char *)permutation, sizeof permutation};
  *m = (made){0};
  m->capture.directory = "/nowhere";
  m->capture.blobs = &blob;
  m->capture.blob_count = 1;
  add_buffer(m, 64, CAPTURE_NONE);
  add_buffer(m, sizeof permutation, 0);
  capture_command *c = add(m, CAPTURE_SUB_BUFFER);
  c->u.sub_buffer.parent = 0;
  c->u.sub_buffer.origin = 16;
  c->u.sub_buffer.size = 32;
  c = add(m, CAPTURE_PROGRAM);
  c->u.program.sources = &source;
  c->u.program.source_count = 1;
  c = add(m, CAPTURE_KERNEL);
  c->u.kernel.name = "k";
  c = add(m, CAPTURE_KERNEL);
  c->u.kernel.name = "other";
  add_argument(m, 0, CAPTURE_MEMORY, NULL, 0, 2);
  add_argument(m, 1, CAPTURE_MEMORY, NULL, 0, 1);
  add_argument(m, 2, CAPTURE_VALUE, n_bytes, 4, 0);
  add_argument(m, 3, CAPTURE_VALUE, n_bytes, 4, 0);
  add_argument(m, 4, CAPTURE_VALUE, f_bytes, 4, 0);
  add_argument(m, 5, CAPTURE_VALUE, pair_bytes, 8, 0);
  add_argument(m, 6, CAPTURE_LOCAL, NULL, 128, 0);
  add_argument(m, 7, CAPTURE_VALUE, c_bytes, 1, 0);
}

/* The request for what was observed; to be released with json_decref. */
static json_t *request_of(const made *m) {
  error e;
  char *scratch = scratch_open("/tmp", "cltestcheck-test", &e);
  assert_non_null(scratch);
  char *const nothing[] = {NULL};
  observation o = {0};
  assert_int_equal(observe_capture(&m->capture, scratch, nothing, &o, &e), 0);
  assert_int_equal(o.count, 1);
  buffer out = {0};
  const prove_options options = {.timeout = 30, .query_timeout = 10, .memory = 1 << 10, .jobs = 2};
  request_write(&o.sources[0], &options, NULL, &out);
  json_t *request = json_loads(buffer_text(&out), 0, NULL);
  assert_non_null(request);
  buffer_free(&out);
  asked_source_free(&o.sources[0]);
  free(o.sources);
  scratch_close(scratch);
  return request;
}

/* A part of a value, by keys and indices: "kernels/0/launches/1/arguments". */
static json_t *at(json_t *value, const char *path) {
  char copy[128];
  (void)snprintf(copy, sizeof copy, "%s", path);
  for (char *key = strtok(copy, "/"); key != NULL; key = strtok(NULL, "/"))
    value = json_is_array(value) ? json_array_get(value, strtoul(key, NULL, 10)) : json_object_get(value, key);
  return value;
}

static void assert_json(json_t *request, const char *path, const char *expected) {
  char *found = json_dumps(at(request, path), JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);
  if (found == NULL || strcmp(found, expected) != 0)
    fail_msg("%s is %s, not %s", path, found == NULL ? "nothing" : found, expected);
  free(found);
}

static void test_a_launch(void **state) {
  (void)state;
  made m;
  make(&m);
  add_launch(&m, 0, 64, 16);
  json_t *r = request_of(&m);
  assert_json(r, "kernels/0/kernel", "\"k\"");
  assert_json(r, "kernels/0/launches/0/count", "1");
  assert_json(r, "kernels/0/launches/0/local", "[16,1,1]");
  assert_json(r, "kernels/0/launches/0/groups", "[4,1,1]");
  assert_json(r, "kernels/0/launches/0/offset", "[3,0,0]");
  /* the same bytes are -1 as an int and 4294967295 as a uint */
  assert_json(r, "kernels/0/launches/0/arguments",
              "{\"c\":-2,\"f\":{\"bytes\":\"0000803f\"},\"m\":4294967295,\"n\":-1,"
              "\"p\":{\"bytes\":\"0102030405060708\"}}");
  assert_json(r, "kernels/0/launches/0/buffers",
              "{\"a\":{\"bytes\":32,\"contents\":[],\"memory\":0,\"offset\":16},"
              "\"index\":{\"bytes\":16,\"contents\":[\"distinct\",\"within:0:3\"],"
              "\"held\":\"02000000000000000100000003000000\",\"memory\":1,\"offset\":0,\"unsigned\":true},"
              "\"t\":{\"local_bytes\":128}}");
  json_decref(r);
}

/* What k may have written is not known to the next launch; what it reads only still is. */
static void test_launches_after_each_other(void **state) {
  (void)state;
  made m;
  make(&m);
  add_argument(&m, 0, CAPTURE_MEMORY, NULL, 0, 1); /* both are the same memory */
  add_launch(&m, 0, 64, 16);
  add_launch(&m, 0, 64, 16);
  add_launch(&m, 0, 64, 16);
  json_t *r = request_of(&m);
  assert_json(r, "kernels/0/launches/0/buffers/a/memory", "0");
  assert_json(r, "kernels/0/launches/0/buffers/index/memory", "0");
  assert_json(r, "kernels/0/launches/0/buffers/index/contents", "[\"distinct\",\"within:0:3\"]");
  assert_json(r, "kernels/0/launches/1/buffers/index/contents", "[]");
  assert_json(r, "kernels/0/launches/1/count", "2");
  json_decref(r);
}

static void test_only_what_was_launched(void **state) {
  (void)state;
  made m;
  make(&m);
  add_launch(&m, 1, 8, 8);
  add_launch(&m, 0, 10, 4); /* groups of 4, 4 and 2 */
  json_t *r = request_of(&m);
  assert_int_equal(json_array_size(json_object_get(r, "kernels")), 2);
  assert_json(r, "kernels/0/kernel", "\"other\"");
  assert_json(r, "kernels/0/launches/0/buffers", "{}"); /* its argument was never set */
  assert_json(r, "kernels/1/launches", "[]");
  json_decref(r);
}

static void test_headers_come_along(void **state) {
  (void)state;
  made m;
  make(&m);
  add_launch(&m, 1, 8, 8);
  json_t *r = request_of(&m);
  const char *options = json_string_value(json_object_get(r, "options"));
  assert_true(strncmp(options, "-I /tmp/cltestcheck-test", strlen("-I /tmp/cltestcheck-test")) == 0);
  assert_non_null(strstr(options, " -DX=1"));
  assert_json(r, "directory", "\"/nowhere\"");
  json_decref(r);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static void test_assumed(void **state) {
  (void)state;
  asked_source s;
  const char *assume[] = {"n > 0"};
  prove_options o = {.local.sizes = {64}, .groups.sizes = {0, 2}, .assume = {assume, 1, 1}};
  error e;
  asked_source_init(&s, "kernel void a() {}\nkernel void b(int n) {}\n", SIZE_MAX, "-DY", "/d", NULL);
  assert_int_equal(asked_source_read(&s, &e), 0);
  asked_source_choose(&s, &(kernel_choice){.exclude = {(const char *[]){"a"}, 1, 1}});
  buffer out = {0};
  request_write(&s, &o, NULL, &out);
  json_t *r = json_loads(buffer_text(&out), 0, NULL);
  assert_json(
      r, "kernels", /* all sizes of its one dimension are free */
      "[{\"assume\":[\"n > 0\"],\"dimensions\":1,\"groups\":[null,1,1],\"kernel\":\"b\",\"local\":[null,1,1]}]");
  json_decref(r);
  buffer_free(&out);
  o.local.dimensions = 1;
  o.groups.dimensions = 2;
  request_write(&s, &o, NULL, &out);
  r = json_loads(buffer_text(&out), 0, NULL);
  assert_json(r, "kernels/0/local", "[64,null,1]");
  assert_json(r, "kernels/0/groups", "[null,2,1]");
  assert_json(r, "kernels/0/dimensions", "2");
  json_decref(r);
  buffer_free(&out);
  asked_source_free(&s);
}

/* A proof is found again only where all is the same that it follows from. */
static void test_keys(void **state) {
  (void)state;
  static const char *const texts[] = {"kernel void a(int n) {}\n", "kernel void a(int n) { n = 1; }\n"};
  char keys[6][65];
  for (size_t i = 0; i < 6; i++) {
    asked_source s;
    error e;
    const prove_options o = {.no_benign = i == 3, .timeout = 1};
    asked_source_init(&s, texts[i == 1], SIZE_MAX, i == 2 ? "-DX" : "", i == 5 ? "/elsewhere" : "/d", NULL);
    assert_int_equal(asked_source_read(&s, &e), 0);
    asked_source_choose(&s, &(kernel_choice){0});
    request_key(&s, &o, &s.kernels[0], i == 4 ? "engine 2" : "engine 1", keys[i]);
    assert_int_equal(strlen(keys[i]), 64);
    asked_source_free(&s);
  }
  for (size_t i = 1; i < 5; i++) assert_string_not_equal(keys[0], keys[i]);
  assert_string_equal(keys[0], keys[5]); /* the text decides, not where it is */
}

/* Of a source that cannot be read no key is known, and every kernel is asked about. */
static void test_unreadable(void **state) {
  (void)state;
  asked_source s;
  error e;
  char key[65];
  const prove_options o = {0};
  const asked_kernel k = {.name = "a"};
  asked_source_init(&s, "#include \"not-there.h\"\nkernel void a() {}\n\xff", SIZE_MAX, "", "/d", NULL);
  assert_int_equal(asked_source_read(&s, &e), -1);
  assert_true(s.every);
  asked_source_choose(&s, &(kernel_choice){0});
  request_key(&s, &o, &k, "", key);
  assert_string_equal(key, "");
  buffer out = {0};
  request_write(&s, &o, NULL, &out);
  json_t *r = json_loads(buffer_text(&out), 0, NULL);
  assert_json(r, "kernels", "[]");
  assert_json(r, "source", "\"#include \\\"not-there.h\\\"\\nkernel void a() {}\\n?\"");
  json_decref(r);
  buffer_free(&out);
  asked_source_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_launch),
      cmocka_unit_test(test_launches_after_each_other),
      cmocka_unit_test(test_only_what_was_launched),
      cmocka_unit_test(test_headers_come_along),
      cmocka_unit_test(test_assumed),
      cmocka_unit_test(test_keys),
      cmocka_unit_test(test_unreadable),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
