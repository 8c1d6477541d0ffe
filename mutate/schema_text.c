/* Calls in text that a mutant brings in as a whole. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "instrument/edit.h"
#include "mutate/schema.h"

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The program's function with that name, NONE if there is none. */
static uint32_t function_named(const program *p, const char *name, size_t length) {
  for (uint32_t i = 0; i < p->function_count; i++) {
    const char *own = p->functions[i].node->symbol->name;
    if (strlen(own) == length && memcmp(own, name, length) == 0) {
      return i;
    }
  }
  return NONE;
}

static const char *skip_space(const char *s) {
  while (isspace((unsigned char)*s)) {
    s++;
  }
  return s;
}

/* Where the parenthesis at `open` closes, NULL if it does not. */
static const char *closing(const char *open) {
  int depth = 0;
  for (const char *c = open; *c != '\0'; c++) {
    depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
    if (depth == 0) {
      return c;
    }
  }
  return NULL;
}

static void append_calls(const schema_writer *w, const char *text, const char *end, buffer *out);

/* A word, and if it is a call of the program's, its arguments; returns what is after. */
static const char *append_word(const schema_writer *w, const char *text, const char *end, buffer *out) {
  size_t length = 0;
  while (text + length < end && is_word(text[length])) {
    length++;
  }
  buffer_append(out, text, length);
  uint32_t f = function_named(w->p, text, length);
  const char *open = skip_space(text + length);
  const char *close = f != NONE && *open == '(' ? closing(open) : NULL;
  if (close == NULL || close >= end) {
    return text + length;
  }
  buffer_puts(out, w->p->functions[f].node->symbol->kernel ? TWIN_SUFFIX : "");
  char *suffix = w->number == SCHEMA_TEXT ? mem_strdup("")
                                          : mutant_clone_name("", number_of_callee(w->copies, w->p, w->number, f));
  buffer_printf(out, "%s(", suffix);
  free(suffix);
  append_calls(w, open + 1, close, out);
  buffer_puts(out, skip_space(open + 1) == close ? "cltc)" : ", cltc)");
  return close + 1;
}

static void append_calls(const schema_writer *w, const char *text, const char *end, buffer *out) {
  while (text < end) {
    if (is_word(*text)) {
      text = append_word(w, text, end, out);
    } else {
      buffer_putc(out, *text++);
    }
  }
}

char *with_calls(const schema_writer *w, const char *text) {
  buffer out = {0};
  append_calls(w, text, text + strlen(text), &out);
  return buffer_take(&out);
}
