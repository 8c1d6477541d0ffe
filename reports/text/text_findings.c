/* Findings in the text report, schedules that fail, proofs and repairs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "reports/text/text.h"
#include "reports/words/words.h"

/* Races, deadlocks, crashes and other results: what depends on the order, where, and how to see it again. */
void text_write_failing(text *t, const amplification *a) {
  scoped_document fails = {.v = t->v, .options = t->options}, meant = {.v = t->v};
  EACH(const issue, x, t->issues.list, t->issues.count) {
    if (x->failing.schedule != NULL && x->suppressed == NULL) document_failing(&fails, x);
  }
  document_meant(&meant, a);
  text_list(t, "What depends on the order", &fails, TEXT_SHOWN);
  text_list(t, "Meant: the kernel says that its result may depend on the order", &meant, SIZE_MAX);
}

/* Errors with memory come before races, which they may be the reason of, and these before barriers that diverge. */
static unsigned rank_of(const db_finding *f) {
  static const char *const rules[] = {"data-race", "benign-race", "barrier-divergence", "async-divergence"};
  return (unsigned)(name_number(rules, sizeof rules / sizeof rules[0], f->rule) + 1);
}

bool text_findings_first(const view *v) { return memory_is(v) && races_are(v); }

static const char *file_of(const text *t, const db_finding *f) {
  return f->file == MODEL_NONE ? "" : t->v->files[f->file].name;
}

static int order(const void *a, const void *b, void *context) {
  const db_finding *x = *(const db_finding *const *)a, *y = *(const db_finding *const *)b;
  const int64_t pairs[][2] = {
      {rank_of(x), rank_of(y)},
      {strcmp(file_of(context, x), file_of(context, y)), 0},
      {x->line, y->line},
      {x->place_count > 0 ? x->places[0].column : 0, y->place_count > 0 ? y->places[0].column : 0},
      {x->id, y->id}};
  int result = 0;
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0] && result == 0; i++)
    result = (pairs[i][0] > pairs[i][1]) - (pairs[i][0] < pairs[i][1]);
  return result;
}

/* Those that are shown, in their order; free() it. */
static const db_finding **listed(text *t, size_t *count) {
  const db_finding **list = mem_calloc(t->issues.count + 1, sizeof *list);
  *count = 0;
  for (size_t i = 0; i < t->issues.count; i++) {
    const db_finding *f = t->issues.list[i].finding;
    if (f != NULL && f->suppressed == NULL) list[(*count)++] = f;
  }
  qsort_r(list, *count, sizeof(const db_finding *), order, t);
  return list;
}

/* --- many of one kernel -------------------------------------------------------------------------------------------- */

enum { MANY = 3, PLACE = 20, TITLE = 20, LAUNCH = 8, TIMES = 8, ID = 6 };
#define MEMORY_COLUMNS(t) ((t)->width - 2 - PLACE - TITLE - LAUNCH - TIMES - ID)

static bool is_short(const db_finding *f) { return memory_saw(f) || races_saw(f); }

static size_t count_of(const db_finding *const *list, size_t count, const char *kernel) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++) n += is_short(list[i]) && strcmp(list[i]->kernel, kernel) == 0 ? 1 : 0;
  return n;
}

static void put_short(text *t, const db_finding *f) {
  const db_detail *d = &f->detail;
  scoped_buffer place = {0}, what = {0};
  char number[32];
  text_pad(t, 2);
  text_place(t, f->places[0].file, f->places[0].line, &place);
  if (f->place_count > 1) buffer_printf(&place, ", %u", f->places[1].line);
  verification_title(f, &what);
  text_left(t, PLACE - 1, buffer_text(&place));
  text_pad(t, 1);
  text_left(t, TITLE, buffer_text(&what));
  what.length = 0;
  buffer_puts(&what, f->place_count > 1 ? "" : f->places[0].access);
  buffer_printf(&what, "%s%s", what.length > 0 ? " " : "", d->object);
  if (d->element.known && d->pixel[0] == '\0') buffer_printf(&what, "[%lld]", (long long)d->element.value);
  text_left(t, MEMORY_COLUMNS(t), buffer_text(&what));
  (void)snprintf(number, sizeof number, "%llu", (unsigned long long)d->launch.value + 1);
  text_right(t, LAUNCH, number);
  (void)snprintf(number, sizeof number, "%llu", (unsigned long long)d->count.value);
  text_right(t, TIMES, number);
  (void)snprintf(number, sizeof number, "%lld", (long long)f->id);
  text_right(t, ID, number);
  buffer_putc(&t->out, '\n');
}

