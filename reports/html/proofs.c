/* Proofs: a row a kernel with its verdict and what it rests on; counterexamples with the source at each place; both at
 * their lines. */
#include <ctype.h>
#include <string.h>

#include "base/buffer.h"
#include "reports/common/races.h"
#include "reports/html/page.h"

static char letter_of(proof_verdict v) {
  return v == PROOF_VERIFIED ? 'k' : proof_is_definite(v) ? 's' : proof_is_possible(v) ? 'u' : 'p';
}

/* --- badges ---------------------------------------------------------------------------------------------------- */

static void put_badge(const page *p, proof_verdict verdict, bool apart, const char *anchor) {
  (void)fprintf(p->out, "<a class=\"st s%c\" href=\"#%s\">%s%s</a>", apart ? 'p' : letter_of(verdict), anchor,
                proof_verdict_name(verdict), apart ? ", suppressed" : "");
}

void page_proof_badge(const page *p, uint32_t kernel) {
  const proof_verdict verdict = verification_of_kernel(p->v, kernel);
  if (verdict == PROOF_VERDICTS) {
    (void)fputs("-", p->out);
    return;
  }
  for (size_t i = 0; i < p->v->proof_count; i++) {
    if (p->v->proofs[i].kernel == kernel && proof_verdict_of(&p->v->proofs[i]) == verdict) {
      put_badge(p, verdict, verdict != PROOF_VERIFIED && verification_held_back(p->v, i), "proofs");
      return;
    }
  }
}

static bool is_at(const db_finding *f, uint32_t file, uint32_t line, size_t place) {
  return f->places[place].file == file && f->places[place].line == line;
}

/* Is one of the finding's places after the first on the line? Where the first is, all findings stand. */
static bool meets(const db_finding *f, uint32_t file, uint32_t line) {
  bool at = false;
  for (size_t i = 1; verification_shows(f) && i < f->place_count; i++) {
    at = at || is_at(f, file, line, i);
  }
  return at && !(f->file == file && f->line == line);
}

bool page_line_proved(const page *p, uint32_t file, uint32_t line) {
  for (size_t i = 0; i < p->v->proof_count; i++) {
    if (p->v->proofs[i].file == file && p->v->proofs[i].line == line) {
      return true;
    }
  }
  for (size_t i = 0; i < p->v->finding_count; i++) {
    if (meets(&p->v->findings[i], file, line)) {
      return true;
    }
  }
  return false;
}

void page_put_proofs(const page *p, uint32_t file, uint32_t line) {
  for (size_t i = 0; i < p->v->proof_count; i++) {
    const db_proof *proof = &p->v->proofs[i];
    if (proof->file == file && proof->line == line && report_selects(p->options, proof->name)) {
      const proof_verdict verdict = proof_verdict_of(proof);
      put_badge(p, verdict, verdict != PROOF_VERIFIED && verification_held_back(p->v, i), "proofs");
    }
  }
  for (size_t i = 0; i < p->v->finding_count; i++) {
    const db_finding *f = &p->v->findings[i];
    if (meets(f, file, line) && verification_told_with(p->v, f) == NULL && report_selects(p->options, f->kernel)) {
      page_finding_link(p, i);
    }
  }
}

void page_finding_link(const page *p, size_t index) {
  const db_finding *self = &p->v->findings[index], *twin = verification_told_with(p->v, self);
  const db_finding *f = twin != NULL ? twin : self;
  buffer title = {0};
  (void)fprintf(p->out, "<a class=\"st s%c\" href=\"#", f->possible || races_is_benign(f) ? 'u' : 's');
  if (verification_shows(f)) {
    verification_title(f, &title);
    (void)fprintf(p->out, "d%zu\">", (size_t)(f - p->v->findings));
  } else {
    verification_title(f, &title);
    (void)fputs("findings\">", p->out);
  }
  page_text(p->out, buffer_text(&title));
  (void)fputs("</a>", p->out);
  buffer_free(&title);
}

/* --- counterexamples ------------------------------------------------------------------------------------------- */

static void put_place(const page *p, const db_finding *f, size_t place) {
  const db_place *x = &f->places[place];
  buffer words = {0};
  verification_place(f, place, &words);
  (void)fputs("<p>", p->out);
  page_text(p->out, buffer_text(&words));
  buffer_free(&words);
  (void)fputs(" at ", p->out);
  page_place(p, x->file, x->line);
  for (size_t i = 0; i < x->inlined_count; i++) {
    (void)fputs(", called at ", p->out);
    page_place(p, x->inlined[i].file, x->inlined[i].line);
  }
  (void)fputs("\n", p->out);
  page_excerpt(p, x->file, x->line);
}

static void put_path(const page *p, const db_finding *f, uint32_t thread) {
  bool any = false;
  for (size_t i = 0; i < f->path_count; i++) {
    const db_step *s = &f->path[i];
    if (s->thread != thread) {
      continue;
    }
    if (!any) {
      buffer words = {0};
      verification_thread(f, thread, &words);
      (void)fputs("<p>Path of ", p->out);
      page_text(p->out, buffer_text(&words));
      (void)fputs(":\n<ol>\n", p->out);
      buffer_free(&words);
      any = true;
    }
    (void)fputs("<li>", p->out);
    page_place(p, s->file, s->line);
    (void)fputs(": ", p->out);
    page_text(p->out, s->text);
    (void)fputs("\n", p->out);
  }
  (void)fputs(any ? "</ol>\n" : "", p->out);
}

