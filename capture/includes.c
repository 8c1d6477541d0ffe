/* The files that the kernels of a capture include: our own preprocessor finds them for a capture that is packed, and
 * replays put them where a compiler finds them. */
#include "capture/includes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/files.h"
#include "base/memory.h"
#include "frontend/preprocess.h"
#include "wire/capture_format.h"
#include "wire/fields.h"

enum { PATH_MOST = 4096, NAME_MOST = 255 };

bool capture_path_plain(const char *path) {
  if (path[0] != '/' || strlen(path) > PATH_MOST) return false;
  for (const char *at = path; *at == '/';) {
    const char *name = at + 1;
    size_t length = strcspn(name, "/");
    if (!length || length > NAME_MOST || (length == 1 && name[0] == '.') || (length == 2 && !memcmp(name, "..", 2)))
      return false;
    at = name + length;
  }
  return true;
}

/* An absolute path without "." and ".."; free it. */
static char *plain(const char *path) {
  buffer out = {0};
  while (*path) {
    size_t length = strcspn(path, "/");
    if (length == 2 && !memcmp(path, "..", 2)) {
      while (out.length && out.data[--out.length] != '/')
        ;
    } else if (length && !(length == 1 && path[0] == '.')) {
      buffer_putc(&out, '/');
      buffer_append(&out, path, length);
    }
    path += length + (path[length] == '/');
  }
  buffer_puts(&out, "");
  return buffer_take(&out);
}

/* ---- what is found ---- */

typedef struct found {
  buffer *records;
  char **paths;
  size_t count, capacity;
} found;

static bool is_known(const found *f, const char *path) {
  for (size_t i = 0; i < f->count; i++)
    if (!strcmp(f->paths[i], path)) return true;
  return false;
}

static void take_file(found *f, const pp_file *file) {
  char *path = file->path[0] == '/' ? plain(file->path) : mem_strdup("");
  if (memchr(file->text, 0, file->length) || !capture_path_plain(path) || is_known(f, path)) {
    free(path);
    return;
  }
  record_strings(f->records, RECORD_INCLUDE, 2, (const char *const[]){path, file->text});
  *ARRAY_ADD(f->paths, f->count, f->capacity) = path;
}

static void preprocess(found *f, const pp_input *in, pp_result *out) {
  error ignored;
  (void)pp_run(in, out, &ignored); /* what it does not understand may yet be right for the device's compiler */
  for (size_t i = 0; i < out->file_count; i++)
    if (out->files[i].path) take_file(f, &out->files[i]);
}

/* Both ways where a condition depends on the device. */
static void find(found *f, const capture *c, const capture_source *s) {
  scoped pp_header *headers = mem_calloc(s->header_count + 1, sizeof *headers);
  for (size_t i = 0; i < s->header_count; i++)
    headers[i] = (pp_header){s->headers[i].name, s->headers[i].text, strlen(s->headers[i].text)};
  pp_input in = {.name = "kernel.cl",
                 .text = s->text,
                 .length = strlen(s->text),
                 .options = s->options,
                 .directory = c->directory,
                 .headers = headers,
                 .header_count = s->header_count};
  pp_result first = {0}, second = {0};
  preprocess(f, &in, &first);
  if (first.question_count) {
    pp_fact *facts = mem_calloc(first.question_count, sizeof *facts);
    for (size_t i = 0; i < first.question_count; i++) facts[i] = (pp_fact){first.questions[i], true};
    in.facts = facts;
    in.fact_count = first.question_count;
    preprocess(f, &in, &second);
    free(facts);
  }
  pp_result_free(&first);
  pp_result_free(&second);
}

/* ---- records ---- */

void record_strings(buffer *out, uint32_t kind, size_t count, const char *const *strings) {
  size_t length = 0;
  for (size_t i = 0; i < count; i++) length += 4 + strlen(strings[i]);
  wire_put_u32(out, kind);
  wire_put_u64(out, length);
  for (size_t i = 0; i < count; i++) wire_put_string(out, strings[i], strlen(strings[i]));
}

