/* Each mutant of a case, switched in the schema and built in as a clone, against what the text gives with the mutant
 * written into it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/edits.h"
#include "schema_cases.h"

#define FUEL 5000u /* more than any loop of the cases needs */

/* --- one mutant -------------------------------------------------------------------------------------------------- */

/* The source with the mutant written into it; blanks keep its characters from joining others. */
static char *written_out(const char *text, const mutant *m) {
  return text_of("%.*s %s %s", (int)m->offset, text, m->replacement, text + m->end_offset);
}

static void compare(const test_case *c, const mutant *m, const char *form, const outcome *found,
                    const outcome *wanted) {
  for (int i = 0; i < VALUES; i++) {
    if (!found->ran || !wanted->ran || found->out[i] != wanted->out[i]) {
      fail("%s: %s, mutant %u (line %u, `%s` -> `%s`): out[%d] is %d, not %d", c->name, form, m == NULL ? 0 : m->number,
           m == NULL ? 0 : m->line, m == NULL ? "" : m->original, m == NULL ? "" : m->replacement, i, found->out[i],
           wanted->out[i]);
      return;
    }
  }
}

typedef struct built_case {
  const test_case *c;
  const char *kernel;
  const int32_t *input;
  build *schema, *clones;
} built_case;

/* A mutant whose forms have run, and the text that it comes to when it is written out. */
typedef struct tried {
  const mutant *m; /* NULL: none, the original */
  outcome selected, clone;
  char *text;
} tried;

static void check_invalid(device *d, const built_case *k, const mutant *m) {
  char *text = written_out(k->c->text, m);
  build *alone = device_build(d, text, k->c->options, true);
  if (alone != NULL) {
    fail("%s: mutant %u builds:\n%s", k->c->name, m->number, text);
    build_free(alone);
  }
  free(text);
}

/* In the forms that it has. Work-items that come after one without fuel get none, and groups come in any order: one
 * work-item has one result. */
static tried try_forms(const built_case *k, const mutant *m) {
  tried t = {.m = m};
  uint32_t events = 0;
  for (unsigned again = 0; again < 2 && (again == 0 || (events & MUTATE_ENDLESS) != 0); again++) {
    if (m->form == MUTANT_SELECTED) {
      t.selected = build_run(k->schema, k->kernel, k->input, again > 0, m->number, FUEL);
      events = t.selected.flags[MUTATE_WORD_EVENTS];
    }
    if (clone_is_due(m)) {
      t.clone = run_clone(k->clones, k->kernel, k->input, again > 0, m->number, FUEL);
      events = t.clone.flags[MUTATE_WORD_EVENTS];
    }
  }
  if (t.selected.ran && t.selected.flags[MUTATE_WORD_EVENTS] != events) {
    fail("%s: mutant %u: schema and clone record %u and %u", k->c->name, m->number,
         t.selected.flags[MUTATE_WORD_EVENTS], events);
  }
  /* Endless loops and divisions by zero have no reference to run. */
  if (events == 0 && m->op != MUTATE_LOOP && text_is_due(m)) t.text = written_out(k->c->text, m);
  return t;
}

static void check_forms(const built_case *k, const tried *t, const outcome *wanted) {
  if (t->m == NULL || t->m->form == MUTANT_SELECTED) compare(k->c, t->m, "schema", &t->selected, wanted);
  if (t->m == NULL || clone_is_due(t->m)) compare(k->c, t->m, "clone", &t->clone, wanted);
}

/* Mutants of which there are texts, against these. */
static void check_texts(device *d, const built_case *k, const tried *all, size_t count) {
  char **texts = mem_calloc(count + 1, sizeof *texts);
  size_t text_count = 0;
  for (size_t i = 0; i < count; i++)
    if (all[i].text != NULL) texts[text_count++] = all[i].text;
  const written w = text_count > 0 ? write_texts(d, texts, text_count, k->c->options, k->kernel) : (written){0};
  for (size_t i = 0, text = 0; i < count; i++) {
    if (all[i].text == NULL) {
      check_forms(k, &all[i], all[i].clone.ran ? &all[i].clone : &all[i].selected);
    } else if (w.build != NULL) {
      const outcome wanted = run_text(&w, text++, k->input);
      check_forms(k, &all[i], &wanted);
    }
  }
  build_free(w.build);
  free(texts);
}