/* All of a kernel that are of its rank are rows of a table. */
static void write_many(text *t, const db_finding *const *list, size_t count, const char *kernel) {
  text_sentence(
      t, 2,
      "Kernel %s has %zu findings; --all, or `cltestcheck report --verbose%s%s`, shows each in full, --replay ID looks "
      "for one again:",
      kernel, count_of(list, count, kernel), t->options->database == NULL ? "" : " --db ",
      t->options->database == NULL ? "" : t->options->database);
  buffer_printf(&t->out, "  %-*s%-*s%-*s%*s%*s%*s\n", PLACE, "place", TITLE, "what", (int)MEMORY_COLUMNS(t), "memory",
                LAUNCH, "launch", TIMES, "times", ID, "ID");
  for (size_t i = 0; i < count; i++)
    if (is_short(list[i]) && strcmp(list[i]->kernel, kernel) == 0) put_short(t, list[i]);
}

bool text_write_findings(text *t) {
  size_t count = 0;
  const db_finding **list = listed(t, &count);
  if (count > 0) {
    buffer_puts(&t->out, text_findings_first(t->v) ? "" : "\n");
    text_heading(t, "Findings");
  }
  for (size_t i = 0; i < count; i++) {
    const db_finding *f = list[i];
    const bool many = !t->options->all && is_short(f) && count_of(list, count, f->kernel) > MANY;
    if (many && count_of(list, i, f->kernel) == 0) {
      write_many(t, list, count, f->kernel);
    } else if (!many) {
      scoped_document d = {.v = t->v, .options = t->options};
      document_finding(&d, f);
      text_document(t, &d, verification_shows(f) ? 0 : 2);
    }
  }
  free(list);
  return count > 0;
}

/* Before anything else: results that rest on what was never computed. */
void text_write_unnoticed(text *t) {
  EACH(const db_finding, f, t->v->findings, t->v->finding_count) {
    if (strcmp(f->rule, "api-error") == 0 && f->suppressed == NULL) {
      scoped_buffer item = buffer_with("Not what it seems: ");
      finding_message(t->v, f, &item);
      text_wrapped(t, 0, 2, buffer_text(&item));
      buffer_putc(&t->out, '\n');
    }
  }
}

/* Repairs in the text report: what became of each file, and its patch. */

static void write_patch(text *t, const db_repair *r) {
  const char *at = r->patch, *line = NULL;
  size_t length = 0;
  while ((line = repair_line(&at, &length)) != NULL) {
    scoped_buffer clean = {0};
    scoped char *one = mem_strndup(line, length);
    text_name(&clean, one);
    text_styled(t, line[0] == '+' ? STYLE_GREEN : line[0] == '-' ? STYLE_RED : STYLE_DIM, buffer_text(&clean));
    buffer_putc(&t->out, '\n');
  }
}

void text_write_repairs(text *t) {
  scoped_buffer title = buffer_with("Repairs of ");
  report_runs(t->v, "repair", &title);
  text_heading(t, buffer_text(&title));
  buffer_putc(&t->out, '\n');
  for (size_t i = 0; i < t->v->repair_count; i++) {
    const db_repair *r = &t->v->repairs[i];
    buffer_printf(&t->out, "%s%s: ", i > 0 ? "\n" : "", r->name);
    const bool good = strcmp(r->outcome, "fine") == 0 || strcmp(r->outcome, "repaired") == 0;
    text_styled(t, good ? STYLE_GREEN : STYLE_RED, repair_words(r));
    buffer_putc(&t->out, '\n');
    scoped_document report = {.v = t->v};
    document_repair(&report, r);
    text_document(t, &report, 0);
    write_patch(t, r);
  }
}

