/* Digests of kernels and places. */
#include "base/digest.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "instrument/program.h"
#include "mutate/mutate.h"
#include "mutate/place.h"

/* For each token of a unit the function in whose definition it is, NONE if in none. To be freed. */
static uint32_t *list_owners(const program *p, uint32_t unit_index) {
  const pp_result *text = &p->units[unit_index].text;
  uint32_t *owners = mem_calloc(text->token_count, sizeof *owners);
  for (size_t t = 0; t < text->token_count; t++) {
    owners[t] = NONE;
  }
  for (uint32_t f = 0; f < p->function_count; f++) {
    const span tokens = p->functions[f].node->tokens;
    for (uint32_t t = tokens.first; p->functions[f].unit == unit_index && t <= tokens.last; t++) {
      owners[t] = f;
    }
  }
  return owners;
}

/* A name that macros have brought counts, one in a comment does not. */
static bool names(const unit *u, const char *name) {
  const size_t length = strlen(name);
  bool found = false;
  for (size_t t = 0; t < u->text.token_count && !found; t++) {
    const pp_token *token = &u->text.tokens[t];
    found = token->end - token->begin == length && memcmp(u->text.text + token->begin, name, length) == 0;
  }
  return found;
}

static void digest_unit(digester *d, const unit *u, const uint32_t *owners, const bool *reached) {
  digest_text(d, u->text.other_options);
  for (size_t t = 0; t < u->text.token_count; t++) {
    const pp_token *token = &u->text.tokens[t];
    /* a pragma in a function may hold after it, too */
    if (owners[t] == NONE || reached[owners[t]] || token->kind == PP_PRAGMA) {
      digest_bytes(d, u->text.text + token->begin, token->end - token->begin);
    }
  }
  digest_text(d, ""); /* no token: the end of the unit */
}

static char *digest_kernel(const program *p, uint32_t kernel, uint32_t *const *owners) {
  size_t count = 0;
  uint32_t *reach = reachable_functions(p, p->kernel_functions[kernel], &count);
  bool *reached = mem_calloc(p->function_count, sizeof *reached);
  for (size_t i = 0; i < count; i++) {
    reached[reach[i]] = true;
  }
  digester d;
  digest_begin(&d);
  for (uint32_t u = 0; u < p->unit_count; u++) {
    digest_unit(&d, &p->units[u], owners[u], reached);
  }
  char *out = mem_calloc(1, 65);
  digest_end(&d, out);
  free(reach);
  free(reached);
  return out;
}

void digest_kernels(const program *p, mutate_result *r) {
  uint32_t **owners = mem_calloc(p->unit_count, sizeof *owners);
  for (uint32_t u = 0; u < p->unit_count; u++) {
    owners[u] = list_owners(p, u);
    r->prints = r->prints || names(&p->units[u], "printf");
  }
  r->kernel_digests = mem_calloc(p->kernel_count, sizeof *r->kernel_digests);
  r->kernel_digest_count = p->kernel_count;
  for (uint32_t k = 0; k < p->kernel_count; k++) {
    r->kernel_digests[k] = digest_kernel(p, k, owners);
  }
  mem_free_all(owners, p->unit_count);
}

void digest_place(digester *d, const program *p, uint32_t function_index, uint32_t token) {
  const function *f = &p->functions[function_index];
  uint64_t overloads = 0; /* before it */
  for (uint32_t g = 0; g < function_index; g++) {
    const function *other = &p->functions[g];
    overloads += other->unit == f->unit && strcmp(other->node->symbol->name, f->node->symbol->name) == 0 ? 1 : 0;
  }
  digest_number(d, f->unit);
  digest_text(d, f->node->symbol->name);
  digest_number(d, overloads);
  digest_number(d, token - f->node->tokens.first);
}
