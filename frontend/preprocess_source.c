/* Files of the preprocessor: finding headers, reading them once, removing line splices and trigraphs, and telling the
 * line and column of a place. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "frontend/preprocess_internal.h"

/* Length of the line break that a text of `left` bytes starts with, or 0. */
static uint32_t break_length(const char *s, uint32_t left) {
  if (left > 0 && s[0] == '\n') {
    return 1;
  }
  if (left > 0 && s[0] == '\r') {
    return left > 1 && s[1] == '\n' ? 2 : 1;
  }
  return 0;
}

/* What the trigraph stands for that a text starts with, or NUL. OpenCL C has them, as C99. */
static char trigraph(const char *s, uint32_t left) {
  static const char thirds[] = "=/'()!<>-", characters[] = "#\\^[]|{}~";
  const char *third = left < 3 || s[0] != '?' || s[1] != '?' || s[2] == '\0' ? NULL : strchr(thirds, s[2]);
  return third == NULL ? '\0' : characters[third - thirds];
}

/* Length of the backslash, blanks and line break that a text starts with, or 0. As clang, blanks are let pass. */
static uint32_t splice_length(const char *s, uint32_t left) {
  uint32_t i = left > 0 && s[0] == '\\' ? 1 : trigraph(s, left) == '\\' ? 3 : 0;
  if (i == 0) {
    return 0;
  }
  while (i < left && (s[i] == ' ' || s[i] == '\t' || s[i] == '\f' || s[i] == '\v')) {
    i++;
  }
  uint32_t line_break = break_length(s + i, left - i);
  return line_break == 0 ? 0 : i + line_break;
}

static void find_lines(source *s) {
  *ARRAY_ADD(s->lines, s->line_count, s->line_capacity) = 0;
  for (uint32_t i = 0; i < s->length;) {
    uint32_t line_break = break_length(s->text + i, s->length - i);
    i += line_break == 0 ? 1 : line_break;
    if (line_break > 0) {
      *ARRAY_ADD(s->lines, s->line_count, s->line_capacity) = i;
    }
  }
}

/* The next place from `i` on with a splice (its length in `*length`) or a trigraph (its character in `*stands_for`). */
static uint32_t next_change(const source *s, uint32_t i, uint32_t *length, char *stands_for) {
  for (; i < s->length; i++) {
    if (s->text[i] != '\\' && s->text[i] != '?') {
      continue;
    }
    *length = splice_length(s->text + i, s->length - i);
    *stands_for = *length > 0 ? '\0' : trigraph(s->text + i, s->length - i);
    if (*length > 0 || *stands_for != '\0') {
      *length = *length > 0 ? *length : 3;
      break;
    }
  }
  return i;
}

static void make_clean(source *s) {
  char *clean = NULL, stands_for = '\0';
  uint32_t to = 0, copied = 0, length = 0;
  s->clean = s->text;
  s->clean_length = s->length;
  for (uint32_t i = next_change(s, 0, &length, &stands_for); i < s->length;
       i = next_change(s, copied, &length, &stands_for)) {
    if (clean == NULL) {
      clean = mem_calloc((size_t)s->length + 1, 1);
    }
    memcpy(clean + to, s->text + copied, i - copied);
    to += i - copied;
    if (stands_for != '\0') {
      clean[to++] = stands_for;
    }
    copied = i + length;
    *ARRAY_ADD(s->splices, s->splice_count, s->splice_capacity) = (splice){to, copied - to};
  }
  if (clean != NULL) {
    memcpy(clean + to, s->text + copied, s->length - copied);
    s->clean = clean;
    s->clean_length = to + s->length - copied;
  }
}

uint32_t pp_add_source(preprocessor *pp, const char *name, const char *path, const char *text, size_t length) {
  while (length > 0 && text[length - 1] == '\0') {
    length--;
  }
  if (length > LIMIT_FILE_BYTES) {
    return PP_NONE;
  }
  source *s = mem_calloc(1, sizeof *s);
  s->name = mem_strdup(name);
  s->path = path == NULL ? NULL : mem_strdup(path);
  s->text = mem_calloc(length + 1, 1);
  if (length > 0) {
    memcpy(s->text, text, length);
  }
  s->length = (uint32_t)length;
  find_lines(s);
  make_clean(s);
  *ARRAY_ADD(pp->sources, pp->source_count, pp->source_capacity) = s;
  return (uint32_t)pp->source_count - 1;
}

void pp_free_source(source *s) {
  if (s->clean != s->text) {
    free(s->clean);
  }
  free(s->splices);
  free(s->lines);
  free(s->name);
  free(s->path);
  free(s->told);
  free(s->text);
  free(s);
}

