/* What a proof engine says of a text in which an outcome is an error (docs/generate.md, What cannot be taken). */
#include "generate/reach.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "runner/build/build.h"

enum { WORD = 32 };

extern const char instrument_record[], instrument_planes[], generate_reach[]; /* embedded */

/* --- the text ------------------------------------------------------------------------------------------------------- */

bool reach_put(char **text, const char *what, const char *by) {
  char *at = strstr(*text, what);
  if (at == NULL) return false;
  buffer out = {0};
  buffer_append(&out, *text, (size_t)(at - *text));
  buffer_puts(&out, by);
  buffer_puts(&out, at + strlen(what));
  free(*text);
  *text = buffer_take(&out);
  return true;
}

void reach_begin(reach *r, const asked_source *s, const char *kernel, const verify_answer *proof, const prover *p) {
  error ignored;
  *r = (reach){.source = s, .kernel = kernel, .proof = proof, .prover = p};
  if (build_instrumented(&s->request, KERNEL_COUNTED, &r->made, &ignored) != 0 || r->made.question_count > 0) return;
  r->text = mem_strdup(r->made.texts[0]);
  (void)reach_put(&r->text, instrument_planes, "");
  char *judges = strstr(r->text, "__kernel void cltc_judge_"); /* at the end */
  if (judges != NULL) *judges = '\0';
  if (!reach_put(&r->text, instrument_record, generate_reach)) {
    free(r->text);
    r->text = NULL;
  }
}

void reach_end(reach *r) {
  for (size_t i = 0; i < r->answer_count; i++) answer_free(&r->answers[i]);
  free(r->answers);
  free(r->text);
  instrument_free(&r->made);
}

/* --- where an outcome is recorded ----------------------------------------------------------------------------------- */

/* Bits in a word of the context. */
typedef struct recorded {
  const model_site *site;
  uint32_t function, word; /* cltc->fFUNCTION_WORD */
  uint32_t first;          /* bit of the kernel that is its lowest one, */
  uint32_t bits;           /* of it */
} recorded;

static bool is_file(const model *m, uint32_t file, const outcome *o) {
  const char *name = m->files[file].name;
  return path_ends(o->file, name) || path_ends(name, o->file);
}

/* A kernel file that lies elsewhere has another name where it is run; what it includes has not. */
static bool is_outcome(const model *m, const model_term *t, const outcome *o) {
  if (t->site >= m->site_count || t->outcome != o->number) return false;
  const model_site *s = &m->sites[t->site];
  bool right = s->kind == o->kind && s->offset == o->offset && s->file < m->file_count;
  if (right && !is_file(m, s->file, o)) {
    right = s->file == 0;
    for (uint32_t i = 1; i < m->file_count; i++) right = right && !is_file(m, i, o);
  }
  return right;
}

/* False: they are not all in one word. */
static bool add_bit(const instrument_kernel *k, uint32_t bit, recorded *to) {
  size_t n = k->part_count;
  while (n > 0 && k->parts[n - 1].first > bit) n--;
  if (n == 0) return false;
  const instrument_part *part = &k->parts[n - 1];
  const uint32_t word = (bit - part->first) / WORD, first = part->first + word * WORD;
  const bool fits = to->bits == 0 || to->first == first;
  *to = (recorded){to->site, part->function, word, first, to->bits | UINT32_C(1) << (bit - first)};
  return fits;
}

static bool add_of(const model *m, const model_term *t, const outcome *o, const instrument_kernel *k, uint32_t bit,
                   recorded *to) {
  if (!is_outcome(m, t, o)) return true;
  to->site = &m->sites[t->site];
  return bit < k->plane_bit && add_bit(k, bit, to);
}

/* False: nothing that work-items record says it, or more than a word. */
static bool find_recorded(const reach *r, const outcome *o, recorded *out) {
  const model *m = &r->made.model;
  bool fits = true;
  *out = (recorded){0};
  for (size_t k = 0; k < m->kernel_count; k++) {
    const instrument_kernel *in = &r->made.kernels[k];
    const bool own = strcmp(m->kernels[k].name, r->kernel) == 0;
    for (uint32_t b = 0; own && b < in->bit_count; b++) fits = add_of(m, &in->bits[b], o, in, b, out) && fits;
    for (size_t i = 0; own && i < in->implied_count; i++)
      fits = add_of(m, &in->implied[i].term, o, in, in->implied[i].bit, out) && fits;
  }
  return fits && out->bits != 0;
}

static bool is_before(uint32_t line, uint32_t column, uint32_t other_line, uint32_t other_column) {
  return line < other_line || (line == other_line && column < other_column);
}

