/* Files that captured kernels include come along when a capture is packed; build options find them elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka needs these before it */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "frontend/preprocess.h"
#include "tests/fixtures/capture_fixture.h"

/* ---- packing ---- */

static const struct file {
  const char *path, *text;
} files[] = {
    {"/in.c/a.h", "#include \"../beside/b.h\"\n#include \"late.h\"\n"},
    {"/beside/b.h", "#define B 1\n"},
    {"/in.c/late.h", ""},
    {"/yes.h", "int yes;\n"},
    {"/no.h", "int no;\n"},
    {"/never.h", "int never;\n"},
};
enum { FILES = sizeof files / sizeof *files, INCLUDED = FILES - 1 };

static const char text[] =
    "#include <a.h>\n"
    "#ifdef cl_khr_fp64\n#include \"yes.h\"\n#else\n#include \"no.h\"\n#endif\n"
    "#if 0\n#include \"never.h\"\n#endif\n"
    "kernel void k() {}\n";

static char path[128];

static const char *in_folder(const char *name) {
  snprintf(path, sizeof path, "%s%s", capture_folder, name);
  return path;
}

static int put_files(void **state) {
  if (capture_set_up(state) != 0 || mkdir(in_folder("/in.c"), 0700) != 0 || mkdir(in_folder("/beside"), 0700) != 0)
    return -1;
  for (int i = 0; i < FILES; i++) file_put(in_folder(files[i].path), files[i].text, strlen(files[i].text));
  return 0;
}

static int remove_files(void **state) {
  for (int i = 0; i < FILES; i++) (void)unlink(in_folder(files[i].path));
  return rmdir(in_folder("/in.c")) == 0 && rmdir(in_folder("/beside")) == 0 ? capture_tear_down(state) : -1;
}

static void put_program(const char *source, const char *options) {
  raw r = {0};
  raw_start_in(&r, capture_folder);
  for (int i = 0; i < 2; i++) { /* the same files twice */
    raw_begin(&r, CAPTURE_PROGRAM);
    raw_u32(&r, 0);
    raw_string(&r, "");
    raw_u32(&r, 1);
    raw_string(&r, source);
    raw_string(&r, options);
    raw_u32(&r, 0);
    raw_end(&r);
  }
  raw_finish(&r);
  capture_put(&r);
  buffer_free(&r.bytes);
}

static capture read_packed(const char *from, const char *to) {
  capture c;
  error e = {0};
  assert_int_equal(capture_pack(from, to, &e), 0);
  assert_int_equal(capture_read(to, &c, &e), 0);
  return c;
}

static void check_includes(const capture *c) {
  assert_int_equal(c->command_count, 2);
  assert_int_equal(c->include_count, INCLUDED);
  for (int i = 0; i < INCLUDED; i++) {
    size_t found = 0;
    for (size_t k = 0; k < c->include_count; k++)
      if (!strcmp(c->includes[k].path, in_folder(files[i].path))) {
        assert_string_equal(c->includes[k].text, files[i].text);
        found++;
      }
    assert_int_equal(found, 1);
  }
}

static void test_packed(void **state) {
  const char *options[] = {"-I in.c", "-Ibeside/../in.c -DX", "-I \"./in.c\""};
  (void)state;
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    put_program(text, options[i]);
    capture c = read_packed(capture_file, capture_packed);
    check_includes(&c);
    capture_free(&c);
  }
}

/* What is in a packed capture stays, whatever is there now. */
static void test_packed_again(void **state) {
  (void)state;
  put_program(text, "-Iin.c");
  capture c = read_packed(capture_file, capture_packed);
  capture_free(&c);
  file_put(in_folder("/yes.h"), "int other;\n", 11);
  c = read_packed(capture_packed, capture_file);
  check_includes(&c);
  capture_free(&c);
  file_put(in_folder("/yes.h"), files[3].text, strlen(files[3].text));
}

/* What is not found is left to whoever builds it; the rest comes along. */
static void test_not_found(void **state) {
  (void)state;
  put_program("#include \"yes.h\"\n#include \"nowhere.h\"\n", "");
  capture c = read_packed(capture_file, capture_packed);
  assert_int_equal(c.include_count, 1);
  capture_free(&c);
  put_program("kernel void k() {}\n", "");
  c = read_packed(capture_file, capture_packed);
  assert_int_equal(c.include_count, 0);
  capture_free(&c);
}

/* ---- options ---- */

static void tell(void *context, const char *directory) { buffer_printf(context, "%s|", directory); }

static void test_options(void **state) {
  static const struct {
    const char *options, *moved, *told;
  } cases[] = {
      {"", "", ""},
      {"-DN=/usr -cl-fast-relaxed-math", "-DN=/usr -cl-fast-relaxed-math", ""},
      {"-I inc -I../x", "-I inc -I../x", "inc|../x|"},
      {"-I/usr/inc  -DX", "-I/root/usr/inc -DX", "/root/usr/inc|"},
      {"-I /usr/inc", "-I /root/usr/inc", "/root/usr/inc|"},
      {"-I \"/a b/c\" '-I/d e'", "-I \"/root/a b/c\" '-I/root/d e'", "/root/a b/c|/root/d e|"},
      {"-I/a\\ b", "-I/root/a\\ b", "/root/a b|"},
      {"-DI -I", "-DI -I", ""},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    buffer told = {0};
    char *moved = pp_options_below(cases[i].options, "/root", tell, &told);
    assert_string_equal(moved, cases[i].moved);
    assert_string_equal(buffer_text(&told), cases[i].told);
    free(moved);
    buffer_free(&told);
  }
}

/* ---- names ---- */

static void check_path(const char *root, const char *wanted) {
  const char source[] = "#include \"yes.h\"\n";
  const pp_input in = {
      .name = "k.cl", .text = source, .length = sizeof source - 1, .directory = capture_folder, .root = root};
  pp_result out;
  error e = {0};
  assert_int_equal(pp_run(&in, &out, &e), 0);
  assert_int_equal(out.file_count, 3);
  assert_string_equal(out.files[2].path, wanted);
  pp_result_free(&out);
}

static void test_root(void **state) {
  (void)state;
  check_path(capture_folder, "/yes.h");
  check_path(NULL, in_folder("/yes.h"));
  check_path("", in_folder("/yes.h"));
  check_path("/tm", in_folder("/yes.h")); /* the folder's name only begins so */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_packed),  cmocka_unit_test(test_packed_again), cmocka_unit_test(test_not_found),
      cmocka_unit_test(test_options), cmocka_unit_test(test_root),
  };
  return cmocka_run_group_tests(tests, put_files, remove_files);
}