/* Offset in the original text of a place in the clean text. */
static uint32_t pp_original_offset(const source *s, uint32_t clean_offset) {
  size_t low = 0, high = s->splice_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (s->splices[middle].clean_offset <= clean_offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return clean_offset + (low == 0 ? 0 : s->splices[low - 1].removed);
}

uint32_t pp_original_end(const source *s, uint32_t clean_offset) {
  const uint32_t at = pp_original_offset(s, clean_offset);
  return at + (s->text[at] == s->clean[clean_offset] ? 1 : 3);
}

pp_position pp_position_at(const source *s, uint32_t file, uint32_t clean_offset) {
  uint32_t offset = pp_original_offset(s, clean_offset);
  size_t low = 1, high = s->line_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (s->lines[middle] <= offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return (pp_position){file, (uint32_t)low, offset - s->lines[low - 1] + 1, offset};
}

/* `directory`/`name`, or `name` where it is absolute or there is no directory. */
static char *join_path(const char *directory, size_t directory_length, const char *name) {
  buffer path = {0};
  if (name[0] != '/' && directory_length > 0) {
    buffer_append(&path, directory, directory_length);
    if (directory[directory_length - 1] != '/') {
      buffer_putc(&path, '/');
    }
  }
  buffer_puts(&path, name);
  return buffer_take(&path);
}

static bool read_file(const char *path, buffer *text) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) {
    return false;
  }
  char part[1 << 14];
  size_t n = 0;
  while (text->length <= LIMIT_FILE_BYTES && (n = fread(part, 1, sizeof part, f)) > 0) {
    buffer_append(text, part, n);
  }
  bool fine = ferror(f) == 0;
  (void)fclose(f);
  return fine;
}

/* The file at `path`, read at most once whatever name leads to it. */
static uint32_t open_header(preprocessor *pp, const char *name, const char *path, const char *told) {
  struct stat status;
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
    return PP_NONE;
  }
  for (size_t i = 2; i < pp->source_count; i++) {
    const source *s = pp->sources[i];
    if (!s->in_memory && s->device == status.st_dev && s->inode == status.st_ino) {
      return (uint32_t)i;
    }
  }
  buffer text = {0};
  uint32_t file = PP_NONE;
  if (read_file(path, &text)) {
    file = pp_add_source(pp, name, path, buffer_text(&text), text.length);
  }
  buffer_free(&text);
  if (file != PP_NONE) {
    pp->sources[file]->device = status.st_dev;
    pp->sources[file]->inode = status.st_ino;
    pp->sources[file]->told = mem_strdup(told);
  }
  return file;
}

/* `told`: how the directory was named. */
static uint32_t open_in_directory(preprocessor *pp, const char *directory, size_t length, const char *told,
                                  size_t told_length, const char *name) {
  char *path = join_path(directory, length, name), *as_told = join_path(told, told_length, name);
  uint32_t file = open_header(pp, name, path, as_told);
  free(path);
  free(as_told);
  return file;
}

static uint32_t find_in_memory(preprocessor *pp, const char *name) {
  for (size_t i = 2; i < pp->source_count; i++) {
    if (pp->sources[i]->in_memory && strcmp(pp->sources[i]->name, name) == 0) {
      return (uint32_t)i;
    }
  }
  for (size_t i = 0; i < pp->input->header_count; i++) {
    const pp_header *header = &pp->input->headers[i];
    if (strcmp(header->name, name) == 0) {
      uint32_t file = pp_add_source(pp, name, NULL, header->text, header->length);
      if (file != PP_NONE) {
        pp->sources[file]->in_memory = true;
      }
      return file;
    }
  }
  return PP_NONE;
}

static size_t directory_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* The directory of the file that is being read, if that is a header on disk. */
static uint32_t find_beside_includer(preprocessor *pp, const char *name) {
  const source *s = pp_top(pp)->lexer.source;
  if (s->path == NULL) {
    return PP_NONE;
  }
  return open_in_directory(pp, s->path, directory_length(s->path), s->told, directory_length(s->told), name);
}

uint32_t pp_find_header(preprocessor *pp, const char *name, bool quoted) {
  const char *directory = pp->input->directory == NULL ? "" : pp->input->directory;
  const size_t length = strlen(directory);
  bool in_header = pp_top(pp)->lexer.source->path != NULL;
  uint32_t file = find_in_memory(pp, name);
  if (file == PP_NONE && quoted) {
    file = in_header ? find_beside_includer(pp, name) : open_in_directory(pp, directory, length, ".", 1, name);
  }
  for (size_t i = 0; file == PP_NONE && i < pp->directory_count; i++) {
    const char *told = pp->include_directories[i];
    char *where = join_path(directory, length, told);
    file = open_in_directory(pp, where, strlen(where), told, strlen(told), name);
    free(where);
  }
  if (file == PP_NONE && (!quoted || in_header)) {
    file = open_in_directory(pp, directory, length, ".", 1, name);
  }
  return file;
}
