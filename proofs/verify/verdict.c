/* What is said of a kernel: of what was asked, or of the launches that were seen, and of all that are like these.
 * Soundness: docs/verify.md, Why it is right, Preconditions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "proofs/verify/trial.h"

/* --- what the host would have to write ---------------------------------------------------------------------------- */

/* The launch is looked at again with one fact more. */

typedef struct doubt {
  const char *function; /* as `--assume` takes it */
  const char *phrase;   /* of the buffer's name */
  contents_known known;
} doubt;

static const doubt doubts[] = {{"distinct", "holds the same number twice", {.distinct = true}},
                               {"ascending", "holds numbers that do not ascend", {.ascending = true}}};

/* Of a parameter that points to single integers: whether they are unsigned. */
static bool holds_integers(const kernel *k, const char *buffer, bool *is_unsigned) {
  static const char *const types[] = {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"};
  const int a = module_argument(k->function, buffer);
  const char *type = a < 0 ? "" : module_argument_type(k->module, k->function, (unsigned)a);
  const size_t letters = strspn(type, "abcdefghijklmnopqrstuvwxyz_");
  bool known = false;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    known = known || (strlen(types[i]) == letters && strncmp(types[i], type, letters) == 0 && type[letters] == '*');
  if (a >= 0) *is_unsigned = type[0] == 'u';
  return known;
}

/* The launch with the fact; its buffers are to be freed. */
static launch with_fact(const launch *l, const char *buffer, const doubt *d, bool is_unsigned) {
  launch with = *l;
  with.buffers = mem_calloc(l->buffer_count + 2, sizeof *with.buffers);
  size_t at = 0;
  for (size_t i = 0; i < l->buffer_count; i++) {
    with.buffers[i] = l->buffers[i];
    at = strcmp(l->buffers[i].name, buffer) == 0 ? i + 1 : at;
  }
  buffer_given *b = at > 0 ? &with.buffers[at - 1] : &with.buffers[with.buffer_count++];
  if (at == 0) *b = (buffer_given){.name = buffer, .memory = -1, .said = true};
  b->contents.is_unsigned = is_unsigned;
  b->contents.distinct = b->contents.distinct || d->known.distinct;
  b->contents.ascending = b->contents.ascending || d->known.ascending;
  return with;
}

/* Whether something goes wrong for certain with the fact, too. Where time runs out it does. `told`: then that is told. */
static bool goes_wrong(trial *t, const char *buffer, const doubt *d, bool is_unsigned, bool told) {
  enum { SECONDS = 3 };
  const launch with = with_fact(t->launch, buffer, d, is_unsigned);
  trial again = *t;
  const double soon = effort_now() + SECONDS;
  again.launch = &with;
  again.finding = NULL;
  again.effort.deadline = soon < t->effort.deadline ? soon : t->effort.deadline;
  const bool wrong = trial_more(&again), late = effort_now() > again.effort.deadline;
  t->effort.queries = again.effort.queries;
  if (wrong && told) {
    json_decref(t->finding);
    t->finding = again.finding;
    t->verdict = again.verdict;
    t->last = again.last;
  } else {
    json_decref(again.finding);
  }
  free(with.buffers);
  return wrong || late;
}

static void make_possible(trial *t, const char *buffer, const doubt *d) {
  const char *text = mem_arena_printf(t->memory, "whether %s %s; --assume '%s(%s)' excludes that", buffer, d->phrase,
                                      d->function, buffer);
  json_t *on = json_array();
  json_array_append_new(on, json_string(text));
  json_object_set_new(t->finding, "definite", json_false());
  json_object_set_new(t->finding, "depends_on", on);
  t->verdict = t->verdict == RACE ? POSSIBLE_RACE : POSSIBLE_DIVERGENCE;
}

/* The buffers whose contents a finding needs: names that outlive it. */
static size_t buffers_of(const trial *t, const char *names[], size_t most) {
  size_t count = 0;
  const char *name = NULL;
  json_t *ignored = NULL;
  json_object_foreach(json_object_get(t->finding, "contents"), name, ignored) {
    if (count < most) names[count++] = mem_arena_copy(t->memory, name);
  }
  return count;
}

/* A certain race or divergence that is not found any more where a buffer of integers holds distinct, or ascending, values
 * becomes a possible one that names what excludes it. What goes wrong even then stays certain. */
static void doubt_contents(trial *t) {
  enum { MOST = 4 };
  const char *names[MOST];
  const bool asked = t->finding != NULL && (t->verdict == RACE || t->verdict == DIVERGENCE);
  const size_t count = asked ? buffers_of(t, names, MOST) : 0;
  for (size_t b = 0; b < count; b++) {
    bool is_unsigned = false;
    for (size_t i = 0; i < sizeof doubts / sizeof *doubts && holds_integers(t->kernel, names[b], &is_unsigned); i++) {
      if (!goes_wrong(t, names[b], &doubts[i], is_unsigned, b == 0 && i == 0)) {
        make_possible(t, names[b], &doubts[i]);
        return;
      }
    }
  }
}

/* --- accesses out of bounds ------------------------------------------------------------------------------------------- */

/* Whether some access of the line that is told leaves where all that the buffer holds is as the text says, too. */
static bool leaves(trial *t, const char *buffer, const char *text) {
  enum { SECONDS = 3 };
  bool is_unsigned = false;
  (void)holds_integers(t->kernel, buffer, &is_unsigned);
  const doubt nothing = {0};
  launch with = with_fact(t->launch, buffer, &nothing, is_unsigned);
  const char **assume = mem_calloc(t->launch->assume_count + 1, sizeof *assume);
  for (size_t i = 0; i < t->launch->assume_count; i++) assume[i] = t->launch->assume[i];
  assume[t->launch->assume_count] = text;
  with.assume = assume;
  with.assume_count++;
  trial again = *t;
  const double soon = effort_now() + SECONDS;
  again.launch = &with;
  again.finding = NULL;
  again.effort.deadline = soon < t->effort.deadline ? soon : t->effort.deadline;
  trial_ends(&again);
  const bool late = again.inside != INSIDE_SHOWN && effort_now() > again.effort.deadline;
  const bool same = again.verdict == OUT_OF_BOUNDS && again.last.lines[0] == t->last.lines[0];
  t->effort.queries = again.effort.queries;
  json_decref(again.finding);
  free((void *)assume);
  free(with.buffers);
  return late || same;
}

/* What the numbers may be less than: of a buffer arguments first, of an array its elements. */
static size_t ends_of(const trial *t, const char *ends[], size_t most) {
  const json_t *f = t->finding;
  const json_int_t bytes = json_integer_value(json_object_get(f, "element_size"));
  const json_int_t elements = bytes <= 0 ? 0 : json_integer_value(json_object_get(f, "object_size")) / bytes;
  const char *space = json_string_value(json_object_get(f, "space"));
  const bool is_array = space == NULL || strcmp(space, "global") != 0;
  const char *number = elements <= 0 ? NULL : mem_arena_printf(t->memory, "%lld", (long long)elements);
  size_t count = 0;
  if (is_array && number != NULL) ends[count++] = number;
  for (uint32_t a = 0; a < t->kernel->argument_count && count + 1 < most; a++) {
    const LLVMValueRef v = LLVMGetParam(t->kernel->function, a);
    if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind) ends[count++] = module_name(v);
  }
  if (!is_array && number != NULL) ends[count++] = number;
  return count;
}

