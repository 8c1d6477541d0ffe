/* Findings in words: the sentence of a record, and its parts as pairs. */
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/rules.h"
#include "reports/words/words.h"

/* Races between commands of a program, in words. */

static bool is_launch(const db_command *c) { return c->kernel[0] != '\0'; }

/* "launch 2 of kernel add", "call 1 of clEnqueueReadBuffer" */
static void put_command(const db_command *c, const char *place, buffer *to) {
  buffer_printf(to, is_launch(c) ? "launch %" PRIu32 " of kernel %s" : "call %" PRIu32 " of %s", c->number,
                is_launch(c) ? c->kernel : c->function);
  buffer_printf(to, place[0] == '\0' ? "%s" : " (%s)", place);
}

/* "writes (as out)", "has mapped for writing" */
static void put_access(const db_command *c, bool possible, buffer *to) {
  static const struct {
    const char *access, *mapped, *sure, *maybe;
  } deeds[] = {{"read", "has mapped for reading", "reads", "may read"},
               {"write", "has mapped for writing", "writes", "may write"},
               {"atomic", "has mapped for writing", "changes", "may change"}};
  size_t i = 0;
  while (i + 1 < sizeof deeds / sizeof deeds[0] && strcmp(deeds[i].access, c->access) != 0) i++;
  const bool sure = !possible || !is_launch(c) || c->sure;
  buffer_puts(to, c->mapped ? deeds[i].mapped : sure ? deeds[i].sure : deeds[i].maybe);
  if (c->parameter[0] != '\0') buffer_printf(to, " (as %s)", c->parameter);
}

/* Where the two meet: "memory object 3 (a buffer of 256 bytes), bytes 0 to 63" */
static void put_where(const db_finding *f, buffer *to) {
  const db_detail *d = &f->detail;
  buffer_printf(to, "memory object %" PRIu32 " (%s of %" PRIu64 " bytes)", f->commands[0].memory,
                strcmp(text_or_empty(d->space), "image") == 0 ? "an image" : "a buffer", d->size.value);
  if (d->element.known && d->element_size.known) {
    buffer_printf(to, ", bytes %" PRIu64 " to %" PRIu64, d->element.value,
                  d->element.value + d->element_size.value - 1);
  }
}

static void put_reason(const db_command *a, const db_command *b, buffer *to) {
  static const char unordered[] = "and no event, barrier or wait of the host puts them in order";
  if (a->queue != b->queue)
    buffer_printf(to, "they are in queues %" PRIu32 " and %" PRIu32 ", %s", a->queue, b->queue, unordered);
  else if (!a->in_order)
    buffer_printf(to, "queue %" PRIu32 " is out of order, %s", a->queue, unordered);
  else
    buffer_puts(to, "the mapping has not ended by then");
}

void put_commands(const db_finding *f, char *const *files, buffer *to) {
  (void)files;
  if (f->command_count != 2) return;
  const db_command *first = &f->commands[0], *second = &f->commands[1];
  const bool mapped = strcmp(f->rule, "mapped") == 0;
  put_command(first, finding_witness(f, "first place"), to);
  buffer_puts(to, " and ");
  put_command(second, finding_witness(f, "second place"), to);
  buffer_puts(to, mapped ? ": the first " : " may run at the same time: the first ");
  put_access(first, f->possible, to);
  buffer_puts(to, " what the second ");
  put_access(second, f->possible, to);
  buffer_puts(to, ", ");
  put_where(f, to);
  buffer_puts(to, "; ");
  if (mapped)
    buffer_puts(to, "the mapping has not ended by then");
  else
    put_reason(first, second, to);
  buffer_puts(to, f->possible ? "; whether they meet in the same bytes is not known" : "");
}

/* "launch 2 of kernel add (clEnqueueNDRangeKernel, in queue 1, which is in order)" */
static void give_command(const db_command *c, const char *what, finding_part *take, void *context) {
  scoped_buffer text = {0};
  put_command(c, "", &text);
  buffer_printf(&text, " (%s, in queue %" PRIu32 ", which is %s", c->function, c->queue,
                c->in_order ? "in order" : "out of order");
  if (c->thread > 0) buffer_printf(&text, ", by thread %" PRIu32, c->thread);
  buffer_puts(&text, ")");
  take(context, PART_SHOWN, what, buffer_text(&text));
}

