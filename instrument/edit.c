/* Edits around functions, which all texts have: parameters, qualifiers, calls; and the renderer, which writes tokens
 * with edits. */
#include "instrument/edit.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "instrument/forms.h"

#define CONTEXT_PARAMETER "__private cltc_context *cltc"
#define KERNEL_PARAMETERS                                                                       \
  "__global uint *restrict cltc_flags, __global uchar *restrict cltc_slots, ulong cltc_first, " \
  "__global uint *restrict cltc_planes, uint cltc_capacity"

/* The hidden parameters of a kernel, the context parameter of other functions and of twins. */
static void edit_parameters(edits *e, const pp_result *text, const tree_node *declared) {
  const span all = tree_parameters(text, declared);
  const bool none = declared->child_count == 1; /* the body alone */
  if (none && all.last == all.first + 2)        /* (void) */
    edit_add(e, all.first + 1, EDIT_REPLACE, 0, EDIT_BOTH, text_of(" "));
  const char *comma = none ? "" : ", ";
  if (declared->symbol->kernel) {
    edit_add(e, all.last, EDIT_BEFORE, 1, EDIT_PLAIN, text_of("%s" KERNEL_PARAMETERS, comma));
    edit_add(e, all.last, EDIT_BEFORE, 1, EDIT_TWIN, text_of("%s" CONTEXT_PARAMETER, comma));
    edit_add(e, declared->token, EDIT_SUFFIX, 0, EDIT_TWIN, text_of(TWIN_SUFFIX));
  } else {
    edit_add(e, all.last, EDIT_BEFORE, 1, EDIT_BOTH, text_of("%s" CONTEXT_PARAMETER, comma));
  }
}

/* The callable twin of a kernel has neither the kernel qualifier nor attributes. */
static void edit_qualifiers(edits *e, const pp_result *text, const tree_node *declared) {
  for (span q = tree_next_qualifier(text, declared, 0); !span_empty(q);
       q = tree_next_qualifier(text, declared, q.last + 1))
    for (uint32_t t = q.first; t <= q.last; t++) edit_add(e, t, EDIT_REPLACE, 0, EDIT_TWIN, text_of(" "));
}

void edit_declared(edits *e, const pp_result *text, const tree_node *declared) {
  edit_parameters(e, text, declared);
  if (declared->symbol->kernel) edit_qualifiers(e, text, declared);
}

uint32_t body_start(const pp_result *text, const function *f) {
  uint32_t t = f->body.first;
  for (uint32_t behind; (behind = token_behind_pragma(text, t + 1)) > t + 1; t = behind - 1)
    if (memmem(text->text + text->tokens[t + 1].begin, text->tokens[behind - 1].end - text->tokens[t + 1].begin,
               "unroll", 6) != NULL)
      return t; /* belongs to the loop after it */
  return t;
}

/* Overloads appear several times in `calls`; one edit serves them all. */
void edit_calls(const program *p, const function *f, edits *e) {
  const pp_result *text = &p->units[f->unit].text;
  for (size_t i = 0; i < f->call_count; i++) {
    uint32_t name = f->calls[i].token;
    if (i > 0 && f->calls[i - 1].token == name) continue;
    const span around = token_parentheses(text, name);
    if (span_empty(around)) continue;
    edit_add(e, around.last, EDIT_BEFORE, 1, EDIT_BOTH, text_of(around.last == around.first + 1 ? "cltc" : ", cltc"));
    if (p->functions[f->calls[i].callee].node->symbol->kernel)
      edit_add(e, name, EDIT_SUFFIX, 0, EDIT_BOTH, text_of(TWIN_SUFFIX));
  }
}

const function *defined_elsewhere(const program *p, const tree_node *declaration) {
  for (size_t i = 0; i < p->function_count; i++)
    if (strcmp(p->functions[i].node->symbol->name, declaration->symbol->name) == 0) return &p->functions[i];
  return NULL;
}

/* Writing a unit's tokens with the edits applied; lines keep the numbers they have in the user's files. */

enum { MAX_PADDING = 10 };

