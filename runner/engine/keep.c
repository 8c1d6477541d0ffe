/* Answers to rows: names of files become those of the program's model. */
#include "runner/engine/keep.h"

#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/project.h"
#include "runner/build/build.h"
#include "runner/engine/covers.h"
#include "runner/engine/record.h"

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

int kept_source_open(db *d, int64_t run, asked_source *s, const prove_options *o, kept_source *out, error *e) {
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
  const int index = name_index(m->files, m->file_count, sizeof *m->files, offsetof(model_file, name), name);
  return index < 0 ? MODEL_NONE : (uint32_t)index;
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

/* --- findings ----------------------------------------------------------------------------------------------------- */

static uint32_t file_of(const void *context, const char *name) { return find_file(context, name); }

static int keep_finding(const kept_source *k, const char *name, int64_t kernel, int64_t proof, const answer_finding *f,
                        const confirmation *c, error *e) {
  finding_record r;
  record_make(f, asked_signature(k->source, name), file_of, k, &r);
  const db_finding row = {.of.run = k->run,
                          .of.program = k->stored.id,
                          .of.kernel = kernel,
                          .rule = f->rule,
                          .detail = r.detail,
                          .places = r.places,
                          .place_count = r.place_count,
                          .witness = r.witness,
                          .witness_count = r.witness_count,
                          .of.proof = proof,
                          .possible = !f->definite,
                          .confirmed = c->how,
                          .confirmation = c->why,
                          .path = r.path,
                          .path_count = r.path_count};
  const int result = db_put_finding(k->d, &row, e);
  record_free(&r);
  return result;
}

/* --- proofs ------------------------------------------------------------------------------------------------------- */

static db_proof_parts words(const char *const *texts, size_t count) {
  db_proof_part *list = mem_calloc(count + 1, sizeof *list);
  for (size_t i = 0; i < count; i++) {
    list[i] = (db_proof_part){.text = texts[i], .file = MODEL_NONE};
  }
  return (db_proof_parts){list, count};
}

static db_proof_parts words_of(const answer_words *w) { return words((const char *const *)w->items, w->count); }

static db_proof_parts premises_of(const premises *p) {
  db_proof_part *list = mem_calloc(p->count + 1, sizeof *list);
  for (size_t i = 0; i < p->count; i++) {
    list[i] = (db_proof_part){.text = p->items[i].text, .file = MODEL_NONE};
  }
  return (db_proof_parts){list, p->count};
}

static db_proof_parts marked(const kept_source *k, const answer_mark *marks, size_t count) {
  db_proof_part *list = mem_calloc(count + 1, sizeof *list);
  size_t known = 0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t file = find_file(k, marks[i].at.file);
    if (file != MODEL_NONE && marks[i].at.line > 0) {
      list[known++] = (db_proof_part){marks[i].text, file, marks[i].at.line, column_of(&marks[i].at)};
    }
  }
  return (db_proof_parts){list, known};
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
  const char *host = a->host;
  const char *keys[COVERS_MOST];
  for (size_t i = 0; i < cover_count; i++) {
    keys[i] = covers[i].key;
  }
  db_proof row = {.run = k->run,
                  .name = a->kernel,
                  .file = find_file(k, a->file),
                  .line = a->line,
                  .verdict = verify_verdict_name(a->verdict),
                  .reason = a->reason,
                  .parts = {[PROOF_PRECONDITION] = premises_of(&a->preconditions),
                            [PROOF_ASSUMPTION] = premises_of(&a->assumptions),
                            [PROOF_INVARIANT] = marked(k, a->invariants, a->invariant_count),
                            [PROOF_BARRIER] = marked(k, a->barriers, a->barrier_count),
                            [PROOF_COVER] = words(keys, cover_count),
                            [PROOF_HOST] = words(&host, host == NULL ? 0 : 1),
                            [PROOF_FACT] = words_of(&a->facts)},
                  .launches = small(a->given),
                  .proved = small(a->proved),
                  .seconds = a->seconds,
                  .queries = a->queries,
                  .memory = a->memory,
                  .key = proved->key,
                  .answer = proved->reused ? NULL : proved->text,
                  .reused = proved->reused};
  const int64_t kernel = kernel_row(k, a->kernel, &row.file, &row.line);
  int64_t proof = 0;
  int result = db_add_proof(k->d, k->stored.id, kernel, &row, &proof, e);
  for (size_t i = 0; i < a->finding_count && result == 0; i++) {
    result = keep_finding(k, a->kernel, kernel, proof, &a->findings[i], &confirmed[i], e);
  }
  for (size_t kind = 0; kind < PROOF_PART_KINDS; kind++) {
    free((void *)row.parts[kind].list);
  }
  return result == 0 ? db_commit(k->d, e) : -1;
}
