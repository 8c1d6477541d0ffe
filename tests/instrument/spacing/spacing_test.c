/* White space between tokens means nothing, so the tool must make the same of a source whatever is there:
 *
 *   spacing_test FOLDER COUNT [FIRST]     the kernel files of the folder, and COUNT random programs
 *   spacing_test FILE.cl…                 these
 *
 * Each source is written anew with a blank between all tokens, with the least white space, and with each token on a
 * line of its own. In every form (for coverage, with the gate, as schema, as clones) the texts must have the same
 * tokens, and so must the user's files with each mutant written into them. Coverage records more where there are more
 * lines: there the front end must take the text. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "forms.h"
#include "generator.h"
#include "respace.h"
#include "tests/fixtures/constructs_comments.h"

enum { MAX_MUTANTS = 24 };

static size_t failed, compared, mutants_compared;

/* --- comparing texts ---------------------------------------------------------------------------------------------- */

/* The next token that is not of a #line directive. */
static const char *next_word(const char **at, const char **begin) {
  for (;;) {
    bool line_start = false;
    const char *end = next_token(at, begin, &line_start);
    if (end == NULL || strncmp(*begin, "#", 1) != 0 || strncmp(*begin, "#line ", 6) != 0) return end;
    *at = *begin + strcspn(*begin, "\n");
  }
}

/* Whether they are one token; white space in literals may come from the operator #. */
static bool same(const char *a, const char *a_end, const char *b, const char *b_end) {
  const bool literal = *a == '"';
  while (a < a_end && b < b_end)
    if (literal && *a == ' ' && *a != *b)
      a++;
    else if (literal && *b == ' ' && *a != *b)
      b++;
    else if (*a++ != *b++)
      return false;
  return a == a_end && b == b_end;
}

/* NULL, or where the second text goes on otherwise than the first. */
static const char *difference(const char *first, const char *second, const char **wanted) {
  const char *a = NULL, *b = NULL;
  for (;;) {
    const char *a_end = next_word(&first, &a), *b_end = next_word(&second, &b);
    if (a_end == NULL && b_end == NULL) return NULL;
    if (a_end == NULL || b_end == NULL || !same(a, a_end, b, b_end)) {
      *wanted = a;
      return b;
    }
  }
}

static void compare(const char *name, const char *form, const char *as_was, const char *respaced) {
  char *first = without_splices(as_was), *second = without_splices(respaced);
  const char *wanted = NULL, *found = difference(first, second, &wanted);
  compared++;
  if (found != NULL) {
    const size_t before = (size_t)(found - second) < 60 ? (size_t)(found - second) : 60;
    printf("FAIL %s, %s: \"%.100s\" instead of \"%.40s\"\n", name, form, found - before, wanted);
    failed++;
  }
  free(first);
  free(second);
}

/* --- mutants ------------------------------------------------------------------------------------------------------ */

/* The user's file with the mutant written into it. */
static char *written_out(const mutate_result *r, const mutant *m) {
  const model_file *file = &r->model.files[m->file];
  buffer out = {0};
  buffer_append(&out, file->text, m->offset);
  buffer_puts(&out, m->replacement);
  buffer_append(&out, file->text + m->end_offset, file->length - m->end_offset);
  return buffer_take(&out);
}

/* Of files that are not respaced (headers) nothing is learnt. */
static void compare_mutants(const char *name, const mutate_result *as_was, const mutate_result *respaced) {
  if (as_was->mutant_count != respaced->mutant_count) {
    printf("FAIL %s: %zu mutants instead of %zu\n", name, respaced->mutant_count, as_was->mutant_count);
    failed++;
    return;
  }
  const size_t before = failed;
  const size_t step = as_was->mutant_count / MAX_MUTANTS + 1;
  for (size_t i = 0; i < as_was->mutant_count && failed == before; i += step) {
    const mutant *m = &respaced->mutants[i];
    if (m->file == 0 && m->description == NULL) {
      char label[80], *first = written_out(as_was, &as_was->mutants[i]), *second = written_out(respaced, m);
      (void)snprintf(label, sizeof label, "mutant %u in the user's file", m->number);
      compare(name, label, first, second);
      mutants_compared++;
      free(first);
      free(second);
    }
  }
}