/* The same of a certain access out of bounds and numbers in a range. true: the search is to go on without it, and a proof rests
 * on accesses that stay inside, as `doubted` says. */
static bool doubt_ends(trial *t) {
  enum { MOST = 6 };
  const char *names[1], *ends[MOST];
  const bool asked = t->finding != NULL && t->verdict == OUT_OF_BOUNDS && t->told_count < TOLD_MOST && !t->left_always;
  bool is_unsigned = false;
  /* same: of no buffer, or one of other numbers, no fact is shown */
  if (!asked || buffers_of(t, names, 1) == 0 || !holds_integers(t->kernel, names[0], &is_unsigned)) return false;
  const size_t count = ends_of(t, ends, MOST);
  for (size_t i = 0; i < count; i++) {
    const char *text = mem_arena_printf(t->memory, "0 <= %s[i] && %s[i] < %s", names[0], names[0], ends[i]);
    if (!leaves(t, names[0], text)) {
      t->doubted =
          t->doubted == NULL ? mem_arena_printf(t->memory, "%s, which --assume '%s' shows", t->left, text) : t->doubted;
      t->told[t->told_count++] = t->last;
      json_decref(t->finding);
      t->finding = NULL;
      return true;
    }
  }
  return false;
}

/* --- the verdict -------------------------------------------------------------------------------------------------- */

