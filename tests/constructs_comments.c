/* Reading the comments of the kernel files in constructs/. */
#include "constructs_comments.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *read_whole(const char *path, size_t *length) {
  FILE *f = fopen(path, "rb");
  char *text = NULL;
  long size = -1;
  if (f != NULL && fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0) {
    text = calloc((size_t)size + 1, 1);
  }
  if (text == NULL || fread(text, 1, (size_t)size, f) != (size_t)size) {
    fprintf(stderr, "%s cannot be read\n", path);
    exit(2);
  }
  fclose(f);
  *length = (size_t)size;
  return text;
}

/* Copies what lies between two places, without blanks around it. */
static void copy_trimmed(const char *begin, const char *end, char out[COMMENT_SIZE]) {
  while (begin < end && isspace((unsigned char)*begin)) {
    begin++;
  }
  while (end > begin && isspace((unsigned char)end[-1])) {
    end--;
  }
  size_t length = (size_t)(end - begin);
  if (length >= COMMENT_SIZE) {
    fprintf(stderr, "a comment is too long: %.60s\n", begin);
    exit(2);
  }
  memcpy(out, begin, length);
  out[length] = '\0';
}

bool comment_value(const char *text, const char *key, size_t index, char value[COMMENT_SIZE]) {
  size_t key_length = strlen(key);
  for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
    line += *line == '\n' ? 1 : 0;
    if (strncmp(line, "// ", 3) == 0 && strncmp(line + 3, key, key_length) == 0 && line[3 + key_length] == ':' &&
        index-- == 0) {
      const char *begin = line + 4 + key_length;
      copy_trimmed(begin, begin + strcspn(begin, "\n"), value);
      return true;
    }
  }
  return false;
}

bool comment_word(const char *text, const char *word) {
  for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
    line += *line == '\n' ? 1 : 0;
    if (strncmp(line, "// ", 3) == 0 && strncmp(line + 3, word, strlen(word)) == 0) {
      return true;
    }
  }
  return false;
}

bool next_part(const char **list, const char *separators, char part[COMMENT_SIZE]) {
  const char *at = *list + strspn(*list, " \t");
  if (*at == '\0') {
    return false;
  }
  size_t length = strcspn(at, separators);
  copy_trimmed(at, at + length, part);
  *list = at + length + (at[length] == '\0' ? 0 : 1);
  return true;
}
