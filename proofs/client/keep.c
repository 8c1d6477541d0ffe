/* Answers to rows: names of files become those of the program's model. */
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/files.h"
#include "proofs/client/prove.h"
#include "proofs/client/request.h"
#include "runner/build/build.h"

/* --- launches that have one result -------------------------------------------------------------------------------- */

/* Digests of what is proved, and of what has to be. */

/* The kernel as it is built. Which folders are searched for headers is no matter: the digest has the
 * headers. */
static void digest_kernel(digester *d, const asked_source *s, const char *kernel) {
  char word[4096];
  const char *at = asked_text(s)->options;
  digest_begin(d);
  digest_text(d, "cover");
  digest_text(d, CLTC_VERSION);
  digest_text(d, s->digests.texts);
  digest_text(d, kernel);
  while ((at += strspn(at, " \t")), *at != '\0') {
    const size_t length = strcspn(at, " \t");
    const bool searched = strncmp(at, "-I", 2) == 0;
    if (!searched) {
      (void)snprintf(word, sizeof word, "%.*s", (int)length, at);
      digest_text(d, length < sizeof word ? word : at);
    }
    at += length;
    if (searched && length == 2) { /* its folder is a word of its own, which may be quoted */
      at += strspn(at, " \t");
      const char *close = *at == '"' ? strchr(at + 1, '"') : NULL;
      at += close != NULL ? (size_t)(close - at) + 1 : strcspn(at, " \t");
    }
  }
}

static void cover_launch(const asked_source *s, const char *kernel, const observed_launch *l, const signature *of,
                         launch_cover *out) {
  digester d;
  buffer text = {0};
  request_launch_text(l, of, &text);
  digest_kernel(&d, s, kernel);
  digest_text(&d, "launch");
  digest_text(&d, buffer_text(&text));
  digest_end(&d, out->key);
  buffer_free(&text);
}

static void cover_all(const asked_source *s, const char *kernel, unsigned dimensions, launch_cover *out) {
  digester d;
  char number[16];
  (void)snprintf(number, sizeof number, "%u", dimensions);
  digest_kernel(&d, s, kernel);
  digest_text(&d, "all launches");
  digest_text(&d, number);
  digest_end(&d, out->key);
}

/* Proofs about files are about buffers that do not overlap and ids that begin at 0; those about launches need nothing
 * else once they rest on nothing. */
static bool is_plain(const observed_launch *l) {
  for (size_t i = 0; i < l->argument_count; i++) {
    for (size_t k = 0; k < i; k++)
      if (l->arguments[i].kind == OBSERVED_BUFFER && l->arguments[k].kind == OBSERVED_BUFFER &&
          l->arguments[i].memory == l->arguments[k].memory)
        return false;
  }
  return l->offset[0] + l->offset[1] + l->offset[2] == 0;
}

/* --- what is covered ---------------------------------------------------------------------------------------------- */

/* What holds in plain launches, which alone are looked up. */
static bool is_usual(const premise *p) {
  unsigned dimension = 0, offset = 1;
  return p->kind == PREMISE_EVEN ||
         (p->kind == PREMISE_EXPRESSION && sscanf(p->text, "get_global_offset(%u) == %u", &dimension, &offset) == 2 &&
          offset == 0);
}

/* Whether the proof rests on nothing but a number of dimensions, from `*least` to `*most`. */
static bool rests_on_dimensions(const verify_answer *a, unsigned *least, unsigned *most) {
  const char *only = NULL;
  char relation = 0;
  *least = 1;
  *most = 3;
  for (size_t i = 0; i < a->preconditions.count; i++) {
    if (!is_usual(&a->preconditions.items[i])) {
      if (only != NULL) return false;
      only = a->preconditions.items[i].text;
    }
  }
  if (only == NULL) return true;
  if (sscanf(only, "get_work_dim() %c= %u", &relation, most) != 2) return false;
  *least = relation == '=' ? *most : 1;
  return (relation == '=' || relation == '<') && *most >= 1 && *most <= 3;
}

/* Of all launches: those with the dimensions that were looked at. Of launches that were seen without a word on that: theirs. */
static size_t add_all(const asked_source *s, const verify_answer *a, const asked_kernel *k, launch_cover *out) {
  size_t count = 0;
  unsigned least = 0, most = 0;
  if (a->host != NULL || (!s->observed && asked_signature(s, a->kernel) == NULL) ||
      !rests_on_dimensions(a, &least, &most))
    return 0;
  for (unsigned dimensions = least; dimensions <= most; dimensions++) {
    bool looked_at = !s->observed || a->preconditions.count > 0;
    for (size_t i = 0; k != NULL && i < k->launch_count; i++)
      looked_at = looked_at || k->launches[i].dimensions == dimensions;
    if (looked_at) cover_all(s, a->kernel, dimensions, &out[count++]);
  }
  return count;
}

/* What the answer covers, at most COVERS_MOST: each of the launches that it was asked about, and all launches with the
 * same dimensions where it rests on nothing. None unless the kernel is verified without assumptions and has no
 * atomics whose order can show. */