static const char *const words[] = {"verified",    "possible-race", "possible-divergence", "unknown",
                                    "unsupported", "out-of-bounds", "divergence",          "race"};

/* --- a kernel ----------------------------------------------------------------------------------------------------- */

static json_t *answer_new(LLVMValueRef function, const char *word, const char *reason) {
  const source_place place = module_kernel_place(function);
  json_t *a = json_object();
  json_object_set_new(a, "kernel", json_string(module_name(function)));
  json_object_set_new(a, "file", json_stringn_nocheck(place.file, place.file_length));
  json_object_set_new(a, "line", json_integer(place.line));
  json_object_set_new(a, "verdict", json_string(word));
  json_object_set_new(a, "reason", json_string(reason));
  return a;
}

json_t *verdict_unknown(LLVMValueRef function, const char *word, const char *reason) {
  json_t *a = answer_new(function, word, reason);
  json_object_set_new(a, "preconditions", json_array());
  json_object_set_new(a, "findings", json_array());
  return a;
}

static void add_effort(json_t *a, double seconds, unsigned queries) {
  struct rusage used;
  json_object_set_new(a, "seconds", json_real(seconds));
  json_object_set_new(a, "queries", json_integer(queries));
  if (getrusage(RUSAGE_SELF, &used) == 0)
    json_object_set_new(a, "memory", json_integer((json_int_t)used.ru_maxrss * 1024));
}

/* What is asked where no launch was seen; a size that the kernel requires is taken. */
static launch asked_launch(const kernel *k, const kernel_request *asked) {
  const module *m = k->module;
  const LLVMValueRef function = k->function;
  launch l = asked == NULL ? (launch){.groups = {SIZE_FREE, 1, 1}, .local = {SIZE_FREE, 1, 1}} : asked->any;
  for (unsigned d = 0; d < kernel_dimensions(k, false) && l.dimensions == 0; d++) l.local[d] = l.groups[d] = SIZE_FREE;
  uint64_t required[3];
  if (module_required_size(m, function, required))
    for (unsigned d = 0; d < 3; d++) l.local[d] = l.local[d] == SIZE_FREE || asked == NULL ? required[d] : l.local[d];
  said_take(k, &l);
  for (unsigned d = 0; d < 3; d++) { /* where the user speaks of an offset it is as he says */
    for (size_t i = 0; i < l.assume_count; i++) {
      l.any_offset[d] = l.any_offset[d] ||
                        assumptions_speak_of(l.assume[i], "get_global_offset", (const char[]){(char)('0' + d), '\0'});
    }
  }
  return l;
}

/* Whether the kernel requires groups of another size than what is asked about has: then there is no launch to speak of. */
static bool requires_other(const kernel *k, const launch *l) {
  uint64_t required[3];
  bool other = false;
  const bool requires = module_required_size(k->module, k->function, required);
  for (unsigned d = 0; d < 3 && requires; d++)
    other = other || (l->local[d] != SIZE_FREE && l->local[d] != required[d]);
  return other;
}

/* When looking for weaker preconditions ends: after a little, or as long again as the proof took. */
static double patience(const trial *t, double began, double least) {
  const double now = effort_now(), end = now + least + 1.5 * (now - began);
  return end < t->effort.deadline ? end : t->effort.deadline;
}

