/* Sources with random changes of their tokens: whatever they are, the preprocessor, the instrumenter and the writer of
 * mutants take them or refuse them with a sentence. By hand: fuzz_source SEED SECONDS FILE.cl… */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "detectors/gates/record.h"
#include "mutate/mutate.h"
#include "random.h"
#include "schedamp/schedule.h"
#include "tests/fixtures/constructs_comments.h"
#include "tests/instrument/spacing/respace.h"

enum { MAX_FACTS = 8, MAX_SECONDS_EACH = 60 };

static random_state numbers;

static size_t below(size_t n) { return fuzz_below(&numbers, n); }

typedef struct words {
  char **items; /* tokens; a directive is one, with its line end */
  size_t count, capacity;
} words;

static words read_words(const char *path) {
  words w = {0};
  size_t length = 0;
  char *text = read_whole(path, &length), *clean = without_splices(text);
  const char *at = clean, *begin = NULL, *end = NULL;
  for (bool start = true; (end = next_token(&at, &begin, &start)) != NULL; start = false) {
    if (start && *begin == '#') end = at = begin + strcspn(begin, "\n");
    *ARRAY_ADD(w.items, w.count, w.capacity) = mem_strndup(begin, (size_t)(end - begin));
  }
  free(clean);
  free(text);
  return w;
}

static const char *const strange[] = {"{",
                                      "}",
                                      "(",
                                      ")",
                                      "[",
                                      "]",
                                      ";",
                                      "#",
                                      "##",
                                      "\\",
                                      "\"",
                                      "'",
                                      "/*",
                                      "//",
                                      "?",
                                      ":",
                                      "case 1:",
                                      "default:",
                                      "switch",
                                      "do",
                                      "while",
                                      "goto x;",
                                      "x:",
                                      "else",
                                      "for",
                                      "return",
                                      "0x1e+",
                                      "__kernel",
                                      "barrier(1)",
                                      "&&",
                                      "||",
                                      "?\?=",
                                      "?\?/\n",
                                      "->",
                                      "__FILE__",
                                      "__LINE__",
                                      "_Pragma(\"unroll\")",
                                      "\n#pragma unroll\n",
                                      "\n#define F(x, ...) #x x##x F(x)\n",
                                      "F(F(1),)",
                                      "\n#if X > 1 && defined(Y)\n",
                                      "\n#else\n",
                                      "\n#endif\n",
                                      "\n#include __FILE__\n",
                                      "\n#line 7 \"a\\b\"\n",
                                      "({",
                                      "})",
                                      "get_global_id(0)",
                                      "++",
                                      "-1",
                                      "1.f",
                                      "\x01",
                                      "\xff",
                                      "cltc_x",
                                      "typedef",
                                      "struct {int a;}"};

/* Writes the tokens with a few changes, some of them from another source. */
static char *changed(const words *w, const words *other) {
  buffer out = {0};
  const size_t rate = 4 + below(120), from = below(w->count), copies = below(3);
  for (size_t i = 0; i < w->count; i++) {
    const size_t what = below(rate) == 0 ? 1 + below(6) : 0;
    const char *word = w->items[i];
    word = what == 2                       ? w->items[below(w->count)]
           : what == 3 && other->count > 0 ? other->items[below(other->count)]
                                           : word;
    if (what == 4 || what == 5) buffer_puts(&out, strange[below(sizeof strange / sizeof *strange)]);
    for (size_t n = what == 1 ? 0 : what == 6 ? 2 : 1; n > 0; n--) {
      const bool directive = word[0] == '#' && word[1] != '\0';
      buffer_printf(&out, directive ? "\n%s\n" : below(4) == 0 ? "%s\n" : "%s ", word);
    }
    if (copies > 0 && i == from)
      for (size_t k = i; k < w->count && k < i + 40; k++)
        buffer_printf(&out, "%s%s", w->items[k], w->items[k][0] == '#' ? "\n" : " ");
  }
  return out.length == 0 ? mem_strdup("") : buffer_take(&out);
}