/* Whether the loop is one of the kernel's own, in no other loop. */
static bool is_entered_once(const reach *r, const model_site *s) {
  const model *m = &r->made.model;
  const bool loop = s->kind == SITE_FOR || s->kind == SITE_WHILE || s->kind == SITE_DO;
  bool once = loop && is_before(s->line, s->column, s->end_line, s->end_column) &&
              strcmp(m->functions[s->function].name, r->kernel) == 0 && strstr(r->text, "goto") == NULL;
  for (size_t i = 0; i < m->site_count && once; i++) {
    const model_site *o = &m->sites[i];
    const bool other =
        (o->kind == SITE_FOR || o->kind == SITE_WHILE || o->kind == SITE_DO) && o != s && o->function == s->function;
    once = !other || !is_before(o->line, o->column, s->line, s->column) ||
           !is_before(s->line, s->column, o->end_line, o->end_column);
    once = once && (!other || is_before(o->line, o->column, o->end_line, o->end_column));
  }
  return once;
}

/* --- a question --------------------------------------------------------------------------------------------------- */

static char *recall_nothing(void *context, const char *key) {
  (void)context;
  (void)key;
  return NULL;
}

static int take_answer(void *context, const asked_source *s, proved_kernel *k, error *e) {
  reach *r = context;
  (void)s;
  (void)e;
  *ARRAY_ADD(r->answers, r->answer_count, r->answer_capacity) = k->answer;
  k->answer = (verify_answer){0};
  proved_kernel_free(k);
  return 0;
}

const verify_answer *reach_ask_text(reach *r, const char *own, const char *options, const char *only, double seconds) {
  const size_t before = r->answer_count;
  asked_source changed;
  error ignored;
  word_list assumed = {0};
  for (size_t i = 0; i < r->prover->options.assume.count; i++)
    *ARRAY_ADD(assumed.items, assumed.count, assumed.capacity) = r->prover->options.assume.items[i];
  for (size_t i = 0; i < r->proof->preconditions.count; i++) {
    const premise *one = &r->proof->preconditions.items[i];
    if (one->kind == PREMISE_EXPRESSION && strncmp(one->text, "get_work_dim()", 14) != 0) /* which is none to assume */
      *ARRAY_ADD(assumed.items, assumed.count, assumed.capacity) = one->text;
  }
  asked_source_init(&changed, own, SIZE_MAX, options, asked_text(r->source)->input.directory, NULL);
  prover p = *r->prover;
  p.options.timeout = seconds;
  p.options.only = only;
  p.options.first_only = true;
  p.options.assume = assumed;
  p.listener = (prove_listener){r, recall_nothing, take_answer};
  if (asked_source_read(&changed, &ignored) == 0 && asked_signature(&changed, r->kernel) != NULL) {
    (void)asked_kernel_add(&changed, r->kernel);
    (void)prove_source(&p, &changed, &ignored);
  }
  asked_source_free(&changed);
  free(assumed.items);
  return r->answer_count == before ? NULL : &r->answers[before];
}

/* The engine's answer on the text in which these bits are an error; NULL: there is none. */
static const verify_answer *ask(reach *r, const recorded *at, double seconds) {
  const uint32_t row = at->first / WORD, shift = at->first % WORD;
  scoped_buffer options = buffer_with(
      "%s%s-DCLTC_REACH_BITS=0x%xu -DCLTC_REACH_ROW=%u -DCLTC_REACH_LOW=0x%xu "
      "-DCLTC_REACH_HIGH=0x%xu%s",
      r->made.options[0], r->made.options[0][0] == '\0' ? "" : " ", (unsigned)at->bits, (unsigned)row,
      (unsigned)(at->bits << shift), (unsigned)(shift == 0 ? 0 : at->bits >> (WORD - shift)),
      is_entered_once(r, at->site) ? " -DCLTC_REACH_ONCE" : "");
  char *own = mem_strdup(r->text), member[64], marked[64];
  (void)snprintf(member, sizeof member, " uint f%u_%u;", (unsigned)at->function, (unsigned)at->word);
  (void)snprintf(marked, sizeof marked, " ulong f%u_%u;", (unsigned)at->function, (unsigned)at->word);
  const bool placed = reach_put(&own, member, marked); /* else nothing would be an error, and all be proved */
  const verify_answer *a = placed ? reach_ask_text(r, own, buffer_text(&options), REACH_TRAP, seconds) : NULL;
  free(own);
  return a;
}

/* --- what it says --------------------------------------------------------------------------------------------------- */

