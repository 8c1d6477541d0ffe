/* What the engine knows of the language: each function that clang declares for OpenCL C, and each instruction of LLVM, has a row that
 * names the tests that show what it says; these are there.
 *   test_known TESTS RESOURCES LLVM: the folder of tests, clang's headers, those of LLVM's C interface */
#include <ctype.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proofs/verify/module.h"
#include "proofs/verify/proof.h"

static const char *tests, *resources, *llvm;

static void assert_shown(const char *what, const char *shown) {
  static const char *const patterns[] = {"%s/proofs/verify/cases/%s*.cl", "%s/cases/verify/%s*.cl",
                                         "%s/proofs/verify/%s*.c"};
  if (shown == NULL) fail_msg("nothing is known of %s", what);
  bool found = false;
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns && !found; i++) {
    char path[4096];
    glob_t g;
    (void)snprintf(path, sizeof path, patterns[i], tests, shown);
    found = glob(path, 0, NULL, &g) == 0;
    globfree(&g);
  }
  if (!found) fail_msg("there is no test %s, which is to show what is known of %s", shown, what);
}

static FILE *open_in(const char *folder, const char *name) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "r");
  if (f == NULL) fail_msg("%s cannot be read", path);
  return f;
}

/* "float4 __ovld __cnfn acos(float4);": a declaration ends a name with a bracket. */
static void test_functions(void **unused) {
  (void)unused;
  static const char *const no_names[] = {"defined", "__attribute__", "sizeof", "vec_step", "deprecated"};
  FILE *f = open_in(resources, "opencl-c.h");
  char line[4096];
  unsigned count = 0;
  while (fgets(line, sizeof line, f) != NULL) {
    char *bracket = strchr(line, '(');
    char *end = bracket;
    while (end != NULL && end > line && (isalnum((unsigned char)end[-1]) || end[-1] == '_')) end--;
    bool is_name = end != NULL && end < bracket && strstr(line, "__ovld") != NULL && strstr(line, "//") != line;
    for (size_t i = 0; i < sizeof no_names / sizeof *no_names && is_name; i++)
      is_name = (size_t)(bracket - end) != strlen(no_names[i]) || strncmp(end, no_names[i], strlen(no_names[i])) != 0;
    if (is_name) {
      *bracket = '\0';
      assert_shown(end, call_shown(end));
      count++;
    }
  }
  (void)fclose(f);
  assert_in_range(count, 10000, 100000);
}

/* "  LLVMRet            = 1,": in the first list of Core.h that begins so. */
static void test_instructions(void **unused) {
  (void)unused;
  FILE *f = open_in(llvm, "llvm-c/Core.h");
  char line[4096], name[64];
  unsigned count = 0;
  int number = 0;
  while (fgets(line, sizeof line, f) != NULL && strstr(line, "LLVMOpcode;") == NULL) {
    if (sscanf(line, " %63[A-Za-z0-9] = %d", name, &number) == 2 && strncmp(name, "LLVM", 4) == 0) {
      assert_shown(name, execute_shown((LLVMOpcode)number));
      count++;
    }
  }
  (void)fclose(f);
  assert_in_range(count, 60, 100);
}

/* Each kind of attribute, and each kind of metadata that LLVM has by itself: the next that is made shows how many these are. */
static void test_attributes(void **unused) {
  (void)unused;
  const unsigned last = LLVMGetLastEnumAttributeKind();
  assert_in_range(last, 80, 500);
  for (unsigned kind = 1; kind < last; kind++)
    if (!attributes_has(kind)) fail_msg("nothing is known of LLVM's attribute %u", kind);
  assert_false(attributes_has(last)); /* the end of the list */
  const LLVMContextRef context = LLVMContextCreate();
  const unsigned count = LLVMGetMDKindIDInContext(context, "cltc.none", 9);
  assert_in_range(count, 40, 200);
  for (unsigned kind = 0; kind < count; kind++)
    if (!attributes_has_metadata(context, kind)) fail_msg("nothing is known of LLVM's metadata %u", kind);
  assert_false(attributes_has_metadata(context, count));
  LLVMContextDispose(context);
}

/* What is not known, or only looks like a name of OpenCL C. */
static void test_unknown(void **unused) {
  (void)unused;
  static const char *const names[] = {"clock_read",
                                      "get_random",
                                      "vload5",
                                      "vstore_half4_rtx",
                                      "convert_int4_sat_rtx",
                                      "convert_foo",
                                      "atomic_twice",
                                      "native_clock",
                                      "work_group_sum",
                                      "sub_group_",
                                      "min3",
                                      "llvm.unheard.of",
                                      "read_imagex",
                                      "get_image_",
                                      "async_work_group_move",
                                      "_convert_int",
                                      "convert_",
                                      ""};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (call_shown(names[i]) != NULL) fail_msg("%s is taken for something known", names[i]);
  assert_null(execute_shown((LLVMOpcode)200));
}

int main(int argc, char **argv) {
  if (argc != 4) {
    (void)fprintf(stderr, "usage: test_known TESTS RESOURCES LLVM\n");
    return 2;
  }
  tests = argv[1];
  resources = argv[2];
  llvm = argv[3];
  const struct CMUnitTest all[] = {cmocka_unit_test(test_functions), cmocka_unit_test(test_instructions),
                                   cmocka_unit_test(test_attributes), cmocka_unit_test(test_unknown)};
  return cmocka_run_group_tests(all, NULL, NULL);
}
