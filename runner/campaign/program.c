/* Programs of a campaign: their mutants, and the text that a run gets instead of the user's. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/build/build.h"
#include "runner/build/disjoint.h"
#include "runner/build/written.h"
#include "runner/campaign/internal.h"
#include "runner/campaign/reuse.h"
#include "runner/campaign/stored_mutant.h"
#include "wire/answer.h"
#include "wire/protocol.h"

enum { BATCH_MUTANTS = 24 };

#define OPTION_REACH " -DCLTC_REACH"
#define NO_LIMIT UINT32_MAX

/* --- making ------------------------------------------------------------------------------------------------------- */

static campaign_program *find_program(const campaign_programs *all, const program_request *r, size_t *index) {
  for (*index = 0; *index < all->count; (*index)++) {
    if (all->list[*index]->launches == NULL && memcmp(all->list[*index]->request.key, r->key, sizeof r->key) == 0) {
      return all->list[*index];
    }
  }
  return NULL;
}

static int build(const campaign_options *o, const program_request *r, const uint32_t *clones, size_t count,
                 mutate_result *out, error *e) {
  return build_mutated(r, &(build_mutants){.numbers = clones, .count = count, .operators = o->operators}, out, e);
}

db_mutant campaign_stored_mutant(const mutant *m) {
  return (db_mutant){.id = m->id,
                     .operator_name = mutate_operators[m->op].name,
                     .file = m->file,
                     .line = m->line,
                     .column = m->column,
                     .offset = m->offset,
                     .end_line = m->end_line,
                     .end_column = m->end_column,
                     .end_offset = m->end_offset,
                     .function = m->function,
                     .original = m->original,
                     .replacement = m->replacement,
                     .description = m->description,
                     .kernels = m->kernels,
                     .kernel_count = m->kernel_count};
}

/* Whether the kernels of a mutant are: of a launch mutant, with their own program. */
static bool is_stored(const campaign_program *p, const mutant *m) {
  return p->launches == NULL || p->stored.kernels[m->kernels[0]] != 0;
}

int campaign_store_mutants(experiment *x, campaign_program *p, error *e) {
  const mutate_result *r = &p->schema;
  db_mutant *items = mem_calloc(r->mutant_count + 1, sizeof *items);
  int64_t *rows = mem_calloc(r->mutant_count + 1, sizeof *rows);
  size_t count = 0;
  for (size_t i = 0; i < r->mutant_count; i++) {
    const mutant *m = &r->mutants[i];
    if (!p->mutants[i].chosen) {
      continue;
    }
    items[count] = campaign_stored_mutant(m);
    items[count].kernel_count = is_stored(p, m) ? m->kernel_count : 0;
    count++;
  }
  int result = count == 0 ? 0 : db_add_mutants(x->db, &p->stored, &r->model, items, count, rows, e);
  for (size_t i = r->mutant_count; i-- > 0;) {
    p->mutants[i].row = p->mutants[i].chosen ? rows[--count] : 0;
  }
  free(items);
  free(rows);
  return result;
}

static int store_program(experiment *x, campaign_program *p, error *e) {
  const mutate_result *r = &p->schema;
  p->mutants = mem_calloc(r->mutant_count + 1, sizeof *p->mutants);
  for (size_t i = 0; i < r->mutant_count; i++) {
    p->mutants[i] = (campaign_mutant){.mutant = &r->mutants[i], .form = r->mutants[i].form, .batch = NO_BATCH};
  }
  return db_add_program(x->db, x->run, &r->model, &p->stored, e);
}

/* Takes over the request and the result. */
static int add_program(campaign *c, program_request *r, int status, mutate_result *result, const error *why, error *e) {
  campaign_program *p = mem_calloc(1, sizeof *p);
  *ARRAY_ADD(c->programs.list, c->programs.count, c->programs.capacity) = p;
  p->request = *r;
  *r = (program_request){0};
  p->name = request_title(&p->request);
  int outcome = request_remember(&p->request, c->base.db, e);
  if (status != 0) {
    mutate_free(result);
    p->reason = mem_strdup(why->text);
    return outcome != 0 ? outcome : db_add_skipped(c->base.db, c->base.run, p->name, p->reason, e);
  }
  p->schema = *result;
  request_name_files(&p->request, &p->schema.model);
  mutate_suppress_at_home(&p->schema);
  return outcome != 0 ? outcome : store_program(&c->base, p, e);
}

