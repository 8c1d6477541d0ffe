/* Programs of a campaign: their mutants, which of these take part, and the text that a run gets instead of the user's. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/home.h"
#include "runner/build/build.h"
#include "runner/build/disjoint.h"
#include "runner/campaign/internal.h"
#include "runner/isolate.h"
#include "wire/answer.h"

enum { BATCH_MUTANTS = 24 };

#define OPTION_REACH " -DCLTC_REACH"
#define NO_LIMIT UINT32_MAX

/* --- making ------------------------------------------------------------------------------------------------------- */

static campaign_program *find_program(const campaign_programs *all, const program_request *r, size_t *index) {
  for (*index = 0; *index < all->count; (*index)++)
    if (all->list[*index]->launches == NULL && memcmp(all->list[*index]->request.key, r->key, sizeof r->key) == 0)
      return all->list[*index];
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

/* Stores the chosen mutants of a program, not those of other shards. */
static int campaign_store_mutants(experiment *x, campaign_program *p, error *e) {
  const mutate_result *r = &p->schema;
  scoped db_mutant *items = mem_calloc(r->mutant_count + 1, sizeof *items);
  scoped int64_t *rows = mem_calloc(r->mutant_count + 1, sizeof *rows);
  size_t count = 0;
  for (size_t i = 0; i < r->mutant_count; i++) {
    const mutant *m = &r->mutants[i];
    if (!p->mutants[i].chosen) continue;
    items[count] = campaign_stored_mutant(m);
    items[count].kernel_count = is_stored(p, m) ? m->kernel_count : 0;
    count++;
  }
  int result = count == 0 ? 0 : db_add_mutants(x->db, &p->stored, &r->model, items, count, rows, e);
  for (size_t i = r->mutant_count; i-- > 0;) p->mutants[i].row = p->mutants[i].chosen ? rows[--count] : 0;
  return result;
}

static int store_program(experiment *x, campaign_program *p, error *e) {
  const mutate_result *r = &p->schema;
  p->mutants = mem_calloc(r->mutant_count + 1, sizeof *p->mutants);
  for (size_t i = 0; i < r->mutant_count; i++)
    p->mutants[i] = (campaign_mutant){.mutant = &r->mutants[i], .form = r->mutants[i].form, .batch = NO_BATCH};
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
  for (size_t i = 0; i < a->header_count && same; i++)
    same = strcmp(a->headers[i].name, b->headers[i].name) == 0 && strcmp(a->headers[i].text, b->headers[i].text) == 0;
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
  scoped const program_request **all = mem_calloc(among->count + 1, sizeof *all);
  size_t count = 0;
  for (size_t p = 0; p < among->count; p++)
    if (among->list[p]->launches == NULL) all[count++] = &among->list[p]->request;
  return source_may_write(all, count, kernel, argument);
}

size_t campaign_program_of(const campaign_programs *all, const capture_command *built) {
  size_t found = SIZE_MAX;
  for (size_t p = 0; p < all->count; p++) {
    if (all->list[p]->launches == NULL && same_program(&all->list[p]->request, built)) {
      if (found != SIZE_MAX) return SIZE_MAX;
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
    scoped char *name = clone ? mutant_clone_name(m->kernels[k].name, 0) : NULL;
    put_kernel(answer, p, k, clone ? name : m->kernels[k].name, 0, NO_LIMIT);
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
    scoped char *clone = cloned ? mutant_clone_name(name, number) : NULL;
    put_kernel(answer, p, kernel, cloned ? clone : name, number, campaign_fuel_of(j, kernel));
  }
  wire_end(answer);
}

/* What the program as it is builds. */
static void note_built(test_state *t, const campaign_program *p) {
  t->builds = t->builds || p->schema.mutant_count > 0;
  t->prints = t->prints || p->schema.prints;
}

static bool is_untouched(job_kind kind) { return kind == JOB_PLAIN || kind == JOB_CHECK; }

bool campaign_is_about(const campaign_job *j, size_t program) {
  const campaign_program *p = j->campaign->programs.list[program];
  return j->survey == 0 ? program % j->parts == j->part : p->survey == j->survey && p->rank % j->parts == j->part;
}

static void answer_program(const campaign_job *j, size_t index, buffer *answer) {
  const campaign *c = j->campaign;
  const campaign_program *p = c->programs.list[index];
  const bool refused = p->reason != NULL || (p->refused != NULL && !p->cloned);
  if (refused || !campaign_is_about(j, index) || p->schema.mutant_count == 0 || is_untouched(j->kind)) {
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

/* Reads a program that is new, and takes the request over. The device has to answer something first: `answer`, if there is
 * one, asks for it, and the request stays. `*index`: the program, SIZE_MAX: there is none. */
static int read_program(campaign *c, program_request *r, buffer *answer, size_t *index, error *e) {
  mutate_result result;
  error why = {0};
  *index = SIZE_MAX;
  int status = build(c->options, r, NULL, 0, &result, &why);
  if (status != 0 && experiment_stopped(&c->base)) return 0; /* that is why */
  if (status == 0 && result.question_count > 0) {
    if (answer != NULL) request_ask(result.questions, result.question_count, answer);
    mutate_free(&result);
    return 0;
  }
  *index = c->programs.count;
  return add_program(c, r, status, &result, &why, e);
}

/* Whether reading it may ask the device something. */
static bool may_ask(const program_request *r) {
  bool may = false;
  for (size_t i = 0; i < r->source_count && !may; i++)
    for (const char *at = strchr(r->sources[i].text, '#'); at != NULL && !may; at = strchr(at + 1, '#'))
      may = at[1 + strspn(at + 1, " \t")] == 'i' || at[1] == '\\'; /* if, ifdef, include */
  return may;
}

/* In the first run of a test case the program does not wait until its kernels were read: that is done meanwhile. */
static bool postpone(campaign *c, const campaign_job *j, program_request *r) {
  if (may_ask(r) || j->kind != JOB_PLAIN || c->base.first_ended != 0 || experiment_program_runs(&c->base) < 2 ||
      campaign_has_launches(c->options))
    return false;
  bool known = false;
  for (size_t i = 0; i < c->postponed_count && !known; i++)
    known = c->postponed[i].test == j->base.test && memcmp(c->postponed[i].request.key, r->key, sizeof r->key) == 0;
  if (!known && !build_mutated_ahead(r, &(build_mutants){.operators = c->options->operators})) return false;
  if (!known) {
    *ARRAY_ADD(c->postponed, c->postponed_count, c->postponed_capacity) =
        (postponed_program){.request = *r, .test = j->base.test};
    *r = (program_request){0};
  }
  return true;
}

int campaign_take_postponed(campaign *c, bool *unread, error *e) {
  int result = 0;
  *unread = false;
  isolated_await();
  for (size_t i = 0; i < c->postponed_count; i++) {
    program_request *r = &c->postponed[i].request;
    size_t index = 0;
    if (result == 0 && !experiment_stopped(&c->base)) {
      if (find_program(&c->programs, r, &index) == NULL) result = read_program(c, r, NULL, &index, e);
      if (result == 0 && index != SIZE_MAX) note_built(&c->tests[c->postponed[i].test], c->programs.list[index]);
      *unread = *unread || index == SIZE_MAX;
    }
    request_free(r);
  }
  c->postponed_count = 0;
  return result;
}

int campaign_request(campaign_job *j, wire_reader *in, buffer *answer, error *e) {
  campaign *c = j->campaign;
  program_request r;
  size_t index = 0;
  int outcome = 0;
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
  if (find_program(&c->programs, &r, &index) == NULL) {
    request_name_sources(&r, (const char *const *)c->directories.list, c->directories.count);
    outcome = request_recall(&r, c->base.db, e);
    index = SIZE_MAX;
    if (outcome == 0 && !postpone(c, j, &r)) outcome = read_program(c, &r, answer, &index, e);
    if (outcome == 0 && index == SIZE_MAX && answer->length == 0) answer_untouched(answer, "");
  }
  if (outcome == 0 && index == SIZE_MAX) { /* it is answered */
  } else if (outcome == 0 && j->kind == JOB_CHECKED) {
    take_facts(&c->programs.list[index]->request, &r);
    campaign_answer_checked(j, index, answer);
  } else if (outcome == 0) {
    if (j->kind == JOB_PLAIN) note_built(&c->tests[j->base.test], c->programs.list[index]);
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
        other->form == MUTANT_CLONED && other->batch == NO_BATCH && p->batches[number].count <= BATCH_MUTANTS)
      put_into_batch(p, number, m);
  }
}

/* Releases all but the texts of what was written. */
static void campaign_keep_texts(mutate_result *r) {
  mutate_result texts = {.texts = r->texts, .options = r->options, .source_count = r->source_count};
  r->texts = r->options = NULL;
  r->source_count = 0;
  mutate_free(r);
  *r = texts;
}

int campaign_write_batch(campaign *c, campaign_program *p, uint32_t index, error *e) {
  campaign_mutant *m = &p->mutants[index];
  if (m->batch == NO_BATCH || (p->batches[m->batch].refused && p->batches[m->batch].count > 2)) fill_batch(c, p, index);
  batch *b = &p->batches[m->batch];
  if (b->written) return 0;
  int result = build(c->options, &p->request, b->numbers, b->count, &b->made, e);
  campaign_keep_texts(&b->made);
  b->written = result == 0;
  return result != 0 && experiment_stopped(&c->base) ? 0 : result;
}

/* Writes the original as a clone. */
static int campaign_write_original(campaign *c, campaign_program *p, error *e) {
  const uint32_t original = 0;
  if (p->original.texts != NULL) return 0;
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
  for (size_t i = 0; p->mutants != NULL && i < p->schema.mutant_count; i++) free(p->mutants[i].known);
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

/* Programs with many mutants: one schema of them all would take a compiler minutes, in which no verdict comes. What
 * they reach and how long their kernels take tells the original as a clone; their mutants get several schemas, of which
 * the first, those that are run first, are small. */

enum { MOST_IN_ONE = 512, FIRST_PART = 16, LARGEST_PART = 256 };

static size_t count_mutants(const campaign_options *o, const campaign_program *p) {
  size_t count = 0;
  for (size_t m = 0; m < p->schema.mutant_count; m++)
    count += campaign_selects(o, &p->schema.model, &p->schema.mutants[m]) ? 1 : 0;
  return count;
}

int campaign_divide(campaign *c, error *e) {
  for (size_t i = 0; i < c->programs.count; i++) {
    campaign_program *p = c->programs.list[i];
    if (p->reason == NULL && !p->cloned && count_mutants(c->options, p) > MOST_IN_ONE) {
      if (campaign_write_original(c, p, e) != 0) return -1;
      p->divided = p->original.texts != NULL;
    }
  }
  return 0;
}

/* The part that a mutant comes into: the program's last one, if it has room. */
static uint32_t part_with_room(campaign_program *p, size_t *room) {
  schema_part *last = p->part_count == 0 ? NULL : &p->parts[p->part_count - 1];
  if (last == NULL || last->count == *room) {
    *room = last == NULL ? FIRST_PART : *room * 2 < LARGEST_PART ? *room * 2 : LARGEST_PART;
    last = ARRAY_ADD(p->parts, p->part_count, p->part_capacity);
    last->numbers = mem_calloc(*room, sizeof *last->numbers);
  }
  return (uint32_t)(last - p->parts);
}

/* Puts the mutants of divided programs into parts, in the order in which they run. */
static void campaign_cut(campaign *c) {
  scoped size_t *rooms = mem_calloc(c->programs.count + 1, sizeof *rooms);
  for (size_t i = 0; i < c->queue.count; i++) {
    const mutant_index at = c->queue.list[i];
    campaign_program *p = c->programs.list[at.program];
    campaign_mutant *m = &p->mutants[at.index];
    if (p->divided && m->reached && m->form == MUTANT_SELECTED) {
      m->part = part_with_room(p, &rooms[at.program]);
      schema_part *part = &p->parts[m->part];
      part->numbers[part->count++] = m->mutant->number;
    }
  }
}

bool campaign_write_part(const campaign_options *o, campaign_program *p, uint32_t index) {
  schema_part *part = &p->parts[p->mutants[index].part];
  if (!part->written) {
    error ignored;
    const build_mutants which = {part->numbers, part->count, true, o->operators};
    part->written = true;
    (void)build_mutated(&p->request, &which, &part->made, &ignored);
    campaign_keep_texts(&part->made);
  }
  return part->made.texts != NULL;
}

/* Which mutants take part, in which form, and how they are decided. */

/* --- filters ------------------------------------------------------------------------------------------------------ */

static bool kernels_selected(const campaign_options *o, const model *of, const mutant *m) {
  bool any = o->common.kernels.wanted.count == 0 && m->kernel_count == 0;
  for (size_t k = 0; k < m->kernel_count; k++)
    any = any || kernel_chosen(&o->common.kernels, of->kernels[m->kernels[k]].name);
  return any;
}

/* Whether one path ends in the other, by whole names. */
static bool same_file(const char *a, const char *b) {
  size_t long_one = strlen(a);
  size_t short_one = strlen(b);
  if (long_one < short_one) return same_file(b, a);
  const char *tail = a + long_one - short_one;
  return strcmp(tail, b) == 0 && (tail == a || tail[-1] == '/');
}

static home_shown shown(const model *of, const mutant *m) {
  return home_show(&of->files[m->file], m->offset, m->end_offset, m->line, m->column, m->end_line);
}

static bool lines_selected(const campaign_options *o, const model *of, const mutant *m) {
  home_shown at = shown(of, m);
  for (size_t i = 0; i < o->line_count; i++) {
    const line_range *r = &o->lines[i];
    if (at.line <= r->last && at.end_line >= r->first && (r->file == NULL || same_file(at.name, r->file))) return true;
  }
  return o->lines == NULL;
}

static bool is_among(const campaign_options *o, uint32_t id) {
  bool is = o->among == NULL;
  for (size_t i = 0; i < o->among_count && !is; i++) is = o->among[i] == id;
  return is;
}

bool campaign_selects(const campaign_options *o, const model *of, const mutant *m) {
  return (o->common.mutant == 0 || m->id == o->common.mutant) && is_among(o, m->id) && o->operators[m->op] &&
         kernels_selected(o, of, m) && lines_selected(o, of, m);
}

static void choose(campaign *c) {
  const campaign_options *o = c->options;
  scoped selection *all = NULL;
  size_t count = 0;
  size_t capacity = 0;
  c->queue.selected = true;
  campaign_take_launches(&c->programs);
  for (size_t p = 0; p < c->programs.count; p++) {
    campaign_program *q = c->programs.list[p];
    for (size_t m = 0; m < q->schema.mutant_count && q->reason == NULL; m++) {
      campaign_mutant *one = &q->mutants[m];
      one->chosen = campaign_selects(o, &q->schema.model, one->mutant);
      *ARRAY_ADD(all, count, capacity) = (selection){one->mutant->id, one->mutant->suppressed, &one->chosen};
    }
  }
  campaign_draw(o, all, count);
  for (size_t i = 0; i < count; i++) c->out->mutants += *all[i].chosen ? 1 : 0;
  c->progress.mutants = c->out->mutants;
}

/* --- decisions ---------------------------------------------------------------------------------------------------- */

bool campaign_reached(const campaign *c, size_t test, size_t program, uint32_t index) {
  const test_state *t = &c->tests[test];
  if (c->programs.list[program]->launches != NULL)
    return launch_reached(&c->sites, test, c->programs.list[program], index);
  if (program >= t->reached_count || t->reached[program] == NULL) return false;
  uint32_t place = c->programs.list[program]->schema.mutants[index].place;
  return (t->reached[program][MUTATE_WORD_REACHED + place / 32] >> (place % 32) & 1u) != 0;
}

/* A verdict for a person who watches. */
static void tell(experiment *x, const campaign_program *p, const mutant *m, mutant_status status) {
  home_shown at = shown(&p->schema.model, m);
  if (m->description != NULL) {
    experiment_note(x, "%s:%u:%u: %s %s: %s", at.name, (unsigned)at.line, (unsigned)at.column,
                    mutate_operators[m->op].name, m->description, mutant_status_name(status));
  } else {
    experiment_note(x, "%s:%u:%u: %s %s -> %s: %s", at.name, (unsigned)at.line, (unsigned)at.column,
                    mutate_operators[m->op].name, m->original, m->replacement[0] == '\0' ? "(deleted)" : m->replacement,
                    mutant_status_name(status));
  }
}

bool campaign_is_run(mutant_status status) {
  return status == MUTANT_KILLED || status == MUTANT_UNDECIDED || status == MUTANT_SURVIVED;
}

void campaign_count(campaign *c, campaign_mutant *m, mutant_status status) {
  c->progress.of[m->status] -= m->decided ? 1 : 0;
  m->decided = status != MUTANT_PENDING;
  m->status = status;
  c->progress.of[status] += m->decided ? 1 : 0;
  if (m->passed && m->decided && !campaign_is_run(status)) {
    m->passed = false;
    c->queue.passed--;
  }
}

void campaign_show(campaign *c, campaign_program *p, uint32_t index, mutant_status status) {
  campaign_mutant *m = &p->mutants[index];
  const bool shown = m->decided && m->status == status;
  campaign_count(c, m, status);
  if (m->decided && !shown && c->options->verbose) tell(&c->base, p, m->mutant, status);
}

int campaign_decide(campaign *c, campaign_program *p, uint32_t index, mutant_status status, const char *reason,
                    error *e) {
  const campaign_mutant *m = &p->mutants[index];
  campaign_show(c, p, index, status);
  int64_t original = status == MUTANT_DUPLICATE ? p->mutants[m->original].row : 0;
  return db_set_mutant(c->base.db, c->base.run, m->row, status, reason, original, e);
}

static bool reached_by_any(const campaign *c, size_t program, uint32_t index) {
  for (size_t t = 0; t < c->base.options->test_count; t++)
    if (campaign_reached(c, t, program, index)) return true;
  return false;
}

/* So many turns in the schema cost more than they would in a clone, about as much as building that costs. Few mutants
 * need more than their first runs: these are killed, or not worth a clone. */
static const double turns_of_a_build = 1 << 25;
enum { RUNS_OF_MOST = 4 };

static mutant_form cheaper_form(const campaign *c, const campaign_program *p, size_t program, uint32_t index) {
  const mutant *m = p->mutants[index].mutant;
  double turns = 0;
  for (size_t t = 0; t < c->base.options->test_count && !p->divided; t++)
    for (size_t k = 0; k < m->kernel_count && campaign_reached(c, t, program, index); k++)
      turns += campaign_turns(c, t, program, m->kernels[k]);
  const unsigned runs = c->base.options->runs < RUNS_OF_MOST ? c->base.options->runs : RUNS_OF_MOST;
  return turns * runs > turns_of_a_build * (double)m->kernel_count ? MUTANT_CLONED : MUTANT_SELECTED;
}

int campaign_start_mutant(campaign *c, size_t program, uint32_t index, error *e) {
  campaign_program *p = c->programs.list[program];
  campaign_mutant *m = &p->mutants[index];
  mutant_status known = MUTANT_PENDING;
  m->reached = campaign_is_unsurveyed(c, p) || reached_by_any(c, program, index);
  if (db_get_mutant(c->base.db, c->base.run, m->row, &known, e) != 0) return -1;
  if (known != MUTANT_PENDING) { /* by a run that this one goes on with */
    campaign_count(c, m, known);
    return 0;
  }
  if (m->mutant->suppressed) return campaign_decide(c, p, index, MUTANT_SUPPRESSED, "", e);
  if (m->mutant->invalid) return campaign_decide(c, p, index, MUTANT_INVALID, "", e);
  if (!m->reached) /* decided when its turn comes */
    return campaign_decide(c, p, index, MUTANT_PENDING, "", e);
  if (p->cloned)
    m->form = MUTANT_CLONED;
  else if (m->form == MUTANT_SELECTED)
    m->form = cheaper_form(c, p, program, index);
  return campaign_decide(c, p, index, MUTANT_PENDING, "", e);
}

int campaign_select(campaign *c, error *e) {
  for (size_t t = 0; t < c->base.options->test_count; t++) c->tests[t].inputs = case_inputs_read(c, t);
  choose(c);
  for (size_t p = 0; p < c->programs.count; p++) {
    if (c->programs.list[p]->mutants != NULL && campaign_store_mutants(&c->base, c->programs.list[p], e) != 0)
      return -1;
    for (uint32_t m = 0; m < c->programs.list[p]->schema.mutant_count; m++)
      if (mutant_at(&c->programs, p, m)->chosen && campaign_start_mutant(c, p, m, e) != 0) return -1;
  }
  campaign_order(c);
  campaign_cut(c);
  campaign_expect(c);
  return 0;
}

/* Mutants that nothing is known of are undecided until a run that goes on has decided them. */
static int list_mutant(campaign *c, campaign_program *p, uint32_t index, error *e) {
  const bool suppressed = p->mutants[index].mutant->suppressed;
  return campaign_decide(c, p, index, suppressed ? MUTANT_SUPPRESSED : MUTANT_PENDING, "", e);
}

int campaign_list(campaign *c, error *e) {
  if (c->queue.selected || c->resumed || c->out->common.baseline_failed) return 0;
  choose(c);
  for (size_t p = 0; p < c->programs.count; p++) {
    if (c->programs.list[p]->mutants != NULL && campaign_store_mutants(&c->base, c->programs.list[p], e) != 0)
      return -1;
    for (uint32_t m = 0; m < c->programs.list[p]->schema.mutant_count; m++)
      if (mutant_at(&c->programs, p, m)->chosen && list_mutant(c, c->programs.list[p], m, e) != 0) return -1;
  }
  return 0;
}