/* The parts of a race between commands. */
static void give_commands(const db_finding *f, finding_part *take, void *context) {
  if (f->command_count != 2) return;
  scoped_buffer text = {0};
  give_command(&f->commands[0], "first command", take, context);
  give_command(&f->commands[1], "second command", take, context);
  put_where(f, &text);
  take(context, PART_SHOWN, "memory", buffer_text(&text));
  buffer_free(&text);
  buffer_printf(&text, "%" PRIu64, f->detail.count.value);
  take(context, PART_SHOWN, "pairs of commands", buffer_text(&text));
}

/* The parts of a finding's record: ids, elements, pairs of words. */

/* The numbers of an id that count: up to the last that is not 0. */
static size_t dimensions_of(const char *id) {
  size_t most = 1, dimension = 1;
  for (const char *c = text_or_empty(id); *c != '\0'; c++) {
    dimension += *c == ',' ? 1 : 0;
    most = *c >= '1' && *c <= '9' ? dimension : most;
  }
  return most;
}

static size_t higher(size_t a, size_t b) { return a > b ? a : b; }

static void put_numbers(const char *id, size_t most, buffer *to) {
  const char *end = most > 1 ? ")" : "";
  buffer_puts(to, most > 1 ? "(" : "");
  for (const char *c = id; *c != '\0' && (*c != ',' || --most > 0); c++)
    buffer_printf(to, "%c%s", *c, *c == ',' ? " " : "");
  buffer_puts(to, end);
}

void finding_id(const db_finding *f, const char *id, buffer *to) {
  size_t most = higher(dimensions_of(f->detail.local), dimensions_of(f->detail.group));
  for (size_t i = 0; i < f->place_count; i++)
    most = higher(most, higher(dimensions_of(f->places[i].local), dimensions_of(f->places[i].group)));
  if (id[0] != '\0') put_numbers(id, most, to);
}

/* "x[3]", "x[3] (byte 1 of it)", "pixel (3, 4) of img"; the name alone of what is one element. */
static void finding_element(const db_finding *f, buffer *to) {
  const db_detail *d = &f->detail;
  const char *object = text_or_empty(d->object)[0] == '\0' ? "memory" : d->object;
  const char *pixel = text_or_empty(d->pixel);
  if (pixel[0] != '\0') {
    buffer_puts(to, "pixel ");
    put_numbers(pixel, strchr(pixel, ',') == NULL ? 1 : 3, to);
    buffer_printf(to, " of %s", object);
    return;
  }
  const bool whole = d->size.known && d->element_size.known && d->size.value == d->element_size.value;
  buffer_puts(to, object);
  if (d->element.known && !(whole && d->element.value == 0))
    buffer_printf(to, "[%" PRId64 "]", (int64_t)d->element.value);
  if (d->byte.known) buffer_printf(to, " (byte %" PRIu64 " of it)", d->byte.value);
}

/* --- pairs --------------------------------------------------------------------------------------------------------- */

/* A part that is being given. */
typedef struct giving {
  const db_finding *f;
  finding_part *take;
  void *context;
  finding_part_kind kind;
} giving;

static void give_value_of(const giving *g, const char *what, buffer *value) {
  g->take(g->context, g->kind, what, buffer_text(value));
  buffer_free(value);
}

static void give_text(const giving *g, const char *what, const char *value) {
  if (text_or_empty(value)[0] != '\0') g->take(g->context, g->kind, what, value);
}

static void give_number(const giving *g, const char *what, db_number n) {
  scoped_buffer value = {0};
  if (n.known) {
    buffer_printf(&value, "%" PRIu64, n.value);
    give_value_of(g, what, &value);
  }
}

static void give_element(const giving *g) {
  scoped_buffer value = {0};
  finding_element(g->f, &value);
  give_value_of(g, "element", &value);
}

/* "0x00000007", as wide as the access. */
static void give_value(const giving *g, const char *what, db_number n) {
  const uint64_t bytes = g->f->detail.value_size.value;
  scoped_buffer value = {0};
  if (n.known) {
    buffer_printf(&value, "0x%0*" PRIx64, (int)(bytes > 8 ? 16 : 2 * bytes), n.value);
    give_value_of(g, what, &value);
  }
}

static void finding_side(const db_finding *f, const char *role, buffer *to);

/* A race that was seen. */
static void give_race(const giving *shown) {
  const db_detail *d = &shown->f->detail;
  giving said = *shown;
  said.kind = PART_SAID;
  give_number(&said, "launch", (db_number){true, d->launch.value + 1});
  give_element(&said);
  static const char *const roles[] = {"first", "second"};
  for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
    scoped_buffer value = {0};
    finding_side(said.f, roles[i], &value);
    give_value_of(&said, roles[i], &value);
  }
  give_number(shown, "barriers passed", d->barriers);
  give_value(shown, "value before", d->value_before);
  give_value(shown, "value after", d->value_after);
  give_number(&said, "times", d->count);
}