void includes_write(const capture *c, buffer *out) {
  found f = {.records = out};
  for (size_t i = 0; i < c->command_count; i++) {
    if (c->commands[i].kind == CAPTURE_PROGRAM)
      for (size_t s = 0; s < c->commands[i].u.program.source_count; s++)
        find(&f, c, &c->commands[i].u.program.sources[s]);
  }
  for (size_t i = 0; i < f.count; i++) free(f.paths[i]);
  free(f.paths);
  if (out->overflowed) { /* then without them */
    buffer_free(out);
    *out = (buffer){0};
  }
}

/* A file is looked at before it is written again. */

/* --- whether they are where they were ----------------------------------------------------------------------------- */

static bool holds(const char *path, const char *text) {
  const size_t length = strlen(text);
  FILE *f = fopen(path, "rbe");
  char part[1 << 14];
  size_t at = 0, n = 0;
  bool same = f != NULL;
  while (same && (n = fread(part, 1, sizeof part, f)) > 0) {
    same = n <= length - at && memcmp(part, text + at, n) == 0;
    at += n;
  }
  if (f != NULL) {
    same = same && ferror(f) == 0 && at == length;
    (void)fclose(f);
  }
  return same;
}

bool included_are_there(const capture *c) {
  for (size_t i = 0; i < c->include_count; i++)
    if (!holds(c->includes[i].path, c->includes[i].text)) return false;
  return true;
}

/* --- putting them somewhere else ---------------------------------------------------------------------------------- */

void included_folder(const char *path) {
  scoped char *part = mem_strdup(path);
  for (char *at = part; *at != '\0'; at++) {
    if (*at == '/' && at > part) {
      *at = '\0';
      (void)mkdir(part, 0700);
      *at = '/';
    }
  }
  (void)mkdir(part, 0700);
}

int included_put(const char *root, const char *at, const char *text, error *e) {
  scoped_buffer path = buffer_with("%s%s", root, at);
  scoped char *folder = mem_strndup(path.data, (size_t)(strrchr(path.data, '/') - path.data));
  included_folder(folder);
  const int reason = holds(path.data, text) ? 0 : file_replace(path.data, text, strlen(text)); /* others may share it */
  const int result =
      reason == 0 ? 0
                  : error_set(e, EXIT_INTERNAL, "a file that the capture's kernels include cannot be written to %s: %s",
                              path.data, strerror(reason));
  return result;
}

bool included_stays_below(const char *path) {
  long depth = 0;
  while (*path != '\0' && depth >= 0) {
    const size_t length = strcspn(path, "/");
    const bool up = length == 2 && memcmp(path, "..", 2) == 0;
    depth += up ? -1 : length > 0 && !(length == 1 && path[0] == '.');
    path += length + (path[length] == '/' ? 1 : 0);
  }
  return depth >= 0;
}

typedef struct place {
  const char *root, *directory; /* the working directory is `directory` below `root` */
} place;

/* A directory of -I may be left by "..", and be there for that alone. */
static void make_searched(void *context, const char *directory) {
  const place *p = context;
  const size_t length = strlen(p->root);
  const bool absolute = strncmp(directory, p->root, length) == 0;
  scoped_buffer path = buffer_with("%s/%s", absolute ? "" : p->directory, absolute ? directory + length : directory);
  if (included_stays_below(path.data)) {
    scoped_buffer whole = buffer_with("%s%s", p->root, path.data);
    included_folder(whole.data);
  }
}

static const char *working_directory(const capture *c) {
  return c->directory != NULL && capture_path_plain(c->directory) ? c->directory : "";
}

char *included_options(const capture *c, const char *root, const char *options) {
  place p = {root, working_directory(c)};
  return pp_options_below(options, root, make_searched, &p);
}

int included_place(const capture *c, const char *root, char **directory, error *e) {
  for (size_t i = 0; i < c->include_count; i++) {
    const capture_include *file = &c->includes[i];
    if (capture_path_plain(file->path) && included_put(root, file->path, file->text, e) != 0) return -1;
  }
  buffer path = buffer_with("%s%s", root, working_directory(c));
  included_folder(path.data);
  *directory = buffer_take(&path);
  return 0;
}