static size_t covers_of(const asked_source *s, const prove_options *o, const verify_answer *a, launch_cover *out) {
  if (a->verdict != ANSWER_VERIFIED || a->order_shows || a->conditional || o->warp > 0 || s->digests.texts[0] == '\0')
    return 0;
  const asked_kernel *k = asked_kernel_find(s, a->kernel);
  const signature *of = asked_signature(s, a->kernel);
  size_t count = add_all(s, a, k, out);
  for (size_t i = 0; k != NULL && of != NULL && a->proved == a->given && i < k->launch_count; i++)
    if (!k->launches[i].local_chosen) cover_launch(s, a->kernel, &k->launches[i], of, &out[count++]);
  return count;
}

/* --- what is wanted ----------------------------------------------------------------------------------------------- */

size_t covers_wanted(const asked_source *s, const asked_kernel *k, const observed_launch *l, launch_cover out[2]) {
  const signature *of = asked_signature(s, k->name);
  size_t count = 0;
  if (of == NULL || s->digests.texts[0] == '\0') return 0;
  if (!l->local_chosen) cover_launch(s, k->name, l, of, &out[count++]);
  if (is_plain(l)) cover_all(s, k->name, l->dimensions, &out[count++]);
  return count;
}

/* --- the program -------------------------------------------------------------------------------------------------- */

static void make_model(program_request *r, instrument_result *out) {
  error ignored;
  if (build_instrumented(r, KERNEL_COUNTED, out, &ignored) != 0) {
    instrument_free(out);
    *out = (instrument_result){0};
    /* Of a source that cannot be read here: its text alone. */
    model_file *f = ARRAY_ADD(out->model.files, out->model.file_count, out->model.file_capacity);
    f->name = mem_strdup(r->sources[0].name);
    f->text = mem_strdup(r->sources[0].text);
    f->length = strlen(r->sources[0].text);
    (void)SHA256Data((const uint8_t *)f->text, f->length, f->sha256);
    out->model.options = mem_strdup(r->sources[0].options);
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

/* --- findings ----------------------------------------------------------------------------------------------------- */

static uint32_t file_of(const void *context, const char *name) { return find_file(context, name); }

static int keep_finding(const kept_source *k, const char *name, int64_t kernel, int64_t proof, const answer_finding *f,
                        const confirmation *c, error *e) {
  mem_arena memory = {0};
  db_finding row = record_make(&memory, f, asked_signature(k->source, name), file_of, k);
  row.of = (finding_ids){.run = k->run, .program = k->stored.id, .kernel = kernel, .proof = proof};
  row.confirmed = c->how;
  row.confirmation = c->why;
  const int result = db_put_finding(k->d, &row, e);
  mem_arena_free(&memory);
  return result;
}

/* --- proofs ------------------------------------------------------------------------------------------------------- */

static db_proof_parts words(const char *const *texts, size_t count) {
  db_proof_part *list = mem_calloc(count + 1, sizeof *list);
  for (size_t i = 0; i < count; i++) list[i] = (db_proof_part){.text = texts[i], .file = MODEL_NONE};
  return (db_proof_parts){list, count};
}

static db_proof_parts premises_of(const premises *p) {
  db_proof_part *list = mem_calloc(p->count + 1, sizeof *list);
  for (size_t i = 0; i < p->count; i++) list[i] = (db_proof_part){.text = p->items[i].text, .file = MODEL_NONE};
  return (db_proof_parts){list, p->count};
}

static db_proof_parts marked(const kept_source *k, const verify_answer *a, const db_proof_part *marks, size_t count) {
  db_proof_part *list = mem_calloc(count + 1, sizeof *list);
  size_t known = 0;
  for (size_t i = 0; i < count; i++) {
    const db_proof_part *one = &marks[i];
    const uint32_t file = find_file(k, a->files->items[one->file]);
    if (file != MODEL_NONE && one->line > 0)
      list[known++] = (db_proof_part){one->text, file, one->line, one->column == 0 ? 1 : one->column};
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
  launch_cover covers[COVERS_MOST];
  const size_t cover_count = covers_of(k->source, k->options, a, covers);
  const char *host = a->host;
  const char *keys[COVERS_MOST];
  for (size_t i = 0; i < cover_count; i++) keys[i] = covers[i].key;
  db_proof row = {.run = k->run,
                  .name = a->kernel,
                  .file = find_file(k, a->file),
                  .line = a->line,
                  .verdict = verify_verdict_name(a->verdict),
                  .reason = a->reason,
                  .parts = {[PROOF_PRECONDITION] = premises_of(&a->preconditions),
                            [PROOF_ASSUMPTION] = premises_of(&a->assumptions),
                            [PROOF_INVARIANT] = marked(k, a, a->invariants, a->invariant_count),
                            [PROOF_BARRIER] = marked(k, a, a->barriers, a->barrier_count),
                            [PROOF_COVER] = words(keys, cover_count),
                            [PROOF_HOST] = words(&host, host == NULL ? 0 : 1),
                            [PROOF_FACT] = words((const char *const *)a->facts.items, a->facts.count)},
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
  for (size_t i = 0; i < a->finding_count && result == 0; i++)
    result = keep_finding(k, a->kernel, kernel, proof, &a->findings[i], &confirmed[i], e);
  for (size_t kind = 0; kind < PROOF_PART_KINDS; kind++) free((void *)row.parts[kind].list);
  return result == 0 ? db_commit(k->d, e) : -1;
}
