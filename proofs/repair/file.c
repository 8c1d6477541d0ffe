/* A kernel file in repair: the flaws that the proof engine finds, its repaired text, and the judgement of that. */
#include "proofs/repair/file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/files.h"
#include "frontend/facts/launch.h"
#include "frontend/facts/uniform.h"
#include "frontend/frontend.h"
#include "runner/devices.h"

/* Answers of the proof engine to flaws. */

prove_options repair_question(const prove_options *as) {
  prove_options o = *as;
  o.barriers = o.explain = false;
  o.no_bounds = true;
  o.first_only = true;
  return o;
}

/* --- flaws ------------------------------------------------------------------------------------------------------- */

/* `file`: the source; of other files nothing is said. */
static void add_step(flaw_path *w, const answer_finding *f, const db_call *at, const char *file) {
  const bool here = strcmp(f->files->items[at->file], file) == 0;
  w->steps[w->count].line = here ? at->line : 0;
  w->steps[w->count++].column = here ? at->column : 0;
}

/* The engine names the innermost call first. */
static flaw_path way_of(const answer_finding *f, const db_place *p, const char *file) {
  enum { MOST = sizeof((flaw_path *)NULL)->steps / sizeof((flaw_path *)NULL)->steps[0] };
  flaw_path w = {0};
  for (size_t i = p->inlined_count; i-- > 0 && w.count + 1 < MOST;) add_step(&w, f, &p->inlined[i], file);
  add_step(&w, f, &(db_call){p->file, p->line, p->column}, file);
  return w;
}

static flaw_kind kind_of(const db_finding *f) {
  if (strcmp(f->rule, "barrier-divergence") == 0) return FLAW_DIVERGENCE;
  if (strcmp(f->rule, "data-race") != 0 || f->place_count < 2) return FLAW_UNDECIDED;
  const db_place *p = f->places;
  const bool known = p[0].group != NULL && p[1].group != NULL;
  return known && strcmp(p[0].group, p[1].group) != 0 ? FLAW_BETWEEN : FLAW_RACE;
}

static char *joined(const premises *p) {
  buffer text = {0};
  for (size_t i = 0; i < p->count; i++) buffer_printf(&text, "%s%s", i == 0 ? "" : ", ", p->items[i].text);
  return buffer_take(&text);
}

/* What is wrong, else why there is no proof. */
static char *message_of(const verify_answer *a) {
  buffer text = {0};
  if (a->finding_count > 0)
    record_sentence(&a->findings[0], &text);
  else
    buffer_puts(&text, a->reason == NULL ? "" : a->reason);
  return buffer_take(&text);
}

static flaw flaw_of(const verify_answer *a, const char *file) {
  const db_finding *f = a->finding_count > 0 ? &a->findings[0].row : NULL;
  flaw made = {.kind = a->verdict == ANSWER_VERIFIED ? FLAW_NONE : FLAW_UNDECIDED, .order_shows = a->order_shows};
  if (a->verdict != ANSWER_VERIFIED && f != NULL) {
    const char *space = f->detail.space == NULL ? "" : f->detail.space;
    made.kind = kind_of(f);
    made.definite = !f->possible;
    made.fence = strcmp(space, "local") == 0 ? FENCE_LOCAL : strcmp(space, "global") == 0 ? FENCE_GLOBAL : 0;
    made.both_write =
        f->place_count > 1 && strcmp(f->places[0].access, "read") != 0 && strcmp(f->places[1].access, "read") != 0;
    for (size_t i = 0; i < f->place_count && i < 2; i++) made.ways[i] = way_of(&a->findings[0], &f->places[i], file);
  }
  made.message = message_of(a);
  made.preconditions = joined(&a->preconditions);
  return made;
}

