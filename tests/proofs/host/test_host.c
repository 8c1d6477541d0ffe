/* Facts of planted host programs, tests/proofs/host/programs/: each says in its first lines what has to be found and what must not
 * be. `KERNEL: …` is about all launches of a kernel; there has to be one.
 *
 *   //+ KERNEL: FACT         a fact of each launch
 *   //- KERNEL: FACT         a fact of none
 *   //a KERNEL: NUMBER…      the memory objects of its arguments; -1: not known
 *   //o KERNEL: OPTIONS      what it is built with; … where that is not known
 *   //n KERNEL: OPTIONS      nobody says that it is built with these
 * In Python, which is left out where python3 is not there, they begin with ##. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "proofs/host/host.h"
#include "tests/fixtures/ok.h"

enum { LINE = 512, MOST_PROGRAMS = 64 };

static const char *folder(void) {
  static char path[4096];
  (void)snprintf(path, sizeof path, "%s/tests/proofs/host/programs", getenv("CLTC_SOURCE_DIR"));
  return path;
}

static bool has_fact(const host_launch *l, const char *expression) {
  bool found = false;
  for (size_t i = 0; i < l->fact_count && !found; i++) {
    buffer text = {0};
    expression_write(l->facts[i].expression, NULL, &text);
    found = strcmp(buffer_text(&text), expression) == 0;
    assert_true(!found || l->facts[i].line > 0);
    buffer_free(&text);
  }
  return found;
}

static void print_facts(const host_launch *l) {
  for (size_t i = 0; i < l->fact_count; i++) {
    buffer text = {0};
    expression_write(l->facts[i].expression, NULL, &text);
    print_error("    %s\n", buffer_text(&text));
    buffer_free(&text);
  }
}

static bool check_memory(const host_launch *l, const char *numbers) {
  char *end = NULL;
  size_t i = 0;
  for (; *numbers != '\0' && i < l->argument_count; i++) {
    if (l->arguments[i].memory != (int)strtol(numbers, &end, 10)) return false;
    numbers = end;
  }
  return *numbers == '\0' && i == l->argument_count;
}

static bool check(const host_launch *l, char what, const char *text) {
  switch (what) {
    case '+': return has_fact(l, text);
    case '-': return !has_fact(l, text);
    case 'a': return check_memory(l, text);
    default: return (l->options != NULL && strcmp(l->options, text) == 0) == (what == 'o');
  }
}

static int check_line(const host_facts *facts, const char *file, const char *line) {
  char kernel[LINE];
  const char *colon = strchr(line, ':');
  (void)snprintf(kernel, sizeof kernel, "%.*s", (int)(colon - line - 4), line + 4);
  const char *text = colon + 2;
  size_t launches = 0;
  int failed = 0;
  for (size_t i = 0; i < facts->launch_count; i++) {
    const host_launch *l = &facts->launches[i];
    if (l->kernel == NULL || strcmp(l->kernel, kernel) != 0) continue;
    launches++;
    if (!check(l, line[2], text)) {
      print_error("%s:%u: fails %s\n", file, l->line, line);
      print_facts(l);
      failed++;
    }
  }
  if (launches == 0) {
    print_error("%s: no launch of %s\n", file, kernel);
    failed++;
  }
  return failed;
}

static void test_program(void **state) {
  const char *file = *state;
  error e = {0};
  host_facts facts;
  char line[LINE];
  int failed = 0;
  const host_source source = {file, NULL, 0};
  OK(host_read(&(host_input){.sources = &source, .source_count = 1}, &facts, &e));
  FILE *f = fopen(file, "r");
  assert_non_null(f);
  while (fgets(line, sizeof line, f) != NULL && (strncmp(line, "//", 2) == 0 || strncmp(line, "##", 2) == 0)) {
    line[strcspn(line, "\n")] = '\0';
    if (line[2] != ' ') failed += check_line(&facts, file, line);
  }
  (void)fclose(f);
  host_free(&facts);
  assert_int_equal(failed, 0);
}

/* --- what is not of one program ----------------------------------------------------------------------------------- */