/* --- one case ---------------------------------------------------------------------------------------------------- */

static bool line_says_never(const char *text, uint32_t line) {
  for (; line > 1; line--) text = strchr(text, '\n') + 1;
  return memmem(text, strcspn(text, "\n"), "// never", 8) != NULL;
}

/* The text as it stands, in both forms. */
static tried try_original(const built_case *k) {
  const tried t = {.selected = build_run(k->schema, k->kernel, k->input, false, 0, NO_LIMIT),
                   .clone = run_clone(k->clones, k->kernel, k->input, false, 0, NO_LIMIT),
                   .text = mem_strdup(k->c->text)};
  if (t.selected.flags[MUTATE_WORD_EVENTS] != 0 || t.clone.flags[MUTATE_WORD_EVENTS] != 0)
    fail("%s: the original records events", k->c->name);
  return t;
}

static void check_reach(device *d, const built_case *k, const mutate_result *r) {
  build *recording = build_schema(d, r, "-DCLTC_REACH");
  if (recording == NULL) {
    fail("%s: does not build with CLTC_REACH", k->c->name);
    return;
  }
  outcome o = build_run(recording, k->kernel, k->input, false, 0, NO_LIMIT);
  build_free(recording);
  for (size_t i = 0; i < r->mutant_count; i++) {
    const mutant *m = &r->mutants[i];
    bool reached = (o.flags[MUTATE_WORD_REACHED + m->place / 32] >> (m->place % 32) & 1) != 0;
    if (reached == line_says_never(k->c->text, m->line))
      fail("%s: mutant %u in line %u is %sreached", k->c->name, m->number, m->line, reached ? "" : "not ");
  }
}

static unsigned seen[MUTATE_OPERATORS];

size_t check_case(device *d, const test_case *c, const int32_t *input, bool reach) {
  bool chosen[MUTATE_OPERATORS];
  error e = {0};
  if (mutate_select_operators(c->operators, chosen, &e) != 0) {
    fail("%s: %s", c->name, e.text);
    return 0;
  }
  mutate_result r = mutate_text(c->text, c->options, NULL, 0);
  built_case k = {c, strstr(c->text, "void solid(") != NULL ? "solid" : "test", input, build_schema(d, &r, ""),
                  build_due_clones(d, c->text, c->options, &r)};
  tried *all = mem_calloc(r.mutant_count + 1, sizeof *all);
  size_t count = 0, invalid = 0;
  if (k.schema == NULL || k.clones == NULL) {
    fail("%s: does not build", c->name);
  } else {
    all[count++] = try_original(&k);
    if (reach) check_reach(d, &k, &r);
    for (size_t i = 0; i < r.mutant_count; i++) {
      const mutant *m = &r.mutants[i];
      if (chosen[m->op] && !m->suppressed) {
        seen[m->op]++;
        if (m->invalid) {
          check_invalid(d, &k, m);
          invalid++;
        } else {
          all[count++] = try_forms(&k, m);
        }
      }
    }
    check_texts(d, &k, all, count);
  }
  const size_t tries = count + invalid - (count > 0 ? 1 : 0);
  printf("%s: %zu mutants\n", c->name, tries);
  for (size_t i = 0; i < count; i++) free(all[i].text);
  free(all);
  build_free(k.schema);
  build_free(k.clones);
  mutate_free(&r);
  return tries;
}

void check_operators_seen(void) {
  for (int op = 0; op < MUTATE_DIMENSIONS; op++) /* the others are of launches: no source has them */
    if (seen[op] == 0) fail("no mutant of operator %s was tried", mutate_operators[op].name);
}
