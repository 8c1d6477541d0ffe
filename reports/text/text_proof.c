/* Proofs in the text report: a line a kernel, and counterexamples in the way of a C compiler; patches. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/utf8.h"
#include "reports/common/report.h"
#include "reports/common/suppress.h"
#include "reports/common/verification.h"
#include "reports/text/text.h"
#include "reports/words/words.h"

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

/* "race", "possible race", in its colour and padded. */
static void verdict_column(text *t, size_t proof) {
  const proof_verdict verdict = proof_verdict_of(&t->v->proofs[proof]);
  const bool apart = verdict != PROOF_VERIFIED && verification_held_back(t->v, proof);
  const char *word = apart ? "suppressed" : proof_verdict_name(verdict);
  text_styled(t, apart ? STYLE_DIM : style_of(verdict), word);
  text_pad(t, VERDICT - strlen(word));
}

/* "scan.cl:5", where kernels elsewhere have the same name. */
static void put_namesake(const text *t, size_t proof, buffer *to) {
  const db_proof *p = &t->v->proofs[proof];
  bool others = false;
  for (size_t i = 0; i < t->v->proof_count; i++) {
    const db_proof *other = &t->v->proofs[i];
    others = others || (strcmp(other->name, p->name) == 0 && (other->file != p->file || other->line != p->line));
  }
  if (others && p->file != MODEL_NONE) {
    const char *name = t->v->files[p->file].name;
    buffer_printf(to, "%s:%u: ", path_end(name), p->line);
  }
}

/* What it rests on, or why there is no proof. */
static void put_basis(const text *t, size_t proof, buffer *to) {
  const db_proof *p = &t->v->proofs[proof];
  put_namesake(t, proof, to);
  const size_t named = to->length;
  verification_variant(t->v, proof, to);
  scoped_buffer basis = {0};
  verification_basis(p, &basis);
  buffer_printf(to, "%s%s", to->length > named ? ": " : "", basis.length > 0 ? buffer_text(&basis) : "see below");
}

/* A name that does not fit has a line of its own: names of one family differ at their ends, or in the middle. */
static void name_column(text *t, const char *name) {
  if (utf8_columns(name) < NAME) {
    text_left(t, NAME, name);
  } else {
    text_wrapped(t, 0, 0, name);
    text_pad(t, NAME);
  }
}

static void write_row(text *t, size_t proof) {
  const db_proof *p = &t->v->proofs[proof];
  scoped_buffer basis = {0};
  name_column(t, p->name);
  verdict_column(t, proof);
  put_basis(t, proof, &basis);
  text_fitted(t, NAME + VERDICT, NAME + VERDICT, buffer_text(&basis));
}

static void write_table(text *t) {
  size_t shown = 0;
  scoped_buffer heading = buffer_with("%-*s%-*s%s", NAME, "Kernel", VERDICT, "verdict", "holds, or why not");
  text_heading(t, buffer_text(&heading));
  for (size_t i = 0; i < t->v->proof_count; i++) {
    if (report_selects(t->options, t->v->proofs[i].name)) {
      write_row(t, i);
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

static void write_part(text *t, const db_proof *p, proof_part_kind kind, const db_proof_part *part) {
  scoped_buffer item = {0};
  if (part->file != MODEL_NONE) {
    text_place(t, part->file, part->line, &item);
    buffer_puts(&item, ": ");
  }
  buffer_printf(&item, "%s: %s", p->name, kind == PROOF_BARRIER ? "this barrier" : part->text);
  put_note(t, buffer_text(&item));
  if (kind == PROOF_BARRIER)
    text_excerpt(t, &t->v->files[part->file], part->line, GUTTER, part->column, part->column + 1);
}

static void write_parts(text *t, proof_part_kind kind, const char *heading) {
  bool any = false;
  for (size_t i = 0; i < t->v->proof_count; i++) {
    const db_proof *p = &t->v->proofs[i];
    for (size_t k = 0; report_selects(t->options, p->name) && k < p->parts[kind].count; k++) {
      if (!is_told(kind, &p->parts[kind].list[k])) continue;
      if (!any) {
        text_section(t, heading);
        any = true;
      }
      write_part(t, p, kind, &p->parts[kind].list[k]);
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
  write_table(t);
  text_rule(t);
  write_totals(t, &all);
  write_assumptions(t);
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) write_parts(t, parts[i].kind, parts[i].heading);
}