/* An error with memory that was seen. */
static void give_wrong_access(const giving *shown) {
  const db_detail *d = &shown->f->detail;
  giving said = *shown;
  said.kind = PART_SAID;
  scoped_buffer value = {0};
  give_number(&said, "launch", (db_number){true, d->launch.value + 1});
  give_element(&said);
  finding_side(shown->f, "access", &value);
  give_value_of(&said, "access", &value);
  give_number(&said, "times", d->count);
}

static bool is_one_access(const db_finding *f) {
  return f->place_count == 1 && strcmp(f->places[0].role, "access") == 0;
}

static void give_detail(const giving *g) {
  const db_detail *d = &g->f->detail;
  if (g->f->proved) {
    if (text_or_empty(d->object)[0] != '\0') give_element(g);
    give_text(g, "local size", d->local_size);
    give_text(g, "groups", d->groups);
    give_text(g, "offset", d->offset);
  } else if (rule_is(g->f->rule, RULE_UNPLACED)) {
    /* A guard zone that was written to: which launch has done it is said, where it is known. */
    const db_number launch = g->f->detail.launch;
    giving said = *g;
    said.kind = PART_SAID;
    give_number(&said, "launch", (db_number){launch.known, launch.value + 1});
  } else if (d->launch.known && d->count.known) {
    (is_one_access(g->f) ? give_wrong_access : give_race)(g);
  } else {
    give_number(g, "launch", d->launch);
    give_text(g, "work-group", d->group);
  }
}

/* Versions before 19 of the database have told all in pairs. */
static finding_part_kind kind_of_pair(const db_finding *f, const char *what) {
  static const char *const said[] = {"launch", "element", "first", "second", "times"};
  if (rule_is(f->rule, RULE_SAID)) return PART_SAID;
  const bool race = !f->proved && f->place_count > 0 && rule_is(f->rule, RULE_RACE | RULE_BENIGN);
  for (size_t i = 0; race && i < sizeof said / sizeof said[0]; i++)
    if (strcmp(what, said[i]) == 0) return PART_SAID;
  return strcmp(what, "depends on") == 0 ? PART_DOUBT : PART_SHOWN;
}

void finding_parts(const db_finding *f, finding_part *take, void *context) {
  const giving g = {f, take, context, PART_SHOWN};
  give_detail(&g);
  give_commands(f, take, context);
  EACH(const db_witness, w, f->witness, f->witness_count) {
    const bool doubt = strcmp(text_or_empty(w->kind), "doubt") == 0;
    scoped_buffer what = buffer_with("%s", doubt ? "depends on" : w->what);
    if (w->element.known) buffer_printf(&what, "[%" PRIu64 "]", w->element.value);
    take(context, kind_of_pair(f, buffer_text(&what)), buffer_text(&what), text_or_empty(w->value));
  }
}

const char *finding_witness(const db_finding *f, const char *what) {
  const db_witness *w = NAMED(f->witness, f->witness_count, what, what);
  return text_or_empty(w == NULL ? NULL : w->value);
}

/* --- races -------------------------------------------------------------------------------------------------------- */

/* NULL: there is none of this role. */
static const db_place *place_of(const db_finding *f, const char *role) {
  return NAMED(f->places, f->place_count, role, role);
}

/* One of the two accesses. */
typedef struct side {
  const db_place *place; /* NULL: where it is is not known */
  const char *who, *local, *group;
} side;

static side side_of(const db_finding *f, const char *role) {
  const db_place *p = place_of(f, role);
  const db_detail *d = &f->detail;
  return p != NULL ? (side){p, text_or_empty(p->who), text_or_empty(p->local), text_or_empty(p->group)}
                   : (side){NULL, text_or_empty(d->who), text_or_empty(d->local), text_or_empty(d->group)};
}

static void put_side(const db_finding *f, const side *s, buffer *to) {
  if (strcmp(s->who, "groups") == 0) {
    buffer_puts(to, "work-items of several work-groups");
    return;
  }
  if (strcmp(s->who, "copy") == 0) {
    buffer_puts(to, "a copy by");
  } else if (strcmp(s->who, "several") == 0) {
    buffer_puts(to, "several work-items of");
  } else if (s->local[0] != '\0') {
    buffer_puts(to, "work-item ");
    finding_id(f, s->local, to);
    buffer_puts(to, " of");
  } else {
    buffer_puts(to, "a work-item of");
  }
  buffer_puts(to, s->group[0] == '\0' ? " a work-group" : " work-group ");
  finding_id(f, s->group, to);
}

