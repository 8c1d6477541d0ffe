/* Launches are drawn for a kernel, or for each way in which host code launches it, and asked. */
#include "proofs/opinion/opinion.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/rules.h"
#include "proofs/opinion/draw.h"
#include "reports/words/words.h"

/* --- launches that were seen -------------------------------------------------------------------------------------- */

/* A launch that was seen as one that is drawn. */

static void take_argument(const observed_argument *a, replica_argument *to) {
  to->size = a->kind == OBSERVED_INTEGER ? to->is->size : a->size;
  if (a->kind == OBSERVED_INTEGER) {
    to->bytes = mem_calloc(sizeof a->integer, 1);
    memcpy(to->bytes, &a->integer, sizeof a->integer);
  }
}

static void take_launch(const asked_source *s, const signature *of, const observed_launch *l, replica *out) {
  *out = (replica){.source = s, .kernel = of->kernel, .dimensions = l->dimensions, .count = of->count};
  out->arguments = mem_calloc(of->count + 1, sizeof *out->arguments);
  for (size_t i = 0; i < of->count; i++) out->arguments[i].is = &of->parameters[i];
  for (unsigned d = 0; d < 3; d++) {
    out->local[d] = l->local[d];
    out->global[d] = l->local[d] * l->groups[d];
    out->offset[d] = l->offset[d];
  }
  for (size_t i = 0; i < l->argument_count; i++)
    take_argument(&l->arguments[i], &out->arguments[l->arguments[i].parameter]);
}

/* Contents that are known have bounds. */
static bool contradicts(const contents_facts *said, const contents_facts *seen) {
  return seen->bounded && ((said->distinct && !seen->distinct) || (said->ascending && !seen->ascending) ||
                           (said->bounded && (seen->low < said->low || seen->high > said->high)));
}

static bool fails(const terms *t, const replica *r, const observed_launch *l, bool *understood) {
  bool against = false;
  for (size_t i = 0; i < t->count && !against; i++) {
    int64_t is = 0;
    const bool known = terms_value(t->conditions[i], strlen(t->conditions[i]), r, &is);
    against = known && is == 0;
    *understood = *understood && known;
  }
  for (size_t i = 0; i < l->argument_count && !against; i++) {
    const observed_argument *a = &l->arguments[i];
    contents_facts said;
    against = a->kind == OBSERVED_BUFFER && terms_contents(t, a->parameter, r, &said) && contradicts(&said, &a->facts);
  }
  return against;
}

bool seen_check(const asked_source *s, const asked_kernel *k, const char *assumption, const observed_launch **against) {
  const signature *of = asked_signature(s, k->name);
  premise said = {.kind = PREMISE_EXPRESSION, .text = (char *)assumption};
  const premises one = {&said, 1};
  terms t;
  *against = NULL;
  if (of == NULL) return true;
  terms_read(&one, NULL, of, &t);
  bool understood = t.foreign == NULL;
  for (size_t i = 0; i < k->launch_count && *against == NULL && understood; i++) {
    replica r;
    take_launch(s, of, &k->launches[i], &r);
    *against = fails(&t, &r, &k->launches[i], &understood) ? &k->launches[i] : NULL;
    replica_free(&r);
  }
  terms_free(&t);
  return understood;
}

/* --- launches, watched -------------------------------------------------------------------------------------------- */

/* A capture of the launches, under `races`; under `coverage`, too, where there are barriers that work-items may miss. */

enum { WALL = 20 }; /* seconds of a busy machine for one of the processor, which is what limits it */

typedef struct looking {
  const watching *watching;
  const char *text; /* of the source */
  size_t count;
  watched *out;
} looking;

static bool mentions(const char *text, const char *const *words, size_t count) {
  bool found = false;
  for (size_t i = 0; i < count; i++) found = found || strstr(text, words[i]) != NULL;
  return found;
}