#define NAME 22    /* columns of a kernel's name */
#define VERDICT 20 /* of its verdict */
#define INDENT 4
#define GUTTER '|'

static void note_at(text *t, size_t indent, const char *words) {
  text_pad(t, indent);
  text_fitted(t, indent, indent + 2, words);
}

static void put_note(text *t, const char *words) { note_at(t, 2, words); }

/* --- the table of kernels --------------------------------------------------------------------------------------- */

static text_style style_of(proof_verdict v) {
  return v == PROOF_VERIFIED ? STYLE_GREEN : proof_is_definite(v) ? STYLE_RED : STYLE_YELLOW;
}

/* What it rests on, or why there is no proof. */
static void put_basis(const text *t, size_t proof, buffer *to) {
  const db_proof *p = &t->v->proofs[proof];
  /* "scan.cl:5", where kernels elsewhere have the same name. */
  bool others = false;
  EACH(const db_proof, other, t->v->proofs, t->v->proof_count) {
    others = others || (strcmp(other->name, p->name) == 0 && (other->file != p->file || other->line != p->line));
  }
  if (others && p->file != MODEL_NONE) {
    const char *name = t->v->files[p->file].name;
    buffer_printf(to, "%s:%u: ", path_end(name), p->line);
  }
  const size_t named = to->length;
  verification_variant(t->v, proof, to);
  scoped_buffer basis = {0};
  verification_basis(p, &basis);
  buffer_printf(to, "%s%s", to->length > named ? ": " : "", basis.length > 0 ? buffer_text(&basis) : "see below");
}

static void write_proofs_table(text *t) {
  size_t shown = 0;
  scoped_buffer heading = buffer_with("%-*s%-*s%s", NAME, "Kernel", VERDICT, "verdict", "holds, or why not");
  text_heading(t, buffer_text(&heading));
  for (size_t i = 0; i < t->v->proof_count; i++) {
    if (report_selects(t->options, t->v->proofs[i].name)) {
      const db_proof *p = &t->v->proofs[i];
      scoped_buffer basis = {0};
      /* A name that does not fit has a line of its own: names of one family differ at their ends, or in the middle. */
      if (utf8_columns(p->name) < NAME) {
        text_left(t, NAME, p->name);
      } else {
        text_wrapped(t, 0, 0, p->name);
        text_pad(t, NAME);
      }
      /* "race", "possible race", in its colour and padded. */
      const proof_verdict verdict = proof_verdict_of(&t->v->proofs[i]);
      const bool apart = verdict != PROOF_VERIFIED && verification_held_back(t->v, i);
      const char *word = apart ? "suppressed" : proof_verdict_name(verdict);
      text_styled(t, apart ? STYLE_DIM : style_of(verdict), word);
      text_pad(t, VERDICT - strlen(word));
      put_basis(t, i, &basis);
      text_fitted(t, NAME + VERDICT, NAME + VERDICT, buffer_text(&basis));
      shown++;
    }
  }
  if (shown == 0)
    buffer_puts(&t->out, t->v->proof_count == 0 ? "(no kernel was seen)\n" : "(no kernel matches the selection)\n");
}

/* "3 of 5 kernels verified, 1 race, 1 unknown" */
static void write_totals(text *t, const verification *all) {
  scoped_buffer line =
      buffer_with("%lu of %lu kernel%s verified", all->of[PROOF_VERIFIED], all->kernels, report_plural(all->kernels));
  for (unsigned i = PROOF_VERIFIED + 1; i < PROOF_VERDICTS; i++)
    if (all->of[i] > 0) buffer_printf(&line, ", %lu %s", all->of[i], proof_verdict_name((proof_verdict)i));
  if (all->suppressed > 0) buffer_printf(&line, ", %lu suppressed", all->suppressed);
  text_wrapped(t, 0, 0, buffer_text(&line));
}

/* --- what proofs rest on ---------------------------------------------------------------------------------------- */

