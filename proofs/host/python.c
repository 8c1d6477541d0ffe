/* python_launches.py says what its records are. */
#include "proofs/host/python.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/subprocess.h"

extern const char host_python_launches[];

enum { FIELDS_MOST = 16 };

typedef struct reading {
  host_facts *out;
  const char *file; /* of the pool */
  host_launch *launch;
  char *fields[FIELDS_MOST];
  size_t count;
  error *e;
} reading;

bool host_is_python(const char *file) {
  const size_t length = strlen(file);
  return length > 3 && strcmp(file + length - 3, ".py") == 0;
}

static const char *field(const reading *r, size_t i) { return i < r->count ? r->fields[i] : ""; }

/* One of 64 bits without a sign may be larger than `int64_t`, and is kept by its bits. */
static int64_t number(const reading *r, size_t i) {
  const char *text = field(r, i);
  return text[0] == '-' ? strtoll(text, NULL, 10) : (int64_t)strtoull(text, NULL, 10);
}

/* --- facts -------------------------------------------------------------------------------------------------------- */

static const host_expression *make(const reading *r, host_expression e) {
  host_expression *made = host_take(r->out->pool, sizeof *made);
  *made = e;
  return made;
}

/* That something that the kernel sees is a number. */
static host_fact *add_fact(reading *r, host_fact_kind kind, size_t at, host_expression seen, int64_t value) {
  static const host_integer int_type = {32, true}, long_type = {64, true};
  host_launch *l = r->launch;
  seen.kind = EXPRESSION_SEEN;
  const bool large = seen.type.bits == 64 && !seen.type.is_signed && value < 0;
  const bool fits = !large && value >= INT32_MIN && value <= INT32_MAX;
  const host_expression *constant = make(r, (host_expression){.kind = EXPRESSION_NUMBER,
                                                              .type = fits    ? int_type
                                                                      : large ? seen.type
                                                                              : long_type,
                                                              .value = value});
  l->facts = mem_realloc(l->facts, (l->fact_count + 1) * sizeof *l->facts);
  l->facts[l->fact_count] = (host_fact){
      .kind = kind,
      .expression =
          make(r,
               (host_expression){
                   .kind = EXPRESSION_BINARY, .op = HOST_EQ, .type = int_type, .a = make(r, seen), .b = constant}),
      .file = r->file,
      .line = (unsigned)number(r, at)};
  return &l->facts[l->fact_count++];
}

static void add_size(reading *r, host_seen seen, unsigned d, uint64_t size) {
  const host_expression e = {.seen = seen, .index = d, .type = {64, false}};
  (void)add_fact(r, HOST_FACT_CONSTANT, 1, e, (int64_t)size);
}

static void add_sizes(reading *r) {
  enum { LOCAL = 4, GLOBAL = 7, OFFSET = 10 };
  host_launch *l = r->launch;
  for (unsigned d = 0; d < 3; d++) {
    const uint64_t local = (uint64_t)number(r, LOCAL + d), global = (uint64_t)number(r, GLOBAL + d);
    const bool divides = local > 0 && global > 0 && global % local == 0;
    l->local[d] = local;
    l->groups[d] = divides ? global / local : 0;
    l->offset_known[d] = number(r, OFFSET) == 1;
    if (d >= l->dimensions) continue;
    if (local > 0) add_size(r, SEEN_LOCAL_SIZE, d, local);
    if (global > 0) add_size(r, SEEN_GLOBAL_SIZE, d, global);
    if (l->offset_known[d]) add_size(r, SEEN_GLOBAL_OFFSET, d, 0);
  }
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static void take_launch(reading *r) {
  host_facts *out = r->out;
  out->launches = mem_realloc(out->launches, (out->launch_count + 1) * sizeof *out->launches);
  r->launch = &out->launches[out->launch_count++];
  const char *kernel = field(r, 2), *options = field(r, 11);
  *r->launch = (host_launch){.kernel = kernel[0] == '\0' ? NULL : mem_strdup(kernel),
                             .file = r->file,
                             .line = (unsigned)number(r, 1),
                             .dimensions = (unsigned)number(r, 3),
                             .options_known = options[0] == '='};
  r->launch->options = options[0] == '=' ? mem_strdup(options + 1) : NULL;
  out->unknown_launches += kernel[0] == '\0' ? 1 : 0;
  add_sizes(r);
}

static host_argument_kind kind_named(const char *name) {
  static const char *const names[] = {[HOST_ARGUMENT_UNKNOWN] = "unknown",
                                      [HOST_ARGUMENT_VALUE] = "value",
                                      [HOST_ARGUMENT_MEMORY] = "memory",
                                      [HOST_ARGUMENT_LOCAL] = "local",
                                      [HOST_ARGUMENT_OTHER] = "other"};
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(names[i], name) == 0) return (host_argument_kind)i;
  return HOST_ARGUMENT_UNKNOWN;
}