/* --- finding ------------------------------------------------------------------------------------------------------ */

static bool same_headers(const request_source *a, const capture_source *b) {
  bool same = a->header_count == b->header_count;
  for (size_t i = 0; i < a->header_count && same; i++) {
    same = strcmp(a->headers[i].name, b->headers[i].name) == 0 && strcmp(a->headers[i].text, b->headers[i].text) == 0;
  }
  return same;
}

static bool same_program(const program_request *a, const capture_command *b) {
  bool same = a->source_count == b->u.program.source_count && a->linked == b->u.program.linked &&
              (!a->linked || strcmp(a->link_options, b->u.program.link_options) == 0);
  for (size_t i = 0; i < a->source_count && same; i++) {
    const request_source *s = &a->sources[i];
    const capture_source *other = &b->u.program.sources[i];
    same = strcmp(s->text, other->text) == 0 && strcmp(s->options, other->options) == 0 && same_headers(s, other);
  }
  return same;
}

bool campaign_may_write(const campaign_programs *among, const char *kernel, uint32_t argument) {
  const program_request **all = mem_calloc(among->count + 1, sizeof *all);
  size_t count = 0;
  for (size_t p = 0; p < among->count; p++) {
    if (among->list[p]->launches == NULL) {
      all[count++] = &among->list[p]->request;
    }
  }
  const bool may = source_may_write(all, count, kernel, argument);
  free(all);
  return may;
}

size_t campaign_program_of(const campaign_programs *all, const capture_command *built) {
  size_t found = SIZE_MAX;
  for (size_t p = 0; p < all->count; p++) {
    if (all->list[p]->launches == NULL && same_program(&all->list[p]->request, built)) {
      if (found != SIZE_MAX) {
        return SIZE_MAX;
      }
      found = p;
    }
  }
  return found;
}

/* --- answering ---------------------------------------------------------------------------------------------------- */

/* A kernel of the program and the one to launch in its place. */
static void put_kernel(buffer *answer, const campaign_program *p, uint32_t kernel, const char *twin, uint32_t number,
                       uint32_t fuel) {
  answer_kernel_put(answer, &(answer_kernel){.name = p->schema.model.kernels[kernel].name,
                                             .form = KERNEL_MUTATED,
                                             .flag_words = p->schema.flag_words,
                                             .total_words = p->schema.flag_words,
                                             .launched = twin,
                                             .mutant = number,
                                             .fuel = fuel});
}

static void begin_answer(buffer *answer, size_t index, const mutate_result *r, const char *more) {
  answer_begin(answer, (uint32_t)index, r->texts, r->options, r->source_count, more);
}

/* All kernels in the form that holds mutants, without a mutant. */
static void answer_schema(const campaign_program *p, size_t index, const char *more, buffer *answer) {
  const bool clone = p->cloned || p->divided;
  const model *m = &p->schema.model;
  begin_answer(answer, index, clone ? &p->original : &p->schema, more);
  answer_kernels(answer, m->kernel_count);
  for (uint32_t k = 0; k < m->kernel_count; k++) {
    char *name = clone ? mutant_clone_name(m->kernels[k].name, 0) : NULL;
    put_kernel(answer, p, k, clone ? name : m->kernels[k].name, 0, NO_LIMIT);
    free(name);
  }
  wire_end(answer);
}

/* Some kernels in one form, with mutant `number` (0: none). */
static void answer_form(const campaign_job *j, const mutate_result *text, const reference *r, bool cloned,
                        uint32_t number, buffer *answer) {
  const campaign_program *p = j->campaign->programs.list[j->program];
  begin_answer(answer, j->program, text, "");
  answer_kernels(answer, r->kernel_count);
  for (size_t i = 0; i < r->kernel_count; i++) {
    const uint32_t kernel = r->kernels[i];
    const char *name = p->schema.model.kernels[kernel].name;
    char *clone = cloned ? mutant_clone_name(name, number) : NULL;
    put_kernel(answer, p, kernel, cloned ? clone : name, number, campaign_fuel_of(j, kernel));
    free(clone);
  }
  wire_end(answer);
}

