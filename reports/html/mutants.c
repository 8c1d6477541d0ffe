/* Mutants: a word or two at their line that open into a diff and what the test cases made of them. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/utf8.h"
#include "reports/common/place.h"
#include "reports/html/page.h"

enum { SHORT = 24, CONTEXT = 100, CHANGED = 200, NAMED = 8 };

const page_status page_statuses[MUTANT_STATUSES] = {
    [MUTANT_PENDING] = {'p', "pending", "not decided when the run ended"},
    [MUTANT_KILLED] = {'k', "killed", "differs in every run of some test case"},
    [MUTANT_UNDECIDED] = {'u', "undecided", "differs in some runs, not all"},
    [MUTANT_SURVIVED] = {'s', "survived", "never differs: no test case notices it"},
    [MUTANT_NO_COVERAGE] = {'n', "no-coverage", "no test case executes it"},
    [MUTANT_EQUIVALENT] = {'e', "equivalent", "compiles to the same code as the original"},
    [MUTANT_DUPLICATE] = {'d', "duplicate", "compiles to the same code as another mutant"},
    [MUTANT_INVALID] = {'i', "invalid", "does not compile"},
    [MUTANT_SUPPRESSED] = {'x', "suppressed", "a comment or the configuration says so"},
};

const page_status page_unrevealed = {'r', "unrevealed", "killed by its data alone: the program does not notice"};

const page_status *page_status_of(const db_mutant *m) {
  return mutation_is_revealed(m) == REVEALED_NO ? &page_unrevealed : &page_statuses[m->status];
}

unsigned long page_count_unrevealed(const page *p) {
  const mutation_counts *c = &p->issues.mutants.all;
  return c->of[MUTANT_KILLED] - c->revealed - c->unasked;
}

const mutant_status page_status_order[MUTANT_STATUSES] = {
    MUTANT_SURVIVED,   MUTANT_UNDECIDED, MUTANT_NO_COVERAGE, MUTANT_KILLED,     MUTANT_PENDING,
    MUTANT_EQUIVALENT, MUTANT_DUPLICATE, MUTANT_INVALID,     MUTANT_SUPPRESSED,
};

/* --- words ----------------------------------------------------------------------------------------------------- */

static size_t operator_of(const page *p, const db_mutant *m) {
  size_t o = 0;
  while (o < p->issues.mutants.operator_count && strcmp(p->issues.mutants.operators[o].name, m->operator_name) != 0) {
    o++;
  }
  return o;
}

/* Text cut to `most` characters. */
static void put_short(const page *p, const char *text, size_t most) {
  size_t at = 0;
  size_t length = strlen(text);
  for (size_t i = 0; i < most && at < length; i++) {
    size_t n = utf8_character(text + at, length - at);
    at += n == 0 ? 1 : n;
  }
  page_text_of(p->out, text, at);
  (void)fputs(at < length ? UTF8_ELLIPSIS : "", p->out);
}

/* "+ → -", or the description. */
static void put_change(const page *p, const db_mutant *m) {
  if (m->description != NULL) {
    put_short(p, m->description, 2 * SHORT);
    return;
  }
  put_short(p, m->original, SHORT);
  (void)fputs(" \xe2\x86\x92 ", p->out);
  if (m->replacement[0] == '\0') {
    (void)fputs("(deleted)", p->out);
  } else {
    put_short(p, m->replacement, SHORT);
  }
}

/* --- the diff -------------------------------------------------------------------------------------------------- */

/* Where a character begins, at or after `at`. */
static size_t character_at(const model_file *f, size_t at, size_t end) {
  while (at < end && ((unsigned char)f->text[at] & 0xc0) == 0x80) {
    at++;
  }
  return at;
}

static size_t line_begin(const model_file *f, size_t at) {
  while (at > 0 && f->text[at - 1] != '\n') {
    at--;
  }
  return at;
}

static size_t line_end(const model_file *f, size_t at) {
  const char *newline = at < f->length ? memchr(f->text + at, '\n', f->length - at) : NULL;
  return newline == NULL ? f->length : (size_t)(newline - f->text);
}

/* A side of the diff: what stands around the change, as far as there is room, and the change itself. */
static void put_side(const page *p, const db_mutant *m, const char *element, char sign, const char *changed,
                     size_t length, bool more) {
  const model_file *f = &p->v->files[m->file];
  size_t begin = line_begin(f, m->offset);
  size_t end = line_end(f, m->end_offset);
  size_t from = m->offset - begin > CONTEXT ? character_at(f, m->offset - CONTEXT, m->offset) : begin;
  size_t to = end - m->end_offset > CONTEXT ? character_at(f, m->end_offset + CONTEXT, end) : end;
  (void)fprintf(p->out, "<%s>%c %s", element, sign, from > begin ? UTF8_ELLIPSIS : "");
  page_text_of(p->out, f->text + from, m->offset - from);
  (void)fputs("<b>", p->out);
  page_text_of(p->out, changed, length);
  (void)fprintf(p->out, "%s</b>", more ? UTF8_ELLIPSIS : "");
  page_text_of(p->out, f->text + m->end_offset, to - m->end_offset);
  (void)fprintf(p->out, "%s</%s>", to < end ? UTF8_ELLIPSIS : "", element);
}

