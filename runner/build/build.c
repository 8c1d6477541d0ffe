/* Requests of the layer: read, with names of sources; the forms and mutants that they become, through a pipe from the
 * process that makes them; their answers. */
#include "runner/build/build.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/digest.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/names.h"
#include "capture/capture.h"
#include "detectors/gates/record.h"
#include "detectors/memory/record.h"
#include "detectors/races/record.h"
#include "instrument/archive.h"
#include "runner/isolate.h"
#include "schedamp/schedule.h"
#include "wire/answer.h"
#include "wire/protocol.h"

/* --- forms -------------------------------------------------------------------------------------------------------- */

typedef struct making {
  const pp_input *sources;
  size_t count;
  kernel_form form;
  const build_mutants *which;
  void *out;
} making;

/* Of the program that runs: another build of it may write other texts. */
static void put_tool(digester *d) {
  struct stat s = {0};
  (void)stat("/proc/self/exe", &s);
  digest_text(d, CLTC_VERSION);
  digest_number(d, (uint64_t)s.st_size);
  digest_number(d, (uint64_t)s.st_ino);
  digest_number(d, (uint64_t)s.st_mtim.tv_sec);
  digest_number(d, (uint64_t)s.st_mtim.tv_nsec);
}

static bool reads_elsewhere(const char *text, size_t length) {
  static const char *const words[] = {"include", "__DATE__", "__TIME"};
  bool reads = false;
  for (size_t i = 0; i < sizeof words / sizeof *words && text != NULL; i++)
    reads = reads || memmem(text, length, words[i], strlen(words[i])) != NULL;
  return reads;
}

static void put_source(digester *d, const pp_input *in) {
  const char *const words[] = {in->name, in->options, in->directory, in->root};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    digest_number(d, words[i] == NULL ? 0 : 1);
    digest_text(d, words[i] == NULL ? "" : words[i]);
  }
  digest_bytes(d, in->text, in->length);
  digest_number(d, in->alone ? 1 : 0);
  digest_number(d, in->fact_count);
  for (size_t i = 0; i < in->fact_count; i++) {
    digest_text(d, in->facts[i].expression);
    digest_number(d, in->facts[i].value ? 1 : 0);
  }
}

/* "": it depends on more than what is known here, as on files. */
static void key_of(const making *m, char key[65]) {
  digester d;
  bool alone = true;
  digest_begin(&d);
  put_tool(&d);
  digest_number(&d, m->which == NULL ? m->form : UINT32_MAX);
  for (size_t i = 0; i < m->count; i++) {
    const pp_input *in = &m->sources[i];
    put_source(&d, in);
    alone = alone && in->header_count == 0 && !reads_elsewhere(in->text, in->length) &&
            !reads_elsewhere(in->options, in->options == NULL ? 0 : strlen(in->options));
  }
  if (m->which != NULL) {
    digest_number(&d, m->which->part ? 1 : 0);
    digest_bytes(&d, m->which->numbers, m->which->count * sizeof *m->which->numbers);
    const bool *chosen = m->which->operators; /* NULL: all */
    digest_bytes(&d, chosen, chosen == NULL ? 0 : MUTATE_OPERATORS * sizeof *chosen);
  }
  digest_end(&d, key);
  if (!alone) key[0] = '\0';
}

static int make_form(void *context, buffer *out, error *e) {
  const making *m = context;
  instrument_result result;
  const int status = instrument_program(m->sources, m->count, m->form, gate_text, &result, e);
  if (status == 0) archive_write(&result, out);
  return status;
}

static int take_form(void *context, const void *bytes, size_t length) {
  return archive_read(bytes, length, ((const making *)context)->out);
}

static int build_sources(const pp_input *sources, size_t count, kernel_form form, instrument_result *out, error *e) {
  making m = {.sources = sources, .count = count, .form = form, .out = out};
  char key[65];
  key_of(&m, key);
  return isolated_kept(&(isolated_work){&m, make_form, take_form}, key, e);
}