/* Who accesses at the place of a role: "work-item 0 of work-group 2". */
static void finding_side(const db_finding *f, const char *role, buffer *to) {
  const side s = side_of(f, role);
  put_side(f, &s, to);
}

static bool is_many(const side *s) { return strcmp(s->who, "several") == 0 || strcmp(s->who, "groups") == 0; }

/* What an access does, by one and by several, and in which way: of the first row that fits. */
static const struct {
  const char *access, *how, *one, *several, *way;
} deeds[] = {
    {"read", NULL, "reads", "read", ""},
    {"write", "update", "reads and writes", "read and write", ""},
    {"write", NULL, "writes", "write", ""},
    {"atomic", "load", "reads", "read", " atomically"},
    {"atomic", "own", "updates", "update", " atomically for its own eyes"},
    {"atomic", "group", "updates", "update", " atomically in the scope of its work-group"},
    {"atomic", "sub-group", "updates", "update", " atomically in the scope of its sub-group"},
    {"atomic", NULL, "updates", "update", " atomically"},
};

/* The row of an access; the last one for what is none. */
static size_t deed_of(const db_place *p) {
  size_t i = 0;
  while (i + 1 < sizeof deeds / sizeof deeds[0] &&
         (strcmp(deeds[i].access, p->access) != 0 ||
          (deeds[i].how != NULL && strcmp(deeds[i].how, text_or_empty(p->how)) != 0)))
    i++;
  return i;
}

static void put_line(const db_place *p, char *const *files, buffer *to) {
  if (files != NULL)
    buffer_printf(to, " (%s:%u)", files[p->file], p->line);
  else
    buffer_printf(to, " (line %u)", p->line);
}

/* Both are of one group, as far as is known. */
static bool in_one_group(const side *a, const side *b) {
  return strcmp(a->who, "groups") != 0 && a->group[0] != '\0' && strcmp(a->group, b->group) == 0;
}

static void put_missing(const db_finding *f, const side *a, const side *b, buffer *to) {
  const char *space = text_or_empty(f->detail.space);
  if (!in_one_group(a, b)) {
    buffer_puts(to, "nothing orders work-groups of one launch");
  } else if (f->proved && (strcmp(a->who, "copy") == 0 || strcmp(b->who, "copy") == 0)) {
    buffer_puts(to, "nothing orders the two");
  } else if (strcmp(a->who, "copy") == 0) {
    buffer_puts(to, "no wait_group_events stands between them");
  } else {
    buffer_printf(to, "no barrier for %s stands between them",
                  strcmp(space, "image") == 0   ? "images"
                  : strcmp(space, "local") == 0 ? "local memory"
                                                : "global memory");
  }
}

void put_race(const db_finding *f, char *const *files, buffer *to) {
  const side first = side_of(f, "first"), second = side_of(f, "second");
  const bool benign = rule_is(f->rule, RULE_BENIGN);
  put_side(f, &first, to);
  buffer_putc(to, ' ');
  if (first.place != NULL) {
    const size_t deed = deed_of(first.place);
    buffer_printf(to, "%s ", is_many(&first) ? deeds[deed].several : deeds[deed].one);
    finding_element(f, to);
    buffer_puts(to, deeds[deed].way);
    put_line(first.place, files, to);
  } else {
    const bool reads = strcmp(text_or_empty(f->detail.access), "read") == 0;
    buffer_puts(to, !reads ? "wrote " : is_many(&first) ? "read " : "reads ");
    finding_element(f, to);
  }
  buffer_puts(to, ", and ");
  put_side(f, &second, to);
  if (second.place != NULL) {
    const size_t deed = deed_of(second.place);
    buffer_printf(to, " %s %sit%s", deeds[deed].one, benign ? "the same value to " : "", deeds[deed].way);
    put_line(second.place, files, to);
  }
  buffer_puts(to, "; ");
  put_missing(f, &first, &second, to);
}

/* --- divergence --------------------------------------------------------------------------------------------------- */

static uint32_t line_of(const db_finding *f, const char *role) {
  const db_place *p = place_of(f, role);
  return p == NULL ? 0 : p->line;
}