static json_t *try_asked(trial *t, const launch *l) {
  const double began = effort_now();
  t->launch = l;
  trial_run(t);
  json_t *weaker = NULL;
  if (t->verdict == VERIFIED) {
    t->want_inside = t->inside == INSIDE_SHOWN;
    weaker = weaken(t, l, 1, patience(t, began, 1));
  }
  return weaker == NULL ? weaken_nothing(t, l) : weaker;
}

/* What goes wrong only with particular contents of buffers is not certain. */
static json_t *try_without_doubts(trial *t, const launch *l) {
  json_t *preconditions = try_asked(t, l);
  while (doubt_ends(t)) {
    json_decref(preconditions);
    preconditions = try_asked(t, l);
  }
  if (t->doubted != NULL) {
    t->left_open = true;
    t->outside = t->doubted;
  }
  doubt_contents(t);
  return preconditions;
}

/* Whether there is a launch with this many of what is assumed of it, as far as a second shows. */
static bool may_be_launched(trial *t, const launch *l, size_t assumed) {
  enum { SECONDS = 1 };
  launch some = *l;
  mem_arena memory = {0};
  proof p;
  effort limited = t->effort;
  limited.deadline = effort_now() + SECONDS;
  some.assume_count = assumed;
  proof_open(&p, t->kernel, t->request, &some, true, 0, false, &memory);
  p.alone = true;
  bool may = true;
  if (proof_take_launch(&p)) {
    const Z3_solver s = query_solver(&p, false);
    may = query_ask(&p, &limited, s, NULL, 0) != Z3_L_FALSE;
    Z3_solver_dec_ref(p.smt.z3, s);
  }
  proof_close(&p);
  mem_arena_free(&memory);
  return may;
}

/* Of no launch everything is true, and that is no proof. */
static void refuse_nothing(trial *t, const launch *l) {
  if (t->verdict == VERIFIED && l->assume_count > 0 && !may_be_launched(t, l, l->assume_count) &&
      may_be_launched(t, l, 0)) {
    t->verdict = UNKNOWN;
    t->reason = "what is assumed excludes itself: no launch satisfies it";
  }
}

/* The text of a line of the source after a word, up to its end or to the bracket that closes it; NULL: it is not there. */
static const char *required_text(trial *t, unsigned line) {
  const char *at = t->request->source;
  for (unsigned n = 1; n < line && at != NULL; n++) {
    at = strchr(at, '\n');
    at = at == NULL ? NULL : at + 1;
  }
  const size_t length = at == NULL ? 0 : strcspn(at, "\r\n");
  const char *word = at == NULL ? NULL : strstr(at, "requires"), *assumed = at == NULL ? NULL : strstr(at, "assume");
  word = word == NULL || word >= at + length ? assumed : word;
  if (word == NULL || word >= at + length) return NULL; /* report: how a precondition reads */
  word += strcspn(word, "( ");
  const char *end = at + length;
  if (*word == '(') {
    word++;
    for (const char *c = word, *depth = NULL; c < end && depth == NULL; c++) {
      end = *c == ';' ? c - 1 : end;
      depth = *c == ';' ? c : NULL;
    }
  }
  word += strspn(word, " ");
  return mem_arena_printf(t->memory, "%.*s", end > word ? (int)(end - word) : 0, word);
}

/* An assumption that is true, as clang makes some. */
static bool says_nothing(const instruction *i) {
  const LLVMValueRef said = LLVMGetNumArgOperands(i->value) == 0 ? NULL : LLVMGetOperand(i->value, 0);
  return said != NULL && LLVMIsAConstantInt(said) != NULL && LLVMConstIntGetZExtValue(said) != 0;
}