int build_instrumented(const program_request *r, kernel_form form, instrument_result *out, error *e) {
  scoped pp_input *sources = request_inputs(r);
  *out = (instrument_result){0};
  return build_sources(sources, r->source_count, form, out, e);
}

int build_with_mutant(const program_request *r, kernel_form form, const model *of, const mutant *m,
                      instrument_result *out, error *e) {
  scoped pp_input *sources = request_inputs(r);
  const size_t changed = mutant_source(sources, r->source_count, of, m);
  scoped char *text = NULL;
  int result = 0;
  *out = (instrument_result){0};
  if (changed == SIZE_MAX) {
    result = error_set(e, EXIT_USAGE, "it is in a header");
  } else {
    text = mutant_text(&sources[changed], m);
    sources[changed].text = text;
    sources[changed].length = strlen(text);
    result = build_sources(sources, r->source_count, form, out, e);
  }
  return result;
}

/* --- mutants ------------------------------------------------------------------------------------------------------ */

static int make_mutants(void *context, buffer *out, error *e) {
  const making *m = context;
  mutate_result result;
  const int status = (m->which->part ? mutate_part : mutate_program)(m->sources, m->count, m->which->numbers,
                                                                     m->which->count, m->which->operators, &result, e);
  if (status == 0) mutate_archive_write(&result, out);
  return status;
}

static int take_mutants(void *context, const void *bytes, size_t length) {
  return mutate_archive_read(bytes, length, ((const making *)context)->out);
}

int build_mutated(const program_request *r, const build_mutants *which, mutate_result *out, error *e) {
  scoped pp_input *sources = request_inputs(r);
  making m = {.sources = sources, .count = r->source_count, .which = which, .out = out};
  *out = (mutate_result){0};
  char key[65];
  key_of(&m, key);
  return isolated_kept(&(isolated_work){&m, make_mutants, take_mutants}, key, e);
}

bool build_mutated_ahead(const program_request *r, const build_mutants *which) {
  scoped pp_input *sources = request_inputs(r);
  making m = {.sources = sources, .count = r->source_count, .which = which};
  char key[65];
  key_of(&m, key);
  return isolated_ahead(&(isolated_work){&m, make_mutants, NULL}, key);
}

/* A mutant that is written into its source. */

size_t mutant_source(const pp_input *inputs, size_t count, const model *of, const mutant *m) {
  const model_file *file = &of->files[m->file];
  for (size_t i = 0; i < count; i++) {
    const pp_input *in = &inputs[i];
    if (strnlen(in->text, in->length) == file->length && memcmp(in->text, file->text, file->length) == 0) return i;
  }
  return SIZE_MAX;
}

char *mutant_text(const pp_input *source, const mutant *m) {
  buffer text = {0};
  buffer_append(&text, source->text, m->offset);
  buffer_puts(&text, m->replacement);
  buffer_puts(&text, source->text + m->end_offset);
  return buffer_take(&text);
}

/* Parameters that a kernel may write memory through, of programs that were not instrumented. */

bool kernel_may_write(const instrument_result *made, size_t kernel, uint32_t argument) {
  const instrument_kernel *k = &made->kernels[kernel];
  bool any = false;
  for (size_t i = 0; i < k->written_count; i++) any = any || k->written[i] == argument;
  return any;
}

typedef enum source_writes { HAS_NO_SUCH_KERNEL, MAY_WRITE, WRITES_NOT } source_writes;

static source_writes kernel_writes(const program_request *r, const char *kernel, uint32_t argument) {
  instrument_result made = {0};
  error why;
  source_writes said = HAS_NO_SUCH_KERNEL;
  const bool read = build_instrumented(r, KERNEL_COUNTED, &made, &why) == 0 && made.question_count == 0;
  for (size_t k = 0; read && k < made.model.kernel_count; k++)
    if (strcmp(made.model.kernels[k].name, kernel) == 0)
      said = kernel_may_write(&made, k, argument) ? MAY_WRITE : WRITES_NOT;
  instrument_free(&made);
  return said;
}