static void count_lines(renderer *r) {
  for (; r->counted < r->out.length; r->counted++) r->line += r->out.data[r->counted] == '\n' ? 1 : 0;
}

/* A file's name after #line. */
static void write_name(buffer *out, const char *name) {
  buffer_puts(out, " \"");
  for (const char *c = name; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\') buffer_putc(out, '\\');
    buffer_putc(out, (unsigned char)*c < 0x20 ? '_' : *c); /* a line end would end the directive */
  }
  buffer_putc(out, '"');
}

/* Makes the line that is about to begin have the number that its first token has for the user. */
static void synchronise(renderer *r, const pp_position *where) {
  count_lines(r);
  if (r->file == where->file && where->line >= r->line && where->line - r->line <= MAX_PADDING) {
    while (r->line < where->line) {
      buffer_putc(&r->out, '\n');
      count_lines(r);
    }
    return;
  }
  if (r->out.length > 0 && r->out.data[r->out.length - 1] != '\n') buffer_putc(&r->out, '\n');
  buffer_printf(&r->out, "#line %u", (unsigned)where->line);
  if (!r->text->own_name) write_name(&r->out, r->text->files[where->file].name);
  buffer_putc(&r->out, '\n');
  r->counted = r->out.length;
  r->file = where->file;
  r->line = where->line;
}

/* All tokens of the user's and all text of ours come through here, so that none joins what it stands after. */
static void write_apart(renderer *r, const char *text, size_t length) {
  if (length > 0 && pp_text_joins(r->out.data, r->out.length, text[0])) buffer_putc(&r->out, ' ');
  buffer_append(&r->out, text, length);
}

static void write_copy(renderer *r, span tokens, uint32_t limit);

/* The text of an edit, with the copies that it asks for. */
static void write_text(renderer *r, const char *text) {
  while (*text != '\0') {
    size_t plain = strcspn(text, "\1");
    write_apart(r, text, plain);
    text += plain;
    if (*text != '\0') {
      char *end = NULL;
      uint32_t number[3];
      for (int i = 0; i < 3; i++) {
        number[i] = (uint32_t)strtoul(text + 1, &end, 10);
        text = end;
      }
      write_copy(r, (span){number[0], number[1]}, number[2]);
      text++; /* the `;` */
    }
  }
}

/* The edits of one place, one after another from *at on; NULL after the last. */
static const edit *next_edit(const renderer *r, uint32_t token, enum edit_place place, size_t *at) {
  for (; *at < r->edits->count && r->edits->items[*at].token == token && r->edits->items[*at].place == place; ++*at)
    if ((r->edits->items[*at].mode & r->mode) != 0) return &r->edits->items[(*at)++];
  return NULL;
}

/* Writes the edits of one place that are wider than `least` and not wider than `limit`; returns whether there were any. */
static bool write_wider(renderer *r, uint32_t token, enum edit_place place, uint32_t least, uint32_t limit) {
  bool any = false;
  size_t at = edit_find(r->edits, token, place);
  for (const edit *e = next_edit(r, token, place, &at); e != NULL; e = next_edit(r, token, place, &at)) {
    if (e->extent <= limit && (e->extent > least || least == 0)) {
      write_text(r, e->text);
      any = true;
    }
  }
  return any;
}

static bool write_edits(renderer *r, uint32_t token, enum edit_place place, uint32_t limit) {
  return write_wider(r, token, place, 0, limit);
}

/* The widest span from this token on that was moved, of at most `limit` tokens; NULL: none was. */
static const edit *moved_at(const renderer *r, uint32_t token, uint32_t limit) {
  size_t at = edit_find(r->edits, token, EDIT_MOVED);
  const edit *e = next_edit(r, token, EDIT_MOVED, &at);
  while (e != NULL && e->extent > limit) e = next_edit(r, token, EDIT_MOVED, &at);
  return e;
}

/* What stands in its place, in the edits that are around it: those around the same span have moved with it. */
static void write_moved(renderer *r, const edit *e, uint32_t limit, uint32_t limit_after) {
  (void)write_wider(r, e->token, EDIT_BEFORE, e->extent, limit);
  write_text(r, e->text);
  (void)write_wider(r, e->token + e->extent - 1, EDIT_AFTER, e->extent, limit_after);
}