static void expect_sentence(int status, const error *e, const char *text) {
  if (status != 0 && (e->text[0] == '\0' || strlen(e->text) + 1 > sizeof e->text)) {
    fprintf(stderr, "refused without a sentence:\n%s\n", text);
    abort();
  }
}

static size_t try_forms(pp_input *in) {
  static const kernel_form forms[] = {KERNEL_COUNTED, KERNEL_GATED,  KERNEL_CHECKED,
                                      KERNEL_MEMORY,  KERNEL_BOUNDS, KERNEL_FILLED};
  size_t taken = 0;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    instrument_result r;
    error e = {0};
    const int status = instrument_program(in, 1, forms[i], forms[i] == KERNEL_GATED ? gate_text : NULL, &r, &e);
    expect_sentence(status, &e, in->text);
    taken += status == 0 && r.question_count == 0;
    instrument_free(&r);
  }
  mutate_result r;
  error e = {0};
  const int status = mutate_program(in, 1, NULL, 0, NULL, &r, &e);
  expect_sentence(status, &e, in->text);
  if (status == 0 && r.mutant_count > 0) { /* the original, and two mutants */
    const uint32_t clones[] = {0, r.mutants[below(r.mutant_count)].number, r.mutants[below(r.mutant_count)].number};
    mutate_result cloned;
    expect_sentence(mutate_program(in, 1, clones, clones[1] == clones[2] ? 2 : 3, NULL, &cloned, &e), &e, in->text);
    mutate_free(&cloned);
  }
  mutate_free(&r);
  return taken;
}

/* Questions of the preprocessor are answered as it comes. */
static size_t try_text(const char *text) {
  pp_fact facts[MAX_FACTS];
  pp_input in = {.name = "fuzz.cl", .text = text, .length = strlen(text), .facts = facts};
  for (;;) {
    pp_result r;
    error e = {0};
    expect_sentence(pp_run(&in, &r, &e), &e, text);
    const size_t before = in.fact_count;
    for (size_t i = 0; i < r.question_count && in.fact_count < MAX_FACTS; i++)
      facts[in.fact_count++] = (pp_fact){mem_strdup(r.questions[i]), below(2) == 1};
    pp_result_free(&r);
    if (in.fact_count == before) break;
  }
  (void)alarm(MAX_SECONDS_EACH); /* what hangs dies of it */
  const size_t taken = try_forms(&in);
  (void)alarm(0);
  for (size_t i = 0; i < in.fact_count; i++) free((void *)(uintptr_t)facts[i].expression);
  return taken;
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fputs("fuzz_source: wants a seed, seconds and files\n", stderr);
    return 2;
  }
  const uint64_t seed = strtoull(argv[1], NULL, 10);
  const time_t end = time(NULL) + (time_t)strtoul(argv[2], NULL, 10);
  const size_t files = (size_t)argc - 3;
  const char *const kept = getenv("FUZZ_KEEP"); /* a file for the source at hand */
  words *all = mem_calloc(files, sizeof *all);
  for (size_t i = 0; i < files; i++) all[i] = read_words(argv[i + 3]);
  size_t count = 0, taken = 0;
  for (; time(NULL) < end; count++) {
    numbers.at = seed * 1000003 + count;
    char *text = changed(&all[below(files)], &all[below(files)]);
    FILE *f = kept == NULL ? NULL : fopen(kept, "w");
    if (f != NULL) {
      fputs(text, f);
      fclose(f);
    }
    taken += try_text(text);
    free(text);
  }
  printf("seed %" PRIu64 ": %zu sources, taken %zu times\n", seed, count, taken);
  for (size_t i = 0; i < files; i++) {
    for (size_t k = 0; k < all[i].count; k++) free(all[i].items[k]);
    free(all[i].items);
  }
  free(all);
  return 0;
}
