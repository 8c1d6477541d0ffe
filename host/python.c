/* python_launches.py says what its records are. */
#include "host/python.h"

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

static int64_t number(const reading *r, size_t i) { return strtoll(field(r, i), NULL, 10); }

/* --- facts -------------------------------------------------------------------------------------------------------- */

static host_fact *add_fact(reading *r, host_fact_kind kind, size_t at, const char *via, char *expression) {
  host_launch *l = r->launch;
  l->facts = mem_realloc(l->facts, (l->fact_count + 1) * sizeof *l->facts);
  l->facts[l->fact_count] = (host_fact){.kind = kind,
                                        .expression = expression,
                                        .file = r->file,
                                        .line = (unsigned)number(r, at),
                                        .column = (unsigned)number(r, at + 1),
                                        .via = mem_strdup(via)};
  return &l->facts[l->fact_count++];
}

static char *text_of(const char *format, unsigned long long a, long long b) {
  buffer text = {0};
  buffer_printf(&text, format, a, b);
  return buffer_take(&text);
}

static void add_sizes(reading *r) {
  enum { LOCAL = 6, GLOBAL = 9 };
  host_launch *l = r->launch;
  for (unsigned d = 0; d < 3; d++) {
    const uint64_t local = (uint64_t)number(r, LOCAL + d), global = (uint64_t)number(r, GLOBAL + d);
    const bool divides = local > 0 && global > 0 && global % local == 0;
    l->local[d] = local;
    l->groups[d] = divides ? global / local : 0;
    l->offset_known[d] = number(r, 12) == 1;
    if (d >= l->dimensions) {
      continue;
    }
    if (local > 0) {
      (void)add_fact(r, HOST_FACT_CONSTANT, 1, "a number",
                     text_of("get_local_size(%llu) == %lld", d, (long long)local));
    }
    if (global > 0) {
      (void)add_fact(r, HOST_FACT_CONSTANT, 1, "a number",
                     text_of("get_global_size(%llu) == %lld", d, (long long)global));
    }
    if (l->offset_known[d]) {
      (void)add_fact(r, HOST_FACT_CONSTANT, 1, "no offset", text_of("get_global_offset(%llu) == %lld", d, 0));
    }
  }
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static void take_launch(reading *r) {
  host_facts *out = r->out;
  out->launches = mem_realloc(out->launches, (out->launch_count + 1) * sizeof *out->launches);
  r->launch = &out->launches[out->launch_count++];
  const char *kernel = field(r, 3), *options = field(r, 13);
  *r->launch = (host_launch){.kernel = kernel[0] == '\0' ? NULL : mem_strdup(kernel),
                             .file = r->file,
                             .line = (unsigned)number(r, 1),
                             .column = (unsigned)number(r, 2),
                             .calls = mem_strdup("the file"),
                             .dimensions = (unsigned)number(r, 4),
                             .local_free = number(r, 5) == 1,
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
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(names[i], name) == 0) {
      return (host_argument_kind)i;
    }
  }
  return HOST_ARGUMENT_UNKNOWN;
}

static void take_argument(reading *r) {
  host_launch *l = r->launch;
  l->arguments = mem_realloc(l->arguments, (l->argument_count + 1) * sizeof *l->arguments);
  l->arguments[l->argument_count++] = (host_argument){.kind = kind_named(field(r, 1)),
                                                      .size = (unsigned)number(r, 2),
                                                      .is_signed = number(r, 3) == 1,
                                                      .memory = (int)number(r, 4),
                                                      .bytes = number(r, 5) < 0 ? NULL : mem_strdup(field(r, 5)),
                                                      .file = r->file,
                                                      .line = l->line,
                                                      .column = l->column};
}

static void take_value(reading *r) {
  (void)add_fact(r, HOST_FACT_CONSTANT, 3, "a number",
                 text_of("$%llu == %lld", (unsigned long long)number(r, 1), number(r, 2)));
}

static void take_elements(reading *r) {
  host_fact *f =
      add_fact(r, HOST_FACT_ELEMENTS, 4, "its size",
               text_of("elements($%llu) == %lld", (unsigned long long)number(r, 1), (long long)number(r, 2)));
  f->argument = (unsigned)number(r, 1);
  f->element_size = (unsigned)number(r, 3);
}

static void take_note(reading *r) {
  host_facts *out = r->out;
  buffer text = {0};
  buffer_printf(&text, "%s:%s: %s", r->file, field(r, 1), field(r, 2));
  out->notes = mem_realloc(out->notes, (out->note_count + 1) * sizeof *out->notes);
  out->notes[out->note_count++] = buffer_take(&text);
  out->complete = out->complete && strcmp(field(r, 0), "incomplete") != 0;
}

static int take(reading *r) {
  static const struct {
    const char *name;
    void (*take)(reading *r);
    bool of_launch;
  } records[] = {{"launch", take_launch, false}, {"argument", take_argument, true},
                 {"value", take_value, true},    {"elements", take_elements, true},
                 {"note", take_note, false},     {"incomplete", take_note, false}};
  if (strcmp(field(r, 0), "error") == 0) {
    return error_set(r->e, EXIT_USAGE, "%s cannot be read: %s", r->file, field(r, 1));
  }
  for (size_t i = 0; i < sizeof records / sizeof records[0]; i++) {
    if (strcmp(records[i].name, field(r, 0)) == 0 && (!records[i].of_launch || r->launch != NULL)) {
      records[i].take(r);
    }
  }
  return 0;
}

static void split(reading *r, char *line) {
  r->count = 0;
  for (char *at = line; at != NULL && r->count < FIELDS_MOST;) {
    char *tab = strchr(at, '\t');
    if (tab != NULL) {
      *tab++ = '\0';
    }
    r->fields[r->count++] = at;
    at = tab;
  }
}

/* Whether sizes and numbers are constants. */
static bool is_followed(const host_launch *l) {
  bool followed = l->dimensions > 0;
  for (unsigned d = 0; d < 3; d++) {
    followed = followed && l->local[d] > 0 && l->groups[d] > 0;
  }
  for (size_t i = 0; i < l->argument_count; i++) {
    char beginning[32];
    bool known = l->arguments[i].kind != HOST_ARGUMENT_VALUE;
    (void)snprintf(beginning, sizeof beginning, "$%zu == ", i);
    for (size_t k = 0; k < l->fact_count; k++) {
      known = known || strncmp(l->facts[k].expression, beginning, strlen(beginning)) == 0;
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
  for (size_t i = 0; i < out->launch_count; i++) {
    out->launches[i].followed = is_followed(&out->launches[i]);
  }
  return result;
}