static void append_parts(const renderer *r, uint32_t token, enum edit_place place, buffer *out) {
  size_t at = edit_find(r->edits, token, place);
  for (const edit *e = next_edit(r, token, place, &at); e != NULL; e = next_edit(r, token, place, &at))
    buffer_puts(out, e->text);
}

static void write_spelling(renderer *r, uint32_t token) {
  const pp_token *t = &r->text->tokens[token];
  if (write_edits(r, token, EDIT_REPLACE, UINT32_MAX)) return;
  scoped_buffer spelling = {0};
  append_parts(r, token, EDIT_PREFIX, &spelling);
  buffer_append(&spelling, r->text->text + t->begin, t->end - t->begin);
  append_parts(r, token, EDIT_SUFFIX, &spelling);
  write_apart(r, buffer_text(&spelling), spelling.length);
}

static void write_copy(renderer *r, span tokens, uint32_t limit) {
  for (uint32_t t = tokens.first; t <= tokens.last; t++) {
    if (t > tokens.first && r->text->tokens[t - 1].end < r->text->tokens[t].begin) buffer_putc(&r->out, ' ');
    const uint32_t before = t == tokens.first ? limit : UINT32_MAX;
    const uint32_t all = tokens.last - tokens.first + 1;
    const edit *moved = moved_at(r, t, t == tokens.first ? (limit < all ? limit : all - 1) : UINT32_MAX);
    if (moved != NULL) {
      t += moved->extent - 1;
      write_moved(r, moved, before, t == tokens.last ? limit : UINT32_MAX);
      continue;
    }
    (void)write_edits(r, t, EDIT_BEFORE, before);
    write_spelling(r, t);
    (void)write_edits(r, t, EDIT_AFTER, t == tokens.last ? limit : UINT32_MAX);
  }
}

static void write_space(renderer *r, uint32_t token) {
  const pp_result *text = r->text;
  uint32_t from = token == 0 ? 0 : text->tokens[token - 1].end;
  uint32_t to = text->tokens[token].begin;
  const char *newline = memrchr(text->text + from, '\n', to - from);
  if (token == 0 || r->file == NONE) synchronise(r, &text->tokens[token].expanded);
  if (newline == NULL) {
    buffer_append(&r->out, text->text + from, to - from);
    return;
  }
  buffer_putc(&r->out, '\n');
  synchronise(r, &text->tokens[token].expanded);
  buffer_append(&r->out, newline + 1, (size_t)(text->text + to - newline - 1));
}

static void write_token(renderer *r, uint32_t token) {
  const pp_token *t = &r->text->tokens[token];
  write_space(r, token);
  if (write_edits(r, token, EDIT_BEFORE, UINT32_MAX) && t->kind == PP_PRAGMA) buffer_putc(&r->out, '\n');
  write_spelling(r, token);
  if (t->kind == PP_PRAGMA) buffer_putc(&r->out, '\n');
  if (!write_edits(r, token, EDIT_AFTER, UINT32_MAX) && t->kind == PP_PRAGMA)
    r->out.data[--r->out.length] = '\0'; /* the text goes on with a new line by itself */
}

/* A token, or a span that was moved and begins here; gives the last one written. */
static uint32_t render_token(renderer *r, uint32_t token) {
  const edit *moved = moved_at(r, token, UINT32_MAX);
  if (moved == NULL) {
    write_token(r, token);
    return token;
  }
  write_space(r, token);
  write_moved(r, moved, UINT32_MAX, UINT32_MAX);
  return token + moved->extent - 1;
}

void render_tokens(renderer *r, span tokens) {
  for (uint32_t t = tokens.first; t <= tokens.last; t++) t = render_token(r, t);
}

void render_lines(renderer *r, const char *lines) {
  if (r->out.length > 0 && r->out.data[r->out.length - 1] != '\n') buffer_putc(&r->out, '\n');
  buffer_puts(&r->out, lines);
  r->counted = r->out.length;
  r->file = NONE;
}

/* --- instrumented units ------------------------------------------------------------------------------------------ */