/* Two writes of which `races` does not know whether they bring the same: of pixels, structures, half, what functions store. */
static bool may_be_alike(const looking *l, const db_finding *f) {
  static const char *const words[] = {"struct", "union",  "half",     "frexp", "fract",
                                      "modf",   "sincos", "lgamma_r", "remquo"};
  const bool pixel = f->detail.space != NULL && strcmp(f->detail.space, "image") == 0;
  bool writes = pixel || (!f->detail.value_size.known && mentions(l->text, words, sizeof words / sizeof *words));
  for (size_t i = 0; i < f->place_count; i++) writes = writes && strcmp(f->places[i].access, "write") == 0;
  return writes;
}

static bool counts(const looking *l, const db_finding *f) {
  const unsigned kinds =
      l->watching->bounds ? RULE_OUTSIDE : RULE_RACE | RULE_DIVERGENCE | (l->watching->same_value ? RULE_BENIGN : 0U);
  if (l->watching->sized != NULL && l->watching->bounds &&
      (f->detail.object == NULL || f->detail.object[0] == '\0' || !terms_size(l->watching->sized, f->detail.object)))
    return false;
  if (l->watching->only != NULL && (f->detail.object == NULL || strcmp(f->detail.object, l->watching->only) != 0))
    return false;
  const bool unsure = l->watching->careful && !l->watching->same_value && may_be_alike(l, f);
  return !unsure && rule_is(f->rule, kinds) && f->detail.launch.known && f->detail.launch.value < l->count;
}

static void look(void *context, const view *v) {
  const looking *l = context;
  watched *out = l->out;
  for (size_t i = 0; i < v->finding_count; i++) {
    const db_finding *f = &v->findings[i];
    if (!counts(l, f)) continue;
    buffer text = {0};
    finding_sentence(f, NULL, &text);
    *ARRAY_ADD(out->items, out->count, out->capacity) = (watched_finding){
        .divergence = rule_is(f->rule, RULE_DIVERGENCE),
        .launch = (size_t)f->detail.launch.value,
        .lines = {f->place_count > 0 ? f->places[0].line : 0, f->place_count > 1 ? f->places[1].line : 0},
        .sentence = buffer_take(&text)};
  }
}

/* Findings come in the order of their digests, which says nothing. */
static bool comes_before(const watched_finding *a, const watched_finding *b) {
  return a->launch != b->launch           ? a->launch < b->launch
         : a->divergence != b->divergence ? a->divergence
         : a->lines[0] != b->lines[0]     ? a->lines[0] < b->lines[0]
                                          : a->lines[1] < b->lines[1];
}

const watched_finding *watched_first(const watched *w) {
  const watched_finding *first = NULL;
  for (size_t i = 0; i < w->count; i++) {
    const watched_finding *f = &w->items[i];
    if (first == NULL || comes_before(f, first)) first = f;
  }
  return first;
}

static void watched_free(watched *w) {
  for (size_t i = 0; i < w->count; i++) free(w->items[i].sentence);
  free(w->items);
  *w = (watched){0};
}

int watch(const watching *w, const replica *all, size_t count, const char *more, watched *out, error *e) {
  capture c = {0};
  buffer path = {0};
  const char *const text = all->text != NULL ? all->text : asked_text(all->source)->text;
  looking l = {w, text, count, out};
  const char *kernel = all->kernel;
  /* Whether work-items can come to a place where they have to meet. A file that it includes may have one. */
  static const char *const words[] = {"barrier", "async_", "wait_group", "include", "##"};
  const bool meets = mentions(text, words, sizeof words / sizeof *words);
  const trial_kind *kind = w->bounds               ? &trial_memory
                           : !meets || w->accesses ? &trial_accesses
                           : w->careful            ? &trial_watched
                                                   : &trial_races;
  const double share = kind == &trial_watched ? w->seconds / 2 : w->seconds; /* it runs them twice */
  const trial_options o = {.base = w->base,
                           .kernels.wanted = {&kernel, 1, 1},
                           .folder = w->folder,
                           .limit = WALL * w->seconds,
                           .processor = (unsigned)(share + 0.999),
                           .strict = w->careful,
                           .look = look,
                           .context = &l};
  trial_result seen = {0};
  *out = (watched){0};
  buffer_printf(&path, "%s/drawn.cltc", w->folder);
  replicas_capture(all, count, more, &c);
  const int result =
      capture_write(&c, buffer_text(&path), e) != 0 ? -1 : trial_run(kind, &o, buffer_text(&path), &seen, e);
  out->launches = seen.launches < count ? seen.launches : count; /* some looks take several runs */
  out->well = seen.launches > 0 && seen.code != EXIT_BASELINE;
  out->inside = out->well && seen.inside && seen.launches >= count;
  capture_free(&c);
  buffer_free(&path);
  return result;
}

