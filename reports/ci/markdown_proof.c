/* Proofs in Markdown: a table of kernels, and counterexamples as blocks of text. */
#include "reports/ci/markdown_proof.h"

#include "reports/common/markdown_text.h"
#include "reports/common/verification.h"

#define COUNTEREXAMPLE_LINES 40

static void put_proof(const view *v, size_t i, FILE *out) {
  const db_proof *p = &v->proofs[i];
  const proof_verdict verdict = proof_verdict_of(p);
  const bool apart = verdict != PROOF_VERIFIED && verification_held_back(v, i);
  buffer text = {0};
  (void)fputs("| ", out);
  markdown_code(out, p->name, true);
  (void)fputs(" | ", out);
  if (p->file != MODEL_NONE) {
    buffer_printf(&text, "%s:%u", v->files[p->file].name, p->line);
    markdown_code(out, buffer_text(&text), true);
    buffer_free(&text);
  }
  (void)fprintf(out, proof_is_definite(verdict) && !apart ? " | **%s**%s | " : " | %s%s | ",
                proof_verdict_name(verdict), apart ? ", suppressed" : "");
  verification_variant(v, i, &text);
  buffer_puts(&text, text.length > 0 ? ": " : "");
  verification_basis(p, &text);
  markdown_text(out, buffer_text(&text));
  (void)fputs(" |\n", out);
  buffer_free(&text);
}

void markdown_proofs(const view *v, const report_options *options, FILE *out) {
  bool any = false;
  for (size_t i = 0; i < v->proof_count; i++) {
    if (report_selects(options, v->proofs[i].name)) {
      (void)fputs(any ? "" : "\n### Proofs\n\n| kernel | at | verdict | holds, or why not |\n|---|---|---|---|\n", out);
      put_proof(v, i, out);
      any = true;
    }
  }
}

void markdown_counterexample(const view *v, const db_finding *f, FILE *out) {
  buffer lines = {0};
  buffer block = {0};
  verification_lines(v, NULL, f, true, &lines);
  if (lines.length > 0) {
    markdown_lines(&block, "", buffer_text(&lines), lines.length, COUNTEREXAMPLE_LINES);
    markdown_block(out, "text", &block);
  }
  buffer_free(&lines);
  buffer_free(&block);
}
