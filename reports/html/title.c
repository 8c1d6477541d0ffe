/* Names of programs: what a page is about. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/names.h"
#include "reports/html/page.h"

enum { NAMED = 2, LONGEST = 48 };

/* Programs that run others: the next word says more. */
static const char *const interpreters[] = {"python", "sh", "bash", "env", "perl", "ruby", "node", "mpirun", "srun"};

/* The next word of a command line as a shell would cut it, roughly: quotes are left out. */
static const char *next_word(const char *at, const char *end, buffer *word) {
  word->length = 0;
  char quote = '\0';
  while (at < end && *at == ' ') {
    at++;
  }
  for (; at < end && (quote != '\0' || *at != ' '); at++) {
    if (*at == '\'' || *at == '"') {
      quote = quote == '\0' ? *at : quote == *at ? '\0' : quote;
    } else {
      buffer_putc(word, *at);
    }
  }
  return at;
}

static void put_base(buffer *to, buffer *word) {
  const char *text = buffer_text(word);
  const char *slash = strrchr(text, '/');
  buffer_puts(to, slash == NULL || slash[1] == '\0' ? text : slash + 1);
}

static bool runs_others(const buffer *name) {
  for (size_t i = 0; i < sizeof interpreters / sizeof interpreters[0]; i++) {
    size_t length = strlen(interpreters[i]);
    const char *text = buffer_text(name);
    if (strncmp(text, interpreters[i], length) == 0 && text[length + strspn(text + length, ".0123456789")] == '\0') {
      return true;
    }
  }
  return false;
}

static bool is(const buffer *word, const char *text) {
  return word->length == strlen(text) && memcmp(word->data, text, word->length) == 0;
}

/* After the settings of env: where the program of "env -C build A=1 program" begins. */
static const char *behind_settings(const char *at, const char *end, buffer *word) {
  for (;;) {
    const char *next = next_word(at, end, word);
    if (is(word, "-C") || is(word, "-u")) {
      next = next_word(next, end, word);
    } else if (word->length == 0 || (word->data[0] != '-' && memchr(word->data, '=', word->length) == NULL)) {
      return at;
    }
    at = next;
  }
}

/* Where the program of a line begins that cltestcheck wrote for a test of CTest: after "env -C build" and after a
 * shell that looks at the exit status, "sh -c '…' sh". */
static const char *program_in(const char *line, const char *end) {
  buffer word = {0};
  const char *at = next_word(line, end, &word);
  const char *program = is(&word, "env") ? behind_settings(at, end, &word) : line;
  at = next_word(program, end, &word);
  bool shell = is(&word, "sh");
  at = next_word(at, end, &word);
  shell = shell && is(&word, "-c");
  at = next_word(next_word(at, end, &word), end, &word);
  shell = shell && is(&word, "sh");
  (void)next_word(at, end, &word);
  program = shell && word.length > 0 ? at : program;
  buffer_free(&word);
  return program < end ? program : line;
}

/* "conv" of "/src/build/conv --all", "python3 blur.py" of "python3 -u tests/blur.py x". */
static void name_of(const char *line, size_t length, buffer *to) {
  buffer word = {0};
  const char *end = line + length;
  const char *at = next_word(program_in(line, end), end, &word);
  put_base(to, &word);
  if (runs_others(to)) {
    while (at < end && ((at = next_word(at, end, &word)), word.length > 0 && buffer_text(&word)[0] == '-')) {
    }
    if (word.length > 0 && buffer_text(&word)[0] != '-') {
      buffer_putc(to, ' ');
      put_base(to, &word);
    }
  }
  if (to->length > LONGEST) {
    to->length = LONGEST;
  }
  buffer_free(&word);
}

/* Names, each once, in the order in which they came. */
typedef struct names {
  char **list;
  size_t count, capacity;
} names;

static void add_name(names *n, buffer *name) {
  if (name_number((const char *const *)n->list, n->count, buffer_text(name)) < 0) {
    *ARRAY_ADD(n->list, n->count, n->capacity) = buffer_take(name);
  }
  buffer_free(name);
}

static void put_names(names *n, buffer *to) {
  for (size_t i = 0; i < n->count; i++) {
    if (i < NAMED) {
      buffer_printf(to, "%s%s", i == 0 ? "" : ", ", n->list[i]);
    }
    free(n->list[i]);
  }
  if (n->count > NAMED) {
    buffer_printf(to, " and %zu more", n->count - NAMED);
  }
  free(n->list);
}

static void add_line(names *n, const char *line, size_t length) {
  buffer name = {0};
  if (length > 2 && strncmp(line, "$ ", 2) == 0) {
    name_of(line + 2, length - 2, &name);
  } else {
    buffer_append(&name, line, length < LONGEST ? length : LONGEST);
  }
  add_name(n, &name);
}

static void add_sources(const page *p, names *n) {
  for (size_t i = 0; i < p->v->proof_count; i++) {
    const uint32_t file = p->v->proofs[i].file;
    buffer name = {0};
    if (file != MODEL_NONE) {
      buffer_puts(&name, p->v->files[file].name);
      add_name(n, &name);
    }
  }
  for (size_t i = 0; i < p->v->repair_count; i++) {
    buffer name = {0};
    buffer_puts(&name, p->v->repairs[i].name);
    add_name(n, &name);
  }
}

void page_programs(const page *p, buffer *to) {
  names n = {0};
  for (size_t i = 0; i < p->v->test_case_count; i++) {
    const view_test_case *t = &p->v->test_cases[i];
    buffer line = {0};
    buffer_printf(&line, "%s%s", t->suite[0] == '\0' ? "$ " : "", t->suite[0] == '\0' ? t->command_line : t->suite);
    add_line(&n, buffer_text(&line), line.length);
    buffer_free(&line);
  }
  if (n.count == 0) { /* nothing ran: the sources that were verified or repaired */
    add_sources(p, &n);
  }
  put_names(&n, to);
}