bool source_may_write(const program_request *const *programs, size_t count, const char *kernel, uint32_t argument) {
  bool any = false, all = true;
  for (size_t i = 0; i < count && all; i++) {
    const source_writes said = kernel_writes(programs[i], kernel, argument);
    any = any || said == MAY_WRITE;
    all = said != WRITES_NOT;
  }
  return any && all;
}

/* How programs are built in each form. */

#define FORM_ROW(NAME, KERNELS, OPTIONS, BARE) [FORM_##NAME] = {KERNEL_##KERNELS, OPTIONS, BARE},
const form_row form_rows[] = {CLTC_FORMS(FORMS_IGNORED, FORM_ROW)};

/* Decoding requests. */

static void read_source(wire_reader *in, const program_request *r, request_source *s) {
  size_t length = 0;
  s->text = wire_string(in, &length);
  s->options = wire_string(in, NULL);
  s->header_count = wire_u32(in);
  if (s->header_count > in->left) {
    in->failed = true;
    s->header_count = 0;
  }
  s->headers = mem_calloc(s->header_count, sizeof *s->headers);
  for (size_t i = 0; i < s->header_count; i++) {
    s->headers[i].name = wire_string(in, NULL);
    s->headers[i].text = wire_string(in, &s->headers[i].length);
  }
  s->name = mem_strdup("kernel.cl");
  s->input = (pp_input){.name = s->name,
                        .text = s->text,
                        .length = length,
                        .options = s->options,
                        .directory = r->directory,
                        .root = getenv(ENV_INCLUDES),
                        .headers = s->headers,
                        .header_count = s->header_count};
}

int request_decode(wire_reader *in, program_request *out) {
  *out = (program_request){0};
  const unsigned char *start = in->at;
  out->device = wire_string(in, NULL);
  out->directory = wire_string(in, NULL);
  out->source_count = wire_u32(in);
  if (out->source_count == 0 || out->source_count > in->left) {
    out->source_count = 0;
    return -1;
  }
  out->sources = mem_calloc(out->source_count, sizeof *out->sources);
  for (size_t i = 0; i < out->source_count; i++) read_source(in, out, &out->sources[i]);
  out->linked = wire_u32(in) != 0;
  out->link_options = wire_string(in, NULL);
  out->others = wire_u32(in);
  (void)SHA256Data(start, (size_t)(in->at - start), out->key);
  uint32_t facts = wire_u32(in);
  for (uint32_t i = 0; i < facts && !in->failed; i++) {
    uint32_t source = wire_u32(in);
    scoped char *expression = wire_string(in, NULL);
    bool value = wire_u32(in) != 0;
    if (source < out->source_count) request_add_fact(out, source, expression, value);
  }
  return in->failed ? -1 : 0;
}

void request_of_text(program_request *out, const char *name, const char *text, size_t length, const char *options,
                     const char *directory, const char *root) {
  *out = (program_request){.source_count = 1};
  out->sources = mem_calloc(1, sizeof *out->sources);
  out->device = mem_strdup("");
  out->directory = mem_strdup(directory);
  out->link_options = mem_strdup("");
  request_source *s = &out->sources[0];
  s->text = mem_strndup(text, length);
  s->options = mem_strdup(options);
  s->name = mem_strdup(name);
  s->input = (pp_input){.name = s->name,
                        .text = s->text,
                        .length = length,
                        .options = s->options,
                        .directory = out->directory,
                        .root = root,
                        .alone = true};
}

void request_free(program_request *r) {
  for (size_t i = 0; i < r->source_count; i++) {
    request_source *s = &r->sources[i];
    for (size_t k = 0; k < s->header_count; k++) {
      free((char *)s->headers[k].name);
      free((char *)s->headers[k].text);
    }
    for (size_t k = 0; k < s->fact_count; k++) free((char *)s->facts[k].expression);
    free(s->headers);
    free(s->facts);
    free(s->text);
    free(s->options);
    free(s->name);
    free(s->root);
  }
  free(r->sources);
  free(r->link_options);
  free(r->device);
  free(r->directory);
  *r = (program_request){0};
}

