/* The launch is looked at again with one fact more. */
#include "verify/doubt.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

typedef struct doubt {
  const char *function; /* as `--assume` takes it */
  const char *phrase;   /* of the buffer's name */
  contents_known known;
} doubt;

static const doubt doubts[] = {{"distinct", "holds the same number twice", {.distinct = true}},
                               {"ascending", "holds numbers that do not ascend", {.ascending = true}}};

/* Of a parameter that points to single integers: whether they are unsigned. */
static bool holds_integers(const kernel *k, const char *buffer, bool *is_unsigned) {
  static const char *const types[] = {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "size_t"};
  for (uint32_t a = 0; a < k->argument_count; a++) {
    size_t length = 0;
    const char *type = module_argument_type(k->module, k->function, a);
    const size_t letters = strspn(type, "abcdefghijklmnopqrstuvwxyz_");
    bool known = false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
      known = known || (strlen(types[i]) == letters && strncmp(types[i], type, letters) == 0 &&
                        strspn(type + letters, "0123456789") == 0);
    }
    if (strcmp(LLVMGetValueName2(LLVMGetParam(k->function, a), &length), buffer) == 0) {
      *is_unsigned = type[0] == 'u' || strcmp(type, "size_t") == 0;
      return known;
    }
  }
  return false;
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
  if (at == 0) {
    *b = (buffer_given){.name = buffer, .memory = -1, .said = true};
  }
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
  const char *text =
      arena_printf(t->memory, "whether %s %s; --assume '%s(%s)' excludes that", buffer, d->phrase, d->function, buffer);
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
    if (count < most) {
      names[count++] = arena_text(t->memory, name);
    }
  }
  return count;
}

void doubt_contents(trial *t) {
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
  for (size_t i = 0; i < t->launch->assume_count; i++) {
    assume[i] = t->launch->assume[i];
  }
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
  const char *number = elements <= 0 ? NULL : arena_printf(t->memory, "%lld", (long long)elements);
  size_t count = 0;
  if (is_array && number != NULL) {
    ends[count++] = number;
  }
  for (uint32_t a = 0; a < t->kernel->argument_count && count + 1 < most; a++) {
    const LLVMValueRef v = LLVMGetParam(t->kernel->function, a);
    size_t length = 0;
    if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind) {
      ends[count++] = LLVMGetValueName2(v, &length);
    }
  }
  if (!is_array && number != NULL) {
    ends[count++] = number;
  }
  return count;
}

bool doubt_ends(trial *t) {
  enum { MOST = 6 };
  const char *names[1], *ends[MOST];
  const bool asked = t->finding != NULL && t->verdict == OUT_OF_BOUNDS && t->told_count < TOLD_MOST && !t->left_always;
  bool is_unsigned = false;
  if (!asked || buffers_of(t, names, 1) == 0 || !holds_integers(t->kernel, names[0], &is_unsigned)) {
    return false;
  }
  const size_t count = ends_of(t, ends, MOST);
  for (size_t i = 0; i < count; i++) {
    const char *text = arena_printf(t->memory, "0 <= %s[i] && %s[i] < %s", names[0], names[0], ends[i]);
    if (!leaves(t, names[0], text)) {
      t->doubted =
          t->doubted == NULL ? arena_printf(t->memory, "%s, which --assume '%s' shows", t->left, text) : t->doubted;
      t->told[t->told_count++] = t->last;
      json_decref(t->finding);
      t->finding = NULL;
      return true;
    }
  }
  return false;
}