/* The smaller part of the group: work-item 0 may be the odd one out. */
static uint64_t few_of(const db_detail *d) {
  const uint64_t rest = d->items.value - d->differing.value;
  return d->differing.value > rest ? rest : d->differing.value;
}

void put_async_divergence(const db_finding *f, char *const *files, buffer *to) {
  const db_detail *d = &f->detail;
  const db_place *decision = place_of(f, "decision");
  (void)files;
  buffer_printf(to, "work-items of work-group %s did not all reach %s at line %u", text_or_empty(d->group),
                text_or_empty(d->call), line_of(f, "async"));
  if (decision != NULL) {
    buffer_printf(to, ": %" PRIu64 " of %" PRIu64 " decided differently at the %s at line %u", few_of(d),
                  d->items.value, text_or_empty(decision->construct), decision->line);
  } else if (strcmp(text_or_empty(d->cause), "arguments") == 0) {
    buffer_printf(to, " with the same arguments: %" PRIu64 " of %" PRIu64 " had others than the first one",
                  d->differing.value, d->items.value);
  } else {
    buffer_printf(to, ": %" PRIu64 " of %" PRIu64 " did so a different number of times", few_of(d), d->items.value);
  }
}

static void put_divergence_seen(const db_finding *f, buffer *to) {
  const db_detail *d = &f->detail;
  const db_place *decision = place_of(f, "decision");
  if (decision != NULL) {
    buffer_printf(to,
                  "the barrier at line %u is not reached alike by all work-items: %" PRIu64 " of the %" PRIu64
                  " work-items of a work-group decide differently at the %s at line %u",
                  line_of(f, "barrier"), few_of(d), d->items.value, text_or_empty(decision->construct), decision->line);
  } else {
    buffer_printf(to,
                  "%" PRIu64 " of the %" PRIu64
                  " work-items of a work-group execute the barrier at line %u a different number of times",
                  few_of(d), d->items.value, line_of(f, "barrier"));
  }
}

void put_divergence(const db_finding *f, char *const *files, buffer *to) {
  const db_detail *d = &f->detail;
  const side at = side_of(f, "barrier");
  const char *call = text_or_empty(d->call)[0] == '\0' ? "barrier" : d->call;
  (void)files;
  if (!f->proved) {
    put_divergence_seen(f, to);
    return;
  }
  const side one = {at.place, "", at.local, at.group};
  put_side(f, &one, to);
  const bool arguments = strcmp(text_or_empty(d->cause), "arguments") == 0;
  buffer_printf(to, arguments ? " and" : " reaches the %s, and", call);
  buffer_puts(to, text_or_empty(d->local)[0] == '\0' ? " another work-item" : " work-item ");
  finding_id(f, text_or_empty(d->local), to);
  buffer_printf(
      to, arguments ? " of the same work-group call %s with different arguments" : " of the same work-group does not",
      call);
}

/* Of what a run has seen it is "access", of a proof "first". */
static side only_side(const db_finding *f) {
  const side s = side_of(f, "access");
  return s.place != NULL ? s : side_of(f, "first");
}

void put_bounds(const db_finding *f, char *const *files, buffer *to) {
  const db_detail *d = &f->detail;
  const side by = only_side(f);
  (void)files;
  put_side(f, &by, to);
  const size_t deed = by.place != NULL ? deed_of(by.place) : 0;
  buffer_printf(to, " %s ", deeds[deed].one);
  if (strcmp(text_or_empty(d->cause), "null") == 0) {
    buffer_printf(to, "memory%s through a null pointer", deeds[deed].way);
    return;
  }
  finding_element(f, to);
  buffer_puts(to, deeds[deed].way);
  if (d->size.known && d->element_size.known && d->element_size.value > 0) {
    const uint64_t elements = d->size.value / d->element_size.value;
    buffer_printf(to, ", which has %" PRIu64 " element%s of %" PRIu64 " byte%s", elements, elements == 1 ? "" : "s",
                  d->element_size.value, d->element_size.value == 1 ? "" : "s");
  }
}

/* --- memory -------------------------------------------------------------------------------------------------------- */