/* What the program as it is builds. */
static void note_built(const campaign_job *j, const campaign_program *p) {
  test_state *t = &j->campaign->tests[j->base.test];
  if (j->kind == JOB_PLAIN) {
    t->builds = t->builds || p->schema.mutant_count > 0;
    t->prints = t->prints || p->schema.prints;
  }
}

static bool is_untouched(job_kind kind) { return kind == JOB_PLAIN || kind == JOB_CHECK; }

static void answer_program(const campaign_job *j, size_t index, buffer *answer) {
  const campaign *c = j->campaign;
  const campaign_program *p = c->programs.list[index];
  const bool refused = p->reason != NULL || (p->refused != NULL && !p->cloned);
  if (refused || p->schema.mutant_count == 0 || is_untouched(j->kind)) {
    answer_untouched(answer, "");
  } else if (j->kind == JOB_REACH || j->kind == JOB_SCHEMA) {
    answer_schema(p, index, j->kind == JOB_REACH ? OPTION_REACH : "", answer);
  } else if (index != j->program) {
    answer_untouched(answer, "");
  } else {
    const bool cloned = j->batch != NO_BATCH;
    const mutate_result *whole = p->divided ? &p->parts[p->mutants[j->mutant].part].made : &p->schema;
    uint32_t number = j->kind == JOB_MUTANT ? p->mutants[j->mutant].mutant->number : 0;
    answer_form(j, cloned ? &p->batches[j->batch].made : whole, j->reference, cloned, number, answer);
  }
}

/* What the device has answered in this round. */
static void take_facts(program_request *to, const program_request *from) {
  for (size_t i = 0; i < from->source_count && i < to->source_count; i++) {
    for (size_t k = 0; k < from->sources[i].fact_count; k++) {
      const pp_fact *fact = &from->sources[i].facts[k];
      request_add_fact(to, i, fact->expression, fact->value);
    }
  }
}

int campaign_request(campaign_job *j, wire_reader *in, buffer *answer, error *e) {
  campaign *c = j->campaign;
  program_request r;
  if (request_decode(in, &r) != 0) {
    request_free(&r);
    return error_set(e, EXIT_INTERNAL, "the layer sent a malformed request");
  }
  if (c->codes.device == NULL) {
    c->codes.device = mem_strdup(r.device);
    size_t length = strcspn(r.device, "\n");
    length = length < sizeof c->out->common.device ? length : sizeof c->out->common.device - 1;
    memcpy(c->out->common.device, r.device, length);
  }
  size_t index = 0;
  int outcome = 0;
  if (find_program(&c->programs, &r, &index) == NULL) {
    mutate_result result;
    error why = {0};
    request_name_sources(&r, (const char *const *)c->directories.list, c->directories.count);
    if (request_recall(&r, c->base.db, e) != 0) {
      request_free(&r);
      return -1;
    }
    int status = build(c->options, &r, NULL, 0, &result, &why);
    if (status != 0 && experiment_stopped(&c->base)) { /* that is why */
      request_free(&r);
      answer_untouched(answer, "");
      return 0;
    }
    if (status == 0 && result.question_count > 0) {
      request_ask(result.questions, result.question_count, answer);
      mutate_free(&result);
      request_free(&r);
      return 0;
    }
    index = c->programs.count;
    outcome = add_program(c, &r, status, &result, &why, e);
  }
  if (outcome == 0 && j->kind == JOB_CHECKED) {
    take_facts(&c->programs.list[index]->request, &r);
    campaign_answer_checked(j, index, answer);
  } else if (outcome == 0) {
    note_built(j, c->programs.list[index]);
    answer_program(j, index, answer);
  }
  request_free(&r);
  return outcome;
}