/* The callable twin of a kernel, or its prototype. */
static void write_twin(renderer *r, const tree_node *declared) {
  r->mode = EDIT_TWIN;
  buffer_putc(&r->out, '\n');
  render_tokens(r, declared->tokens);
  buffer_puts(&r->out, tree_body(declared) == NULL ? ";\n" : "\n");
  r->mode = EDIT_PLAIN;
}

/* The last token of a definition, the `;` or `,` of a prototype. */
static uint32_t end_of(const tree_node *declared) {
  return declared->tokens.last + (tree_body(declared) == NULL ? 1 : 0);
}

/* `*next`: the next function whose end is not written. */
static void write_twins_behind(renderer *r, const program *p, const unit *u, uint32_t token, const tree_node **next) {
  for (; *next != NULL && end_of(*next) <= token; *next = tree_next_function(u->tree, *next)) {
    const function *f = (*next)->symbol->kernel ? defined_elsewhere(p, *next) : NULL;
    if (f != NULL && f->called) write_twin(r, *next);
  }
}

void render_unit(const program *p, const unit *u, const edits *e, buffer *out) {
  renderer r = {.text = &u->text, .edits = e, .mode = EDIT_PLAIN, .file = NONE, .out = *out};
  const tree_node *next = tree_next_function(u->tree, NULL);
  for (uint32_t t = 0; t < u->text.token_count; t++) {
    t = render_token(&r, t);
    write_twins_behind(&r, p, u, t, &next);
  }
  buffer_putc(&r.out, '\n');
  *out = r.out;
}

/* ---- names of vloadn, vstoren and their like ---- */

uint32_t vector_function_components(const char *name) {
  static const char *const roundings[] = {"_rte", "_rtz", "_rtp", "_rtn"};
  size_t end = strlen(name);
  for (size_t i = 0; i < 4; i++) {
    if (end > 4 && strcmp(name + end - 4, roundings[i]) == 0) {
      end -= 4;
      break;
    }
  }
  size_t begin = end;
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') begin--;
  return begin == end ? 1 : (uint32_t)strtoul(name + begin, NULL, 10);
}

bool vector_function_is_aligned(const char *name) {
  return strncmp(name, "vloada", 6) == 0 || strncmp(name, "vstorea", 7) == 0;
}

uint32_t vector_function_step(const char *name) {
  const uint32_t count = vector_function_components(name);
  return vector_function_is_aligned(name) && count == 3 ? 4 : count;
}

/* Coordinates by the kind of an image. */

void put_pixel(const char *coordinates, const tree_node *index, const tree_node *image, buffer *out) {
  const uint32_t lanes = tree_lanes(index->type);
  const char *kind = image->type->name;
  const bool array = strstr(kind, "array") != NULL;
  static const char *const parts[] = {".x", ".y", ".z"};
  for (uint32_t d = 0; d < 3; d++)
    if (d >= lanes || (d == 2 && strstr(kind, "3d") == NULL && !array))
      buffer_puts(out, ", 0ul");
    else
      buffer_printf(out, ", (ulong)%s%s", coordinates, lanes == 1 ? "" : parts[d]);
}

void put_pixel_sizes(const tree_node *image, const char *pixels, buffer *out) {
  const char *name = image->symbol->name, *kind = image->type->name;
  const bool array = strstr(kind, "array") != NULL, flat = strstr(kind, "1d") != NULL;
  if (strstr(kind, "buffer") != NULL) { /* some devices do not know the width of these */
    buffer_printf(out, ", %s, 1ul, 1ul", pixels);
    return;
  }
  buffer_printf(out, ", (ulong)get_image_width(%s)", name);
  buffer_printf(out,
                flat && array ? ", (ulong)get_image_array_size(%s)"
                : flat        ? ", 1ul"
                              : ", (ulong)get_image_height(%s)",
                name);
  buffer_printf(out,
                strstr(kind, "3d") != NULL ? ", (ulong)get_image_depth(%s)"
                : array && !flat           ? ", (ulong)get_image_array_size(%s)"
                                           : ", 1ul",
                name);
}