/* What `verify` says of a kernel that is not verified. */
static char *objection_of(const verify_answer *a) {
  buffer text = {0};
  if (a->verdict == ANSWER_VERIFIED) return NULL;
  const db_finding *f = a->finding_count > 0 ? &a->findings[0].row : NULL;
  buffer_puts(&text, verify_verdict_name(a->verdict));
  if (f != NULL && f->place_count > 0 && f->places[0].line > 0) buffer_printf(&text, ", line %u", f->places[0].line);
  char *message = message_of(a);
  buffer_printf(&text, ": %s", message);
  free(message);
  return buffer_take(&text);
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

static int take(void *context, const asked_source *s, proved_kernel *k, error *e) {
  repair_engine *engine = context;
  const repair_options *o = engine->options;
  if (o != NULL && o->second != NULL && o->second(o->context, s, k, e) != 0) {
    proved_kernel_free(k);
    return -1;
  }
  for (size_t i = 0; i < engine->kernel_count; i++) {
    if (strcmp(engine->kernels[i], k->answer.kernel) == 0 && engine->objections != NULL) {
      free(engine->objections[i]);
      engine->objections[i] = objection_of(&k->answer);
    } else if (strcmp(engine->kernels[i], k->answer.kernel) == 0) {
      flaw_free(&engine->flaws[i]);
      engine->flaws[i] = flaw_of(&k->answer, asked_text(s)->name);
    }
  }
  proved_kernel_free(k);
  return 0;
}

/* The source of a question: the file with another text, and the kernels that are asked about; all else is lent. */
typedef struct question {
  asked_source source;
  request_source text;
} question;

static void question_make(question *q, const repair_engine *engine, const char *text, size_t length,
                          const bool *marked) {
  const asked_source *file = engine->source;
  *q = (question){.source = *file, .text = *asked_text(file)};
  q->text.text = mem_strndup(text, length);
  q->text.input.text = q->text.text;
  q->text.input.length = strlen(q->text.text);
  q->source.request.sources = &q->text;
  q->source.every = false;
  q->source.digests = (source_digests){0};
  q->source.kernels = mem_calloc(engine->kernel_count + 1, sizeof *q->source.kernels);
  q->source.kernel_count = 0;
  for (size_t i = 0; i < engine->kernel_count; i++) {
    if (marked[i]) {
      const asked_kernel *known = asked_kernel_find(file, engine->kernels[i]);
      q->source.kernels[q->source.kernel_count++] =
          known != NULL ? *known : (asked_kernel){.name = (char *)engine->kernels[i]};
    }
  }
}

/* --max-time, or so many tries that take all of their time. */
static double search_seconds(const repair_options *s) {
  enum { TRIES_LONG = 6 };
  return s->max_time > 0 ? s->max_time : TRIES_LONG * s->verify.timeout;
}

/* A try of a search gets no more time than the search has left. */
static void begin_try(repair_engine *engine) {
  const repair_file *f = engine->file;
  const double most = search_seconds(engine->asked), left = f->repair.deadline - clock_now();
  const double whole = engine->asked->verify.timeout;
  engine->prover.options.timeout = left > whole ? whole : left > 1 ? left : 1;
  if (engine->asked->progress != NULL)
    engine->asked->progress(engine->asked->context, f->path, f->repair.tries, most - left, most);
}

/* As flaw_finder.find; `context` is a repair_engine. */
static int repair_find(void *context, const char *text, size_t length, const bool *marked, flaw *flaws, error *e) {
  repair_engine *engine = context;
  question q;
  question_make(&q, engine, text, length, marked);
  if (engine->file != NULL) begin_try(engine);
  engine->flaws = flaws;
  engine->prover.listener = (prove_listener){.context = engine, .proved = take};
  int result = q.source.kernel_count == 0 ? 0 : prove_source(&engine->prover, &q.source, e);
  if (result == 0 && engine->prover.interrupted)
    result = error_set(e, 130, "interrupted; nothing was changed");
  else if (result != 0 && e->code == EXIT_USAGE)
    result = 1;
  free(q.source.kernels);
  free(q.text.text);
  return result;
}

/* What `verify` with these options says of the marked kernels of a text, a sentence a kernel that is not verified: to be freed.
 * As repair_find. */
static int repair_object(const repair_engine *engine, const repair_options *options, const buffer *text,
                         const bool *marked, char **objections, error *e) {
  repair_engine full = *engine;
  full.file = NULL;
  full.prover.options = options->verify;
  full.options = options;
  full.objections = objections;
  return repair_find(&full, text->data == NULL ? "" : text->data, text->length, marked, NULL, e);
}

int repair_verified(const prover *p, const asked_source *source, const char *text, size_t length, bool *all, error *e) {
  const size_t count = source->kernel_count;
  const char **names = mem_calloc(count + 1, sizeof *names);
  bool *marked = mem_calloc(count + 1, sizeof *marked);
  flaw *flaws = mem_calloc(count + 1, sizeof *flaws);
  for (size_t i = 0; i < count; i++) {
    names[i] = source->kernels[i].name;
    marked[i] = true;
  }
  repair_engine engine = {.prover = *p, .source = source, .kernels = names, .kernel_count = count};
  const int result = repair_find(&engine, text, length, marked, flaws, e);
  *all = result == 0;
  for (size_t i = 0; i < count; i++) {
    *all = *all && flaws[i].message != NULL && flaws[i].kind == FLAW_NONE;
    flaw_free(&flaws[i]);
  }
  free(flaws);
  free(marked);
  free(names);
  return result;
}

static facts_launch launch_of(const observed_launch *l, facts_argument *arguments, size_t count) {
  facts_launch made = {.dimensions = l->dimensions, .arguments = arguments, .argument_count = count};
  for (int d = 0; d < 3; d++) {
    made.offset[d] = l->offset[d];
    made.global[d] = l->local[d] * l->groups[d];
    made.local[d] = l->local[d];
  }
  for (size_t i = 0; i < l->argument_count; i++) {
    const observed_argument *a = &l->arguments[i];
    if (a->kind == OBSERVED_INTEGER && a->parameter < count)
      arguments[a->parameter] = (facts_argument){.known = true, .value = a->integer};
  }
  return made;
}

/* A loop that makes no turn is not free: another launch may make some. */
static double executed_in(const tree_node *at, const tree_node *kernel, const facts_launch *l, double turns) {
  const double least = 0.1;
  double executed = 1;
  for (const tree_node *n = at->parent; n != NULL && n != kernel; n = n->parent) {
    if (tree_is_loop(n->kind)) {
      const int64_t own = turns_of_loop(n, kernel, l);
      executed *= own < 0 ? turns : own == 0 ? least : (double)own;
    }
  }
  return executed;
}

static double executed_at(const repair_spot *s, const asked_kernel *k, double turns) {
  const size_t parameters = s->function->child_count;
  facts_argument *arguments = mem_calloc(parameters + 1, sizeof *arguments);
  double sum = 0, made = 0;
  for (size_t i = 0; i < k->launch_count; i++) {
    const facts_launch l = launch_of(&k->launches[i], arguments, parameters);
    const tree_node *at = s->kind == SPOT_BARRIER || s->statement == NULL ? s->call : s->statement;
    sum += executed_in(at, s->function, &l, turns) * (double)k->launches[i].count;
    made += (double)k->launches[i].count;
  }
  free(arguments);
  return made > 0 ? sum / made : 0;
}

/* Sets `executed` of the spots in kernels of which launches were seen: the turns of the loops around each, multiplied, on
 * average over the launches. A loop whose turns do not follow from a launch counts `turns`. */
static void repair_count_turns(spots *s, const asked_source *source, double turns) {
  for (size_t i = 0; source->observed && i < s->count; i++) {
    repair_spot *spot = &s->items[i];
    const tree_symbol *f = spot->function->symbol;
    const asked_kernel *k = f->kernel ? asked_kernel_find((asked_source *)source, f->name) : NULL;
    spot->executed = k == NULL || spot->depth == 0 ? 0 : executed_at(spot, k, turns);
  }
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* What is repaired must be byte for byte what was read. */
static int check_bytes(const repair_file *f, error *e) {
  const request_source *t = asked_text(f->source);
  const pp_file *read = &f->text.files[0];
  return read->length == strlen(t->text) && memcmp(read->text, t->text, read->length) == 0
             ? 0
             : error_set(e, EXIT_USAGE, "%s cannot be changed: it has bytes that are no text", f->path);
}

/* The file of a source that a program has built; one that is in none is called after its first kernel. */
static void name_captured(repair_file *f) {
  const request_source *t = asked_text(f->source);
  char *path = project_path(t->root == NULL ? "" : t->root, t->name);
  const size_t length = strlen(t->text);
  FILE *in = fopen(path, "rbe");
  char *content = mem_calloc(length + 2, 1);
  const bool same = in != NULL && fread(content, 1, length + 1, in) == length && memcmp(content, t->text, length) == 0;
  if (in != NULL) (void)fclose(in);
  free(content);
  if (same) {
    f->path = mem_strdup(t->name);
    f->disk = path;
    return;
  }
  free(path);
  buffer name = {0};
  buffer_printf(&name, "%s.cl", f->source->kernel_count > 0 ? f->source->kernels[0].name : "kernel");
  f->path = buffer_take(&name);
}

/* Those of a file; of a program those that it launched. */
static void list_kernels(repair_file *f) {
  f->kernels = mem_calloc(f->tree->function_count + 1, sizeof *f->kernels);
  f->engine.kernels = f->kernels;
  for (size_t i = 0; i < f->tree->function_count; i++) {
    const tree_symbol *symbol = f->tree->functions[i]->symbol;
    if (symbol->kernel && (!f->source->observed || asked_kernel_find(f->source, symbol->name) != NULL))
      f->kernels[f->engine.kernel_count++] = symbol->name;
  }
}

static uint32_t line_of(const repair_file *f, const repair_spot *s) {
  const bool behind = s->kind == SPOT_BEHIND;
  const uint32_t token = s->kind == SPOT_BARRIER ? s->token
                         : behind                ? s->statement->tokens.last
                                                 : s->statement->tokens.first;
  return f->text.tokens[token].expanded.line;
}

/* Spots that --lines leaves out. */
static void close_spots(repair_file *f, const repair_options *s) {
  for (size_t i = 0; i < f->spots.count; i++) f->spots.items[i].closed = s->line_count > 0;
  for (size_t k = 0; k < s->line_count; k++) {
    for (size_t i = 0; i < f->spots.count; i++) {
      repair_spot *spot = &f->spots.items[i];
      spot->closed = spot->closed && !line_range_has(&s->lines[k], f->path, line_of(f, spot));
    }
  }
}

int repair_file_open(repair_file *f, const repair_options *s, const char *path, asked_source *source,
                     const prover *engine, error *e) {
  *f = (repair_file){.source = source, .input = asked_text(source)->input};
  f->options = annotated_options(asked_text(source)->text, f->input.options);
  f->input.options = f->options;
  if (path != NULL) {
    f->path = mem_strdup(path);
    f->disk = mem_strdup(path);
  } else {
    name_captured(f);
  }
  if (front_source(&f->input, &f->text, &f->tree, e) != 0 || check_bytes(f, e) != 0) {
    e->code = e->code == EXIT_INTERNAL ? EXIT_USAGE : e->code;
    return -1;
  }
  spots_find(&f->text, f->tree, s->atomics, &f->spots);
  close_spots(f, s);
  f->engine = (repair_engine){.prover = *engine, .source = source, .file = f, .asked = s};
  list_kernels(f);
  const double deadline = clock_now() + search_seconds(s);
  const flaw_finder finder = {&f->engine, repair_find};
  repair_init(&f->repair, &f->spots, finder, s->max_barriers > 0 ? s->max_barriers : SIZE_MAX, deadline);
  f->repair.atomics = s->atomics;
  f->repair.set.turns = s->loop_weight > 0 ? s->loop_weight : HITTING_SET_TURNS;
  repair_count_turns(&f->spots, source, f->repair.set.turns);
  f->repair.optimise = s->optimise;
  for (size_t i = 0; i < f->engine.kernel_count; i++)
    repair_add_kernel(&f->repair, f->kernels[i], kernel_chosen(&s->kernels, f->kernels[i]));
  return 0;
}

int repair_file_search(repair_file *f, error *e) {
  if (repair_search(&f->repair, e) != 0) return -1;
  repair_text(&f->repair, f->repair.flags, &f->result);
  return 0;
}

void repair_file_close(repair_file *f) {
  repair_free(&f->repair);
  spots_free(&f->spots);
  tree_free(f->tree);
  pp_result_free(&f->text);
  free(f->options);
  buffer_free(&f->result);
  mem_free_all(f->objections, f->engine.kernel_count);
  free(f->kernels);
  for (size_t i = 0; i < f->step_count; i++) free(f->steps[i]);
  free(f->steps);
  free(f->built);
  free(f->path);
  free(f->disk);
}

void repair_file_step(repair_file *f, bool failed, char *text) {
  *ARRAY_ADD(f->steps, f->step_count, f->step_capacity) = text;
  f->failed = f->failed || failed;
}

/* --- checking ----------------------------------------------------------------------------------------------------- */

static int check_reading(const repair_file *f, error *e) {
  pp_input input = f->input;
  input.text = buffer_text(&f->result);
  input.length = f->result.length;
  pp_result text = {0};
  tree *t = NULL;
  const int result = front_source(&input, &text, &t, e);
  tree_free(t);
  pp_result_free(&text);
  return result;
}

int repair_file_check(repair_file *f, const repair_options *s, error *e) {
  if (check_reading(f, e) != 0) return -1;
  device d;
  error none;
  if (devices_choose(s->device, s->platform, &d, &none) != 0) {
    if (s->device == NULL && s->platform == NULL) return 0;
    *e = none;
    return -1;
  }
  const char *options = asked_text(f->source)->options;
  if (device_build(&d, buffer_text(&f->result), options, NULL, e) == 0) {
    f->built = mem_strdup(d.name);
    return 0;
  }
  return device_build(&d, f->repair.text, options, NULL, &none) == 0 ? -1 : 0; /* else it is not the barriers' flaw */
}

/* --- replacing ---------------------------------------------------------------------------------------------------- */

int repair_file_replace(const char *path, const buffer *text, error *e) {
  const int reason = file_replace(path, text->data, text->length);
  return reason == 0 ? 0
                     : error_set(e, EXIT_USAGE, "%s cannot be written: %s; it is as it was", path, strerror(reason));
}

static bool is_claimed(const repair_kernel *k) {
  return k->chosen && (k->outcome == REPAIR_DONE || k->outcome == REPAIR_FINE);
}

/* Whether a barrier of the source is taken out, or orders less than it did. */
static bool takes_out(const repair_file *f) {
  bool any = false;
  for (size_t i = 0; i < f->spots.count; i++) {
    const unsigned before = f->repair.set.existing[i];
    any = any || (f->spots.items[i].kind == SPOT_BARRIER && (f->repair.flags[i] & before) != before);
  }
  return any;
}

int repair_judge(repair_file *f, const repair_options *s, error *e) {
  const size_t count = f->engine.kernel_count;
  const bool changes = repair_changes(&f->repair), out = changes && takes_out(f);
  bool *marked = mem_calloc(count + 1, sizeof *marked);
  f->objections = mem_calloc(count + 1, sizeof *f->objections);
  for (size_t i = 0; i < count; i++) marked[i] = is_claimed(&f->repair.kernels[i]);
  const int result = repair_object(&f->engine, s, &f->result, marked, f->objections, e);
  for (size_t i = 0; i < count && result == 0 && changes; i++) {
    const repair_kernel *k = &f->repair.kernels[i];
    buffer text = {0};
    if (k->outcome == REPAIR_DONE && f->objections[i] != NULL) {
      buffer_printf(&text, "verify of the changed source objects to kernel %s: %s", k->name, f->objections[i]);
    } else if (marked[i] && out && k->last.order_shows) {
      buffer_printf(&text,
                    "a barrier of the source would go, and what atomic functions give kernel %s may depend on it",
                    k->name);
    }
    if (text.length > 0) repair_file_step(f, true, buffer_take(&text));
    buffer_free(&text);
  }
  free(marked);
  return result != 0 ? -1 : 0;
}

/* --- sentences about it ------------------------------------------------------------------------------------------- */

bool repair_remains(const repair_file *f) {
  for (size_t i = 0; i < f->repair.kernel_count; i++) {
    const repair_kernel *k = &f->repair.kernels[i];
    const bool fine = k->outcome == REPAIR_FINE || k->outcome == REPAIR_DONE;
    if (k->chosen && (!fine || (f->objections != NULL && f->objections[i] != NULL))) return true;
  }
  return f->failed;
}

static uint32_t line_of_token(const repair_file *f, uint32_t token) { return f->text.tokens[token].expanded.line; }

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static const char *word_of(const flaw *f) {
  switch (f->kind) {
    case FLAW_RACE: return f->definite ? "race" : "possible race";
    case FLAW_BETWEEN: return f->definite ? "race between work-groups" : "possible race between work-groups";
    case FLAW_DIVERGENCE: return f->definite ? "barrier divergence" : "possible barrier divergence";
    default: return "not decided";
  }
}

static void say_flaw(buffer *out, const flaw *f, const uint32_t lines[2]) {
  char where[80] = "";
  if (lines[0] != 0 && lines[1] != 0 && lines[0] != lines[1])
    (void)snprintf(where, sizeof where, ", lines %u and %u", lines[0], lines[1]);
  else if (lines[0] != 0)
    (void)snprintf(where, sizeof where, ", line %u", lines[0]);
  buffer_printf(out, "  %s%s: %s\n", word_of(f), where, f->message);
}

/* An update in one of the lines could be atomic. */
static bool has_update(const repair_file *f, const uint32_t lines[2]) {
  for (const tree_node *n = f->tree->unit; n != NULL; n = tree_next(f->tree->unit, n)) {
    update ignored;
    const char *why = NULL;
    if (tree_is_statement(n->kind) &&
        (line_of_token(f, n->tokens.first) == lines[0] || line_of_token(f, n->tokens.first) == lines[1]) &&
        update_find(&f->text, n, &ignored, &why))
      return true;
  }
  return false;
}

/* The statement of a kernel's body in which a line stands; NULL: in none. */
static const tree_node *statement_at(const repair_file *f, const char *kernel, uint32_t line) {
  for (size_t i = 0; i < f->tree->function_count; i++) {
    const tree_node *body = tree_body(f->tree->functions[i]);
    const bool of_it = body != NULL && strcmp(f->tree->functions[i]->symbol->name, kernel) == 0;
    for (uint32_t c = 0; of_it && c < body->child_count; c++) {
      const span s = body->children[c]->tokens;
      if (line >= line_of_token(f, s.first) && line <= line_of_token(f, s.last - 1)) return body->children[c];
    }
  }
  return NULL;
}

static bool is_work_item(const tree_builtin *called) { return called != NULL && called->kind == TREE_WORK_ITEM; }

/* Whether another kernel can compute what the variable was set to where it is declared. */
static bool can_compute(const tree_node *declaration) {
  const tree_node *value = declaration->child_count > 0 ? declaration->children[0] : NULL;
  bool can = value != NULL && !tree_has_effects(value, is_work_item);
  for (const tree_node *n = value; n != NULL && can; n = tree_next(value, n))
    can = n->kind != TREE_SUBSCRIPT && n->kind != TREE_DEREFERENCE && !n->arrow;
  return can;
}

/* Whether a variable or parameter of the kernel has in front of `from` got what nobody has behind it, in another kernel. */
static bool is_lost(const stores *all, const tree_node *kernel, const tree_symbol *s, uint32_t from) {
  const tree_node *declared = s->declaration;
  if (declared == NULL || declared->token >= from || tree_function_of(declared) != kernel) return false;
  if (s->type->space == TREE_SPACE_LOCAL ||
      (s->type->kind == TREE_TYPE_POINTER && s->type->element->space == TREE_SPACE_LOCAL))
    return true;
  bool lost = s->kind == TREE_SYMBOL_VARIABLE && !can_compute(declared);
  for (size_t i = 0; i < all->count && !lost; i++) {
    const variable_store *at = &all->items[i];
    lost = at->variable == s && at->name < from && at->name != declared->token && !at->parameter;
  }
  return lost;
}

/* Whether a kernel can end after the one line and another begin with the other: not inside of a loop or a condition, and not where
 * what the one has in local memory or in variables is used in the other. */
static bool can_split(const repair_file *f, const repair_kernel *k, uint32_t a, uint32_t b) {
  const tree_node *x = statement_at(f, k->name, a), *y = statement_at(f, k->name, b);
  if (x == NULL || y == NULL || x == y) return false;
  const uint32_t from = x->tokens.first > y->tokens.first ? x->tokens.first : y->tokens.first;
  const tree_node *kernel = tree_function_of(x);
  const stores all = read_stores(f->tree, f->options);
  bool lost = all.hidden;
  for (const tree_node *n = kernel; n != NULL && !lost; n = tree_next(kernel, n))
    lost = n->kind == TREE_NAME && n->token >= from && n->symbol != NULL && is_lost(&all, kernel, n->symbol, from);
  free(all.items);
  return !lost;
}

/* What helps where no barrier does. */
static void say_advice(buffer *out, const repair_file *f, const repair_kernel *k) {
  const uint32_t first = k->failing[0], second = k->failing[1];
  const bool between = k->outcome == REPAIR_BETWEEN || k->outcome == REPAIR_PART;
  const char *atomics = !f->repair.atomics && has_update(f, k->failing) ? "--atomics; or " : "";
  if (between && can_split(f, k, first, second)) {
    buffer_printf(out, "  what helps: %stwo kernels, split between lines %u and %u; or other elements for each group\n",
                  atomics, first < second ? first : second, first < second ? second : first);
  } else if (between) {
    buffer_printf(out, "  what helps: %sother elements for each group\n", atomics);
  } else if (k->outcome == REPAIR_NO_PLACE && k->failed.kind == FLAW_RACE && first == second && first != 0) {
    if (k->failed.both_write || atomics[0] != '\0')
      buffer_printf(out, "  what helps: %sother elements for each work-item\n", atomics);
    else
      buffer_printf(out, "  what helps: two statements with a barrier between them in place of line %u\n", first);
  }
}

/* What no barrier is for. */
static void say_other(buffer *out, const repair_file *f, const repair_kernel *k, const char *objection) {
  if (k->chosen && objection != NULL && k->outcome == REPAIR_FINE) {
    buffer_printf(out, "%s: kernel %s has nothing that a barrier repairs; what remains:\n  %s\n", f->path, k->name,
                  objection);
  }
}

static const char *outcome_text(const repair_file *f, const repair_kernel *k) {
  switch (k->outcome) {
    case REPAIR_DONE: return f->failed ? "is not repaired" : "is repaired";
    case REPAIR_PART: return "is repaired in part";
    case REPAIR_UNDECIDED: return "is not decided";
    default: return "is not repaired";
  }
}

static void say_kernel(buffer *out, const repair_file *f, const repair_kernel *k) {
  if (k->outcome == REPAIR_FINE || !k->chosen) return;
  const bool done = k->outcome == REPAIR_DONE, part = k->outcome == REPAIR_PART;
  buffer_printf(out, "%s: kernel %s %s\n", f->path, k->name, outcome_text(f, k));
  if (k->first.kind != FLAW_UNDECIDED) say_flaw(out, &k->first, k->lines);
  if (done) {
    buffer_printf(out, "  %s with the change%s%s\n", f->failed ? "free of that" : "verified",
                  k->last.preconditions[0] == '\0' ? "" : ", provided that ", k->last.preconditions);
    return;
  }
  if (part) {
    buffer_printf(out, "  verified with the change inside of each work-group; what remains:\n");
    say_flaw(out, &k->failed, k->failing);
  } else if (k->failed.message != NULL && strcmp(k->failed.message, k->first.message) != 0) {
    buffer_printf(out, k->outcome == REPAIR_BETWEEN ? "  and what no barrier repairs:\n"
                                                    : "  what remains with other barriers:\n");
    say_flaw(out, &k->failed, k->failing);
  } else if (k->first.kind == FLAW_UNDECIDED) {
    buffer_printf(out, "  %s\n", k->first.message);
  }
  if (k->why != NULL) buffer_printf(out, "  not repaired: %s\n", k->why);
  say_advice(out, f, k);
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

static void name_place(const repair_file *f, const repair_spot *s, char *out, size_t size) {
  const bool behind = s->kind == SPOT_BEHIND || (s->kind == SPOT_WAIT && s->statement == s->copy);
  (void)snprintf(out, size, "%s line %u",
                 behind                  ? "after"
                 : s->kind == SPOT_SPLIT ? "between computing and storing the value in"
                                         : "in front of",
                 line_of_token(f, behind ? s->statement->tokens.last : s->statement->tokens.first));
}

static void say_change(buffer *out, const repair_file *f, size_t i, uint32_t moved_from) {
  const repair_spot *s = &f->spots.items[i];
  const unsigned flags = f->repair.flags[i];
  char place[60];
  if (s->kind == SPOT_ATOMIC) {
    char *text = update_text(&f->text, &s->update);
    buffer_printf(out, "%s: made atomic in line %u: %s\n", f->path, line_of_token(f, s->update.node->tokens.first),
                  text);
    free(text);
  } else if (s->kind == SPOT_WAIT) {
    char *text = wait_text(&f->text, s->copy);
    name_place(f, s, place, sizeof place);
    buffer_printf(out, "%s: put in: %.*s %s\n", f->path, (int)strlen(text) - 1, text, place);
    free(text);
  } else if (s->kind == SPOT_COUNT) {
    buffer_printf(out, "%s: the wait of line %u is for all %u events\n", f->path, line_of_token(f, s->token),
                  wait_short(&f->text, s->statement));
  } else if (s->kind == SPOT_MOVED) {
    if (spots_is_spare(&f->spots, f->repair.flags, s)) {
      buffer_printf(out, "%s: taken out: the wait of line %u, which not all work-items reach\n", f->path,
                    line_of_token(f, s->token));
    } else {
      buffer_printf(out, "%s: the wait of line %u, which not all work-items reach, is moved after line %u\n", f->path,
                    line_of_token(f, s->token), line_of_token(f, s->around->tokens.last));
    }
  } else if (s->kind != SPOT_BARRIER) {
    name_place(f, s, place, sizeof place);
    if (moved_from != 0) {
      buffer_printf(out, "%s: the barrier of line %u, which not all work-items reach, is moved: barrier(%s) %s\n",
                    f->path, moved_from, fence_text(flags), place);
    } else {
      buffer_printf(out, "%s: put in: barrier(%s) %s\n", f->path, fence_text(flags), place);
    }
  } else if (flags == 0 && (moved_from == 0 || f->repair.set.banned[i] == 0)) {
    buffer_printf(out, "%s: taken out: the barrier of line %u, %s\n", f->path, line_of_token(f, s->token),
                  f->repair.set.banned[i] != 0 ? "which not all work-items reach" : "which is not needed");
  } else if (flags != 0) {
    buffer_printf(out, "%s: the barrier of line %u has %s now\n", f->path, line_of_token(f, s->token),
                  fence_text(flags));
  }
}

/* One that is taken out and one that is put in of a function are one that is moved: the line that it was in. */
static uint32_t moved_from(const repair_file *f) {
  size_t in = 0, out = 0;
  const tree_node *to = NULL, *from = NULL;
  uint32_t line = 0;
  for (size_t i = 0; i < f->spots.count; i++) {
    const repair_spot *s = &f->spots.items[i];
    if (s->kind == SPOT_BARRIER && f->repair.flags[i] == 0 && f->repair.set.banned[i] != 0) {
      out++;
      from = s->function;
      line = line_of_token(f, s->token);
    } else if (spots_is_place(s) && f->repair.flags[i] != 0) {
      in++;
      to = s->function;
    }
  }
  return in == 1 && out == 1 && from == to ? line : 0;
}

static void say_others(buffer *out, const repair_file *f) {
  for (size_t i = 0; i < f->repair.other_count; i++) {
    for (size_t k = 0; k < f->spots.count; k++) {
      if (f->repair.others[i][k] != 0 && f->repair.flags[k] == 0) {
        char place[60];
        name_place(f, &f->spots.items[k], place, sizeof place);
        buffer_printf(out, "%s: as good: barrier(%s) %s\n", f->path, fence_text(f->repair.others[i][k]), place);
      }
    }
  }
}

void repair_report(const repair_file *f, bool applied, buffer *out) {
  size_t wrong = 0, chosen = 0;
  for (size_t i = 0; i < f->repair.kernel_count; i++) {
    const repair_kernel *k = &f->repair.kernels[i];
    const char *objection = f->objections == NULL ? NULL : f->objections[i];
    say_kernel(out, f, k);
    say_other(out, f, k, objection);
    chosen += k->chosen ? 1 : 0;
    wrong += k->chosen && (k->outcome != REPAIR_FINE || objection != NULL) ? 1 : 0;
  }
  if (wrong == 0) {
    buffer_printf(out, "%s: nothing to repair: %zu kernel%s verified\n", f->path, chosen,
                  chosen == 1 ? " is" : "s are");
  }
  if (!repair_changes(&f->repair)) return;
  const uint32_t from = moved_from(f);
  for (size_t i = 0; i < f->spots.count; i++)
    if (f->repair.flags[i] != f->repair.set.existing[i]) say_change(out, f, i, from);
  say_others(out, f);
  if (f->built == NULL && f->failed) {
    /* it came not that far */
  } else if (f->built != NULL) {
    buffer_printf(out, "%s: the changed source is built by %s\n", f->path, f->built);
  } else {
    buffer_printf(out, "%s: the changed source was not built by a device: there is none here that builds this file\n",
                  f->path);
  }
  for (size_t i = 0; i < f->step_count; i++) buffer_printf(out, "%s: %s\n", f->path, f->steps[i]);
  if (f->failed) {
    buffer_printf(out, "%s: the patch is not offered\n", f->path);
  } else if (f->disk == NULL) {
    buffer_printf(out,
                  "%s: the program's source is in no file that was found; the patch is for its text, under this name\n",
                  f->path);
  }
  if (applied) buffer_printf(out, "%s is changed\n", f->path);
}

const char *repair_outcome_name(const repair_file *f) {
  bool wrong = false, part = false;
  for (size_t i = 0; i < f->repair.kernel_count; i++) {
    const repair_kernel *k = &f->repair.kernels[i];
    wrong = wrong || (k->chosen && k->outcome != REPAIR_FINE && k->outcome != REPAIR_DONE);
    part = part || k->outcome == REPAIR_DONE || k->outcome == REPAIR_PART;
  }
  if (f->failed) return "refused";
  return wrong ? (part ? "part" : "remains") : repair_changes(&f->repair) ? "repaired" : "fine";
}