static const struct {
  proof_part_kind kind;
  const char *heading;
} parts[] = {
    {PROOF_FACT, "Facts of the host program that the proofs use"},
    {PROOF_BARRIER, "Barriers that can be deleted one at a time without a race"},
    {PROOF_INVARIANT, "Invariants that the proofs use"},
};

/* Of barriers only those that are redundant: the others are as they should be. */
static bool is_told(proof_part_kind kind, const db_proof_part *part) {
  return kind != PROOF_BARRIER || strcmp(part->text, "redundant") == 0;
}

static void write_parts(text *t, proof_part_kind kind, const char *heading) {
  bool any = false;
  EACH(const db_proof, p, t->v->proofs, t->v->proof_count) {
    for (size_t k = 0; report_selects(t->options, p->name) && k < p->parts[kind].count; k++) {
      if (!is_told(kind, &p->parts[kind].list[k])) continue;
      if (!any) {
        text_section(t, heading);
        any = true;
      }
      scoped_buffer item = {0};
      if (p->parts[kind].list[k].file != MODEL_NONE) {
        text_place(t, p->parts[kind].list[k].file, p->parts[kind].list[k].line, &item);
        buffer_puts(&item, ": ");
      }
      buffer_printf(&item, "%s: %s", p->name, kind == PROOF_BARRIER ? "this barrier" : p->parts[kind].list[k].text);
      put_note(t, buffer_text(&item));
      if (kind == PROOF_BARRIER)
        text_excerpt(t, &t->v->files[p->parts[kind].list[k].file], p->parts[kind].list[k].line, GUTTER,
                     p->parts[kind].list[k].column, p->parts[kind].list[k].column + 1);
    }
  }
}

/* Is it the first proof in the report with this assumption? */
static bool is_first(const text *t, size_t proof, const char *assumption) {
  for (size_t i = 0; i < proof; i++) {
    const db_proof_parts *others = &t->v->proofs[i].parts[PROOF_ASSUMPTION];
    for (size_t k = 0; report_selects(t->options, t->v->proofs[i].name) && k < others->count; k++)
      if (strcmp(others->list[k].text, assumption) == 0) return false;
  }
  return true;
}

static size_t count_assuming(const text *t, const char *assumption) {
  size_t count = 0;
  for (size_t i = 0; i < t->v->proof_count; i++) {
    const db_proof_parts *own = &t->v->proofs[i].parts[PROOF_ASSUMPTION];
    for (size_t k = 0; report_selects(t->options, t->v->proofs[i].name) && k < own->count; k++)
      count += strcmp(own->list[k].text, assumption) == 0 ? 1 : 0;
  }
  return count;
}

/* Each once, as many kernels share them. */
static void write_assumptions(text *t) {
  bool any = false;
  for (size_t i = 0; i < t->v->proof_count; i++) {
    const db_proof *p = &t->v->proofs[i];
    const db_proof_parts *own = &p->parts[PROOF_ASSUMPTION];
    for (size_t k = 0; report_selects(t->options, p->name) && k < own->count; k++) {
      if (!is_first(t, i, own->list[k].text)) continue;
      if (!any) {
        text_section(t, "The verdicts rest on");
        any = true;
      }
      const size_t count = count_assuming(t, own->list[k].text);
      scoped_buffer item = {0};
      if (count == 1)
        buffer_printf(&item, "%s: %s", p->name, own->list[k].text);
      else
        buffer_printf(&item, "%zu kernels: %s", count, own->list[k].text);
      put_note(t, buffer_text(&item));
    }
  }
}

void text_write_verification(text *t) {
  verification all;
  scoped_buffer title = {0};
  verification_totals(t->v, t->options, &all);
  buffer_puts(&title, "Verification of ");
  report_runs(t->v, "verify", &title);
  text_heading(t, buffer_text(&title));
  buffer_putc(&t->out, '\n');
  write_proofs_table(t);
  text_rule(t);
  write_totals(t, &all);
  write_assumptions(t);
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) write_parts(t, parts[i].kind, parts[i].heading);
}