static void put_diff(const page *p, const db_mutant *m) {
  const model_file *f = &p->v->files[m->file];
  if (m->offset > m->end_offset || m->end_offset > f->length) {
    return;
  }
  size_t length = m->end_offset - m->offset;
  size_t shown = length > CHANGED ? character_at(f, m->offset + CHANGED, m->end_offset) - m->offset : length;
  (void)fputs("<pre>", p->out);
  put_side(p, m, "del", '-', f->text + m->offset, shown, shown < length);
  if (m->description == NULL) {
    size_t all = strlen(m->replacement);
    size_t part = all;
    while (part > CHANGED && (part > CHANGED + 4 || ((unsigned char)m->replacement[part] & 0xc0) == 0x80)) {
      part = part > CHANGED + 4 ? CHANGED + 4 : part - 1;
    }
    put_side(p, m, "ins", '+', m->replacement, part, part < all);
  } else {
    (void)fputs("<ins>+ <b>(", p->out);
    page_text(p->out, m->description);
    (void)fputs(")</b></ins>", p->out);
  }
  (void)fputs("</pre>", p->out);
}

/* --- what became of it ----------------------------------------------------------------------------------------- */

/* Test cases that killed it, or that ran it when none did. */
static void put_tests(const page *p, const db_mutant *m) {
  const bool killed = m->status == MUTANT_KILLED;
  size_t count = 0;
  for (size_t i = 0; i < m->verdict_count; i++) {
    if (killed ? !mutation_kills(m, &m->verdicts[i]) : m->verdicts[i].runs == 0) {
      continue;
    }
    if (count < NAMED) {
      (void)fputs(count > 0 ? ", " : killed ? "<p>Killed by " : "<p>Run by ", p->out);
      (void)fprintf(p->out, "<a href=\"#t%u\">", m->verdicts[i].test_case);
      page_test_name(p, m->verdicts[i].test_case);
      (void)fputs("</a>", p->out);
    }
    count++;
  }
  if (count > NAMED) {
    (void)fprintf(p->out, " and %zu more", count - NAMED);
  }
}

static void put_verdict(const page *p, const db_mutant *m) {
  buffer why = {0};
  mutation_explain(p->v, m, &why);
  size_t tests = mutation_tests(m);
  (void)fprintf(p->out, "<p>%s", page_statuses[m->status].word);
  if (page_status_of(m) == &page_unrevealed) {
    (void)fputs(", and the program does not notice: an assertion is missing", p->out);
  }
  if (m->status == MUTANT_SUPPRESSED && m->suppressed != NULL) {
    (void)fputs(": ", p->out);
    page_text(p->out, m->suppressed);
  } else if (m->duplicate_of != MODEL_NONE) {
    (void)fprintf(p->out, " of <a href=\"#m%u\">mutant %u</a>", m->duplicate_of, p->v->mutants[m->duplicate_of].id);
  } else if (why.length > 0) {
    (void)fputs(": ", p->out);
    page_text(p->out, buffer_text(&why));
  } else if (tests > 0) {
    (void)fprintf(p->out, ": no run of %zu test case%s differed", tests, page_plural(tests));
  }
  (void)fprintf(p->out, "; id %u", m->id);
  buffer_free(&why);
}

bool page_shows_first(mutant_status status) {
  return status == MUTANT_SURVIVED || status == MUTANT_UNDECIDED || status == MUTANT_NO_COVERAGE;
}

bool page_mutants_alike(const db_mutant *a, const db_mutant *b) {
  const bool described = a->description != NULL && b->description != NULL;
  return page_status_of(a) == page_status_of(b) && strcmp(a->operator_name, b->operator_name) == 0 &&
         (a->description == NULL) == (b->description == NULL) &&
         (described ? strcmp(a->description, b->description) == 0
                    : strcmp(a->original, b->original) == 0 && strcmp(a->replacement, b->replacement) == 0);
}

void page_mutant(const page *p, size_t index, bool column) {
  const db_mutant *m = &p->v->mutants[index];
  const page_status *s = page_status_of(m);
  (void)fprintf(p->out, "<details class=\"m s%c o%zu\" id=m%zu><summary>%s ", s->letter, operator_of(p, m), index,
                s->word);
  page_text(p->out, m->operator_name);
  (void)fputs(": ", p->out);
  put_change(p, m);
  if (column) {
    (void)fprintf(p->out, ", column %u", place_column(&p->v->files[m->file], m->column, m->offset));
  }
  (void)fputs("</summary><div>", p->out);
  put_diff(p, m);
  put_verdict(p, m);
  put_tests(p, m);
  if (page_shows_first(m->status)) {
    page_again(p, m);
  }
  (void)fputs("</div></details>", p->out);
}
