/* Answers to rows: names of files become those of the program's model. */
#include "runner/engine/keep.h"

#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/project.h"
#include "runner/build/build.h"
#include "runner/engine/covers.h"

/* --- the program -------------------------------------------------------------------------------------------------- */

/* Of a source that cannot be read here: its text alone. */
static void plain_model(const request_source *s, model *m) {
  model_file *f = ARRAY_ADD(m->files, m->file_count, m->file_capacity);
  f->name = mem_strdup(s->name);
  f->text = mem_strdup(s->text);
  f->length = strlen(s->text);
  (void)SHA256Data((const uint8_t *)f->text, f->length, f->sha256);
  m->options = mem_strdup(s->options);
}

static void make_model(program_request *r, instrument_result *out) {
  error ignored;
  if (build_instrumented(r, KERNEL_COUNTED, out, &ignored) != 0) {
    instrument_free(out);
    *out = (instrument_result){0};
    plain_model(&r->sources[0], &out->model);
  }
  request_name_files(r, &out->model);
}

int kept_source_open(db *d, int64_t run, verify_source *s, const verify_options *o, kept_source *out, error *e) {
  *out = (kept_source){.d = d, .run = run, .directory = s->request.directory, .source = s, .options = o};
  make_model(&s->request, &out->made);
  return db_add_program(d, run, &out->made.model, &out->stored, e);
}

void kept_source_free(kept_source *k) {
  db_program_free(&k->stored);
  instrument_free(&k->made);
}

/* --- places ------------------------------------------------------------------------------------------------------- */

static uint32_t file_called(const model *m, const char *name) {
  for (size_t i = 0; i < m->file_count; i++) {
    if (strcmp(m->files[i].name, name) == 0) {
      return (uint32_t)i;
    }
  }
  return MODEL_NONE;
}

/* The model's file that the engine calls `name`: the source itself as it was named, headers as the compiler found them.
 */
static uint32_t find_file(const kept_source *k, const char *name) {
  uint32_t file = file_called(&k->made.model, name);
  if (file == MODEL_NONE && name[0] != '\0') {
    char *path = name[0] == '/' ? mem_strdup(name) : project_path(k->directory, name), *root = NULL;
    char *shown = project_name(path, &root);
    file = file_called(&k->made.model, shown);
    free(path);
    free(shown);
    free(root);
  }
  return file;
}

uint32_t kept_source_file(const kept_source *k, const char *name) {
  return name[0] != '\0' ? find_file(k, name) : k->made.model.file_count > 0 ? 0 : MODEL_NONE;
}

static uint32_t column_of(const answer_spot *s) { return s->column == 0 ? 1 : s->column; }