/* A condition that a proof of the kernel as it is has as well. */
static bool is_granted(const reach *r, const premise *p) {
  bool granted = false;
  for (size_t i = 0; i < r->proof->preconditions.count && !granted; i++)
    granted = strcmp(r->proof->preconditions.items[i].text, p->text) == 0;
  for (size_t i = 0; i < r->prover->options.assume.count && !granted; i++)
    granted = strcmp(r->prover->options.assume.items[i], p->text) == 0;
  return granted;
}

/* Sizes and offsets, which hardly any launch has otherwise. They are named. */
static bool is_usual(const premise *p) {
  return p->kind == PREMISE_EVEN || p->kind == PREMISE_SIZES || strncmp(p->text, "get_global_offset(", 18) == 0;
}

/* A proof says that the outcome is not taken only where the array's end was shown to be kept, and without a condition that may be
 * there for its sake. Nothing else was looked for, so that nothing else goes wrong is a condition where that is not proved. */
static bool is_proof(const reach *r, const verify_answer *a) {
  const verify_verdict own = r->proof->verdict;
  bool is = own != ANSWER_DIVERGENCE && own != ANSWER_POSSIBLE_DIVERGENCE && own != ANSWER_UNSUPPORTED &&
            a->verdict == ANSWER_VERIFIED && !premises_have(&a->assumptions, PREMISE_INSIDE);
  for (size_t i = 0; i < a->preconditions.count && is; i++)
    is = is_granted(r, &a->preconditions.items[i]) || is_usual(&a->preconditions.items[i]);
  return is;
}

/* Those that are not taken for granted of the kernel anyway. Places are those of the changed text, so they are left out. */
static char *conditions_of(const reach *r, const verify_answer *a) {
  buffer text = {0};
  const premises *const parts[] = {&a->preconditions, &a->assumptions};
  bool overflow = false;
  buffer_puts(&text, r->proof->verdict != ANSWER_VERIFIED ? "if no accesses race or leave their memory"
                     : premises_have(&r->proof->assumptions, PREMISE_INSIDE) ? "if no accesses leave their memory"
                                                                             : "");
  for (size_t n = 0; n < 2; n++) {
    for (size_t i = 0; i < parts[n]->count; i++) {
      const premise *p = &parts[n]->items[i];
      if (!is_granted(r, p) && !(overflow && p->kind == PREMISE_OVERFLOW)) {
        buffer_printf(&text, "%s%s", text.length == 0 ? "if " : " and ",
                      p->kind == PREMISE_OVERFLOW ? "nothing with a sign overflows"
                      : p->kind == PREMISE_SIZES  ? "products of sizes do not overflow"
                                                  : p->text);
        overflow = overflow || p->kind == PREMISE_OVERFLOW;
      }
    }
  }
  return buffer_take(&text);
}

static const answer_finding *launch_in(const verify_answer *a) {
  for (size_t i = 0; i < a->finding_count; i++) {
    const answer_finding *f = &a->findings[i];
    if (f->has_sizes && strcmp(f->row.rule, "out-of-bounds") == 0 && f->row.place_count > 0 &&
        path_ends(f->files->items[f->row.places[0].file], REACH_TRAP))
      return f;
  }
  return NULL;
}

reached reach_take(const reach *r, const verify_answer *a, char **conditions, replica *launch) {
  *launch = (replica){0};
  if (a == NULL) return REACH_UNKNOWN;
  if (is_proof(r, a)) {
    *conditions = conditions_of(r, a);
    return REACH_NEVER;
  }
  const answer_finding *f = launch_in(a);
  if (f == NULL || replica_make(r->source, r->kernel, f, launch) != NULL) {
    replica_free(launch);
    *launch = (replica){0};
    return REACH_UNKNOWN;
  }
  return REACH_LAUNCH;
}

/* A loop whose text says how often it turns. */
static bool is_never(const model_site *s, uint32_t number) {
  const bool loop = s->kind == SITE_FOR && s->turns != MODEL_NONE;
  return loop && ((number == OUTCOME_ZERO && s->turns > 0) || (number == OUTCOME_ONE && s->turns != 1) ||
                  (number == OUTCOME_MANY && s->turns < 2));
}

void reach_take_text(const reach *r, outcome *o) {
  recorded at;
  if (r->text == NULL || o->never != NULL || !find_recorded(r, o, &at) || !is_never(at.site, o->number)) return;
  o->never = mem_strdup("");
  o->own = at.site->file == 0;
}

reached reach_ask(reach *r, outcome *o, double seconds, replica *launch) {
  recorded at;
  const bool can = r->text != NULL && find_recorded(r, o, &at);
  const reached result = reach_take(r, can ? ask(r, &at, seconds) : NULL, &o->never, launch);
  if (result == REACH_NEVER) o->own = at.site->file == 0;
  return result;
}