/* --- all forms of a kernel ---------------------------------------------------------------------------------------- */

/* Launches are watched; one that contradicts is watched again alone, then without optimisation. */

/* Seconds of the processor that runs have used. */
static double spent(void) {
  struct rusage u;
  return getrusage(RUSAGE_CHILDREN, &u) != 0 ? 0
                                             : (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
                                                   (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* Whether the proof says that accesses stay inside: of some it may not have been shown. */
static bool claims_bounds(const opinion_options *o, const verify_answer *a) {
  return !o->verify->no_bounds && !premises_have(&a->assumptions, PREMISE_INSIDE);
}

/* --- what is found ------------------------------------------------------------------------------------------------ */

static int examine(const opinion_options *o, const replica *launch, opinion *out, error *e) {
  watched alone = {0}, plain = {0};
  int result = watch(&o->watching, launch, 1, "", &alone, e);
  const watched_finding *found = watched_first(&alone);
  if (result == 0 && found != NULL) {
    result = watch(&o->watching, launch, 1, "-cl-opt-disable", &plain, e);
    out->kind = plain.well && plain.count == 0 ? OPINION_COMPILER : OPINION_CONTRADICTS;
    free(out->why);
    out->why = mem_strdup(found->sentence);
  }
  watched_free(&alone);
  watched_free(&plain);
  return result;
}

/* Which of the launches from `*at` to before `end` shows something by itself: of a pair of places the first launch is told in
 * which both were come to, and what is wrong there may be so in another one (two work-items write in each launch, and in one
 * of them not the same). */
static int find_launch(const opinion_options *o, const replica *all, size_t *at, size_t end, error *e) {
  int result = 0;
  while (end - *at > 1 && result == 0) {
    const size_t middle = *at + (end - *at) / 2;
    watched seen;
    result = watch(&o->watching, &all[*at], middle - *at, "", &seen, e);
    const bool here = watched_first(&seen) != NULL;
    *at = here ? *at : middle;
    end = here ? middle : end;
    watched_free(&seen);
  }
  return result;
}

/* Of the launches from `at` on one shows something: the first that does is examined. */
static int examine_from(const opinion_options *o, replica *all, size_t at, size_t count, opinion *out, error *e) {
  int result = examine(o, &all[at], out, e);
  if (result == 0 && out->kind == OPINION_AGREES && ++at < count) {
    result = find_launch(o, all, &at, count, e);
    result = result == 0 ? examine(o, &all[at], out, e) : result;
  }
  if (out->kind != OPINION_AGREES) {
    out->launch = all[at];
    all[at] = (replica){0};
  }
  return result;
}

/* Whether there is time for one more run: a second is the least that one can be given. */
static bool has_time(const opinion_options *o) { return o->until - spent() >= 1; }

/* A run has what is left of the time of all runs of the kernel. */
static int watch_rest(const opinion_options *o, const replica *all, size_t count, watched *out, error *e) {
  watching within = o->watching;
  const double left = o->until - spent();
  within.seconds = left < within.seconds ? left : within.seconds;
  return watch(&within, all, count, "", out, e);
}

/* A launch that crashes, as by a division by zero, ends its process: the launches after it are made in another one. */
static int ask(const opinion_options *o, replica *all, size_t count, opinion *out, error *e) {
  enum { PROCESSES = 6 };
  int result = 0;
  bool more = true;
  out->inside = false;
  for (size_t begin = 0, n = 0; begin < count && n < PROCESSES && result == 0 && more; n++) {
    watched seen;
    result = watch_rest(o, &all[begin], count - begin, &seen, e);
    const watched_finding *first = watched_first(&seen);
    out->launches += seen.launches;
    out->barriers = out->barriers || (seen.launches > 0 && (!o->watching.accesses || o->watching.only != NULL));
    out->kind = out->launches > 0 ? OPINION_AGREES : OPINION_NONE;
    out->inside = seen.inside && begin == 0;
    if (result == 0 && first != NULL) result = examine_from(o, all, begin + first->launch, count, out, e);
    more = first == NULL && !seen.well && seen.launches > 0 && has_time(o);
    begin += seen.launches;
    watched_free(&seen);
  }
  return result;
}

/* --- changed sources ---------------------------------------------------------------------------------------------- */

/* OpenCL C 3.0 has all of 2.0, but what it leaves to devices, and some have it in 3.0 alone. */
static char *of_later_language(const asked_source *s) {
  const char *options = asked_text(s)->options;
  char *later = options == NULL || strstr(options, "-cl-std=CL2.0") == NULL ? NULL : mem_strdup(options);
  if (later != NULL) strstr(later, "CL2.0")[2] = '3';
  return later;
}

static int ask_at_all(const opinion_options *o, replica *all, size_t count, opinion *out, error *e) {
  const int result = ask(o, all, count, out, e);
  if (result != 0 || out->kind != OPINION_NONE || out->options != NULL) return result;
  out->options = of_later_language(all->source);
  for (size_t i = 0; i < count && out->options != NULL; i++) all[i].options = out->options;
  return out->options == NULL ? 0 : ask(o, all, count, out, e);
}

/* The language lets the last group be smaller, and the proof is not about groups of some size. */
static bool may_be_ragged(const asked_source *s, const verify_answer *a) {
  static const char *const sizes[] = {"_size(", "get_num_groups", "elements("};
  const char *options = asked_text(s)->options;
  const bool later =
      options != NULL && (strstr(options, "-cl-std=CL2") != NULL || strstr(options, "-cl-std=CL3") != NULL);
  bool may = later && strstr(options, "-cl-uniform-work-group-size") == NULL &&
             !premises_have(&a->preconditions, PREMISE_EVEN);
  for (size_t i = 0; i < a->preconditions.count; i++)
    may = may && !mentions(a->preconditions.items[i].text, sizes, sizeof sizes / sizeof *sizes);
  return may;
}

/* There is no time for one more run, and what it would have looked at is not. */
static bool is_late(const opinion_options *o, const char *what, opinion *out) {
  const bool late = !has_time(o);
  out->late = late && out->late == NULL ? what : out->late;
  return late;
}

/* The same launches, by work-items that come in another order, or in groups of two sizes. Takes the text over; `ran`:
 * launches were made. */
static int ask_variant(const opinion_options *o, variant v, char *text, replica *all, size_t count, opinion *out,
                       bool *ran, error *e) {
  static const char *const how[] = {[VARIANT_TURNS] = "where work-items take turns at atomic functions, ",
                                    [VARIANT_RAGGED] = "with a last work-group that is smaller than the others, ",
                                    [VARIANT_ALONE] = "work-items of a group do not come to the same barriers"};
  static const char *const late[] = {
      [VARIANT_TURNS] = "no order in which work-items come to atomic functions was tried",
      [VARIANT_RAGGED] = "no smaller last work-group was tried",
      [VARIANT_ALONE] = "its barriers were not looked at"};
  *ran = false;
  if (text == NULL || is_late(o, late[v], out)) {
    free(text);
    return 0;
  }
  const opinion before = *out;
  for (size_t i = 0; i < count; i++) all[i].text = text;
  opinion_options within = *o;
  within.watching.accesses = true; /* who comes to barriers is seen of the kernel as it is */
  within.watching.only = v == VARIANT_ALONE ? VARIANT_BARRIERS : NULL;
  const int result = ask(&within, all, count, out, e);
  *ran = out->kind != OPINION_NONE;
  if (result == 0 && (out->kind == OPINION_CONTRADICTS || out->kind == OPINION_COMPILER)) {
    buffer why = {0};
    buffer_printf(&why, "%s%s", how[v], v == VARIANT_ALONE ? "" : out->why);
    free(out->why);
    out->why = buffer_take(&why);
    out->text = text;
    return 0;
  }
  for (size_t i = 0; i < count; i++) all[i].text = NULL;
  free(text);
  out->kind = before.kind;
  out->launches = before.launches;
  return result;
}

static char *changed(variant v, const replica *all, const char *word) {
  return mentions(asked_text(all->source)->text, &word, 1) ? variant_text(v, all->source, all->kernel) : NULL;
}

/* Whether work-items may also meet where no barrier stands. */
static bool meets_otherwise(const replica *all) {
  static const char *const others[] = {"async_", "wait_group", "include", "##"};
  return mentions(asked_text(all->source)->text, others, sizeof others / sizeof *others);
}

/* A launch that shows divergence as the kernel is says more of it than one of the changed kernel. */
static int ask_as_it_is(const opinion_options *o, opinion *out, error *e) {
  watched seen;
  char *const text = out->text;
  out->launch.text = NULL;
  const int result = watch(&o->watching, &out->launch, 1, "", &seen, e);
  const watched_finding *f = watched_first(&seen);
  if (result == 0 && f != NULL && f->divergence) {
    free(out->why);
    out->why = mem_strdup(f->sentence);
    out->text = NULL;
    free(text);
  } else {
    out->launch.text = text;
  }
  watched_free(&seen);
  return result;
}

/* Not the first time that these launches are made. */
static int ask_again(const opinion_options *o, replica *all, size_t count, opinion *out, error *e) {
  const uint64_t launches = out->launches;
  const int result = has_time(o) ? ask(o, all, count, out, e) : 0;
  out->launches = launches;
  out->kind = out->kind == OPINION_NONE ? OPINION_AGREES : out->kind;
  return result;
}

/* Who comes to barriers: by the changed kernel, or, if that cannot be run and it was not looked at, by the kernel as it is. */
static int ask_barriers(const opinion_options *o, char *alone, bool open, replica *all, size_t count, opinion *out,
                        error *e) {
  bool ran = false;
  const int result = ask_variant(o, VARIANT_ALONE, alone, all, count, out, &ran, e);
  return result != 0                                   ? result
         : out->kind == OPINION_CONTRADICTS            ? ask_as_it_is(o, out, e)
         : out->kind == OPINION_AGREES && open && !ran ? ask_again(o, all, count, out, e)
                                                       : 0;
}

static int ask_variants(const opinion_options *o, bool ragged, replica *all, size_t count, opinion *out, error *e) {
  bool ran = false;
  int result = ask_variant(o, VARIANT_TURNS, changed(VARIANT_TURNS, all, "atom"), all, count, out, &ran, e);
  if (result == 0 && out->kind == OPINION_AGREES && ragged)
    result = ask_variant(o, VARIANT_RAGGED, changed(VARIANT_RAGGED, all, ""), all, count, out, &ran, e);
  return result;
}

/* Each access held against the end of its memory. */
static int ask_bounds(opinion_options within, const terms *t, replica *all, size_t count, opinion *out, error *e) {
  within.watching.bounds = true;
  within.watching.sized = t;
  return is_late(&within, "the ends of its memory were not watched", out) ? 0 : ask_again(&within, all, count, out, e);
}

/* Launches in all forms of the kernel. The launch that contradicts is taken out of `all`. */
static int ask_all(const opinion_options *o, const asked_source *s, const verify_answer *a, const terms *t,
                   replica *all, size_t count, opinion *out, error *e) {
  char *alone = changed(VARIANT_ALONE, all, "barrier");
  opinion_options first = *o;
  first.watching.accesses = alone != NULL && !meets_otherwise(all);
  int result = ask_at_all(&first, all, count, out, e);
  const bool inside = out->inside;
  if (result == 0 && out->kind == OPINION_AGREES && alone != NULL)
    result = ask_barriers(o, alone, first.watching.accesses, all, count, out, e);
  else
    free(alone);
  if (result == 0 && out->kind == OPINION_AGREES) result = ask_variants(o, may_be_ragged(s, a), all, count, out, e);
  if (result == 0 && out->kind == OPINION_AGREES && claims_bounds(o, a) && !inside)
    result = ask_bounds(*o, t, all, count, out, e);
  if (result == 0 && out->kind == OPINION_AGREES && (!out->barriers || out->late != NULL)) {
    buffer why = {0};
    buffer_printf(&why, "%s, as the time for it was over",
                  out->barriers ? out->late : "its barriers were not looked at");
    out->why = buffer_take(&why);
  }
  return result;
}

/* --- what a kernel is asked --------------------------------------------------------------------------------------- */

enum { SECONDS_LEAST = 3, WAY_TEXTS = 4 };

/* --- what a kernel allows ------------------------------------------------------------------------------------------ */

/* Large numbers make loops long, and what a proof says of overflow is that there is none. */
static bool wants_small(const asked_source *s, const verify_answer *a) {
  static const char *const loops[] = {"for", "while", "do", "goto", "include", "##"};
  return mentions(asked_text(s)->text, loops, sizeof loops / sizeof *loops) ||
         premises_have(&a->assumptions, PREMISE_OVERFLOW) || premises_have(&a->assumptions, PREMISE_SIZES);
}

static uint64_t seed_of(const char *kernel) {
  uint64_t seed = 40;
  for (const char *c = kernel; *c != '\0'; c++) seed = replica_draw(seed, (unsigned char)*c);
  return seed;
}

static size_t draw_all(drawing *d, unsigned wanted, replica *all) {
  size_t count = 0;
  for (unsigned i = 0; i < wanted; i++) {
    count += draw_launch(d, i, &all[count]) ? 1 : 0;
    if (count == 0 && i == 1) /* where two were not found, there is hardly any */
      break;
  }
  return count;
}

/* --- what is drawn ------------------------------------------------------------------------------------------------ */

/* What launches are drawn from: the preconditions and, of host code, what each launch in that way has. */
typedef struct draws {
  premises said; /* its own list of others' texts, and of these */
  char *texts[WAY_TEXTS];
  size_t text_count;
  terms terms;
  drawing drawing;
} draws;

static void say_equal(draws *d, const char *what, uint64_t n) {
  buffer text = {0};
  buffer_printf(&text, "%s == %llu", what, (unsigned long long)n);
  char *made = d->texts[d->text_count++] = buffer_take(&text);
  d->said.items[d->said.count++] = (premise){.kind = PREMISE_EXPRESSION, .text = made};
}

/* Ids begin where the host code says, or at 0 as the verdict then assumes. */
static void say_way(draws *d, const struct host_way *w) {
  if (w->dimensions > 0) say_equal(d, "get_work_dim()", w->dimensions);
  static const char *const offsets[] = {"get_global_offset(0)", "get_global_offset(1)", "get_global_offset(2)"};
  for (unsigned i = 0; i < (w->dimensions > 0 ? w->dimensions : 3); i++)
    say_equal(d, offsets[i], w->offset_known ? w->offset[i] : 0);
}

static void draws_begin(const asked_source *s, const verify_answer *a, const struct host_way *w, draws *d) {
  const asked_kernel *seen = asked_kernel_find(s, a->kernel);
  *d = (draws){0};
  d->said.items = mem_calloc(a->preconditions.count + WAY_TEXTS, sizeof *d->said.items);
  if (a->preconditions.count > 0)
    memcpy(d->said.items, a->preconditions.items, a->preconditions.count * sizeof *d->said.items);
  d->said.count = a->preconditions.count;
  if (w != NULL) say_way(d, w);
  terms_read(&d->said, w, asked_signature(s, a->kernel), &d->terms);
  d->drawing = (drawing){.base = s->observed && seen != NULL && seen->launch_count > 0 ? &seen->launches[0] : NULL,
                         .source = s,
                         .kernel = a->kernel,
                         .terms = &d->terms,
                         .small = wants_small(s, a),
                         .seed = seed_of(a->kernel)};
  draw_begin(&d->drawing);
}

/* --- one kernel --------------------------------------------------------------------------------------------------- */

/* The launches of one way, or those that the preconditions allow. */
static int ask_launches(const opinion_options *o, const asked_source *s, const verify_answer *a,
                        const struct host_way *w, opinion *out, error *e) {
  draws d;
  draws_begin(s, a, w, &d);
  replica *all = mem_calloc(o->launches + 1, sizeof *all);
  const char *why = draw_obstacle(&d.drawing);
  const size_t count = why == NULL ? draw_all(&d.drawing, o->launches, all) : 0;
  const int result = count > 0 ? ask_all(o, s, a, &d.terms, all, count, out, e) : 0;
  if (result == 0 && out->kind == OPINION_CONTRADICTS &&
      (premises_have(&a->assumptions, PREMISE_OVERFLOW) || premises_have(&a->assumptions, PREMISE_DIVISION)))
    out->kind = OPINION_OVERFLOW;
  if (result == 0 && out->kind == OPINION_NONE) {
    out->why = mem_strdup(why != NULL  ? why
                          : count == 0 ? draw_none(&d.drawing)
                                       : "its program does not build for this device, or does not run there in time");
  }
  for (size_t i = 0; i < count; i++) replica_free(&all[i]);
  free(all);
  draw_end(&d.drawing);
  terms_free(&d.terms);
  for (size_t i = 0; i < d.text_count; i++) free(d.texts[i]);
  free(d.said.items);
  return result;
}

/* Ways that had no launches, and why not the first of them. */
typedef struct ways_left {
  size_t count;
  char *why;
} ways_left;

static void leave(ways_left *l, size_t count, const char *why) {
  l->count += count;
  l->why = l->why == NULL ? mem_strdup(why) : l->why;
}

/* Each way has launches of its own; what is open in one is said beside what the others showed. */
static int ask_ways(const opinion_options *o, const asked_source *s, const verify_answer *a, const asked_kernel *k,
                    opinion *out, error *e) {
  int result = 0;
  ways_left left = {0};
  for (size_t i = 0; i < k->way_count && result == 0 && out->kind <= OPINION_AGREES; i++) {
    opinion one = {.kind = OPINION_NONE};
    if (i > 0 && !has_time(o)) {
      leave(&left, k->way_count - i, "the time for it was over");
      break;
    }
    result = ask_launches(o, s, a, &k->ways[i], &one, e);
    if (result == 0 && one.kind == OPINION_NONE) leave(&left, 1, one.why);
    if (one.kind == OPINION_NONE) {
      opinion_free(&one);
    } else {
      one.launches += out->launches;
      if (one.kind == OPINION_AGREES && one.why == NULL) { /* what was not looked at in a way before is not now */
        one.why = out->why;
        out->why = NULL;
      }
      opinion_free(out);
      *out = one;
    }
  }
  if (result == 0 && out->kind <= OPINION_AGREES && left.count > 0) {
    buffer text = {0};
    if (left.count < k->way_count)
      buffer_printf(&text, "in %zu of the %zu ways in which it is launched: ", left.count, k->way_count);
    buffer_puts(&text, left.why);
    free(out->why);
    out->why = buffer_take(&text);
  }
  free(left.why);
  return result;
}

int opinion_ask(const opinion_options *o, const asked_source *s, const verify_answer *a, opinion *out, error *e) {
  *out = (opinion){.kind = OPINION_NONE};
  /* Why a run could not be held against this proof: lent; NULL: it can. */
  const char *why = asked_signature(s, a->kernel) == NULL ? "its parameters are not known"
                    : o->verify->warp > 0                 ? "the proof relies on work-items that run in step"
                                                          : NULL;
  if (why != NULL) {
    out->why = mem_strdup(why);
    return 0;
  }
  opinion_options within = *o;
  within.watching.careful = true;
  within.watching.seconds = a->seconds > SECONDS_LEAST ? a->seconds : SECONDS_LEAST;
  within.until = spent() + within.watching.seconds;
  const asked_kernel *k = a->host == NULL ? NULL : asked_kernel_find(s, a->kernel);
  if (k == NULL || k->way_count == 0) return ask_launches(&within, s, a, NULL, out, e);
  within.launches = (o->launches + (unsigned)k->way_count - 1) / (unsigned)k->way_count;
  return ask_ways(&within, s, a, k, out, e);
}

void opinion_free(opinion *o) {
  free(o->why);
  free(o->text);
  free(o->options);
  replica_free(&o->launch);
  *o = (opinion){0};
}

/* --- counterexamples: all of a kernel together, and each alone where together they do not end well ---------------- */

static bool is_race(const answer_finding *f) { return rule_is(f->row.rule, RULE_RACE); }

/* Whether a line is that of a place, or of a call that the place was inlined by. */
static bool is_at(const db_place *p, uint32_t line) {
  bool at = p->line == line;
  for (size_t i = 0; i < p->inlined_count; i++) at = at || p->inlined[i].line == line;
  return at;
}

static bool is_outside(const answer_finding *f) { return strcmp(f->row.rule, "out-of-bounds") == 0; }

/* Of a race the lines, in either order. Divergence shows at the barrier that some work-items reach, whichever that is. */
static bool matches(const answer_finding *f, const watched_finding *w) {
  const db_place *p = f->row.places;
  if (is_outside(f)) return f->row.place_count > 0 && is_at(&p[0], w->lines[0]);
  if (!is_race(f) || w->divergence) return !is_race(f) && w->divergence;
  const uint32_t a = w->lines[0], b = w->lines[1];
  if (f->row.place_count < 2 || b == 0) /* the access before is not known any more */
    return f->row.place_count > 0 && (is_at(&p[0], a) || (f->row.place_count > 1 && is_at(&p[1], a)));
  return (is_at(&p[0], a) && is_at(&p[1], b)) || (is_at(&p[0], b) && is_at(&p[1], a));
}

static confirmation judge(const answer_finding *f, const watched *w, size_t launch) {
  const watched_finding *other = NULL;
  for (size_t i = 0; i < w->count; i++) {
    if (w->items[i].launch == launch && matches(f, &w->items[i]))
      return (confirmation){CONFIRMED_YES, mem_strdup("a run of this launch with its accesses watched shows it")};
    other = w->items[i].launch == launch ? &w->items[i] : other;
  }
  buffer why = {0};
  if (w->launches == 0 || !w->well) {
    buffer_puts(&why, "this launch does not run to its end here, with its accesses watched");
    return (confirmation){CONFIRMED_NOT_LAUNCHABLE, buffer_take(&why)};
  }
  if (f->copies) {
    buffer_puts(&why, "of asynchronous copies a run does not show all that is wrong");
    return (confirmation){CONFIRMED_NOT_LAUNCHABLE, buffer_take(&why)};
  }
  buffer_puts(&why, "a run of this launch with its accesses watched ");
  if (other != NULL)
    buffer_printf(&why, "shows something else: %s", other->sentence);
  else
    buffer_puts(&why, "does not show it");
  return (confirmation){CONFIRMED_NO, buffer_take(&why)};
}

/* Those whose findings are accesses outside, or those whose are not. */
static int confirm_some(const watching *w, const replica *launches, size_t count, confirmation *out, error *e) {
  replica *some = mem_calloc(count + 1, sizeof *some);
  size_t *which = mem_calloc(count + 1, sizeof *which), wanted = 0;
  for (size_t i = 0; i < count; i++) {
    if (is_outside(launches[i].finding) == w->bounds) {
      some[wanted] = launches[i];
      which[wanted++] = i;
    }
  }
  watched all = {0};
  int result = wanted == 0 ? 0 : watch(w, some, wanted, "", &all, e);
  for (size_t i = 0; i < wanted && result == 0; i++) {
    confirmation *one = &out[which[i]];
    *one = judge(some[i].finding, &all, i);
    if (one->how != CONFIRMED_YES && wanted > 1) { /* the same pair of places is told once of several launches */
      watched alone;
      result = watch(w, &some[i], 1, "", &alone, e);
      free(one->why);
      *one = judge(some[i].finding, &alone, 0);
      watched_free(&alone);
    }
  }
  watched_free(&all);
  free(some);
  free(which);
  return result;
}

int opinion_confirm(const opinion_options *o, const replica *launches, size_t count, double seconds, confirmation *out,
                    error *e) {
  watching w = o->watching;
  w.seconds = seconds > SECONDS_LEAST ? seconds : SECONDS_LEAST;
  if (confirm_some(&w, launches, count, out, e) != 0) return -1;
  w.bounds = true;
  return confirm_some(&w, launches, count, out, e);
}
