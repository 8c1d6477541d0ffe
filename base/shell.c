/* Words of a command line as a shell takes them. */
#include "base/shell.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";

void shell_word(buffer *to, const char *word) {
  if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
    buffer_puts(to, word);
    return;
  }
  buffer_putc(to, '\'');
  for (const char *c = word; *c != '\0'; c++) {
    if (*c == '\'') { /* no quote can stand in quotes: they end, it comes with a backslash, they begin again */
      buffer_puts(to, "'\\''");
    } else {
      buffer_putc(to, *c);
    }
  }
  buffer_putc(to, '\'');
}

static const char blanks[] = " \t\n";

/* In double quotes: a backslash stands for itself but in front of these; `$` and backquotes would be expanded. Returns what
 * stands after the second one. */
static const char *read_quoted(const char *at, buffer *word) {
  for (; *at != '\0' && *at != '"'; at++) {
    if (*at == '$' || *at == '`') {
      return NULL;
    }
    at += at[0] == '\\' && at[1] != '\0' && strchr("\"\\$`", at[1]) != NULL ? 1 : 0;
    buffer_putc(word, *at);
  }
  return *at == '"' ? at + 1 : NULL;
}

/* A part of a word: a run of plain characters, a quoted one, or a character after a backslash. NULL: none of these. */
static const char *read_part(const char *at, buffer *word) {
  const size_t length = strspn(at, plain);
  if (length > 0) {
    buffer_append(word, at, length);
    return at + length;
  }
  if (*at == '\'') {
    const size_t inner = strcspn(at + 1, "'");
    buffer_append(word, at + 1, inner);
    return at[inner + 1] == '\0' ? NULL : at + inner + 2;
  }
  if (*at == '"') {
    return read_quoted(at + 1, word);
  }
  if (at[0] == '\\' && at[1] != '\0' && at[1] != '\n') {
    buffer_putc(word, at[1]);
    return at + 2;
  }
  const bool other = (unsigned char)*at >= 0x80 || (*at != '\0' && strchr("]}!^", *at) != NULL);
  if (other) {
    buffer_putc(word, *at);
  }
  return other ? at + 1 : NULL;
}

char **shell_split(const char *line) {
  char **words = mem_calloc(strlen(line) / 2 + 2, sizeof *words);
  size_t count = 0;
  const char *at = line + strspn(line, blanks);
  while (at != NULL && *at != '\0') {
    buffer word = {0};
    while (at != NULL && *at != '\0' && strchr(blanks, *at) == NULL) {
      at = read_part(at, &word);
    }
    words[count++] = buffer_take(&word);
    at = at == NULL ? NULL : at + strspn(at, blanks);
  }
  if (at != NULL && count > 0) {
    return words;
  }
  shell_free(words);
  return NULL;
}

void shell_free(char **words) {
  for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
    free(words[i]);
  }
  free(words);
}

char *shell_line(char *const *argv) {
  buffer line = {0};
  for (size_t i = 0; argv[i] != NULL; i++) {
    buffer_puts(&line, i == 0 ? "" : " ");
    shell_word(&line, argv[i]);
  }
  return buffer_take(&line);
}