static void take_argument(reading *r) {
  host_launch *l = r->launch;
  l->arguments = mem_realloc(l->arguments, (l->argument_count + 1) * sizeof *l->arguments);
  l->arguments[l->argument_count++] = (host_argument){.kind = kind_named(field(r, 1)),
                                                      .size = (unsigned)number(r, 2),
                                                      .is_signed = number(r, 3) == 1,
                                                      .memory = (int)number(r, 4)};
}

static void take_value(reading *r) {
  const host_launch *l = r->launch;
  const unsigned index = (unsigned)number(r, 1);
  host_expression e = {.seen = SEEN_ARGUMENT, .index = index};
  if (index < l->argument_count) {
    e.type = (host_integer){l->arguments[index].size * 8, l->arguments[index].is_signed};
    (void)add_fact(r, HOST_FACT_CONSTANT, 3, e, number(r, 2));
  }
}

static void take_elements(reading *r) {
  const unsigned index = (unsigned)number(r, 1);
  const host_expression e = {.seen = SEEN_ELEMENTS, .index = index, .type = {64, false}};
  host_fact *f = add_fact(r, HOST_FACT_ELEMENTS, 4, e, number(r, 2));
  f->argument = index;
  f->element_size = (unsigned)number(r, 3);
}

/* Code that is not followed may make a launch of any kernel. */
static void take_note(reading *r) {
  host_facts *out = r->out;
  if (strcmp(field(r, 0), "incomplete") == 0) {
    out->launches = mem_realloc(out->launches, (out->launch_count + 1) * sizeof *out->launches);
    out->launches[out->launch_count++] = (host_launch){.file = r->file, .line = (unsigned)number(r, 1)};
    out->unknown_launches++;
    out->complete = false;
    r->launch = NULL;
  }
  buffer text = {0};
  buffer_printf(&text, "%s:%s: %s", r->file, field(r, 1), field(r, 2));
  out->notes = mem_realloc(out->notes, (out->note_count + 1) * sizeof *out->notes);
  out->notes[out->note_count++] = buffer_take(&text);
}

static int take(reading *r) {
  static const struct {
    const char *name;
    void (*take)(reading *r);
    bool of_launch;
  } records[] = {{"launch", take_launch, false}, {"argument", take_argument, true},
                 {"value", take_value, true},    {"elements", take_elements, true},
                 {"note", take_note, false},     {"incomplete", take_note, false}};
  if (strcmp(field(r, 0), "error") == 0)
    return error_set(r->e, EXIT_USAGE, "%s cannot be read: %s", r->file, field(r, 1));
  for (size_t i = 0; i < sizeof records / sizeof records[0]; i++)
    if (strcmp(records[i].name, field(r, 0)) == 0 && (!records[i].of_launch || r->launch != NULL)) records[i].take(r);
  return 0;
}

static void split(reading *r, char *line) {
  r->count = 0;
  for (char *at = line; at != NULL && r->count < FIELDS_MOST;) {
    char *tab = strchr(at, '\t');
    if (tab != NULL) *tab++ = '\0';
    r->fields[r->count++] = at;
    at = tab;
  }
}

/* Whether sizes and numbers are constants. */
static bool is_followed(const host_launch *l) {
  bool followed = l->dimensions > 0;
  for (unsigned d = 0; d < 3; d++) followed = followed && l->local[d] > 0 && l->groups[d] > 0;
  for (size_t i = 0; i < l->argument_count; i++) {
    bool known = l->arguments[i].kind != HOST_ARGUMENT_VALUE;
    for (size_t k = 0; k < l->fact_count; k++) {
      const host_expression *seen = l->facts[k].expression->a;
      known = known || (seen->seen == SEEN_ARGUMENT && seen->index == i);
    }
    followed = followed && known;
  }
  return followed;
}

int host_python_read(const char *file, host_facts *out, error *e) {
  const char *const argv[] = {"python3", "-c", host_python_launches, file, NULL};
  buffer text = {0};
  if (subprocess_ask(argv, &text) != 0) {
    buffer_free(&text);
    return error_set(e, EXIT_USAGE, "%s cannot be read: that takes python3 in PATH, version 3.8 or newer", file);
  }
  reading r = {.out = out, .file = host_text(out->pool, file), .e = e};
  int result = 0;
  char *next = NULL;
  char *whole = buffer_take(&text);
  for (char *line = strtok_r(whole, "\n", &next); line != NULL && result == 0; line = strtok_r(NULL, "\n", &next)) {
    split(&r, line);
    result = take(&r);
  }
  free(whole);
  for (size_t i = 0; i < out->launch_count; i++) out->launches[i].followed = is_followed(&out->launches[i]);
  return result;
}
