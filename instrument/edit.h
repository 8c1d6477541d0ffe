/* Edits around functions that all texts of a program have, and writing a unit with its edits applied. */
#ifndef CLTC_INSTRUMENT_EDIT_H
#define CLTC_INSTRUMENT_EDIT_H

#include "frontend/edits.h"
#include "instrument/program.h"

#define TWIN_SUFFIX "__cltc_function" /* after a kernel's name: its twin that can be called */

/* --- edit.c --- */
/* The function that a declaration announces, NULL if none of the program's. */
const function *defined_elsewhere(const program *p, const tree_node *declaration);
/* What a function that is declared or defined has beyond the user's: hidden parameters of a kernel, a context for other
 * functions and for twins. */
void edit_declared(edits *e, const pp_result *text, const tree_node *declared);
/* Calls hand the context on, and call the twins of kernels. */
void edit_calls(const program *p, const function *f, edits *e);
/* The token after which declarations can be put: `{`, or the last of the pragmas that must come first. */
uint32_t body_start(const pp_result *text, const function *f);

typedef struct renderer {
  const pp_result *text;
  const edits *edits; /* sorted */
  enum edit_mode mode;
  buffer out;
  size_t counted;      /* bytes of `out` whose newlines are in `line` */
  uint32_t file, line; /* where the output claims to be; NONE: nowhere yet */
} renderer;

/* Writes tokens with their edits; they keep the line numbers that they have for the user. */
void render_tokens(renderer *r, span tokens);
/* Text of ours on lines of its own. */
void render_lines(renderer *r, const char *lines);

#endif