/* Each rule's own words, after "work-item 3 of work-group 0 writes x[7]". */
void put_memory(const db_finding *f, char *const *files, buffer *to) {
  const db_detail *d = &f->detail;
  const side by = only_side(f);
  const size_t deed = by.place != NULL ? deed_of(by.place) : 0;
  (void)files;
  put_side(f, &by, to);
  buffer_printf(to, " %s ", deeds[deed].one);
  if (strcmp(f->rule, "null-pointer") == 0) {
    buffer_printf(to, "memory%s through ", deeds[deed].way);
    buffer_printf(to, text_or_empty(d->object)[0] != '\0' ? "%s, which is null" : "a null pointer%s",
                  text_or_empty(d->object));
    return;
  }
  finding_element(f, to);
  buffer_puts(to, deeds[deed].way);
  if (strcmp(f->rule, "misaligned") == 0) {
    buffer_printf(to, " as what needs an address that is a multiple of %s", text_or_empty(d->cause));
  } else if (finding_witness(f, "copy")[0] != '\0') {
    buffer_printf(to, " while the async copy of line %s is under way: nobody has waited for its event",
                  finding_witness(f, "copy"));
  } else if (strcmp(f->rule, "copy-not-awaited") == 0) {
    const bool several = strcmp(text_or_empty(d->cause), "several") == 0;
    buffer_printf(to, ", and the kernel ends without waiting for that%s", several ? " or for a copy before it" : "");
  } else if (strcmp(f->rule, "mapped") == 0) {
    buffer_puts(to, " while the host has it mapped");
  } else {
    buffer_printf(to, ", which was made with CL_MEM_%s",
                  strcmp(f->rule, "read-only") == 0 ? "READ_ONLY" : "WRITE_ONLY");
  }
}

/* Of a variable it is known which results depend on it, of memory who reads what. */
void put_unwritten(const db_finding *f, char *const *files, buffer *to) {
  const db_detail *d = &f->detail;
  const char *kernel = finding_witness(f, "kernel");
  (void)files;
  if (d->launch.known) {
    const side by = only_side(f);
    put_side(f, &by, to);
    buffer_puts(to, " reads ");
    finding_element(f, to);
    buffer_puts(to, strcmp(text_or_empty(d->space), "image") == 0
                        ? ", an image of which nobody has written all, and what the host reads depends on that"
                        : ", which nobody has written, and what the host reads depends on it");
    return;
  }
  if (finding_witness(f, "status")[0] != '\0') {
    buffer_puts(to, "the host reads bytes of ");
    buffer_printf(to, kernel[0] != '\0' ? "argument %s of kernel %s" : "a buffer", finding_witness(f, "argument"),
                  kernel);
    buffer_printf(to, " that nobody has written, and ends with exit status %s where they are others",
                  finding_witness(f, "status"));
    return;
  }
  buffer_printf(to, "what the host reads depends on the %s variable %s, which has no value yet when it is read",
                text_or_empty(d->space), text_or_empty(d->object));
  if (kernel[0] != '\0')
    buffer_printf(to, "; it is seen in argument %s of kernel %s", finding_witness(f, "argument"), kernel);
}

void finding_sentence(const db_finding *f, char *const *files, buffer *to) {
  const finding_rule *rule = rule_find(f->rule);
  if (rule != NULL && rule->sentence != NULL) rule->sentence(f, files, to);
}

void finding_sight(const db_finding *f, buffer *to) {
  const db_detail *d = &f->detail;
  if (strcmp(f->rule, "memory-error") == 0) return; /* its sentence says it */
  if (d->launch.known && d->launches.known) {
    buffer_printf(to, " (launch %" PRIu64 " of %" PRIu64 ")", d->launch.value + 1, d->launches.value);
  } else if (d->launch.known && d->count.known) {
    buffer_printf(to, " (launch %" PRIu64 ", seen %" PRIu64 " time%s)", d->launch.value + 1, d->count.value,
                  d->count.value == 1 ? "" : "s");
  } else if (d->launch.known && strcmp(f->rule, "async-divergence") == 0) {
    buffer_printf(to, " (launch %" PRIu64 ")", d->launch.value);
  } else if (d->launch.known) {
    buffer_printf(to, " (launch %" PRIu64 ", work-group %s)", d->launch.value, text_or_empty(d->group));
  }
  if (strcmp(text_or_empty(d->cause), "varied") == 0)
    buffer_puts(to, "; results of the program varied, though no schedule shows why");
}

void finding_message(const view *v, const db_finding *f, buffer *to) {
  const size_t before = to->length;
  buffer_puts(to, f->message);
  if (to->length == before) explanation_of_finding(v, f, to);
  if (to->length == before) {
    finding_sentence(f, NULL, to);
    finding_sight(f, to);
  }
  if (to->length == before && f->schedule != 0) /* which the view does not have */
    buffer_puts(to, rule_title(f->rule));
}