/* --- clones ------------------------------------------------------------------------------------------------------- */

/* A new batch that starts with 0, which stands for the original in the same form. */
static uint32_t new_batch(campaign_program *p) {
  batch *b = ARRAY_ADD(p->batches, p->batch_count, p->batch_capacity);
  b->numbers = mem_calloc(BATCH_MUTANTS + 1, sizeof *b->numbers);
  b->count = 1;
  return (uint32_t)(p->batch_count - 1);
}

static void put_into_batch(campaign_program *p, uint32_t number, uint32_t index) {
  batch *b = &p->batches[number];
  assert(b->count <= BATCH_MUTANTS);
  b->numbers[b->count++] = p->mutants[index].mutant->number;
  p->mutants[index].batch = number;
}

/* This mutant and other undecided ones of the round that are cloned. */
static void fill_batch(const campaign *c, campaign_program *p, uint32_t index) {
  bool alone = p->mutants[index].batch != NO_BATCH; /* its batch was refused */
  uint32_t number = new_batch(p);
  put_into_batch(p, number, index);
  for (size_t i = 0; i < c->queue.end && !alone; i++) {
    const uint32_t m = c->queue.list[i].index;
    const campaign_mutant *other = &p->mutants[m];
    if (c->programs.list[c->queue.list[i].program] == p && m != index && other->reached && !other->decided &&
        other->form == MUTANT_CLONED && other->batch == NO_BATCH && p->batches[number].count <= BATCH_MUTANTS) {
      put_into_batch(p, number, m);
    }
  }
}

/* Of a batch only its texts are needed. */
void campaign_keep_texts(mutate_result *r) {
  mutate_result texts = {.texts = r->texts, .options = r->options, .source_count = r->source_count};
  r->texts = r->options = NULL;
  r->source_count = 0;
  mutate_free(r);
  *r = texts;
}

int campaign_write_batch(campaign *c, campaign_program *p, uint32_t index, error *e) {
  campaign_mutant *m = &p->mutants[index];
  if (m->batch == NO_BATCH || (p->batches[m->batch].refused && p->batches[m->batch].count > 2)) {
    fill_batch(c, p, index);
  }
  batch *b = &p->batches[m->batch];
  if (b->written) {
    return 0;
  }
  int result = build(c->options, &p->request, b->numbers, b->count, &b->made, e);
  campaign_keep_texts(&b->made);
  b->written = result == 0;
  return result != 0 && experiment_stopped(&c->base) ? 0 : result;
}

int campaign_write_original(campaign *c, campaign_program *p, error *e) {
  const uint32_t original = 0;
  if (p->original.texts != NULL) {
    return 0;
  }
  int result = build(c->options, &p->request, &original, 1, &p->original, e);
  campaign_keep_texts(&p->original);
  return result != 0 && experiment_stopped(&c->base) ? 0 : result;
}

int campaign_clone_program(campaign *c, campaign_program *p, error *e) {
  p->cloned = true;
  p->divided = false;
  return campaign_write_original(c, p, e);
}

void campaign_program_free(campaign_program *p) {
  for (size_t i = 0; i < p->batch_count; i++) {
    free(p->batches[i].numbers);
    mutate_free(&p->batches[i].made);
  }
  for (size_t i = 0; p->mutants != NULL && i < p->schema.mutant_count; i++) {
    free(p->mutants[i].known);
  }
  for (size_t i = 0; i < p->part_count; i++) {
    free(p->parts[i].numbers);
    mutate_free(&p->parts[i].made);
  }
  free(p->launches);
  free(p->parts);
  free(p->batches);
  free(p->mutants);
  disjoint_free(p->disjoint);
  noted_free(p);
  for (size_t look = 0; look < LOOKS; look++) {
    if (p->checked[look] != NULL) {
      instrument_free(p->checked[look]);
      free(p->checked[look]);
    }
    free(p->unchecked[look]);
  }
  free(p->name);
  free(p->reason);
  free(p->refused);
  mutate_free(&p->original);
  db_program_free(&p->stored);
  mutate_free(&p->schema);
  request_free(&p->request);
  free(p);
}
