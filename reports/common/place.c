/* Places in sources: columns as readers count them, lines, and the files themselves on disk. */
#include "reports/common/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/utf8.h"

/* Finding the sources of a view on disk, and writing those that are not there. */

/* Programs may end their sources with NULs. */
static size_t text_length(const model_file *f) {
  size_t length = f->length;
  while (length > 0 && f->text[length - 1] == '\0') length--;
  return length;
}

/* Is this file on disk, with the content it had? */
static bool file_holds(const char *path, const model_file *f) {
  size_t length = text_length(f);
  FILE *in = fopen(path, "rbe");
  if (in == NULL) return false;
  char *text = mem_calloc(length + 2, 1);
  size_t got = fread(text, 1, length + 1, in);
  bool same = ferror(in) == 0 && got == length && memcmp(text, f->text, length) == 0;
  free(text);
  (void)fclose(in);
  return same;
}

/* The folder below which the file is on disk as it was built, "" for an absolute name, NULL if it is not there: looked
 * for below the root of the report, where the run found it, in the current directory. free() it. */
static char *base_of(const model_file *f, const report_options *options) {
  scoped char *here = realpath(".", NULL);
  const char *const bases[] = {options->root, f->root, here};
  char *found = NULL;
  for (size_t i = 0; i < sizeof bases / sizeof bases[0] && found == NULL; i++) {
    if (bases[i] != NULL && (bases[i][0] != '\0' || f->name[0] == '/')) {
      scoped char *path = project_path(bases[i], f->name);
      found = file_holds(path, f) ? mem_strdup(f->name[0] == '/' ? "" : bases[i]) : NULL;
    }
  }
  return found;
}

/* Whether nothing of it need be copied: what stands for a call whose source nobody knows has no text. */
static bool on_disk(const model_file *f, const report_options *options) {
  char *base = base_of(f, options);
  free(base);
  return base != NULL || f->length == 0;
}

/* A file name without directories, free of what a path or a tracefile could trip over. */
static char *plain_name(const char *name) {
  scoped_buffer plain = {0};
  for (const char *c = path_end(name); *c != '\0' && plain.length < 200; c++) {
    unsigned char u = (unsigned char)*c;
    buffer_putc(&plain, u < 0x20 || strchr("<>:\"\\|?*,", *c) != NULL ? '_' : *c);
  }
  if (plain.length == 0 || buffer_text(&plain)[0] == '.') buffer_puts(&plain, "source.cl");
  return buffer_take(&plain);
}

/* Path in the source directory: the plain name, preceded by a piece of the SHA-256 where another file has that name. */
static char *written_path(const view *v, size_t file, const char *directory) {
  scoped char *name = plain_name(v->files[file].name);
  bool taken = false;
  for (size_t i = 0; i < v->file_count && !taken; i++) {
    scoped char *other = plain_name(v->files[i].name);
    taken = i != file && strcmp(name, other) == 0;
  }
  scoped_buffer path =
      buffer_with("%s/%.*s%s%s", directory, taken ? 12 : 0, v->files[file].sha256, taken ? "-" : "", name);
  return buffer_take(&path);
}

static int write_source(const model_file *f, const char *path, error *e) {
  FILE *out = fopen(path, "wb");
  size_t length = text_length(f);
  bool written = out != NULL && fwrite(f->text, 1, length, out) == length;
  int reason = errno;
  if (out != NULL && fclose(out) != 0) {
    written = false;
    reason = errno;
  }
  if (written) return 0;
  if (out != NULL) (void)unlink(path);
  return error_set(e, EXIT_INTERNAL, "the source %s could not be written beside the report: %s", path,
                   strerror(reason));
}

static int make_directory(const char *directory, error *e) {
  if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
    return error_set(e, EXIT_USAGE, "the directory %s for the sources of the report could not be made: %s", directory,
                     strerror(errno));
  }
  return 0;
}

int report_write_sources(const view *v, const report_options *options, size_t *written, error *e) {
  const char *directory = options->source_directory;
  *written = 0;
  for (size_t i = 0; i < v->file_count; i++) {
    if (on_disk(&v->files[i], options)) continue;
    if (*written == 0 && make_directory(directory, e) != 0) return -1;
    char *path = written_path(v, i, directory);
    int result = write_source(&v->files[i], path, e);
    free(path);
    if (result != 0) return result;
    *written += 1;
  }
  return 0;
}

/* --- paths --------------------------------------------------------------------------------------------------- */