static void test_missing_file(void **state) {
  (void)state;
  error e = {0};
  host_facts facts;
  const host_source source = {"/nowhere/at/all.c", NULL, 0};
  assert_int_equal(host_read(&(host_input){.sources = &source, .source_count = 1}, &facts, &e), -1);
  assert_non_null(strstr(e.text, "/nowhere/at/all.c"));
  host_free(&facts);
  assert_int_equal(host_read(&(host_input){.compile_commands = "/nowhere/compile_commands.json"}, &facts, &e), -1);
  host_free(&facts);
}

static void test_options(void **state) {
  (void)state;
  error e = {0};
  host_facts facts;
  char file[4200];
  static const char *const options[] = {"-DSIDE=8"};
  (void)snprintf(file, sizeof file, "%s/constant.c", folder());
  const host_source source = {file, options, 0};
  OK(host_read(&(host_input){.sources = &source, .source_count = 1}, &facts, &e));
  assert_int_equal(facts.launch_count, 3);
  assert_int_equal(facts.launches[0].local[0], 64);
  assert_int_equal(facts.launches[0].groups[0], 16);
  assert_int_equal(facts.launches[0].groups[1], 1);
  assert_int_equal(facts.launches[2].local[0], 0);
  assert_int_equal(facts.launches[2].dimensions, 2);
  assert_string_equal(facts.launches[0].options, "");
  assert_true(facts.complete);
  assert_int_equal(facts.unknown_launches, 0);
  host_free(&facts);
}

static void test_compile_commands(void **state) {
  (void)state;
  error e = {0};
  host_facts facts;
  char name[] = "/tmp/cltc-host-XXXXXX";
  assert_non_null(mkdtemp(name));
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/compile_commands.json", name);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fprintf(f, "[{\"directory\": \"%s\", \"file\": \"relation.c\", \"command\": \"cc -O2 -c -o x.o relation.c\"}]\n",
          folder());
  (void)fclose(f);
  OK(host_read(&(host_input){.compile_commands = path}, &facts, &e));
  assert_int_equal(facts.launch_count, 1);
  assert_string_equal(facts.launches[0].kernel, "scale");
  assert_true(has_fact(&facts.launches[0], "get_global_size(0) == $1"));
  host_free(&facts);
  (void)remove(path);
  (void)remove(name);
}

int main(void) {
  struct CMUnitTest tests[MOST_PROGRAMS + 8] = {cmocka_unit_test(test_missing_file), cmocka_unit_test(test_options),
                                                cmocka_unit_test(test_compile_commands)};
  size_t count = 3;
  const bool has_python = system("python3 -c '' >/dev/null 2>&1") == 0;
  char *paths[MOST_PROGRAMS];
  size_t path_count = 0;
  DIR *d = opendir(folder());
  for (struct dirent *entry = d == NULL ? NULL : readdir(d); entry != NULL; entry = readdir(d)) {
    const char *dot = strrchr(entry->d_name, '.');
    const bool python = dot != NULL && strcmp(dot, ".py") == 0 && has_python;
    if (path_count < MOST_PROGRAMS && dot != NULL && (python || strcmp(dot, ".c") == 0 || strcmp(dot, ".cpp") == 0)) {
      buffer path = {0};
      buffer_printf(&path, "%s/%s", folder(), entry->d_name);
      paths[path_count] = buffer_take(&path);
      tests[count++] =
          (struct CMUnitTest){strrchr(paths[path_count], '/') + 1, test_program, NULL, NULL, paths[path_count]};
      path_count++;
    }
  }
  if (d != NULL) (void)closedir(d);
  const int failed = _cmocka_run_group_tests("host", tests, count, NULL, NULL);
  for (size_t i = 0; i < path_count; i++) free(paths[i]);
  return failed + (path_count == 0 ? 1 : 0);
}