/* --- forms ---------------------------------------------------------------------------------------------------------
 */

static void check_clean(const char *name, int form, const forms *f) {
  char *message = form_fault(f, form);
  compared++;
  if (message != NULL) {
    printf("FAIL %s, %s: %s\n", name, form_names[form], message);
    failed++;
  }
  free(message);
}

/* Against the text with blanks. */
static void compare_form(const char *name, int form, bool lines_differ, const forms *blanks, const forms *respaced) {
  if (blanks->refused[form] && respaced->refused[form]) return;
  if (lines_differ && !blanks->refused[form] && !respaced->refused[form])
    check_clean(name, form, respaced);
  else
    compare(name, form_names[form], blanks->texts[form], respaced->texts[form]);
}

static void compare_forms(const char *name, bool has_lines, bool lines_count, const forms *blanks,
                          const forms *respaced) {
  const size_t before = failed;
  for (int form = 0; form < FORM_COUNT; form++) {
    const bool coverage = form == FORM_COVERAGE || form == FORM_GATE;
    compare_form(name, form, has_lines && (coverage || lines_count), blanks, respaced);
  }
  if (failed == before) compare_mutants(name, &blanks->found, &respaced->found);
}

/* --- sources ----------------------------------------------------------------------------------------------------- */

static void make_respaced(const pp_input *in, spacing how, forms *out) {
  char *text = respace(in->text, how);
  pp_input other = *in;
  other.text = text;
  other.length = strlen(text);
  make_forms(&other, out);
  free(text);
}

static void test_source(const pp_input *in) {
  forms blanks;
  make_respaced(in, SPACING_BLANKS, &blanks);
  const bool lines_count = strstr(in->text, "__LINE__") != NULL;
  for (int how = SPACING_LEAST; how < SPACING_COUNT; how++) {
    char name[400];
    forms respaced;
    make_respaced(in, (spacing)how, &respaced);
    (void)snprintf(name, sizeof name, "%s (%s)", in->name, spacing_names[how]);
    compare_forms(name, how == SPACING_LINES, lines_count, &blanks, &respaced);
    free_forms(&respaced);
  }
  free_forms(&blanks);
}

static void test_file(const char *path) {
  size_t length = 0;
  char *text = read_whole(path, &length), options[COMMENT_SIZE] = "", *folder = mem_strdup(path);
  char *slash = strrchr(folder, '/');
  (void)comment_value(text, "options", 0, options);
  if (slash != NULL) *slash = '\0';
  const pp_input in = {.name = slash == NULL ? path : slash + 1,
                       .text = text,
                       .length = length,
                       .options = options,
                       .directory = slash == NULL ? "." : folder};
  test_source(&in);
  free(folder);
  free(text);
}

static int is_kernel_file(const struct dirent *entry) {
  const size_t length = strlen(entry->d_name);
  return length > 3 && strcmp(entry->d_name + length - 3, ".cl") == 0;
}

static void test_folder(const char *folder) {
  struct dirent **entries = NULL;
  const int count = scandir(folder, &entries, is_kernel_file, alphasort);
  for (int i = 0; i < count; i++) {
    buffer path = {0};
    buffer_printf(&path, "%s/%s", folder, entries[i]->d_name);
    test_file(buffer_text(&path));
    buffer_free(&path);
    free(entries[i]);
  }
  free(entries);
}

static void test_random(uint64_t seed) {
  tree *p = program_make(seed);
  char name[40];
  (void)snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
  const pp_input in = {.name = name, .text = p->text, .length = p->length, .options = p->options};
  test_source(&in);
  random_tree_free(p);
}

int main(int argc, char **argv) {
  struct stat facts;
  if (argc > 2 && stat(argv[1], &facts) == 0 && S_ISDIR(facts.st_mode)) {
    const uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    test_folder(argv[1]);
    for (uint64_t i = 0; i < strtoull(argv[2], NULL, 10); i++) test_random(first + i);
  } else {
    for (int i = 1; i < argc; i++) test_file(argv[i]);
  }
  printf("%zu texts compared, %zu of them with a mutant; %zu differ\n", compared, mutants_compared, failed);
  return failed == 0 && compared > 0 ? 0 : 1;
}
