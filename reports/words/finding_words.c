#include "reports/words/finding_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "reports/words/explanation_words.h"
#include "reports/words/finding_text.h"
#include "reports/words/rules.h"

told_finding finding_told(const db_finding *f) {
  return (told_finding){.rule = f->rule,
                        .proved = f->proved,
                        .detail = &f->detail,
                        .places = f->places,
                        .place_count = f->place_count,
                        .witness = f->witness,
                        .witness_count = f->witness_count,
                        .commands = f->commands,
                        .command_count = f->command_count,
                        .possible = f->possible};
}

const char *finding_witness(const told_finding *f, const char *what) {
  const db_witness *w = NAMED(f->witness, f->witness_count, what, what);
  return text_or_empty(w == NULL ? NULL : w->value);
}

/* --- races -------------------------------------------------------------------------------------------------------- */

/* NULL: there is none of this role. */
static const db_place *place_of(const told_finding *f, const char *role) {
  return NAMED(f->places, f->place_count, role, role);
}

/* One of the two accesses. */
typedef struct side {
  const db_place *place; /* NULL: where it is is not known */
  const char *who, *local, *group;
} side;

static side side_of(const told_finding *f, const char *role) {
  const db_place *p = place_of(f, role);
  const db_detail *d = f->detail;
  return p != NULL ? (side){p, text_or_empty(p->who), text_or_empty(p->local), text_or_empty(p->group)}
                   : (side){NULL, text_or_empty(d->who), text_or_empty(d->local), text_or_empty(d->group)};
}

static void put_side(const told_finding *f, const side *s, buffer *to) {
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

void finding_side(const told_finding *f, const char *role, buffer *to) {
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
          (deeds[i].how != NULL && strcmp(deeds[i].how, text_or_empty(p->how)) != 0))) {
    i++;
  }
  return i;
}

static void put_line(const db_place *p, char *const *files, buffer *to) {
  if (files != NULL) {
    buffer_printf(to, " (%s:%u)", files[p->file], p->line);
  } else {
    buffer_printf(to, " (line %u)", p->line);
  }
}

/* Both are of one group, as far as is known. */
static bool in_one_group(const side *a, const side *b) {
  return strcmp(a->who, "groups") != 0 && a->group[0] != '\0' && strcmp(a->group, b->group) == 0;
}

static void put_missing(const told_finding *f, const side *a, const side *b, buffer *to) {
  const char *space = text_or_empty(f->detail->space);
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

void put_race(const told_finding *f, char *const *files, buffer *to) {
  const side first = side_of(f, "first"), second = side_of(f, "second");
  const bool benign = strcmp(f->rule, "benign-race") == 0;
  put_side(f, &first, to);
  buffer_putc(to, ' ');
  if (first.place != NULL) {
    const size_t deed = deed_of(first.place);
    buffer_puts(to, is_many(&first) ? deeds[deed].several : deeds[deed].one);
    buffer_putc(to, ' ');
    finding_element(f, to);
    buffer_puts(to, deeds[deed].way);
    put_line(first.place, files, to);
  } else {
    const bool reads = strcmp(text_or_empty(f->detail->access), "read") == 0;
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

static uint32_t line_of(const told_finding *f, const char *role) {
  const db_place *p = place_of(f, role);
  return p == NULL ? 0 : p->line;
}

/* The smaller part of the group: work-item 0 may be the odd one out. */
static uint64_t few_of(const db_detail *d) {
  const uint64_t rest = d->items.value - d->differing.value;
  return d->differing.value > rest ? rest : d->differing.value;
}

void put_async_divergence(const told_finding *f, char *const *files, buffer *to) {
  const db_detail *d = f->detail;
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

static void put_divergence_seen(const told_finding *f, buffer *to) {
  const db_detail *d = f->detail;
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

void put_divergence(const told_finding *f, char *const *files, buffer *to) {
  const db_detail *d = f->detail;
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

/* --- one access --------------------------------------------------------------------------------------------------- */

/* Of what a run has seen it is "access", of a proof "first". */
static side only_side(const told_finding *f) {
  const side s = side_of(f, "access");
  return s.place != NULL ? s : side_of(f, "first");
}

/* --- out of bounds ------------------------------------------------------------------------------------------------- */

void put_bounds(const told_finding *f, char *const *files, buffer *to) {
  const db_detail *d = f->detail;
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
void put_memory(const told_finding *f, char *const *files, buffer *to) {
  const db_detail *d = f->detail;
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

/* --- values that nobody wrote -------------------------------------------------------------------------------------- */

/* Of a variable it is known which results depend on it, of memory who reads what. */
void put_unwritten(const told_finding *f, char *const *files, buffer *to) {
  const db_detail *d = f->detail;
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
  buffer_printf(to, "what the host reads depends on the %s variable %s, which has no value yet when it is read",
                text_or_empty(d->space), text_or_empty(d->object));
  if (kernel[0] != '\0') {
    buffer_printf(to, "; it is seen in argument %s of kernel %s", finding_witness(f, "argument"), kernel);
  }
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

void finding_sentence(const told_finding *f, char *const *files, buffer *to) {
  const finding_rule *rule = rule_find(f->rule);
  if (rule != NULL && rule->sentence != NULL) {
    rule->sentence(f, files, to);
  }
}

void finding_sight(const told_finding *f, buffer *to) {
  const db_detail *d = f->detail;
  if (strcmp(f->rule, "memory-error") == 0) {
    return; /* its sentence says it */
  }
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
  if (strcmp(text_or_empty(d->cause), "varied") == 0) {
    buffer_puts(to, "; results of the program varied, though no schedule shows why");
  }
}

void finding_message(const view *v, const db_finding *f, buffer *to) {
  const told_finding told = finding_told(f);
  const size_t before = to->length;
  buffer_puts(to, f->message);
  if (to->length == before) {
    explanation_of_finding(v, f, to);
  }
  if (to->length == before) {
    finding_sentence(&told, NULL, to);
    finding_sight(&told, to);
  }
  if (to->length == before && f->schedule != 0) { /* which the view does not have */
    buffer_puts(to, rule_title(f->rule));
  }
}