/* What the source itself requires. */
static void add_required(trial *t, json_t *preconditions) {
  for (uint32_t n = 0; n < t->kernel->instruction_count; n++) {
    const instruction *i = &t->kernel->instructions[n];
    source_place s, caller;
    const bool unreachable = i->callee != NULL && i->callee->kind == CALL_UNREACHABLE;
    const bool said = i->callee != NULL && (i->callee->kind == CALL_REQUIRES || i->callee->kind == CALL_ASSUME);
    if ((said || unreachable) && !says_nothing(i) && module_place(i->value, 0, &s) &&
        (unreachable || !module_place(i->value, 1, &caller))) {
      const char *text = unreachable ? NULL : required_text(t, s.line);
      if (unreachable)
        premise_add(preconditions, "other", mem_arena_printf(t->memory, "line %u is not reached", s.line));
      else if (text != NULL)
        json_array_append_new(preconditions, json_string(text));
      else
        premise_add(preconditions, "other", mem_arena_printf(t->memory, "what line %u requires", s.line));
    }
  }
}

/* Functions that are only declared could do anything. */
static void add_without_body(trial *t, json_t *list) {
  for (uint32_t n = 0; n < t->kernel->instruction_count; n++) {
    const instruction *i = &t->kernel->instructions[n];
    if (i->callee == NULL || i->callee->kind != CALL_UNKNOWN) continue;
    bool has = false;
    for (uint32_t k = 0; k < n; k++) {
      const call *other = t->kernel->instructions[k].callee;
      has = has || (other != NULL && other->kind == CALL_UNKNOWN && strcmp(other->name, i->callee->name) == 0);
    }
    source_place place;
    (void)module_place(i->value, 0, &place);
    if (!has) {
      premise_add(
          list, "other",
          mem_arena_printf(t->memory, "%s, whose body is not there, touches no memory that others see (line %u)",
                           i->callee->name, place.line));
    }
  }
}

/* What helpers assume, where they are called. */
static void add_assumed(trial *t, json_t *list) {
  for (uint32_t n = 0; n < t->kernel->instruction_count; n++) {
    const instruction *i = &t->kernel->instructions[n];
    source_place caller;
    if (i->callee != NULL && i->callee->kind == CALL_ASSUME && !says_nothing(i) && module_place(i->value, 1, &caller)) {
      premise_add(list, "other",
                  mem_arena_printf(t->memory, "what the call at %.*s:%u assumes", (int)caller.file_length, caller.file,
                                   caller.line));
    }
  }
}

static void add_places(const overflow_places *from, json_t *list) {
  for (size_t i = 0; i < from->count; i++) premise_add(list, from->items[i].kind, from->items[i].text);
}

/* Ends of buffers and arrays that were not shown to be kept. */
static void add_inside(trial *t, json_t *list) {
  if (t->left_open) {
    premise_add(list, "inside",
                mem_arena_printf(t->memory, "accesses stay inside their buffers and arrays%s%s",
                                 t->outside == NULL ? "" : "; not shown of ", t->outside == NULL ? "" : t->outside));
  }
  if (t->ends_left > 0) {
    premise_add(list, "inside",
                mem_arena_printf(
                    t->memory, "accesses stay inside their buffers in %zu of the launches, of which that was not shown",
                    t->ends_left));
  }
}

/* What a verdict of *verified* rests on. */
static void add_assumptions(trial *t, json_t *to) {
  json_t *list = json_array();
  if (t->no_overflow) premise_add(list, "sizes", "products of sizes do not overflow");
  for (size_t i = 0; i < t->decided.count; i++)
    places_add(&t->overflows, t->decided.items[i].kind, t->decided.items[i].text);
  add_places(&t->overflows, list);
  add_places(&t->waits, list);
  add_inside(t, list);
  add_without_body(t, list);
  add_assumed(t, list);
  if (json_array_size(list) > 0) json_object_set(to, "assumptions", list);
  json_decref(list);
}

/* Adds the finding; false: no more are wanted. */
static bool take_finding(trial *t, json_t *findings, size_t number) {
  json_object_set_new(t->finding, "launch", json_integer((json_int_t)number));
  json_array_append_new(findings, t->finding);
  t->finding = NULL;
  t->told[t->told_count++] = t->last;
  return t->told_count < TOLD_MOST;
}

/* What else goes wrong for certain, in the launch of the first finding and those after it: for as long as the first took, and a
 * little. The verdict stays that of the first, and with it all that is said of it. */