static char *three_text(const uint64_t *n) {
  buffer text = {0};
  buffer_printf(&text, "%llu,%llu,%llu", (unsigned long long)n[0], (unsigned long long)n[1], (unsigned long long)n[2]);
  return buffer_take(&text);
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

/* A finding as rows; what it points to is released with free_rows. */
typedef struct rows {
  db_place *places;
  db_call *calls;
  db_step *steps;
  db_witness *witness;
  size_t place_count, step_count, witness_count, witness_capacity;
  char **texts;
  size_t text_count, text_capacity;
} rows;

static const char *own(rows *r, char *text) { return *ARRAY_ADD(r->texts, r->text_count, r->text_capacity) = text; }

static void add_witness(rows *r, const char *what, char *value) {
  *ARRAY_ADD(r->witness, r->witness_count, r->witness_capacity) = (db_witness){what, own(r, value)};
}

/* Places in files that the program does not have are left out. */
static void add_places(rows *r, const kept_source *k, const answer_finding *f) {
  size_t calls = 0;
  for (size_t i = 0; i < f->place_count; i++) {
    calls += f->places[i].inlined_count;
  }
  r->places = mem_calloc(f->place_count + 1, sizeof *r->places);
  r->calls = mem_calloc(calls + 1, sizeof *r->calls);
  db_call *next = r->calls;
  for (size_t i = 0; i < f->place_count; i++) {
    const answer_place *p = &f->places[i];
    const uint32_t file = find_file(k, p->at.file);
    if (file == MODEL_NONE || p->at.line == 0) {
      continue;
    }
    db_place *to = &r->places[r->place_count++];
    *to =
        (db_place){.role = p->role, .access = p->access, .file = file, .line = p->at.line, .column = column_of(&p->at)};
    to->local = p->has_item ? own(r, three_text(p->local)) : NULL;
    to->group = p->has_item ? own(r, three_text(p->group)) : NULL;
    to->condition = p->condition[0] == '\0' ? NULL : p->condition;
    to->inlined = next;
    for (size_t c = 0; c < p->inlined_count; c++) {
      const answer_spot *call = &p->inlined[c];
      const uint32_t where = find_file(k, call->file);
      if (where != MODEL_NONE && call->line > 0) {
        *next++ = (db_call){where, call->line, column_of(call)};
        to->inlined_count++;
      }
    }
  }
}

static void add_path(rows *r, const kept_source *k, const answer_finding *f) {
  r->steps = mem_calloc(f->path_count + 1, sizeof *r->steps);
  for (size_t i = 0; i < f->path_count; i++) {
    const answer_step *s = &f->path[i];
    const uint32_t file = find_file(k, s->at.file);
    if (file != MODEL_NONE && s->at.line > 0) {
      r->steps[r->step_count++] = (db_step){s->thread, file, s->at.line, column_of(&s->at), s->text};
    }
  }
}

static char *number_text(int64_t n) {
  buffer text = {0};
  buffer_printf(&text, "%lld", (long long)n);
  return buffer_take(&text);
}

static const parameter *parameter_named(const signature *of, const char *name) {
  for (size_t i = 0; of != NULL && i < of->count; i++) {
    if (strcmp(of->parameters[i].name, name) == 0) {
      return &of->parameters[i];
    }
  }
  return NULL;
}

static unsigned nibble(char c) { return (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10); }

/* The number of `bytes` bytes, the lowest first. */
static uint64_t bits_of(const char *hexadecimal, size_t bytes) {
  uint64_t bits = 0;
  for (size_t i = bytes; i-- > 0;) {
    bits = bits << 8 | nibble(hexadecimal[2 * i]) << 4 | nibble(hexadecimal[2 * i + 1]);
  }
  return bits;
}

static void put_real(const char *hexadecimal, bool twice, buffer *out) {
  const uint64_t bits = bits_of(hexadecimal, twice ? sizeof(double) : sizeof(float));
  const uint32_t low = (uint32_t)bits;
  double wide = 0;
  float narrow = 0;
  memcpy(&wide, &bits, sizeof wide);
  memcpy(&narrow, &low, sizeof narrow);
  buffer_printf(out, "%.*g", twice ? 17 : 9, twice ? wide : (double)narrow);
}

/* Of float and double, and of vectors of these, their numbers; of anything else its bytes. */
static char *value_text(const parameter *p, const char *hexadecimal) {
  const bool twice = p != NULL && strncmp(p->type, "double", 6) == 0;
  const bool real = twice || (p != NULL && strncmp(p->type, "float", 5) == 0);
  const size_t digits = twice ? 16 : 8, count = strlen(hexadecimal) / digits;
  buffer text = {0};
  if (!real || count == 0 || strlen(hexadecimal) % digits != 0) {
    buffer_printf(&text, "bytes %s", hexadecimal);
    return buffer_take(&text);
  }
  for (size_t i = 0; i < count; i++) {
    buffer_puts(&text, i > 0 ? ", " : count > 1 ? "(" : "");
    put_real(hexadecimal + i * digits, twice, &text);
  }
  buffer_puts(&text, count > 1 ? ")" : "");
  return buffer_take(&text);
}

static void add_model(rows *r, const signature *of, const answer_finding *f) {
  if (f->array[0] != '\0') {
    buffer element = {0};
    buffer_puts(&element, f->array);
    if (f->has_element) {
      buffer_printf(&element, "[%llu]", (unsigned long long)f->element);
    }
    add_witness(r, "element", buffer_take(&element));
  }
  if (f->has_sizes) {
    add_witness(r, "local size", three_text(f->local_size));
    add_witness(r, "groups", three_text(f->groups));
  }
  if (f->offset[0] + f->offset[1] + f->offset[2] > 0) {
    add_witness(r, "offset", three_text(f->offset));
  }
  for (size_t i = 0; i < f->argument_count; i++) {
    const answer_argument *a = &f->arguments[i];
    add_witness(r, a->name,
                a->is_integer ? number_text(a->integer) : value_text(parameter_named(of, a->name), a->hexadecimal));
  }
  for (size_t i = 0; i < f->contents_count; i++) {
    for (size_t c = 0; c < f->contents[i].count; c++) {
      const answer_cell *cell = &f->contents[i].cells[c];
      buffer what = {0};
      buffer_printf(&what, "%s[%llu]", f->contents[i].buffer, (unsigned long long)cell->element);
      add_witness(r, own(r, buffer_take(&what)), number_text(cell->value));
    }
  }
  for (size_t i = 0; i < f->depends_on.count; i++) {
    add_witness(r, "depends on", mem_strdup(f->depends_on.items[i]));
  }
}

static void free_rows(rows *r) {
  for (size_t i = 0; i < r->text_count; i++) {
    free(r->texts[i]);
  }
  free(r->texts);
  free(r->places);
  free(r->calls);
  free(r->steps);
  free(r->witness);
}

static int keep_finding(const kept_source *k, const char *name, int64_t kernel, int64_t proof, const answer_finding *f,
                        const confirmation *c, error *e) {
  rows r = {0};
  add_places(&r, k, f);
  add_path(&r, k, f);
  add_model(&r, verify_signature(k->source, name), f);
  const db_finding row = {.run = k->run,
                          .program = k->stored.id,
                          .kernel = kernel,
                          .rule = f->rule,
                          .message = f->message,
                          .places = r.places,
                          .place_count = r.place_count,
                          .witness = r.witness,
                          .witness_count = r.witness_count,
                          .proof = proof,
                          .possible = !f->definite,
                          .confirmed = c->how,
                          .confirmation = c->why,
                          .path = r.steps,
                          .path_count = r.step_count};
  const int result = db_put_finding(k->d, &row, e);
  free_rows(&r);
  return result;
}

/* --- proofs ------------------------------------------------------------------------------------------------------- */

static void add_words(db_proof_part *parts, size_t *count, proof_part_kind kind, const answer_words *w) {
  for (size_t i = 0; i < w->count; i++) {
    parts[(*count)++] = (db_proof_part){.kind = kind, .text = w->items[i], .file = MODEL_NONE};
  }
}

static void add_marks(const kept_source *k, db_proof_part *parts, size_t *count, proof_part_kind kind,
                      const answer_mark *marks, size_t mark_count) {
  for (size_t i = 0; i < mark_count; i++) {
    const uint32_t file = find_file(k, marks[i].at.file);
    if (file != MODEL_NONE && marks[i].at.line > 0) {
      parts[(*count)++] = (db_proof_part){kind, marks[i].text, file, marks[i].at.line, column_of(&marks[i].at)};
    }
  }
}

static int64_t kernel_row(const kept_source *k, const char *name, uint32_t *file, uint32_t *line) {
  for (size_t i = 0; i < k->made.model.kernel_count; i++) {
    if (strcmp(k->made.model.kernels[i].name, name) == 0) {
      const model_function *f = &k->made.model.functions[k->made.model.kernels[i].function];
      *file = f->file;
      *line = f->line;
      return k->stored.kernels[i];
    }
  }
  return 0;
}

int64_t kept_source_kernel(const kept_source *k, const char *name) {
  uint32_t file = 0, line = 0;
  return kernel_row(k, name, &file, &line);
}

static uint32_t small(uint64_t n) { return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n; }

int keep_proof(const kept_source *k, const proved_kernel *proved, const confirmation *confirmed, error *e) {
  const verify_answer *a = &proved->answer;
  cover covers[COVERS_MOST];
  const size_t cover_count = covers_of(k->source, k->options, a, covers);
  db_proof_part *parts = mem_calloc(a->preconditions.count + a->assumptions.count + a->facts.count + 1 +
                                        a->invariant_count + a->barrier_count + cover_count + 1,
                                    sizeof *parts);
  size_t count = 0;
  add_words(parts, &count, PROOF_PRECONDITION, &a->preconditions);
  add_words(parts, &count, PROOF_ASSUMPTION, &a->assumptions);
  add_marks(k, parts, &count, PROOF_INVARIANT, a->invariants, a->invariant_count);
  add_marks(k, parts, &count, PROOF_BARRIER, a->barriers, a->barrier_count);
  add_words(parts, &count, PROOF_FACT, &a->facts);
  if (a->host != NULL) {
    parts[count++] = (db_proof_part){.kind = PROOF_HOST, .text = a->host, .file = MODEL_NONE};
  }
  for (size_t i = 0; i < cover_count; i++) {
    parts[count++] = (db_proof_part){.kind = PROOF_COVER, .text = covers[i].key, .file = MODEL_NONE};
  }
  db_proof row = {.run = k->run,
                  .program = k->stored.id,
                  .name = a->kernel,
                  .file = find_file(k, a->file),
                  .line = a->line,
                  .verdict = verify_verdict_name(a->verdict),
                  .reason = a->reason,
                  .parts = parts,
                  .part_count = count,
                  .launches = small(a->given),
                  .proved = small(a->proved),
                  .seconds = a->seconds,
                  .queries = a->queries,
                  .memory = a->memory,
                  .key = proved->key,
                  .answer = proved->reused ? NULL : proved->text,
                  .reused = proved->reused};
  row.kernel = kernel_row(k, a->kernel, &row.file, &row.line);
  int64_t proof = 0;
  int result = db_add_proof(k->d, &row, &proof, e);
  for (size_t i = 0; i < a->finding_count && result == 0; i++) {
    result = keep_finding(k, a->kernel, row.kernel, proof, &a->findings[i], &confirmed[i], e);
  }
  free(parts);
  return result == 0 ? db_commit(k->d, e) : -1;
}