static char *absolute(char *path) {
  char *full = realpath(path, NULL);
  if (full == NULL) return path;
  free(path);
  return full;
}

/* The folder that most relative names start at: where the first file of such a name is, else where it was. */
static char *common_root(const view *v, const report_options *options) {
  char *root = NULL;
  for (size_t i = 0; i < v->file_count && root == NULL; i++)
    root = v->files[i].name[0] == '/' ? NULL : base_of(&v->files[i], options);
  return root != NULL ? root : absolute(mem_strdup(options->root == NULL ? "." : options->root));
}

/* The path of a file's copy beside the report. */
static char *copy_path(const view *v, size_t file, const char *root, const report_options *options) {
  scoped char *path = absolute(written_path(v, file, options->source_directory));
  const char *below = project_below(path, root);
  return mem_strdup(below == NULL ? path : below);
}

source_paths source_paths_of(const view *v, const report_options *options) {
  source_paths p = {.names = mem_calloc(v->file_count, sizeof *p.names), .count = v->file_count};
  p.root = common_root(v, options);
  for (size_t i = 0; i < v->file_count; i++) {
    p.names[i] = options->source_directory == NULL || on_disk(&v->files[i], options) ? mem_strdup(v->files[i].name)
                                                                                     : copy_path(v, i, p.root, options);
  }
  return p;
}

void source_paths_free(source_paths *p) {
  mem_free_all(p->names, p->count);
  free(p->root);
  *p = (source_paths){0};
}

void report_set_root(view *v, const char *root) {
  for (size_t i = 0; i < v->file_count; i++) {
    model_file *f = &v->files[i];
    char *path = project_path(f->root, f->name), *there = project_path(root, f->name);
    const char *below = project_below(path, root);
    if (below == NULL && path[0] == '/' && !file_holds(there, f)) below = path; /* it lies elsewhere */
    if (below != NULL) {
      char *name = mem_strdup(below);
      free(f->name);
      f->name = name;
    }
    free(f->root);
    f->root = mem_strdup(f->name[0] == '/' ? "" : root);
    free(path);
    free(there);
  }
}

static uint32_t units(const char *s, size_t length) {
  uint32_t count = 0;
  for (size_t i = 0; i < length;) {
    uint64_t eight = UINT64_MAX;
    memcpy(&eight, s + i, length - i < sizeof eight ? 0 : sizeof eight);
    if ((eight & UINT64_C(0x8080808080808080)) == 0) { /* a line may be the whole program */
      count += (uint32_t)sizeof eight;
      i += sizeof eight;
      continue;
    }
    size_t n = utf8_character(s + i, length - i);
    count += n == 4 ? 2 : 1;
    i += n == 0 ? 1 : n;
  }
  return count;
}

uint32_t place_column(const model_file *file, uint32_t column, uint32_t offset) {
  if (column == 0 || offset < column - 1 || offset > file->length) return column;
  return 1 + units(file->text + offset - (column - 1), column - 1);
}

static place_line without_return(place_line l) {
  l.length -= l.length > 0 && l.text[l.length - 1] == '\r' ? 1 : 0;
  return l;
}

const char *place_source_line(const model_file *file, uint32_t line, size_t *length) {
  const char *at = file->text, *end = file->text + file->length;
  for (uint32_t n = 1; at < end; n++) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop == NULL ? end : stop;
    if (n == line) {
      *length = (size_t)(stop - at);
      if (*length > 0 && at[*length - 1] == '\r') --*length;
      return at;
    }
    at = stop + 1;
  }
  return NULL;
}

place_line place_line_of(const model_file *file, uint32_t line) {
  place_line l = {0};
  l.text = place_source_line(file, line, &l.length);
  return l;
}

place_line place_line_at(const model_file *file, uint32_t offset) {
  if (offset > file->length) return (place_line){0};
  const char *before = memrchr(file->text, '\n', offset);
  const size_t begin = before == NULL ? 0 : (size_t)(before - file->text) + 1;
  const char *end = offset == file->length ? NULL : memchr(file->text + offset, '\n', file->length - offset);
  size_t stop = end == NULL ? file->length : (size_t)(end - file->text);
  return without_return((place_line){file->text + begin, stop - begin});
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v'; }

void place_extent(const place_line *line, uint32_t *first, uint32_t *end) {
  size_t from = 0, to = line->length;
  while (from < to && is_blank(line->text[from])) from++;
  while (to > from && is_blank(line->text[to - 1])) to--;
  *first = 1 + units(line->text, from);
  *end = *first + units(line->text + from, to - from);
}