static void find_more(trial *t, json_t *findings, const kernel_request *asked, size_t number, double began) {
  enum { LEAST = 1 };
  const trial first = *t;
  const double now = effort_now(), end = now + LEAST + (now - began);
  const size_t count = asked == NULL || asked->launch_count == 0 ? 1 : asked->launch_count;
  bool wanted = take_finding(t, findings, number);
  for (size_t i = number; i < count && wanted; i++) {
    t->launch = asked == NULL || asked->launch_count == 0 ? t->launch : &asked->launches[i];
    while (wanted && effort_now() < end && trial_more(t)) {
      if (t->launch->count == 0 && doubt_ends(t)) continue;
      if (t->launch->count == 0) doubt_contents(t);
      wanted = take_finding(t, findings, i);
    }
  }
  const unsigned queries = t->effort.queries;
  *t = first;
  t->finding = NULL;
  t->effort.queries = queries;
}

static json_t *answer_of(trial *t, LLVMValueRef function, const kernel_request *asked) {
  const double began = effort_now();
  json_t *preconditions = NULL;
  size_t proved = 0;
  const launch l = asked_launch(t->kernel, asked);
  const bool seen = asked != NULL && asked->launch_count > 0;
  if (seen) {
    proved = seen_prove(t, asked, &preconditions);
  } else if (requires_other(t->kernel, &l)) {
    t->verdict = UNKNOWN;
    t->reason = "the kernel requires work-groups of another size: no launch has what is asked about";
    preconditions = json_array();
  } else {
    preconditions = try_without_doubts(t, &l);
    refuse_nothing(t, &l);
  }
  json_t *a = answer_new(function, words[t->verdict], t->reason);
  json_t *findings = json_array();
  if (t->finding != NULL && t->verdict >= OUT_OF_BOUNDS && t->request->all)
    find_more(t, findings, asked, proved, began);
  else if (t->finding != NULL)
    json_array_append_new(findings, t->finding);
  add_required(t, preconditions);
  json_object_set_new(a, "preconditions", preconditions);
  if (seen) {
    json_object_set_new(a, "launches",
                        json_pack("{s:I,s:I}", "given", (json_int_t)asked->launch_count, "proved", (json_int_t)proved));
  }
  json_object_set_new(a, "findings", findings);
  if (t->wrong_assumption) json_object_set_new(a, "wrong_assumption", json_true());
  if (t->verdict == VERIFIED) add_assumptions(t, a);
  if (t->invariants != NULL) json_object_set(a, "invariants", t->invariants);
  if (t->verdict == VERIFIED) {
    json_object_set_new(a, "one_result", json_boolean(explain_one_result(t->kernel)));
    if (t->request->barriers) {
      enum { MOST = 8 };
      const size_t count = !seen ? 1 : asked->launch_count < MOST ? asked->launch_count : MOST;
      json_object_set_new(a, "barriers", explain_barriers(t, seen ? asked->launches : &l, count));
    }
  }
  return a;
}

json_t *verdict_of(const module *m, LLVMValueRef function, const request *r) {
  const double began = effort_now();
  mem_arena memory = {0};
  const char *reason = NULL;
  LLVMValueRef where = NULL;
  const kernel *k = kernel_read(m, function, &memory, &reason, &where);
  if (k == NULL) {
    json_t *refused = verdict_unknown(function, "unsupported", reason);
    mem_arena_free(&memory);
    return refused;
  }
  trial t = {.kernel = k, .request = r, .memory = &memory};
  t.invariants = r->explain ? json_array() : NULL;
  t.overflows.memory = t.decided.memory = t.waits.memory = &memory;
  t.effort = (effort){effort_now() + r->timeout * 0.9, r->query_timeout, 0, false, false};
  json_t *a = answer_of(&t, function, request_kernel(r, module_name(function)));
  add_effort(a, effort_now() - began, t.effort.queries);
  json_decref(t.invariants);
  mem_arena_free(&memory);
  return a;
}