static void put_paragraph(const page *p, const char *before, buffer *words) {
  if (words->length > 0) {
    (void)fprintf(p->out, "<p>%s", before);
    page_text(p->out, buffer_text(words));
    (void)fputs("\n", p->out);
  }
  buffer_free(words);
}

/* A paragraph that begins with a capital letter. */
static void put_sentence(const page *p, buffer *words) {
  if (words->length > 0) {
    words->data[0] = (char)toupper((unsigned char)words->data[0]);
  }
  put_paragraph(p, "", words);
}

/* What is proved of a race that was seen. */
static void put_twin(const page *p, const db_finding *twin) {
  buffer words = {0};
  verification_twin_words(p->v, twin, &words);
  put_sentence(p, &words);
  for (uint32_t thread = 0; thread <= 2; thread++) {
    put_path(p, twin, thread);
  }
  verification_witness(twin, &words);
  put_paragraph(p, "With ", &words);
  verification_confirmation(twin, &words);
  put_sentence(p, &words);
}

void page_counterexample(const page *p, const db_finding *f) {
  buffer words = {0};
  for (size_t i = 0; i < f->place_count; i++) {
    put_place(p, f, i);
  }
  for (uint32_t thread = 0; thread <= 2; thread++) {
    put_path(p, f, thread);
  }
  verification_witness(f, &words);
  put_paragraph(p, "With ", &words);
  verification_doubt(f, &words);
  put_sentence(p, &words);
  verification_confirmation(f, &words);
  put_sentence(p, &words);
  if (!f->proved && verification_twin(p->v, f) != NULL) {
    put_twin(p, verification_twin(p->v, f));
  }
}

/* --- the list -------------------------------------------------------------------------------------------------- */

static void put_texts(const page *p, const db_proof_parts *parts, const char *before) {
  for (size_t i = 0; i < parts->count; i++) {
    (void)fprintf(p->out, "<br>%s", i == 0 ? before : "");
    if (parts->list[i].file != MODEL_NONE) {
      page_place(p, parts->list[i].file, parts->list[i].line);
      (void)fputs(": ", p->out);
    }
    page_text(p->out, parts->list[i].text);
  }
}

/* What can go, one at a time. */
static void put_barriers(const page *p, const db_proof_parts *parts) {
  for (size_t i = 0; i < parts->count; i++) {
    if (strcmp(parts->list[i].text, "redundant") == 0) {
      (void)fputs("<br>No race without the barrier at ", p->out);
      page_place(p, parts->list[i].file, parts->list[i].line);
    }
  }
}

static void put_basis(const page *p, size_t index) {
  const db_proof *proof = &p->v->proofs[index];
  buffer words = {0};
  verification_variant(p->v, index, &words);
  buffer_puts(&words, words.length > 0 ? ": " : "");
  verification_basis(proof, &words);
  page_cell(p->out, "Holds, or why not");
  page_text(p->out, buffer_text(&words));
  buffer_free(&words);
  for (size_t i = 0; i < p->v->finding_count; i++) {
    const db_finding *f = &p->v->findings[i];
    if (f->proved && f->proof == index) {
      (void)fputs(" ", p->out);
      page_finding_link(p, i);
    }
  }
  put_texts(p, &proof->parts[PROOF_FACT], "The host program: ");
  put_texts(p, &proof->parts[PROOF_ASSUMPTION], "Rests on: ");
  put_texts(p, &proof->parts[PROOF_INVARIANT], "Invariants: ");
  put_barriers(p, &proof->parts[PROOF_BARRIER]);
}

static void put_proof(const page *p, size_t index) {
  const db_proof *proof = &p->v->proofs[index];
  const proof_verdict verdict = proof_verdict_of(proof);
  const bool apart = verdict != PROOF_VERIFIED && verification_held_back(p->v, index);
  (void)fputs("<tr><th scope=row>", p->out);
  page_text(p->out, proof->name);
  (void)fputs("<br>", p->out);
  page_place(p, proof->file, proof->line);
  page_cell(p->out, "Verdict");
  (void)fprintf(p->out, "<span class=\"st s%c\">%s%s</span>", apart ? 'p' : letter_of(verdict),
                proof_verdict_name(verdict), apart ? ", suppressed" : "");
  put_basis(p, index);
  page_cell(p->out, "Time");
  (void)fprintf(p->out, proof->reused ? "of an earlier run\n" : "%.2f s\n", proof->seconds);
}

void page_proofs(const page *p) {
  page_table_of_heading(p->out, "Proofs");
  (void)fputs(
      "<thead><tr><th scope=col>Kernel<th scope=col>Verdict<th scope=col>Holds, or why not<th "
      "scope=col>Time\n<tbody>\n",
      p->out);
  for (size_t i = 0; i < p->v->proof_count; i++) {
    if (report_selects(p->options, p->v->proofs[i].name)) {
      put_proof(p, i);
    }
  }
  (void)fputs(PAGE_TABLE_END, p->out);
}
