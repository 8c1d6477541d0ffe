/* MC/DC: which conditions of a decision were shown to matter, and what is missing for the others. */
#include "reports/common/mcdc.h"

#include <string.h>

/* The conditions of a way: "TF-" of "TF- F". */
static size_t width_of(const model_outcome *way) { return strcspn(way->label, " "); }

static bool is_way(const model_outcome *o) {
  size_t width = width_of(o);
  return o->index >= OUTCOME_PATH && width > 0 && width < OUTCOME_PATH && o->label[width] == ' ';
}

static bool value_of(const model_outcome *way) { return way->label[width_of(way) + 1] == 'T'; }

/* Does the first way see the condition true, the second false, with another outcome and nothing else different? */
static bool shows(const model_outcome *yes, const model_outcome *no, size_t condition) {
  size_t width = width_of(yes);
  if (width != width_of(no) || condition >= width || yes->label[condition] != 'T' || no->label[condition] != 'F' ||
      value_of(yes) == value_of(no)) {
    return false;
  }
  for (size_t i = 0; i < width; i++) {
    const char a = yes->label[i];
    const char b = no->label[i];
    if (i != condition && a != b && a != '-' && b != '-') {
      return false;
    }
  }
  return true;
}

static unsigned taken(const model_outcome *way) { return way->tests > 0 ? 1 : 0; }

/* Keeps the pair if more of it was taken than of the one before. */
static void offer(mcdc_condition *c, const model_outcome *yes, const model_outcome *no) {
  if (c->pair[0] == NULL || taken(yes) + taken(no) > taken(c->pair[0]) + taken(c->pair[1])) {
    c->pair[0] = yes;
    c->pair[1] = no;
    c->shown = yes->tests > 0 && no->tests > 0;
  }
}

static void read_condition(const model_site *s, size_t number, mcdc_condition *c) {
  for (size_t i = 0; i < s->outcome_count; i++) {
    const model_outcome *way = &s->outcomes[i];
    if (!is_way(way) || number >= width_of(way)) {
      continue;
    }
    uint32_t *seen = way->label[number] == 'T' ? &c->seen_true : &c->seen_false;
    if (way->label[number] != '-' && way->tests > *seen) {
      *seen = way->tests;
    }
    for (size_t k = 0; k < s->outcome_count; k++) {
      if (is_way(&s->outcomes[k]) && shows(way, &s->outcomes[k], number)) {
        offer(c, way, &s->outcomes[k]);
      }
    }
  }
}

void mcdc_read(const model_site *decision, mcdc *out) {
  *out = (mcdc){0};
  for (size_t i = 0; decision->kind == SITE_DECISION && i < decision->outcome_count; i++) {
    const model_outcome *o = &decision->outcomes[i];
    size_t needed = o->index < OUTCOME_PATH ? o->index + 1 : is_way(o) ? width_of(o) : 0;
    out->count = needed > out->count ? needed : out->count;
  }
  for (size_t i = 0; i < out->count; i++) {
    out->conditions[i] = (mcdc_condition){.text = "", .line = decision->line};
    read_condition(decision, i, &out->conditions[i]);
    out->shown += out->conditions[i].shown ? 1 : 0;
  }
  for (size_t i = 0; i < decision->outcome_count && out->count > 0; i++) {
    const model_outcome *o = &decision->outcomes[i];
    if (o->index < OUTCOME_PATH) {
      out->conditions[o->index].text = o->label;
      out->conditions[o->index].line = o->line;
    }
  }
}

bool mcdc_too_large(const model_site *s) { return s->kind == SITE_DECISION && s->outcome_count == 0; }

static void describe_way(const mcdc *m, const model_outcome *way, buffer *to) {
  const char *before = "";
  for (size_t i = 0; i < width_of(way); i++) {
    if (way->label[i] != '-') {
      buffer_printf(to, "%s`%s` %s", before, m->conditions[i].text, way->label[i] == 'T' ? "true" : "false");
      before = ", ";
    }
  }
}

void mcdc_needs(const mcdc *m, const mcdc_condition *condition, buffer *to) {
  const char *before = "needs ";
  if (condition->pair[0] == NULL) {
    buffer_puts(to, "no two ways are known that would show it");
    return;
  }
  for (size_t i = 0; i < 2; i++) {
    if (condition->pair[i]->tests == 0) {
      buffer_puts(to, before);
      describe_way(m, condition->pair[i], to);
      before = "; and ";
    }
  }
}