void request_add_fact(program_request *r, size_t source, const char *expression, bool value) {
  request_source *s = &r->sources[source];
  for (size_t i = 0; i < s->fact_count; i++)
    if (strcmp(s->facts[i].expression, expression) == 0) return;
  *ARRAY_ADD(s->facts, s->fact_count, s->fact_capacity) = (pp_fact){mem_strdup(expression), value};
}

/* Under which name answers for a source are remembered: device and options; to be freed. */
static char *request_fact_key(const program_request *r, size_t source) {
  return mem_printf("%s\n%s", r->device, r->sources[source].options);
}

pp_input *request_inputs(const program_request *r) {
  pp_input *inputs = mem_calloc(r->source_count, sizeof *inputs);
  for (size_t i = 0; i < r->source_count; i++) {
    inputs[i] = r->sources[i].input;
    inputs[i].facts = r->sources[i].facts;
    inputs[i].fact_count = r->sources[i].fact_count;
  }
  return inputs;
}

/* Requests of kernel files, with build options as a command line has them. */

enum { FILE_MOST = 64 << 20 };

static char *join_options(char *const *options) {
  buffer joined = {0};
  for (size_t i = 0; options != NULL && options[i] != NULL; i++) {
    bool plain = options[i][0] != '\0' && strpbrk(options[i], " \t\n\"\\") == NULL;
    buffer_printf(&joined, "%s%s", i == 0 ? "" : " ", plain ? "" : "\"");
    for (const char *c = options[i]; *c != '\0'; c++)
      buffer_printf(&joined, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
    buffer_puts(&joined, plain ? "" : "\"");
  }
  return buffer_take(&joined);
}

int request_of_file(program_request *out, const char *path, char *const *options, error *e) {
  scoped_buffer text = {0};
  *out = (program_request){0};
  const int result = file_read(path, "kernel file", FILE_MOST, &text, e);
  if (result == 0) {
    scoped char *joined = join_options(options);
    request_of_text(out, path, buffer_text(&text), text.length, joined, ".", NULL);
  }
  return result;
}

/* What is asked and found out about a program before it is rewritten: facts of the device's compiler, names of files.
 */

typedef struct recalling {
  program_request *request;
  size_t source;
} recalling;

static void take_fact(void *context, const char *expression, bool value) {
  const recalling *r = context;
  request_add_fact(r->request, r->source, expression, value);
}

int request_recall(program_request *r, db *d, error *e) {
  int result = 0;
  for (size_t i = 0; i < r->source_count && result == 0; i++) {
    scoped char *key = request_fact_key(r, i);
    result = db_each_fact(d, key, take_fact, &(recalling){r, i}, e);
  }
  return result;
}

int request_remember(const program_request *r, db *d, error *e) {
  int result = 0;
  for (size_t n = 0; n < r->source_count && result == 0; n++) {
    scoped char *key = request_fact_key(r, n);
    for (size_t i = 0; i < r->sources[n].fact_count && result == 0; i++)
      result = db_put_fact(d, key, r->sources[n].facts[i].expression, r->sources[n].facts[i].value, e);
  }
  return result;
}

void request_ask(const instrument_question *questions, size_t count, buffer *answer) {
  wire_begin(answer, MESSAGE_INSTRUMENTED);
  wire_put_u32(answer, INSTRUMENTED_QUESTIONS);
  wire_put_u32(answer, (uint32_t)count);
  for (size_t i = 0; i < count; i++) {
    wire_put_u32(answer, questions[i].source);
    wire_put_string(answer, questions[i].expression, strlen(questions[i].expression));
  }
  wire_end(answer);
}

/* For a source that is in no file of its own: it has no root then. */
static void find_home(request_source *s, size_t length) {
  if (s->root[0] != '\0' || s->name[0] == '/') return;
  s->home = home_of(s->text, length);
  if (s->home->count > 0 && s->home->length != length) {
    free(s->text);
    s->text = mem_strndup(s->home->text, s->home->length);
    s->input.text = s->text;
    s->input.length = s->home->length;
  } else if (s->home->count > 0) {
    memcpy(s->text, s->home->text, length);
  }
}

void request_name_sources(program_request *r, const char *const *directories, size_t count) {
  scoped const char **all = mem_calloc(count + 1, sizeof *all);
  all[0] = r->directory;
  for (size_t i = 0; i < count; i++) all[i + 1] = directories[i];
  for (size_t i = 0; i < r->source_count; i++) {
    const pp_input *in = &r->sources[i].input;
    size_t length = in->length;
    while (length > 0 && in->text[length - 1] == '\0') length--;
    free(r->sources[i].name);
    free(r->sources[i].root);
    r->sources[i].name = source_name(in->text, length, all, count + 1, &r->sources[i].root);
    r->sources[i].input.name = r->sources[i].name;
    find_home(&r->sources[i], length);
  }
}

char *request_title(const program_request *r) {
  const request_source *s = &r->sources[0];
  char *title = s->home == NULL ? NULL : home_title(s->home);
  return title == NULL ? mem_strdup(s->name) : title;
}

/* The request's source of this name, NULL if it has none. */
static const request_source *source_called(const program_request *r, const char *name) {
  return NAMED(r->sources, r->source_count, name, name);
}

/* A source that a mutant was put into is another text. */
static void copy_homes(model_file *f, const home_found *found) {
  bool same = found != NULL && found->count > 0 && f->length >= found->length &&
              memcmp(f->text, found->text, found->length) == 0;
  for (size_t i = 0; same && i < found->count; i++) {
    const model_home *from = &found->homes[i];
    model_home *to = ARRAY_ADD(f->homes, f->home_count, f->home_capacity);
    *to = (model_home){.name = mem_strdup(from->name),
                       .root = mem_strdup(from->root),
                       .text = mem_strndup(from->text, from->length),
                       .length = from->length,
                       .span_count = from->span_count};
    memcpy(to->sha256, from->sha256, sizeof to->sha256);
    to->spans = mem_calloc(from->span_count + 1, sizeof *to->spans);
    memcpy(to->spans, from->spans, from->span_count * sizeof *to->spans);
  }
}

void request_name_files(const program_request *r, model *m) {
  for (size_t i = 0; i < m->file_count; i++) {
    model_file *f = &m->files[i];
    const request_source *source = source_called(r, f->name);
    if (source != NULL) {
      f->root = mem_strdup(source->root == NULL ? "" : source->root);
      copy_homes(f, source->home);
    } else if (f->name[0] == '/') {
      scoped char *path = f->name;
      f->name = project_name(path, &f->root);
    }
  }
}

/* Those of arguments: __local arrays are part of the area. To be freed. */
static answer_object *objects_of(const instrument_kernel *k, uint32_t *count) {
  answer_object *objects = mem_calloc(k->object_count + 1, sizeof *objects);
  *count = 0;
  EACH(const instrument_object, o, k->objects, k->object_count) {
    if (o->parameter != MODEL_NONE) objects[(*count)++] = (answer_object){o->parameter, o->shift, o->local, o->writes};
  }
  return objects;
}

static void put_kernel(buffer *answer, const char *name, const instrument_kernel *k, const form_row *form) {
  const uint32_t planes = (uint32_t)k->plane_count | (k->planes_in_slots ? PLANES_IN_SLOTS : 0);
  answer_kernel said = {.name = name,
                        .form = form->kernels,
                        .flag_words = k->flag_words,
                        .total_words = k->total_words,
                        .planes = form->bare ? 0 : planes,
                        .item_bytes = k->item_bytes,
                        .bits = k->plane_count == 0 ? (uint32_t)k->bit_count : 0,
                        .area = k->area};
  scoped answer_object *objects = objects_of(k, &said.object_count);
  said.objects = objects;
  answer_kernel_put(answer, &said);
}

void program_answer(buffer *answer, uint32_t number, const instrument_result *r, const bool *left, const form_row *form,
                    const char *more) {
  scoped_buffer options = buffer_with("%s%s", form->options, more);
  answer_begin(answer, number, r->texts, r->options, r->source_count, buffer_text(&options));
  answer_kernels(answer, r->model.kernel_count);
  for (size_t i = 0; i < r->model.kernel_count; i++)
    put_kernel(answer, left != NULL && left[i] ? "" : r->model.kernels[i].name, &r->kernels[i], form);
  wire_end(answer);
}

/* A source is searched for by its content, in a listing of what lies below a folder, breadth first. */

typedef struct found_file {
  char *path;
  off_t size;
} found_file;

typedef struct file_listing {
  char *folder;
  found_file *files; /* level by level, those of a folder in order of name */
  size_t count, capacity;
  double made, took; /* in seconds, as clock_now() has them */
  int cut;           /* there are more: it took too long */
} file_listing;

/* A listing that takes longer ends. A fresh one costs at most a small share of the time since the last. */
#define MOST_SECONDS 3.0
#define AGE_OF_COST 20.0

static struct {
  file_listing *items;
  size_t count, capacity;
} kept;

typedef struct folder_queue {
  char **items;
  size_t count, capacity;
} folder_queue;

static int is_shown(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* Is the entry a folder to look into, not a link to one? */
static bool is_folder(const struct dirent *entry, const char *path) {
  struct stat status;
  return entry->d_type == DT_DIR ||
         (entry->d_type == DT_UNKNOWN && lstat(path, &status) == 0 && S_ISDIR(status.st_mode));
}

static void read_folder(file_listing *l, folder_queue *folders, const char *folder) {
  scoped struct dirent **entries = NULL;
  int count = scandir(folder, &entries, is_shown, alphasort);
  for (int i = 0; i < count; i++) {
    char *path = project_path(folder, entries[i]->d_name);
    struct stat status;
    if (is_folder(entries[i], path))
      *ARRAY_ADD(folders->items, folders->count, folders->capacity) = path;
    else if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
      *ARRAY_ADD(l->files, l->count, l->capacity) = (found_file){path, status.st_size};
    else
      free(path);
    free(entries[i]);
  }
}

static void empty(file_listing *l) {
  for (size_t i = 0; i < l->count; i++) free(l->files[i].path);
  free(l->files);
  *l = (file_listing){.folder = l->folder};
}

static void make(file_listing *l) {
  folder_queue folders = {0};
  double start = clock_now();
  empty(l);
  *ARRAY_ADD(folders.items, folders.count, folders.capacity) = mem_strdup(l->folder);
  for (size_t i = 0; i < folders.count; i++) {
    l->cut = l->cut || clock_now() - start > MOST_SECONDS;
    if (!l->cut) read_folder(l, &folders, folders.items[i]);
    free(folders.items[i]);
  }
  free(folders.items);
  l->made = clock_now();
  l->took = l->made - start;
}

/* What lies below a folder at any depth; hidden files and folders and links to folders are left out, links to files are
 * files. A listing is kept, and made anew when it is much older than the time that it takes. Lent. */
static const file_listing *files_below(const char *folder) {
  for (size_t i = 0; i < kept.count; i++) {
    file_listing *l = &kept.items[i];
    if (strcmp(l->folder, folder) == 0) {
      if (clock_now() - l->made > AGE_OF_COST * l->took) make(l);
      return l;
    }
  }
  file_listing *l = ARRAY_ADD(kept.items, kept.count, kept.capacity);
  l->folder = mem_strdup(folder);
  make(l);
  return l;
}

typedef struct wanted {
  const char *text;
  size_t length;
  const char *made_up; /* the name that it gets if it is in no file */
} wanted;

/* Reports leave copies of this name behind; these are not what it came from. */
static bool is_copy(const char *path, const wanted *w) {
  const char *slash = strrchr(path, '/');
  return slash != NULL && strcmp(slash + 1, w->made_up) == 0;
}

static bool same_content(const char *path, const wanted *w) {
  FILE *f = is_open_here(path) ? NULL : fopen(path, "rbe");
  if (f == NULL) return false;
  scoped char *content = mem_calloc(w->length + 1, 1);
  bool same = fread(content, 1, w->length, f) == w->length && memcmp(content, w->text, w->length) == 0;
  (void)fclose(f);
  return same;
}

/* The nearest file below a real folder with this content, lent; NULL if there is none. */
static const char *search(const char *folder, const wanted *w) {
  const file_listing *l = w->length == 0 ? NULL : files_below(folder);
  for (size_t i = 0; l != NULL && i < l->count; i++)
    if ((size_t)l->files[i].size == w->length && !is_copy(l->files[i].path, w) && same_content(l->files[i].path, w))
      return l->files[i].path;
  return NULL;
}

/* Below the first of these folders that has such a file. Takes them over. */
static const char *search_all(char **folders, size_t count, const wanted *w) {
  const char *found = NULL;
  for (size_t i = 0; i < count; i++) {
    bool new = folders[i] != NULL;
    for (size_t k = 0; k < i && new; k++) new = folders[k] == NULL || strcmp(folders[i], folders[k]) != 0;
    found = found == NULL && new ? search(folders[i], w) : found;
  }
  mem_free_all(folders, count);
  return found;
}

static char *name_of_digest(const char *text, size_t length) {
  char digest[SHA256_DIGEST_STRING_LENGTH];
  (void)SHA256Data((const uint8_t *)text, length, digest);
  return mem_printf("source-%.8s.cl", digest);
}

/* Of several files with the same text a program was given the one that its arguments name. */
static char *named_file(const char *const *paths, size_t count, const wanted *w) {
  for (size_t i = 0; i < count && w->length > 0; i++) {
    struct stat status;
    if (stat(paths[i], &status) == 0 && S_ISREG(status.st_mode) && (size_t)status.st_size == w->length &&
        same_content(paths[i], w))
      return realpath(paths[i], NULL);
  }
  return NULL;
}

char *source_name(const char *text, size_t length, const char *const *directories, size_t directory_count,
                  char **root) {
  char *made_up = name_of_digest(text, length);
  const wanted w = {text, length, made_up};
  scoped char *named = named_file(directories, directory_count, &w);
  char **folders = mem_calloc(directory_count + 4, sizeof *folders);
  size_t count = 0;
  folders[count++] = directory_count == 0 ? NULL : realpath(directories[0], NULL);
  folders[count++] = realpath(".", NULL);
  folders[count++] = project_repository(".");
  folders[count++] = project_chosen_root() == NULL ? NULL : mem_strdup(project_chosen_root());
  for (size_t i = 1; i < directory_count; i++) folders[count++] = realpath(directories[i], NULL);
  const char *below = search_all(folders, count, &w);
  const char *found = named != NULL ? named : below;
  if (found == NULL) {
    *root = mem_strdup("");
    return made_up;
  }
  free(made_up);
  return project_name(found, root);
}

void add_directories(char *const *argv, char ***directories, size_t *count, size_t *capacity) {
  for (char *const *word = argv; *word != NULL; word++) {
    struct stat status;
    if (word != argv && stat(*word, &status) == 0 && S_ISREG(status.st_mode))
      *ARRAY_ADD(*directories, *count, *capacity) = mem_strdup(*word);
    const char *slash = strrchr(*word, '/');
    if (slash != NULL && slash != *word)
      *ARRAY_ADD(*directories, *count, *capacity) = mem_strndup(*word, (size_t)(slash - *word));
  }
}
