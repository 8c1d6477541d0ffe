/* Outcomes are told apart by text, offset and number, as sites are. */
#include "generate/outcomes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bool counts(site_kind kind) {
  return kind == SITE_FUNCTION || kind == SITE_IF || kind == SITE_CONDITIONAL || kind == SITE_SWITCH ||
         kind == SITE_FOR || kind == SITE_WHILE || kind == SITE_DO || kind == SITE_BARRIER;
}

bool outcome_is(const outcome *o, const model_file *file, const model_site *s, const model_outcome *of) {
  return o->offset == s->offset && o->kind == s->kind && o->number == of->index && strcmp(o->digest, file->sha256) == 0;
}

static outcome *find_or_add(outcomes *all, const model_file *file, const model_site *s, const model_outcome *from) {
  for (size_t i = 0; i < all->count; i++) {
    outcome *o = &all->items[i];
    if (outcome_is(o, file, s, from)) return o;
  }
  outcome *o = ARRAY_ADD(all->items, all->count, all->capacity);
  *o = (outcome){.file = mem_strdup(file->name),
                 .offset = s->offset,
                 .number = from->index,
                 .line = s->kind == SITE_SWITCH ? from->line : s->line,
                 .kind = s->kind,
                 .label = mem_strdup(from->label)};
  memcpy(o->digest, file->sha256, sizeof o->digest);
  return o;
}

static void read_site(outcomes *all, const view *v, const model_site *s) {
  if (s->file >= v->file_count) return;
  for (size_t i = 0; i < s->outcome_count; i++) {
    const model_outcome *from = &s->outcomes[i];
    outcome *o = find_or_add(all, &v->files[s->file], s, from);
    o->seen = from->tests > 0 && from->first < v->test_case_count;
    o->first = o->seen ? (uint32_t)strtoul(v->test_cases[from->first].name, NULL, 10) : 0;
  }
}

void outcomes_read(outcomes *o, const view *v, const char *kernel) {
  for (size_t i = 0; i < o->count; i++) o->items[i].seen = false;
  for (size_t k = 0; k < v->kernel_count; k++) {
    if (strcmp(v->kernels[k].name, kernel) != 0) continue;
    for (size_t i = 0; i < v->kernels[k].site_count; i++) {
      if (counts(v->kernels[k].sites[i].kind)) {
        o->known = true;
        read_site(o, v, &v->kernels[k].sites[i]);
      }
    }
  }
}

size_t outcomes_taken(const outcomes *o) {
  size_t taken = 0;
  for (size_t i = 0; i < o->count; i++) taken += o->items[i].taken ? 1 : 0;
  return taken;
}

void outcomes_take(outcomes *o) {
  for (size_t i = 0; i < o->count; i++) o->items[i].taken = o->items[i].taken || o->items[i].seen;
}

size_t outcomes_never(const outcomes *o) {
  size_t never = 0;
  for (size_t i = 0; i < o->count; i++) never += !o->items[i].taken && o->items[i].never != NULL ? 1 : 0;
  return never;
}

void outcome_words(const outcome *o, buffer *out) {
  const bool first = o->number == OUTCOME_TRUE;
  switch (o->kind) {
    case SITE_FUNCTION: buffer_printf(out, "the function of line %u", (unsigned)o->line); break;
    case SITE_IF: buffer_printf(out, "the %s of line %u", first ? "then" : "else", (unsigned)o->line); break;
    case SITE_CONDITIONAL:
      buffer_printf(out, "the %s side of ?: in line %u", first ? "first" : "second", (unsigned)o->line);
      break;
    case SITE_SWITCH: buffer_printf(out, "%s of line %u", o->label, (unsigned)o->line); break;
    case SITE_BARRIER: buffer_printf(out, "the barrier of line %u", (unsigned)o->line); break;
    default:
      buffer_printf(out, "%s of the loop of line %u",
                    o->number == OUTCOME_ZERO   ? "no turn"
                    : o->number == OUTCOME_ONE  ? "one turn"
                    : o->number == OUTCOME_MANY ? "several turns"
                                                : "the end",
                    (unsigned)o->line);
  }
}

char *outcomes_reason(outcomes *o, uint32_t launch, unsigned owner) {
  enum { SHOWN = 3 };
  buffer text = {0};
  size_t count = 0;
  for (size_t i = 0; i < o->count; i++) {
    outcome *one = &o->items[i];
    if (one->taken || !one->seen || one->first != launch) continue;
    one->taken = owner > 0;
    one->owner = owner;
    if (count++ < SHOWN) {
      buffer_puts(&text, count == 1 ? "takes " : ", ");
      outcome_words(one, &text);
    }
  }
  if (count > SHOWN) buffer_printf(&text, " and %zu more", count - SHOWN);
  return count == 0 ? NULL : buffer_take(&text);
}

void outcomes_free(outcomes *o) {
  for (size_t i = 0; i < o->count; i++) {
    free(o->items[i].file);
    free(o->items[i].label);
    free(o->items[i].never);
  }
  free(o->items);
  *o = (outcomes){0};
}
